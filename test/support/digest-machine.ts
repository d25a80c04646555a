import { rm } from 'node:fs/promises';
import type { Kysely } from 'kysely';
import { createEncryption } from '../../src/access/access.ts';
import type { ApiClient } from '../../src/api/client.ts';
import type { Composer } from '../../src/digests/compose.ts';
import type { DigestSettings } from '../../src/digests/digest.ts';
import { createDigests, type Digests } from '../../src/digests/digests.ts';
import { DIGEST_PACE, type DigestPace } from '../../src/digests/pace.ts';
import { openDatabase } from '../../src/store/database.ts';
import { migrations } from '../../src/store/migrations.ts';
import { openPGlite } from '../../src/store/pglite/pglite.ts';
import type { BotSchema } from '../../src/store/schema.ts';
import { newDatabaseFolder } from './database-folder.ts';
import { createDigestSlack, type Trouble } from './digest-slack.ts';

const MINUTE_MS = 60_000;

/** Every digest says which it is and for which date. */
export const composePlainly: Composer = async (digest, { date, late, asked }) => ({
  kind: 'message',
  text: `digest ${digest.id} for ${date}${late ? ', late' : ''}${asked ? ', asked for' : ''}`,
});

/** Of every seventeenth there is nothing to say. */
export function isSilent(digest: string, date: string): boolean {
  const sum = [...`${digest} ${date}`].reduce(
    (total, letter) => (total * 31 + letter.charCodeAt(0)) % 99_991,
    7,
  );
  return sum % 17 === 0;
}

/** The same, but for those with nothing to say, and while the service is down. */
export function composeFor(isDown: () => boolean): Composer {
  return async (digest, occasion) => {
    if (isDown()) return { kind: 'failed', outcome: { kind: 'unknown', cause: 'timed-out', requestId: 'r' } };
    return isSilent(digest.id, occasion.date) ? { kind: 'silent' } : composePlainly(digest, occasion);
  };
}

export const settings = (given: Partial<DigestSettings> = {}): DigestSettings => ({
  workspace: 'T1',
  channel: 'C1',
  kind: 'daily',
  projects: ['p1'],
  days: [1, 2, 3, 4, 5],
  time: { hour: 9, minute: 0 },
  zone: 'Europe/Berlin',
  shows: {},
  silentWhenEmpty: false,
  sharedWith: null,
  ...given,
});

const quiet = () => undefined;

/** An embedded database for the tests of one file. */
export async function openDigestDatabase() {
  const folder = await newDatabaseFolder();
  const { dialect, close } = await openPGlite(folder);
  const db = await openDatabase<BotSchema>({ dialect, migrations });
  return {
    db,
    async close() {
      await db.destroy();
      await close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Digests on a clock that stands until it is moved, beside a Slack in memory; the database begins empty. */
export async function startDigests(
  db: Kysely<BotSchema>,
  options: {
    from: string;
    compose?: Composer;
    pace?: Partial<DigestPace>;
    trouble?: (method: string) => Trouble | undefined;
    /** How Slack's address for a picture answers. */
    upload?: typeof fetch;
  },
) {
  for (const table of ['digest', 'digest_occurrence', 'done_once', 'channel_project'] as const)
    await db.deleteFrom(table).execute();
  const errors: string[] = [];
  let clockMs = Date.parse(options.from);
  let offsetMs = 0;
  let found: 'installed' | 'not installed' | 'unknown' = 'installed';
  let trouble = options.trouble;
  let compose = options.compose ?? composePlainly;
  const slack = createDigestSlack({
    now: () => clockMs + offsetMs,
    trouble: (method) => trouble?.(method),
  });
  const make = (now?: () => Date): Digests =>
    createDigests({
      db,
      encryption: createEncryption([{ id: 'test', key: Buffer.alloc(32, 7) }]),
      compose: (...asked) => compose(...asked),
      pace: { ...DIGEST_PACE, scanMs: 12 * 60 * MINUTE_MS, ...options.pace },
      log: {
        debug: quiet,
        info: quiet,
        warn: quiet,
        error: (facts, message) => void errors.push(`${message} ${JSON.stringify(facts)}`),
      },
      now: now ?? (() => new Date(clockMs + offsetMs)),
      clock: now ?? (() => new Date(clockMs)),
      ...(options.upload && { fetch: options.upload }),
      apiFor: async () => ({ address: 'http://service' }) as unknown as ApiClient,
      slackFor: async (workspace) => {
        if (found === 'not installed') return undefined;
        return found === 'unknown' ? found : slack.clientFor(workspace);
      },
    });
  let digests = make();
  return {
    db,
    slack,
    /** What the machine logged as its own faults. */
    errors,
    get digests() {
      return digests;
    },
    /** Another instance in its place. */
    restart() {
      digests = make();
    },
    /** One that is not moved by this test. */
    restartOnRealTime: (now: () => Date) => make(now),
    trouble(met: typeof trouble) {
      trouble = met;
    },
    /** What each message takes in Slack. */
    slow(call: () => Promise<void>) {
      slack.slow.call = call;
    },
    /** Whether the app is installed, as far as can be found out. */
    found(now: typeof found) {
      found = now;
    },
    compose(other: Composer) {
      compose = other;
    },
    /** The clock for people is ahead by so much. */
    jump(ms: number) {
      offsetMs += ms;
    },
    now: () => new Date(clockMs + offsetMs),
    /** Nobody is there until then. */
    sleepUntil(moment: string) {
      clockMs = Date.parse(moment) - offsetMs;
    },
    /** Everything happens until then, each at its time. */
    async runUntil(moment: string) {
      const until = Date.parse(moment) - offsetMs;
      for (;;) {
        const next = (await digests.turn()).getTime();
        if (next > until) break;
        clockMs = Math.max(clockMs, next);
      }
      clockMs = until;
      await digests.turn();
    },
    rows: () => db.selectFrom('digest_occurrence').selectAll().orderBy('due_at').execute(),
    texts: (channel = 'C1') =>
      slack.messages.filter((one) => one.channel === channel).map(({ text }) => text),
  };
}
