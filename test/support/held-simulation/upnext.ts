import { WebClient } from '@slack/web-api';
import type { Kysely } from 'kysely';
import type { Permission } from '../../../src/access/access.ts';
import { createApiClient } from '../../../src/api/client.ts';
import type { BotSchema } from '../../../src/app/schema.ts';
import { createHeldPosts } from '../../../src/held-posts/held-posts.ts';
import { HELD_POST_PACE } from '../../../src/held-posts/pace.ts';
import { PACE } from '../../../src/submissions/pace.ts';
import { createPostSubmissions } from '../post-submissions.ts';
import { createTestClock } from '../test-clock.ts';
import { SILENT } from '../workspace.ts';

/** Nothing is deleted during a simulation. */
const RETENTION_MS = 1_000 * 86_400_000;
/** Longer than in production, because a simulation of weeks would mostly check posts that wait. */
const AUTHORITY_CHECK_MS = 3 * 86_400_000;
/** After so many scans at the same time, rows that can't be claimed now wait for the next time. */
const MAX_SCANS = 100;
/** The poll answers with at most this delay if due rows wait because of a limit. */
const BACKLOG_MS = 500;

/** The addresses of the external systems. */
export interface Surroundings {
  serviceUrl: string;
  slackUrl: string;
}

/** Creates the parts of an instance of Upnext that held posts need, with the clock of the simulation. */
export function createUpnext(options: {
  db: Kysely<BotSchema>;
  surroundings: Surroundings;
  now: () => Date;
  findPermission: (user: string) => Permission;
  onCrashPoint?: () => Promise<void>;
}) {
  const { db, surroundings, now, findPermission, onCrashPoint = async () => undefined } = options;
  const api = createApiClient({ baseUrl: surroundings.serviceUrl, token: 'token' });
  const slack = new WebClient('token', {
    ...{ slackApiUrl: surroundings.slackUrl, retryConfig: { retries: 0 } },
    ...{ rejectRateLimitedCalls: true, logger: SILENT },
  });
  const error = (fields: object, message: string) => console.error(message, fields);
  const log = { debug() {}, info() {}, warn() {}, error };
  const submissions = createPostSubmissions({
    ...{ db, api, clock: createTestClock(now) },
    pace: { ...PACE, retentionMs: RETENTION_MS, onCrashPoint },
    findApiClient: async () => api,
    findSlackClient: async () => slack,
    checkPermission: async ({ user }) => findPermission(user),
    takeOutcome: (row) => heldPosts.takeOutcome(row),
    takeForReview: (row) => heldPosts.takeForReview(row),
    onError: (message, fields) => error(fields, message),
  });
  const heldPosts = createHeldPosts({
    ...{ db, submissions, log, engine: submissions.engine, clock: createTestClock(now) },
    isEmulated: false,
    pace: {
      ...HELD_POST_PACE,
      retentionMs: RETENTION_MS,
      authorityCheckMs: AUTHORITY_CHECK_MS,
      onCrashPoint,
    },
    findSlackClient: async () => slack,
    approvers: {
      listRoleHolders: async () => ({ people: [], isComplete: true }),
      listGroupMembers: async () => [],
    },
  });
  return {
    context: heldPosts.context,
    /** Does everything that is due at the present time. */
    async runDueWork() {
      for (let scans = 0; scans < MAX_SCANS; scans += 1) {
        const next = await submissions.engine.runOnce();
        if (next.getTime() > now().getTime() + BACKLOG_MS) return;
      }
    },
    async stop() {
      await submissions.stop();
      await api.close();
    },
  };
}
