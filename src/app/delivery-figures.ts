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
  /** The number of submissions in each active state, including states with 0. */
  submissions: Readonly<Record<string, number>>;
  /** For each kind of delivery, how long its oldest due row has been waiting; 0 if none is due. */
  behindSeconds: Readonly<Record<string, number>>;
  isSendingStopped: boolean;
  /** The number of held posts in each state that isn't final. */
  heldPosts: Readonly<Record<string, number>>;
  /** How long Upnext may stay down before a held post is missed; Infinity if none is held. */
  secondsUntilMissed: number;
}

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
  const stateCounts = await db
    .selectFrom('submission')
    .select((row) => ['state', row.fn.countAll<number>().as('count')])
    .where('state', 'in', ACTIVE_STATES)
    .groupBy('state')
    .execute();
  const behindSeconds: Record<string, number> = {};
  for (const { name, table, lifecycle } of DELIVERY_DOMAINS) {
    const states = filterStates(lifecycle, ({ waitsFor }) => waitsFor === 'upnext');
    const { rows } = await sql<{ due: Date | null }>`select min(next_at) as due from ${sql.table(table)}
      where next_at is not null and state in (${sql.join(states)})`.execute(db);
    const due = rows[0]?.due ?? now;
    behindSeconds[name] = Math.max(0, (now.getTime() - due.getTime()) / 1000);
  }
  const heldCounts = await db
    .selectFrom('held_post')
    .select((row) => ['state', row.fn.countAll<number>().as('count'), row.fn.min('publish_at').as('first')])
    .where('state', 'in', PLANNED_STATES)
    .groupBy('state')
    .execute();
  const waiting = heldCounts.filter(({ state }) => state === 'held' || state === 'awaiting-review');
  const firstMissed = Math.min(...waiting.map(({ first }) => first?.getTime() ?? Number.POSITIVE_INFINITY));
  const stop = await findSendingStop(db);
  const counts = new Map(stateCounts.map(({ state, count }) => [state, Number(count)]));
  return {
    submissions: Object.fromEntries(ACTIVE_STATES.map((state) => [state, counts.get(state) ?? 0])),
    behindSeconds,
    isSendingStopped: stop !== undefined,
    heldPosts: Object.fromEntries(
      PLANNED_STATES.map((state) => [
        state,
        Number(heldCounts.find((row) => row.state === state)?.count ?? 0),
      ]),
    ),
    secondsUntilMissed: Math.max(0, (firstMissed - now.getTime()) / 1000),
  };
}
