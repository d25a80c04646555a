import {
  type ExpressionBuilder,
  type Insertable,
  type Kysely,
  type Selectable,
  sql,
  type Updateable,
} from 'kysely';
import { transitionAll } from '../../delivery/sql/bulk-transitions.ts';
import type { BotSchema } from '../../store/schema.ts';
import { OCCURRENCES } from '../deliveries.ts';

/** The settings of digests. */
export type DigestRow = Selectable<BotSchema['digest']>;
type DigestChange = Updateable<BotSchema['digest']>;

export interface One {
  workspace: string;
  id: string;
  /** What it was about when it was allowed: where that has changed since, it is as if there were none. */
  about?: { channel: string; projects: string | null };
}

function isThat({ workspace, id, about }: One) {
  return (at: ExpressionBuilder<BotSchema, 'digest'>) =>
    at.and([
      at('workspace', '=', workspace),
      at('id', '=', id),
      ...(about
        ? [at('channel', '=', about.channel), at('projects', 'is not distinct from', about.projects)]
        : []),
    ]);
}

export async function insertDigest(
  db: Kysely<BotSchema>,
  digest: Insertable<BotSchema['digest']>,
): Promise<void> {
  await db.insertInto('digest').values(digest).execute();
}

/** As it is after the change; undefined where there is none. */
export function changeDigest(
  db: Kysely<BotSchema>,
  which: One,
  change: DigestChange,
): Promise<DigestRow | undefined> {
  return db.updateTable('digest').set(change).where(isThat(which)).returningAll().executeTakeFirst();
}

/** False where it was not there. What nobody knows of its messages ends with it. */
export function removeDigest(db: Kysely<BotSchema>, which: One, now: Date): Promise<boolean> {
  return db.transaction().execute(async (changes) => {
    const result = await changes.deleteFrom('digest').where(isThat(which)).executeTakeFirst();
    if (result.numDeletedRows === 0n) return false;
    // Its owner is not asked any more whether one came.
    await transitionAll(changes, OCCURRENCES, {
      ...{ from: ['uncertain'], to: 'paused', at: now, change: { reason: 'removed' } },
      where: sql`digest = ${which.id}`,
    });
    return true;
  });
}

export function digestOf(db: Kysely<BotSchema>, which: One): Promise<DigestRow | undefined> {
  return db.selectFrom('digest').selectAll().where(isThat(which)).executeTakeFirst();
}

export async function digestsById(db: Kysely<BotSchema>, ids: readonly string[]): Promise<DigestRow[]> {
  if (ids.length === 0) return [];
  return db.selectFrom('digest').selectAll().where('id', 'in', ids).execute();
}

/** Oldest first. */
export function digestsIn(
  db: Kysely<BotSchema>,
  at: { workspace: string; channel?: string; owner?: string },
): Promise<DigestRow[]> {
  return db
    .selectFrom('digest')
    .selectAll()
    .where('workspace', '=', at.workspace)
    .$if(at.channel !== undefined, (query) => query.where('channel', '=', at.channel ?? ''))
    .$if(at.owner !== undefined, (query) => query.where('owner', '=', at.owner ?? ''))
    .orderBy('made_at')
    .orderBy('id')
    .execute();
}

/** Pauses those that are on; which they were. Their owners are told at `tellAt`. */
export function pauseDigests(
  db: Kysely<BotSchema>,
  which: {
    workspace: string;
    channel?: string;
    id?: string;
    about?: NonNullable<One['about']>;
  },
  pause: { reason: string; at: Date; tellAt: Date | null },
): Promise<DigestRow[]> {
  return db
    .updateTable('digest')
    .set({
      state: 'paused',
      paused_why: pause.reason,
      next_at: null,
      next_date: null,
      notify_at: pause.tellAt,
      notify_attempts: 0,
      changed_at: pause.at,
    })
    .where('workspace', '=', which.workspace)
    .where('state', '=', 'on')
    .$if(which.channel !== undefined, (query) => query.where('channel', '=', which.channel ?? ''))
    .$if(which.id !== undefined, (query) => query.where(isThat({ ...which, id: which.id ?? '' })))
    .returningAll()
    .execute();
}

/** Digests whose next moment has come, for the caller's transaction alone; soonest first. */
export function digestsToCome(
  db: Kysely<BotSchema>,
  { now, limit, setAside }: { now: Date; limit: number; setAside: readonly string[] },
): Promise<DigestRow[]> {
  return db
    .selectFrom('digest')
    .selectAll()
    .where('next_at', '<=', now)
    .$if(setAside.length > 0, (query) => query.where('id', 'not in', setAside))
    .orderBy('next_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
}

/** Those that wait for later than `after`: a clock that was set back may make them come sooner. */
export function digestsLaterThan(
  db: Kysely<BotSchema>,
  { after, from, limit }: { after: Date; from: string; limit: number },
): Promise<DigestRow[]> {
  return db
    .selectFrom('digest')
    .selectAll()
    .where('next_at', '>', after)
    .where('id', '>', from)
    .orderBy('id')
    .limit(limit)
    .execute();
}

export interface NextTime {
  id: string;
  /** What it was: where that has changed meanwhile, so has the setting, and nothing is moved. */
  was: Date;
  at: Date | null;
  date: string | null;
}

/** Each to its next time, in one statement. */
export async function setNextTimes(db: Kysely<BotSchema>, times: readonly NextTime[]): Promise<void> {
  if (times.length === 0) return;
  await sql`update digest set next_at = v.at, next_date = v.date
    from jsonb_to_recordset(${JSON.stringify(times)}::jsonb) as v(id text, was timestamptz, at timestamptz, date text)
    where digest.id = v.id and digest.next_at = v.was`.execute(db);
}
