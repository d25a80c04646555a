import type { WebClient } from '@slack/web-api';
import type { Permission } from '../../src/access/access.ts';
import { createApiClient } from '../../src/api/client.ts';
import { createEngine, type Engine } from '../../src/engine/engine.ts';
import {
  definePublications,
  PUBLICATION_PACE,
  type PublicationOptions,
  type PublicationPace,
} from '../../src/publications/publications.ts';
import { isTransient } from '../../src/slack/slack-errors.ts';
import { PACE } from '../../src/submissions/pace.ts';
import { openBotDatabase } from './bot-database.ts';
import { emptyTables } from './empty-tables.ts';
import { createPostAt, createPostSubmissions, sendPost } from './post-submissions.ts';
import { data, startScriptedService } from './scripted-service.ts';
import { createTestClock } from './test-clock.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

/** A direct message. */
interface SentMessage {
  text: string;
  blocks: unknown;
  ts: string;
  metadata?: unknown;
}

/** Creates a Slack client that stores direct messages with their metadata. */
function createDirectMessages() {
  const messages: SentMessage[] = [];
  const client = {
    chat: {
      postMessage: async (message: SentMessage) => {
        messages.push({ ...message, ts: `${messages.length}.0` });
        return { channel: 'D1', ts: '1.0' };
      },
    },
    conversations: { open: async () => ({ channel: { id: 'D1' } }), history: async () => ({ messages }) },
  };
  return { messages, client: client as unknown as WebClient };
}

/** Starts publications with a database, a scripted service, submissions, and a clock that tests can set. */
export async function startTestPublications() {
  const database = await openBotDatabase();
  const { db } = database;
  const service = await startScriptedService();
  const api = createApiClient({ baseUrl: service.url, token: 'service-token' });
  /** Whether people may read of the posts now. */
  const permission: { current: Permission } = { current: 'yes' };
  const checkPermission = async () => permission.current;
  const submissions = createPostSubmissions({ db, api, pace: PACE, checkPermission });
  const logLines: string[] = [];
  const log = (fields: object, message: string) => void logLines.push(`${message} ${JSON.stringify(fields)}`);
  let slack = createDirectMessages();
  let time = 0;
  /** The posts are scheduled for this time. */
  const publishAt = new Date(createPostAt('', 0).moment?.instant ?? '');
  const now = () => new Date(time);
  const createInstance = (
    pace: Partial<PublicationPace> = {},
    overrides: Partial<PublicationOptions> = {},
  ): Engine => {
    const lines = { debug: log, info: log, warn: log, error: log };
    const clock = createTestClock(now);
    const engine = createEngine({ db, clock, log: lines, isTemporary: isTransient });
    engine.register(
      definePublications({
        ...{ db, submissions, clock, log: lines },
        // The clock jumps to the next due time, so more scans and checks would only take time.
        pace: {
          ...PUBLICATION_PACE,
          ...{ scanInterval: HOUR_MS, checkWaits: [MINUTE_MS, 10 * MINUTE_MS] },
          ...pace,
        },
        findApiClient: async () => api,
        findSlackClient: async () => slack.client,
        findManagers: async () => ['U9'],
        showOutcome: async () => undefined,
        ...overrides,
      }),
    );
    return engine;
  };
  let instance = createInstance();
  const listTexts = () => slack.messages.map(({ text }) => text);
  /** Sets the posts that the service lists. */
  const setListedPosts = (...posts: object[]) =>
    service.on(
      'GET /posts',
      data(posts.map((post) => ({ ScheduleDate: publishAt.toISOString(), Platforms: ['X'], ...post }))),
    );
  return {
    db,
    service,
    submissions,
    permission,
    logged: logLines,
    publishAt,
    createInstance,
    now,
    get messages() {
      return slack.messages;
    },
    listTexts,
    /** Empties the database, and sets the clock to a minute before the publishing time. */
    async reset() {
      await emptyTables(db);
      permission.current = 'yes';
      service.on('GET /posts', data([]));
      service.on('GET /logs', data([]));
      service.on('POST /posts', data({ Id: 'post_7' }));
      slack = createDirectMessages();
      instance = createInstance();
      time = publishAt.getTime() - MINUTE_MS;
    },
    /** Schedules a post, which the service confirms, and then lists with this status, if there is one. */
    async schedulePost(text: string, status?: string) {
      await sendPost(submissions, createPostAt(text, 0));
      if (status !== undefined) setListedPosts({ Id: 'post_7', Status: status });
    },
    setListedPosts,
    setTime: (sincePublishingMs: number) => {
      time = publishAt.getTime() + sincePublishingMs;
    },
    /** Runs all due work, and moves the clock, until this time after publishing. Resolves with the messages' texts. */
    async runUntil(sincePublishingMs: number, runningInstance = instance) {
      const end = publishAt.getTime() + sincePublishingMs;
      for (;;) {
        const next = (await runningInstance.runOnce()).getTime();
        if (time >= end) return listTexts();
        time = Math.min(Math.max(next, time + 1), end);
      }
    },
    async close() {
      await submissions.stop();
      await service.stop();
      await api.close();
      await database.close();
    },
  };
}
