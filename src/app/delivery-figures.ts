import { type Kysely, type RawBuilder, sql } from 'kysely';
import { DIGEST_OCCURRENCES } from '../digests/create-occurrences.ts';
import { DATABASE_TIME } from '../engine/clock.ts';
import { filterStates } from '../engine/lifecycle.ts';
import { findSendingStop } from '../engine/sending-stop.ts';
import type { BotSchema } from '../handlers/schema.ts';
import { PLANNED_STATES } from '../held-posts/held-post.ts';
import type { DeliveryFigures } from '../observability/metrics.ts';
import { within } from '../promises.ts';
import { ACTIVE_STATES } from '../submissions/submission.ts';
import { CAPABILITIES } from './capabilities.ts';

/** The highest number that is counted exactly. Counting reads every row, and there may be hundreds of thousands. */
const MAX_COUNTED_ROWS = 5_000;
/** How long a metrics scrape waits for the database. */
const READ_TIMEOUT_MS = 2_000;

/** Reads the figures. Rejects if the database doesn't respond within READ_TIMEOUT_MS. */
export async function readDeliveryFigures(db: Kysely<BotSchema>): Promise<DeliveryFigures> {
  const figures = await within(READ_TIMEOUT_MS, queryFigures(db));
  if (!figures) throw new Error(`the database did not answer within ${READ_TIMEOUT_MS} ms`);
  return figures;
}

/** Queries the figures, with few statements, because all of them must be answered within READ_TIMEOUT_MS. */
async function queryFigures(db: Kysely<BotSchema>): Promise<DeliveryFigures> {
  const behindSeconds: Record<string, number> = {};
  for (const { kind, seconds } of await findOldestDueRows(db))
    behindSeconds[kind] = Math.max(behindSeconds[kind] ?? 0, seconds);
  const stop = await findSendingStop(db);
  return {
    submissions: await countByState(db, 'submission', ACTIVE_STATES),
    behindSeconds,
    isSendingStopped: stop !== undefined,
    heldPosts: await countByState(db, 'held_post', PLANNED_STATES),
    secondsUntilMissed: await findSecondsUntilMissed(db),
  };
}

/** SQL of a time's distance from the database's clock, s. */
const secondsUntil = (time: RawBuilder<unknown>) =>
  sql`extract(epoch from ${time} - ${DATABASE_TIME})::float8`;

/**
 * Finds how long the oldest row of each capability has been due, s; 0 if none is. A claimed row counts as due when its
 * lease has expired. For digests, there is a second row with the earliest slot, because a slot has no occurrence as
 * long as no instance sends digests.
 */
async function findOldestDueRows(db: Kysely<BotSchema>): Promise<{ kind: string; seconds: number }[]> {
  const queries = CAPABILITIES.map(({ name, table, lifecycle }) => {
    const states = filterStates(lifecycle, ({ waitsFor }) => waitsFor === 'upnext');
    return sql`select ${name} as kind, min(next_at) as due from ${sql.table(table)}
      where next_at is not null and state in (${sql.join(states)})`;
  });
  queries.push(sql`select ${DIGEST_OCCURRENCES.name}, min(next_at) from digest where next_at is not null`);
  const { rows } = await sql<{ kind: string; seconds: number }>`
    select kind, greatest(0, coalesce(-(${secondsUntil(sql`due`)}), 0)) as seconds
    from (${joinQueries(queries)}) as oldest`.execute(db);
  return rows;
}

/** Counts the rows in each state. Each state's query reads a part of an index. */
async function countByState(
  db: Kysely<BotSchema>,
  table: string,
  states: readonly string[],
): Promise<Record<string, number>> {
  const queries = states.map(
    (state) => sql`select ${state} as state, count(*)::integer as count from (
      select from ${sql.table(table)} where state = ${state} limit ${MAX_COUNTED_ROWS}) as counted`,
  );
  const { rows } = await joinQueries<{ state: string; count: number }>(queries).execute(db);
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

/** States of held posts that are missed if Upnext is down at their time. */
const WAITING_STATES = ['held', 'awaiting-review'] as const;

/** Finds how long it is until the first publishing time of the held posts that wait, s; Infinity if none waits. */
async function findSecondsUntilMissed(db: Kysely<BotSchema>): Promise<number> {
  const queries = WAITING_STATES.map(
    (state) => sql`select min(publish_at) as first from held_post where state = ${state}`,
  );
  const { rows } = await sql<{ seconds: number | null }>`
    select ${secondsUntil(sql`min(first)`)} as seconds from (${joinQueries(queries)}) as waiting`.execute(db);
  return Math.max(0, rows[0]?.seconds ?? Number.POSITIVE_INFINITY);
}

function joinQueries<Row>(queries: readonly RawBuilder<unknown>[]): RawBuilder<Row> {
  return sql<Row>`${sql.join(queries, sql` union all `)}`;
}
