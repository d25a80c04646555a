import type { FaultPlan, FaultRule } from '../emulators/service/service.ts';
import type { OutsideSwitch } from '../emulators/slack/slack.ts';

/** Long enough that a form shows "Saved. Sending…" first. */
const SLOW_MS = 4_000;

const RETRY_AFTER_SECONDS = 30;

/** All writes. Reads still work, as in a partial outage. */
const operation: NonNullable<FaultRule['operation']> = [
  'createPost',
  'createPrompt',
  'addNonPlatformUserToProject',
  'updateProjectUser',
  'updateSource',
  'deleteWebhook',
  'deleteFile',
];

const CHOICES: readonly (Omit<OutsideSwitch['choices'][number], 'body'> & { body: FaultPlan })[] = [
  {
    id: 'slow',
    label: 'Is slow',
    says: 'The service is slow now: it takes 4 seconds for each answer.',
    body: { rules: [{ fault: 'slow', delayMs: SLOW_MS }] },
  },
  {
    id: 'hangs',
    label: 'Hangs',
    says: 'The service hangs now: it answers nothing.',
    body: { rules: [{ fault: 'hang', commit: 'never' }] },
  },
  {
    id: 'down',
    label: 'Is down',
    says: 'The service is down now: it refuses every connection.',
    body: { down: true },
  },
  {
    id: 'cuts',
    label: 'Cuts the connection after committing',
    says: 'The service does what it is asked now, and cuts the connection instead of answering.',
    body: { rules: [{ operation, fault: 'cut', commit: 'first' }] },
  },
  {
    id: 'fails',
    label: 'Answers 503',
    says: 'The service fails now: it answers 503 to everything.',
    body: { rules: [{ fault: 'status', status: 503 }] },
  },
  {
    id: 'refuses',
    label: 'Refuses everything (422)',
    says: 'The service refuses every change now (422).',
    body: { rules: [{ operation, fault: 'status', status: 422 }] },
  },
  {
    id: 'publishing',
    label: 'Fails to publish',
    says: 'The service fails to publish posts when their time comes now.',
    body: { failsToPublish: true },
  },
  {
    id: 'too-many',
    label: 'Says “too many requests”',
    says: 'The service answers “too many requests” to everything now.',
    body: { rules: [{ fault: 'status', status: 429, retryAfter: RETRY_AFTER_SECONDS }] },
  },
  {
    id: 'token',
    label: 'Refuses the token',
    says: 'The service refuses the app’s token now (401).',
    body: { rules: [{ fault: 'status', status: 401 }] },
  },
];

/** The switches on the practice workspace's page that make the practice service fail. */
export function createServiceSwitches(control: { url: string; token: string }): OutsideSwitch[] {
  return [{ id: 'service', label: 'Scheduling service', ...control, usual: {}, choices: [...CHOICES] }];
}
