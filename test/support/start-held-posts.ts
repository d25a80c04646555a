import { randomUUID } from 'node:crypto';
import type { WebClient } from '@slack/web-api';
import { SILENT } from 'slack-workspace-emulator/test-support/workspace';
import { afterAll, beforeEach } from 'vitest';
import type { Permission, RoleHolders } from '../../src/access/access.ts';
import { createCachedReads } from '../../src/api/cached-reads.ts';
import { createApiClient } from '../../src/api/client.ts';
import { createEngine } from '../../src/engine/engine.ts';
import type { PostContent } from '../../src/features/schedule-post/sent/post-content.ts';
import { postSubmission } from '../../src/features/schedule-post/sent/post-submission.ts';
import { takeForReview, takeOutcome } from '../../src/held-posts/hand-over/outcome.ts';
import { readHeldContent } from '../../src/held-posts/held-post-context.ts';
import { createHeldPosts } from '../../src/held-posts/held-posts.ts';
import { holdPosts } from '../../src/held-posts/hold.ts';
import { HELD_POST_PACE, type HeldPostPace } from '../../src/held-posts/pace.ts';
import { readPostOfSubmission } from '../../src/held-posts/show.ts';
import { findHeldPost } from '../../src/held-posts/sql/held-posts.ts';
import { DEFAULT_POLICY, type ProjectPolicy, savePolicy } from '../../src/preferences/project-policy.ts';
import { isTransient } from '../../src/slack/slack-errors.ts';
import { PACE } from '../../src/submissions/pace.ts';
import { type BotDatabase, openBotDatabase } from './bot-database.ts';
import { emptyTables } from './empty-tables.ts';
import { createPostAt, createPostSubmissions } from './post-submissions.ts';
import { data, startScriptedService } from './scripted-service.ts';
import { createTestClock } from './test-clock.ts';

export const MINUTE_MS = 60_000;
const LONG_MS = 2 * MINUTE_MS;

/** The project of the posts. */
export const PROJECT = { workspace: 'T1', project: 'p1' };

/** Held posts are handed over an hour before their time. */
export const POLICY: ProjectPolicy = { ...DEFAULT_POLICY, leadMinutes: 60 };

/** A person's press on a button of a post or of a series, as they saw it. */
export const press = (row: { id: string; version: number; content_hash?: string }, actor = 'U1') => ({
  ...{ id: row.id, workspace: 'T1', actor, version: row.version },
  hash: row.content_hash?.slice(0, 12) ?? '',
});

/** Builds an approver. */
export const person = (id: string) => ({ kind: 'person', id }) as const;

/** Either of two people reviews each post. */
export const REVIEWED: ProjectPolicy = {
  ...POLICY,
  review: 'required',
  reviewSteps: [{ approvers: [person('U2'), person('U3')], needs: 'any' }],
};

/** The first person reviews each post, then the second. */
export const TWO_STEPS: ProjectPolicy = {
  ...REVIEWED,
  reviewSteps: [
    { approvers: [person('U2')], needs: 'any' },
    { approvers: [person('U3')], needs: 'any' },
  ],
};

/** Starts held posts for the tests of a file, and resets them before each. */
export async function setUpTestHeldPosts() {
  const fixture = await startTestHeldPosts();
  beforeEach(() => fixture.reset());
  afterAll(() => fixture.close());
  return fixture;
}

/** Starts held posts with a database, a scripted service, submissions, and a clock that tests can set. */
export async function startTestHeldPosts(openTestDatabase: () => Promise<BotDatabase> = openBotDatabase) {
  const database = await openTestDatabase();
  const { db } = database;
  const service = await startScriptedService();
  const api = createApiClient({ baseUrl: service.url, token: 'service-token' });
  /** The posts are scheduled for this time. */
  const publishAt = new Date(createPostAt('', 0).moment?.instant ?? '');
  let time = 0;
  const permissions = new Map<string, Permission>();
  /** The people with roles in the project, and the members of its user groups; undefined if Slack doesn't answer. */
  const people = {
    holders: new Map<string, RoleHolders>(),
    groups: new Map<string, readonly string[] | undefined>(),
  };
  const connection: { api: typeof api | undefined; isElsewhere: boolean | 'unknown' } = {
    api,
    isElsewhere: false,
  };
  const now = () => new Date(time);
  const submissions = createPostSubmissions({
    db,
    api,
    // Waits that a busy machine doesn't reach, because what follows them is a different outcome.
    pace: {
      ...PACE,
      reconcileDelaysMs: [1, 1],
      ...{ saveMs: LONG_MS, resolveMs: LONG_MS, maxStartDelayMs: LONG_MS },
    },
    clock: createTestClock(now),
    findApiClient: async () => (connection.isElsewhere === true ? undefined : connection.api),
    async isElsewhere() {
      if (connection.isElsewhere === 'unknown') throw new Error('the database doesn’t answer');
      return connection.isElsewhere;
    },
    checkPermission: async ({ user }) => permissions.get(user) ?? 'yes',
    showPost: (...wanted) => readPostOfSubmission(heldPosts.context, ...wanted),
    takeOutcome: (row) => takeOutcome(heldPosts.context, row),
    takeForReview: (row) => takeForReview(heldPosts.context, row),
  });
  const errors: unknown[] = [];
  const createInstance = (pace: Partial<HeldPostPace> = {}, slack?: WebClient) => {
    const log = { ...SILENT, error: (fields: object) => void errors.push(fields) };
    const engine = createEngine({ db, clock: createTestClock(now), log, isTemporary: isTransient });
    const context = createHeldPosts({
      db,
      engine,
      submissions,
      kind: postSubmission,
      clock: createTestClock(now),
      pace: { ...HELD_POST_PACE, groupMs: 0, scanIntervalMs: 7 * 24 * 60 * MINUTE_MS, ...pace },
      log,
      findSlackClient: async () => slack,
      approvers: {
        listRoleHolders: async (_workspace, role) =>
          people.holders.get(role) ?? { people: [], isComplete: true },
        listGroupMembers: async (_workspace, group) => people.groups.get(group),
      },
      reads: createCachedReads({ now: () => time }),
    });
    const { recheckAuthority } = context;
    return { context, recheckAuthority, start: engine.start, stop: engine.stop, runOnce: engine.runOnce };
  };
  const heldPosts = createInstance();
  const { context } = heldPosts;
  const listRows = () =>
    db.selectFrom('held_post').selectAll().orderBy('created_at').orderBy('item').execute();
  const setPolicy = (policy: ProjectPolicy) => savePolicy(db, PROJECT, policy);
  /** Stores posts with these texts from one form. All have the same time. */
  const hold = async (texts: readonly string[], options: Partial<Parameters<typeof holdPosts>[1]> = {}) =>
    holdPosts(context, {
      ...{ ...PROJECT, author: 'U1', origin: randomUUID(), policy: POLICY },
      contents: texts.map((text) => createPostAt(text, 0)),
      ...options,
    });
  /** The texts of the posts that the service was asked to create. */
  const listSentTexts = () => service.created().map(({ Content }) => Content);
  return {
    db,
    api,
    service,
    submissions,
    heldPosts,
    context,
    createInstance,
    publishAt,
    errors,
    permissions,
    people,
    connection,
    listRows,
    setPolicy,
    /** Empties the database, and sets the clock to a day before the publishing time. */
    async reset() {
      await emptyTables(db);
      service.on('GET /posts', data([]));
      service.on('POST /posts', data({ Id: 'post_7' }));
      permissions.clear();
      people.holders.clear();
      people.groups.clear();
      errors.length = 0;
      service.calls.length = 0;
      connection.api = api;
      connection.isElsewhere = false;
      time = publishAt.getTime() - 24 * 60 * MINUTE_MS;
      await setPolicy(POLICY);
    },
    hold,
    /** Stores one post. */
    async holdOne(text = 'Hello', options: Parameters<typeof hold>[1] = {}) {
      const [post] = await hold([text], options);
      if (!post) throw new Error('nothing was stored');
      return post.row;
    },
    /** Reads a post as it is stored now. */
    async readRow({ id }: { id: string }) {
      const row = await findHeldPost(db, { id, workspace: 'T1' });
      if (!row) throw new Error('the post is gone');
      return row;
    },
    /** Sets the clock to so many minutes before the publishing time. */
    setMinutesBefore(minutes: number) {
      time = publishAt.getTime() - minutes * MINUTE_MS;
    },
    /**
     * Sets the clock to so many minutes before the publishing time, and runs all due work. Resolves with `listSentTexts`.
     */
    async runAt(minutesBefore: number, instance = heldPosts) {
      time = publishAt.getTime() - minutesBefore * MINUTE_MS;
      await instance.runOnce();
      await submissions.engine.runOnce();
      await instance.runOnce();
      return listSentTexts();
    },
    listSentTexts,
    /** Lets the service accept posts again, as if it had been asked for none. */
    recover() {
      service.on('POST /posts', data({ Id: 'post_7' }));
      service.calls.length = 0;
    },
    async listStates() {
      return (await listRows()).map(({ state, reason }) => (reason === null ? state : `${state}: ${reason}`));
    },
    readText: (row: Parameters<typeof readHeldContent>[1]) =>
      (readHeldContent(context, row)?.content as PostContent | undefined)?.values.text,
    async close() {
      await submissions.stop();
      await service.stop();
      await api.close();
      await database.close();
    },
  };
}
