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

/** A digest's settings as they are stored. */
export type DigestRow = Selectable<BotSchema['digest']>;
type DigestChange = Updateable<BotSchema['digest']>;

/** Identifies one digest. */
export interface DigestKey {
  workspace: string;
  id: string;
  /** If set, the key matches only while the digest has this channel and these projects. See `createGuardedKey`. */
  about?: { channel: string; projects: string | null };
}

function isThat({ workspace, id, about }: DigestKey) {
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

/** Changes a digest and returns it; undefined if the key matches none. */
export function changeDigest(
  db: Kysely<BotSchema>,
  which: DigestKey,
  change: DigestChange,
): Promise<DigestRow | undefined> {
  return db.updateTable('digest').set(change).where(isThat(which)).returningAll().executeTakeFirst();
}

/** Deletes a digest and ends its uncertain occurrences. False if the key matches none. */
export function removeDigest(db: Kysely<BotSchema>, which: DigestKey, now: Date): Promise<boolean> {
  return db.transaction().execute(async (changes) => {
    const result = await changes.deleteFrom('digest').where(isThat(which)).executeTakeFirst();
    if (result.numDeletedRows === 0n) return false;
    // The owner is no longer asked whether a message exists.
    await transitionAll(changes, OCCURRENCES, {
      ...{ fromStates: ['uncertain'], to: 'paused', now, change: { reason: 'removed' } },
      where: sql`digest = ${which.id}`,
    });
    return true;
  });
}

export function findDigest(db: Kysely<BotSchema>, which: DigestKey): Promise<DigestRow | undefined> {
  return db.selectFrom('digest').selectAll().where(isThat(which)).executeTakeFirst();
}

export async function loadDigests(db: Kysely<BotSchema>, ids: readonly string[]): Promise<DigestRow[]> {
  if (ids.length === 0) return [];
  return db.selectFrom('digest').selectAll().where('id', 'in', ids).execute();
}

/** Oldest first. */
export function listDigests(
  db: Kysely<BotSchema>,
  at: { workspace: string; channel?: string; owner?: string },
): Promise<DigestRow[]> {
  return db
    .selectFrom('digest')
    .selectAll()
    .where('workspace', '=', at.workspace)
    .$if(at.channel !== undefined, (query) => query.where('channel', '=', at.channel ?? ''))
    .$if(at.owner !== undefined, (query) => query.where('owner', '=', at.owner ?? ''))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Pauses active digests and returns them. `tellAt`: when to notify their owners; null for never. */
export function pauseDigests(
  db: Kysely<BotSchema>,
  which: {
    workspace: string;
    channel?: string;
    id?: string;
    about?: NonNullable<DigestKey['about']>;
  },
  pause: { reason: string; at: Date; tellAt: Date | null },
): Promise<DigestRow[]> {
  return db
    .updateTable('digest')
    .set({
      state: 'paused',
      pause_reason: pause.reason,
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

/** Selects due digests, earliest first, and locks them for the caller's transaction. */
export function lockDueDigests(
  db: Kysely<BotSchema>,
  { now, limit, excludedIds }: { now: Date; limit: number; excludedIds: readonly string[] },
): Promise<DigestRow[]> {
  return db
    .selectFrom('digest')
    .selectAll()
    .where('next_at', '<=', now)
    .$if(excludedIds.length > 0, (query) => query.where('id', 'not in', excludedIds))
    .orderBy('next_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
}

/** A page of the digests whose next slot is after `after`, by id. A clock that was set back may give them an earlier one. */
export function listDigestsAfter(
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

/** A digest's next slot. */
export interface NextSlot {
  id: string;
  /** The slot's instant before. If it differs, the settings were changed meanwhile, and this change is dropped. */
  was: Date;
  at: Date | null;
  date: string | null;
}

/** Sets the next slots of many digests in one statement. */
export async function setNextSlots(db: Kysely<BotSchema>, times: readonly NextSlot[]): Promise<void> {
  if (times.length === 0) return;
  await sql`update digest set next_at = v.at, next_date = v.date
    from jsonb_to_recordset(${JSON.stringify(times)}::jsonb) as v(id text, was timestamptz, at timestamptz, date text)
    where digest.id = v.id and digest.next_at = v.was`.execute(db);
}
