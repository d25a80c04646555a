import type { WebClient } from '@slack/web-api';
import type { Kysely } from 'kysely';
import { SILENT } from 'slack-workspace-emulator/test-support/workspace';
import { createEncryption } from '../../src/access/access.ts';
import type { ApiClient } from '../../src/api/client.ts';
import { type DigestSettings, SECTIONS, toLocalDate } from '../../src/digests/digest.ts';
import type { Composer, DigestsOptions } from '../../src/digests/digest-context.ts';
import { createDigests, type Digests } from '../../src/digests/digests.ts';
import { DIGEST_PACE, type DigestPace } from '../../src/digests/pace.ts';
import { createEngine, type Engine } from '../../src/engine/engine.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { isTransient } from '../../src/slack/slack-errors.ts';
import { createDigestSlack, type SlackFault } from './digest-slack.ts';
import { createTestClock } from './test-clock.ts';

const MINUTE_MS = 60_000;

/** A composer whose messages name the digest and the date. */
export const composeTestMessage: Composer = async (digest, { date, delayedFrom, isRequested }) => ({
  kind: 'message',
  text: `digest ${digest.id} for ${date}${delayedFrom ? ', late' : ''}${isRequested ? ', asked for' : ''}`,
});

/** A composer whose messages name the date on which they were due, also if they are sent again on another. */
export const composeByDueDate: Composer = (digest, request) =>
  composeTestMessage(digest, { ...request, date: toLocalDate(request.due, digest.zone) });

export const settings = (changes: Partial<DigestSettings> = {}): DigestSettings => ({
  workspace: 'T1',
  channel: 'C1',
  kind: 'daily',
  projects: ['p1'],
  days: [1, 2, 3, 4, 5],
  time: { hour: 9, minute: 0 },
  zone: 'Europe/Berlin',
  sections: SECTIONS,
  isSilentWhenEmpty: false,
  sharedWith: null,
  ...changes,
});

/** Starts digests on a manual clock and an in-memory Slack, with an emptied database. */
export async function startDigests(
  db: Kysely<BotSchema>,
  options: {
    from: string;
    compose?: Composer;
    pace?: Partial<DigestPace>;
    fault?: (method: string) => SlackFault | undefined;
    /** Replaces `fetch` for uploads of pictures to Slack. */
    upload?: typeof fetch;
    /** Defaults to nobody. */
    findManagers?: DigestsOptions['findManagers'];
    /** Defaults to yes. */
    checkReadPermission?: DigestsOptions['checkReadPermission'];
    /** Defaults to no. */
    findExcludedGuests?: DigestsOptions['findExcludedGuests'];
  },
) {
  for (const table of ['digest', 'digest_occurrence', 'once_claim', 'channel_project'] as const)
    await db.deleteFrom(table).execute();
  const errors: string[] = [];
  let clockMs = Date.parse(options.from);
  let offsetMs = 0;
  let installation: 'installed' | 'not installed' | 'unknown' = 'installed';
  let fault = options.fault;
  let compose = options.compose ?? composeTestMessage;
  const slack = createDigestSlack({ now: () => clockMs + offsetMs, fault: (method) => fault?.(method) });
  const createInstance = (now?: () => Date): RunnableDigests =>
    createRunnableDigests({
      db,
      encryption: createEncryption([{ id: 'test', key: Buffer.alloc(32, 7) }]),
      compose: (...args) => compose(...args),
      pace: { ...DIGEST_PACE, scanIntervalMs: 12 * 60 * MINUTE_MS, ...options.pace },
      log: {
        ...SILENT,
        error: (fields, message) => void errors.push(`${message} ${JSON.stringify(fields)}`),
      },
      clock: createTestClock(now ?? (() => new Date(clockMs)), now ?? (() => new Date(clockMs + offsetMs))),
      ...(options.upload && { fetch: options.upload }),
      ...(options.findManagers && { findManagers: options.findManagers }),
      ...(options.checkReadPermission && { checkReadPermission: options.checkReadPermission }),
      ...(options.findExcludedGuests && { findExcludedGuests: options.findExcludedGuests }),
      findApiClient: async () => ({ address: 'http://service' }) as unknown as ApiClient,
      findSlackClient: async () => {
        if (installation === 'not installed') return undefined;
        return installation === 'unknown' ? installation : slack.client;
      },
    });
  let digests = createInstance();
  const save = async (changes?: Partial<DigestSettings>, owner = 'UANA') => {
    const digest = await digests.save(settings(changes), owner);
    if (!digest) throw new Error('the digest wasn’t saved');
    return digest;
  };
  const texts = (channel = 'C1') =>
    slack.messages.filter((message) => message.channel === channel).map(({ text }) => text);
  return {
    db,
    slack,
    /** Saves a digest of Ana's, on weekdays at 9:00 in Berlin, which is 8:00 UTC, or with these changes. */
    save,
    /** The errors that digests logged. */
    errors,
    get digests() {
      return digests;
    },
    /** Replaces the instance with a new one. */
    restart() {
      digests = createInstance();
    },
    /** Creates another instance with its own clock. */
    createWithClock: (now: () => Date) => createInstance(now),
    setFault(next: typeof fault) {
      fault = next;
    },
    /** Delays each message in Slack. */
    delayMessages(call: () => Promise<void>) {
      slack.slow.call = call;
    },
    /** Sets whether the app is installed. `unknown`: the answer can't be found out. */
    setInstallation(next: typeof installation) {
      installation = next;
    },
    setComposer(next: Composer) {
      compose = next;
    },
    /** Moves the clock that people see by `ms`. */
    jump(ms: number) {
      offsetMs += ms;
    },
    now: () => new Date(clockMs + offsetMs),
    /** Moves the clock without running anything. */
    sleepUntil(moment: string) {
      clockMs = Date.parse(moment) - offsetMs;
    },
    /** Runs everything that is due until `moment`, each at its time. Resolves with the texts in the channel. */
    async runUntil(moment: string) {
      const until = Date.parse(moment) - offsetMs;
      for (;;) {
        const next = (await digests.runOnce()).getTime();
        if (next > until) break;
        clockMs = Math.max(clockMs, next);
      }
      clockMs = until;
      await digests.runOnce();
      return texts();
    },
    rows: () => db.selectFrom('digest_occurrence').selectAll().orderBy('due_at').execute(),
    texts,
  };
}

/** Starts with a digest of Ana's. */
export async function startWithDigest(
  db: Kysely<BotSchema>,
  options: Parameters<typeof startDigests>[1],
  changes?: Partial<DigestSettings>,
) {
  const running = await startDigests(db, options);
  return Object.assign(running, { digest: await running.save(changes) });
}

/** Digests on an engine of their own, which a test starts and stops. */
export type RunnableDigests = Digests & Pick<Engine, 'start' | 'stop' | 'runOnce'>;

type DefaultOption = 'findManagers' | 'checkReadPermission' | 'findExcludedGuests';
export function createRunnableDigests(
  options: Omit<DigestsOptions, 'engine' | DefaultOption> & Partial<Pick<DigestsOptions, DefaultOption>>,
): RunnableDigests {
  const { db, clock, log } = options;
  const engine = createEngine({ db, clock, log, isTemporary: isTransient });
  const { start, stop, runOnce } = engine;
  const defaults = {
    findManagers: async () => [],
    checkReadPermission: async () => 'yes' as const,
    findExcludedGuests: async () => 'no' as const,
  };
  return { ...createDigests({ ...defaults, ...options, engine }), start, stop, runOnce };
}

/** Creates a client that answers every operation with the same data. `calls` records the operations. */
export function createRecordingApi(data: unknown) {
  const calls: string[] = [];
  const api: ApiClient = {
    address: 'http://service',
    credential: {},
    async call(operation) {
      calls.push(operation);
      return { kind: 'done', data, requestId: 'r' };
    },
    close: async () => undefined,
  };
  return { api, calls };
}

interface RealTimeOptions {
  db: Kysely<BotSchema>;
  now: () => Date;
  findSlackClient: (workspace: string) => WebClient | undefined;
  compose?: Composer;
  pace?: Partial<DigestPace>;
  findApiClient?: (workspace: string) => ApiClient;
}

/** Creates digests that run on the real clock and the given Slack. `errors` are the logged errors. */
export function createRealTimeDigests(options: RealTimeOptions): {
  digests: RunnableDigests;
  errors: string[];
} {
  const errors: string[] = [];
  const { api } = createRecordingApi({ Items: [] });
  const digests = createRunnableDigests({
    db: options.db,
    encryption: createEncryption([{ id: 'test', key: Buffer.alloc(32, 7) }]),
    compose: options.compose ?? composeTestMessage,
    pace: { ...DIGEST_PACE, ...options.pace },
    log: { ...SILENT, error: (fields, message) => void errors.push(`${message} ${JSON.stringify(fields)}`) },
    clock: createTestClock(() => new Date(), options.now),
    findApiClient: async (workspace) => options.findApiClient?.(workspace) ?? api,
    findSlackClient: async (workspace) => options.findSlackClient(workspace),
  });
  return { digests, errors };
}
