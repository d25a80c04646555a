import { WebClient } from '@slack/web-api';
import type { Kysely } from 'kysely';
import type { ApiClient } from '../api/client.ts';
import { listProjects } from '../api/projects.ts';
import type { BotSchema } from '../handlers/schema.ts';
import {
  DEFAULT_POLICY,
  listPolicies,
  SUGGESTED_LEAD_MINUTES,
  savePolicy,
} from '../preferences/project-policy.ts';

/** Long enough that a form shows "Saved. Sending…" first. */
const SLOW_MS = 4_000;

const RETRY_AFTER_SECONDS = 30;

/** All writes. Reads still work, as in a partial outage. */
const operation = [
  'createPost',
  'createPrompt',
  'addNonPlatformUserToProject',
  'updateProjectUser',
  'updateSource',
  'deleteWebhook',
  'deleteFile',
];

/** A switch on the practice workspace's page. A choice sends its `body`, a plan of faults, to `url` with PUT. */
export interface ServiceSwitch {
  id: string;
  label: string;
  url: string;
  token: string;
  choices: readonly { id: string; label: string; notice: string; body: object }[];
  resetBody: object;
}

const CHOICES: ServiceSwitch['choices'] = [
  {
    id: 'slow',
    label: 'Is slow',
    notice: 'The service is slow: it takes 4 seconds for each answer.',
    body: { rules: [{ fault: 'slow', delayMs: SLOW_MS }] },
  },
  {
    id: 'hangs',
    label: 'Hangs',
    notice: 'The service hangs: it never answers.',
    body: { rules: [{ fault: 'hang', commit: 'never' }] },
  },
  {
    id: 'down',
    label: 'Is down',
    notice: 'The service is down: it refuses every connection.',
    body: { down: true },
  },
  {
    id: 'cuts',
    label: 'Drops the connection after committing',
    notice: 'The service commits changes, but drops the connection instead of answering.',
    body: { rules: [{ operation, fault: 'cut', commit: 'first' }] },
  },
  {
    id: 'fails',
    label: 'Answers 503',
    notice: 'The service answers every request with 503.',
    body: { rules: [{ fault: 'status', status: 503 }] },
  },
  {
    id: 'refuses',
    label: 'Refuses everything (422)',
    notice: 'The service refuses every change (422).',
    body: { rules: [{ operation, fault: 'status', status: 422 }] },
  },
  {
    id: 'publishing',
    label: 'Fails to publish',
    notice: 'The service fails to publish posts at their time.',
    body: { failsToPublish: true },
  },
  {
    id: 'too-many',
    label: 'Answers “too many requests”',
    notice: 'The service answers every request with “too many requests”.',
    body: { rules: [{ fault: 'status', status: 429, retryAfter: RETRY_AFTER_SECONDS }] },
  },
  {
    id: 'token',
    label: 'Refuses the token',
    notice: 'The service refuses the app’s token (401).',
    body: { rules: [{ fault: 'status', status: 401 }] },
  },
];

/** The switches on the practice workspace's page that make the practice service fail. */
export function createServiceSwitches(control: { url: string; token: string }): ServiceSwitch[] {
  return [{ id: 'service', label: 'Scheduling service', ...control, resetBody: {}, choices: CHOICES }];
}

/** How far the practice workspace's clock is ahead of the system clock, ms. */
export function createPracticeClock() {
  let offset = 0;
  const listeners: ((offsetMs: number) => void)[] = [];
  return {
    getOffsetMs: () => offset,
    onClock(listener: (offsetMs: number) => void): void {
      listeners.push(listener);
      listener(offset);
    },
    setOffset(offsetMs: number): void {
      offset = offsetMs;
      for (const listener of listeners) listener(offset);
    },
  };
}

/** The project of the practice service whose posts are held, so that people can try it. */
const HOLDING_PROJECT = 'Night Market Books';

/**
 * Makes one practice project hold its posts, unless it has a policy. Slack and the service must be built in. `findApi`:
 * finds the workspace's service, which may be another one by now.
 */
export async function createPracticePolicy(
  db: Kysely<BotSchema>,
  { address, findApi }: { address: string; findApi(workspace: string): Promise<ApiClient | undefined> },
  slack: { botToken: string; apiUrl?: string | undefined },
): Promise<void> {
  const client = new WebClient(slack.botToken, { ...(slack.apiUrl && { slackApiUrl: slack.apiUrl }) });
  const { team_id: workspace } = await client.auth.test();
  const api = workspace === undefined ? undefined : await findApi(workspace);
  const outcome = api?.address === address ? await listProjects(api) : undefined;
  const projects = outcome?.kind === 'done' ? outcome.data.items : [];
  const project = projects.find(({ name }) => name === HOLDING_PROJECT);
  if (workspace === undefined || !project || (await listPolicies(db, workspace)).has(project.id)) return;
  const policy = { ...DEFAULT_POLICY, leadMinutes: SUGGESTED_LEAD_MINUTES };
  await savePolicy(db, { workspace, project: project.id }, policy);
}
