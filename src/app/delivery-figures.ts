import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { BotSchema } from '../store/schema.ts';
import { ACTIVE_STATES, CLAIMABLE_STATES } from '../submissions/lifecycle.ts';

/** The figures for the metrics. */
interface DeliveryFigures {
  /** The number of submissions in each active state, including states with 0. */
  submissions: Readonly<Record<string, number>>;
  /** How long the oldest due submission has been waiting; 0 if none is due. */
  submissionsBehindSeconds: number;
  /** How long the oldest due digest has been waiting; 0 if none is due. */
  digestsBehindSeconds: number;
  isHalted: boolean;
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
  const submission = await db
    .selectFrom('submission')
    .select(sql<Date | null>`min(next_at)`.as('at'))
    .where('state', 'in', CLAIMABLE_STATES)
    .executeTakeFirst();
  const digest = await db
    .selectFrom('digest_occurrence')
    .select(sql<Date | null>`min(next_at)`.as('at'))
    .where('next_at', 'is not', null)
    .executeTakeFirst();
  const halt = await db.selectFrom('halt').select('name').executeTakeFirst();
  const computeBehindSeconds = (due: Date | null | undefined) =>
    Math.max(0, (now.getTime() - (due ?? now).getTime()) / 1000);
  const counts = new Map(stateCounts.map(({ state, count }) => [state, Number(count)]));
  return {
    submissions: Object.fromEntries(ACTIVE_STATES.map((state) => [state, counts.get(state) ?? 0])),
    submissionsBehindSeconds: computeBehindSeconds(submission?.at),
    digestsBehindSeconds: computeBehindSeconds(digest?.at),
    isHalted: halt !== undefined,
  };
}
