import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { BotSchema } from '../store/schema.ts';
import { ACTIVE, CLAIMABLE } from '../submissions/lifecycle.ts';

/** How things stand, for whoever watches the app. */
interface Standing {
  /** How many are in each active state, 0 included. */
  submissions: Readonly<Record<string, number>>;
  /** By how many seconds what should go on by itself is behind. */
  submissionsBehind: number;
  digestsBehind: number;
  isHalted: boolean;
}

/** Whoever scrapes the figures waits no longer for the database, ms. */
const READ_MS = 2_000;

/** Rejects when the database doesn't answer within two seconds. */
export async function standing(db: Kysely<BotSchema>, at: Date): Promise<Standing> {
  const late = new AbortController();
  const limit = delay(READ_MS, undefined, { ref: false, signal: late.signal }).then(() => {
    throw new Error(`the database did not answer within ${READ_MS} ms`);
  });
  try {
    return await Promise.race([read(db, at), limit]);
  } finally {
    limit.catch(() => undefined);
    late.abort();
  }
}

/** A claimed row is due again when its lease ends. */
async function read(db: Kysely<BotSchema>, at: Date): Promise<Standing> {
  const counted = await db
    .selectFrom('submission')
    .select((row) => ['state', row.fn.countAll<number>().as('count')])
    .where('state', 'in', ACTIVE)
    .groupBy('state')
    .execute();
  const submission = await db
    .selectFrom('submission')
    .select(sql<Date | null>`min(next_at)`.as('at'))
    .where('state', 'in', CLAIMABLE)
    .executeTakeFirst();
  const digest = await db
    .selectFrom('digest_occurrence')
    .select(sql<Date | null>`min(next_at)`.as('at'))
    .where('next_at', 'is not', null)
    .executeTakeFirst();
  const halt = await db.selectFrom('halt').select('name').executeTakeFirst();
  const behind = (due: Date | null | undefined) => Math.max(0, (at.getTime() - (due ?? at).getTime()) / 1000);
  const counts = new Map(counted.map(({ state, count }) => [state, Number(count)]));
  return {
    submissions: Object.fromEntries(ACTIVE.map((state) => [state, counts.get(state) ?? 0])),
    submissionsBehind: behind(submission?.at),
    digestsBehind: behind(digest?.at),
    isHalted: halt !== undefined,
  };
}
