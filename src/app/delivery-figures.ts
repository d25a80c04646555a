import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { DELIVERY_DOMAINS } from '../delivery/domains.ts';
import { filterStates } from '../delivery/lifecycle.ts';
import { findSendingStop } from '../delivery/sending-stop.ts';
import { PLANNED_STATES } from '../held-posts/lifecycle.ts';
import type { BotSchema } from '../store/schema.ts';
import { ACTIVE_STATES } from '../submissions/lifecycle.ts';

/** The figures for the metrics. */
interface DeliveryFigures {
  /** The number of submissions in each active state, including states with 0; at most MAX_COUNTED_ROWS. */
  submissions: Readonly<Record<string, number>>;
  /** For each kind of delivery, how long its oldest due row has been waiting; 0 if none is due. */
  behindSeconds: Readonly<Record<string, number>>;
  isSendingStopped: boolean;
  /** The same for held posts, in each state that isn't final. */
  heldPosts: Readonly<Record<string, number>>;
  /** How long Upnext may stay down before a held post is missed; Infinity if none is held. */
  secondsUntilMissed: number;
}

/**
 * The highest number that is counted exactly. Counting reads every row, and a large installation may keep hundreds of
 * thousands of posts.
 */
const MAX_COUNTED_ROWS = 10_000;
/** How long a metrics scrape waits for the database. */
const READ_TIMEOUT_MS = 2_000;

/** Reads the figures. Rejects if the database doesn't respond within READ_TIMEOUT_MS. */
export async function readDeliveryFigures(db: Kysely<BotSchema>, now: Date): Promise<DeliveryFigures> {
  const timer = new AbortController();
  const timeout = delay(READ_TIMEOUT_MS, undefined, { ref: false, signal: timer.signal }).then(() => {
    throw new Error(`the database did not answer within ${READ_TIMEOUT_MS} ms`);
  });
  try {
    return await Promise.race([queryFigures(db, now), timeout]);
  } finally {
    timeout.catch(() => undefined);
    timer.abort();
  }
}

/** Queries the figures. A claimed row counts as due when its lease has expired. */
async function queryFigures(db: Kysely<BotSchema>, now: Date): Promise<DeliveryFigures> {
  const behindSeconds: Record<string, number> = {};
  for (const { name, table, lifecycle } of DELIVERY_DOMAINS) {
    const states = filterStates(lifecycle, ({ waitsFor }) => waitsFor === 'upnext');
    const { rows } = await sql<{ due: Date | null }>`select min(next_at) as due from ${sql.table(table)}
      where next_at is not null and state in (${sql.join(states)})`.execute(db);
    const due = rows[0]?.due ?? now;
    behindSeconds[name] = Math.max(0, (now.getTime() - due.getTime()) / 1000);
  }
  const firstMissed = Math.min(
    ...(await Promise.all(WAITING_STATES.map((state) => findFirstPublication(db, state)))),
  );
  const stop = await findSendingStop(db);
  return {
    submissions: await countByState(db, 'submission', ACTIVE_STATES),
    behindSeconds,
    isSendingStopped: stop !== undefined,
    heldPosts: await countByState(db, 'held_post', PLANNED_STATES),
    secondsUntilMissed: Math.max(0, (firstMissed - now.getTime()) / 1000),
  };
}

/** Counts with a statement for each state, each of which reads a part of an index. */
async function countByState(
  db: Kysely<BotSchema>,
  table: string,
  states: readonly string[],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const state of states) {
    const { rows } = await sql<{ count: number }>`select count(*)::integer as count from (
      select from ${sql.table(table)} where state = ${state} limit ${MAX_COUNTED_ROWS}) as counted`.execute(
      db,
    );
    counts[state] = rows[0]?.count ?? 0;
  }
  return counts;
}

/** States of held posts that are missed if Upnext is down at their time. */
const WAITING_STATES = ['held', 'awaiting-review'] as const;

/** Finds the first publishing time of the held posts in a state, in Unix ms; Infinity if there is none. */
async function findFirstPublication(
  db: Kysely<BotSchema>,
  state: (typeof WAITING_STATES)[number],
): Promise<number> {
  const row = await db
    .selectFrom('held_post')
    .select(({ fn }) => fn.min('publish_at').as('first'))
    .where('state', '=', state)
    .executeTakeFirst();
  return row?.first?.getTime() ?? Number.POSITIVE_INFINITY;
}
