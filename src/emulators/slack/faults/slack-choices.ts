import type { FaultChoice } from './fault-switch.ts';
import { RESPONSE_URL, type SlackFaultPlan } from './slack-fault-plan.ts';

/** What is written by an app. */
const WRITING = [
  'chat.postMessage',
  'chat.postEphemeral',
  'chat.update',
  'views.open',
  'views.push',
  'views.update',
  'views.publish',
  RESPONSE_URL,
];

/** Seconds, as Slack's own Retry-After often is. */
const RETRY_AFTER = 30;

/** How Slack can be made to fail by hand. */
export const SLACK_CHOICES: readonly (FaultChoice & { plan: SlackFaultPlan })[] = [
  {
    id: 'drops',
    label: 'Drops the connection after accepting',
    says: 'Slack takes what the app sends now, and drops the connection instead of answering.',
    plan: { webApi: [{ fault: 'cut', commit: 'first', method: WRITING }] },
  },
  {
    id: 'too-many',
    label: 'Says “too many requests”',
    says: 'Slack answers “too many requests” to everything that the app asks now.',
    plan: { webApi: [{ fault: 'rate-limited', retryAfter: RETRY_AFTER }] },
  },
  {
    id: 'duplicates',
    label: 'Delivers everything twice',
    says: 'Slack delivers every command, press, form and event twice now.',
    plan: { deliveries: [{ fault: 'duplicate' }] },
  },
  {
    id: 'expired',
    label: 'Says that triggers have expired',
    says: 'Slack opens no forms now: it says that the app asked too late.',
    plan: { webApi: [{ fault: 'expired-trigger', spelling: 'expired_trigger_id' }] },
  },
  {
    id: 'conflict',
    label: 'Says that views were changed meanwhile',
    says: 'Slack updates no forms and no Home now: it says that they were changed meanwhile.',
    plan: {
      webApi: [{ fault: 'error', error: 'hash_conflict', method: ['views.update', 'views.publish'] }],
    },
  },
];
