import type { FaultChoice } from './fault-switch.ts';
import { RESPONSE_URL, type SlackFaultPlan } from './slack-fault-plan.ts';

const WRITE_METHODS = [
  'chat.postMessage',
  'chat.postEphemeral',
  'chat.update',
  'views.open',
  'views.push',
  'views.update',
  'views.publish',
  RESPONSE_URL,
];

/** A common value of Slack's. */
const RETRY_AFTER_SECONDS = 30;

/** The faults of Slack that people can switch on. */
export const SLACK_CHOICES: readonly (FaultChoice & { plan: SlackFaultPlan })[] = [
  {
    id: 'drops',
    label: 'Drops the connection after accepting',
    notice: 'Slack accepts calls, but drops the connection instead of answering.',
    plan: { webApi: [{ fault: 'cut', commit: 'first', method: WRITE_METHODS }] },
  },
  {
    id: 'too-many',
    label: 'Answers “too many requests”',
    notice: 'Slack answers every call with “too many requests”.',
    plan: { webApi: [{ fault: 'rate-limited', retryAfter: RETRY_AFTER_SECONDS }] },
  },
  {
    id: 'duplicates',
    label: 'Delivers everything twice',
    notice: 'Slack delivers every command, action, form and event twice.',
    plan: { deliveries: [{ fault: 'duplicate' }] },
  },
  {
    id: 'expired',
    label: 'Answers that triggers have expired',
    notice: 'Slack opens no forms, and answers that the trigger has expired.',
    plan: { webApi: [{ fault: 'expired-trigger', spelling: 'expired_trigger_id' }] },
  },
  {
    id: 'conflict',
    label: 'Answers that views have changed',
    notice: 'Slack updates no forms and no Home tabs, and answers that they have changed.',
    plan: {
      webApi: [{ fault: 'error', error: 'hash_conflict', method: ['views.update', 'views.publish'] }],
    },
  },
];
