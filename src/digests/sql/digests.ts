import { type ExpressionBuilder, type Insertable, type Kysely, sql, type Updateable } from 'kysely';
import { DAY_MS } from '../../durations.ts';
import { addMs } from '../../engine/clock.ts';
import { transitionAll } from '../../engine/sql/bulk-transitions.ts';
import { listBoundProjects } from '../../preferences/bindings.ts';
import { toJsonParameter } from '../../store/column-values.ts';
import type { Queryable } from '../../store/database.ts';
import { type DigestSettings, type PauseReason, toLocalDate } from '../digest.ts';
import { type DigestRow, type DigestTables, OCCURRENCES, type OccurrenceRow } from '../occurrence.ts';

export interface DigestKey {
  workspace: string;
  id: string;
  /** If set, the key matches only a digest with these values. See `createKeyWithPrecondition`. */
  expected?: Partial<Pick<DigestRow, 'channel' | 'projects' | 'state'>>;
}

function matchesKey({ workspace, id, expected = {} }: DigestKey) {
  return (where: ExpressionBuilder<DigestTables, 'digest'>) =>
    where.and([
      where('workspace', '=', workspace),
      where('id', '=', id),
      ...(['channel', 'projects', 'state'] as const).flatMap((column) => {
        const value = expected[column];
        return value === undefined ? [] : [where(column, 'is not distinct from', value)];
      }),
    ]);
}

/** Stores a new digest. Does nothing if there is one with this id. */
export async function insertDigest(
  db: Queryable<DigestTables>,
  digest: Insertable<DigestTables['digest']>,
): Promise<void> {
  await db
    .insertInto('digest')
    .values(digest)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** Changes a digest and returns it. Undefined if the key matches no digest. */
export function changeDigest(
  db: Queryable<DigestTables>,
  key: DigestKey,
  change: Updateable<DigestTables['digest']>,
): Promise<DigestRow | undefined> {
  return db.updateTable('digest').set(change).where(matchesKey(key)).returningAll().executeTakeFirst();
}

/** Deletes a digest and ends its uncertain occurrences. Returns false if the key matches no digest. */
export function removeDigest(db: Kysely<DigestTables>, key: DigestKey, now: Date): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const result = await transaction.deleteFrom('digest').where(matchesKey(key)).executeTakeFirst();
    if (result.numDeletedRows === 0n) return false;
    // The owner is no longer asked whether a message exists.
    await transitionAll(transaction, OCCURRENCES, {
      fromStates: ['uncertain'],
      to: 'paused',
      now,
      where: sql`digest = ${key.id}`,
    });
    return true;
  });
}

export function findDigest(db: Queryable<DigestTables>, key: DigestKey): Promise<DigestRow | undefined> {
  return db.selectFrom('digest').selectAll().where(matchesKey(key)).executeTakeFirst();
}

export async function loadDigests(db: Queryable<DigestTables>, ids: readonly string[]): Promise<DigestRow[]> {
  if (ids.length === 0) return [];
  return db.selectFrom('digest').selectAll().where('id', 'in', ids).execute();
}

/** Lists the ids of a digest's projects. Empty if it is about its channel's projects, and the channel has none. */
export async function listDigestProjects(
  db: Kysely<DigestTables>,
  { projects, workspace, channel }: Pick<DigestSettings, 'projects' | 'workspace' | 'channel'>,
): Promise<readonly string[]> {
  return projects === 'channel' ? listBoundProjects(db, { workspace, channel }) : projects;
}

/** Lists digests, oldest first. */
export function listDigests(
  db: Queryable<DigestTables>,
  filter: { workspace: string; channel?: string },
): Promise<DigestRow[]> {
  return db
    .selectFrom('digest')
    .selectAll()
    .where('workspace', '=', filter.workspace)
    .$if(filter.channel !== undefined, (query) => query.where('channel', '=', filter.channel ?? ''))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Lists the workspaces that have a digest that was paused for this reason. */
export async function listWorkspacesOfPaused(
  db: Queryable<DigestTables>,
  reason: PauseReason,
): Promise<string[]> {
  const rows = await db
    .selectFrom('digest')
    .select('workspace')
    .distinct()
    .where('pause_reason', '=', reason)
    .execute();
  return rows.map(({ workspace }) => workspace);
}

/** Nobody is told of these pauses: whoever requested one knows of it, and an uninstalled app can't write. */
const UNTOLD_REASONS: readonly PauseReason[] = ['requested', 'uninstalled'];

/** Pauses the active digests that the filter matches. Their owners are told, unless the reason is in `UNTOLD_REASONS`. */
export async function pauseDigests(
  db: Queryable<DigestTables>,
  filter: Pick<DigestKey, 'workspace' | 'expected'> & { channel?: string; id?: string },
  pause: { reason: PauseReason; now: Date },
): Promise<void> {
  await db
    .updateTable('digest')
    .set({
      state: 'paused',
      pause_reason: pause.reason,
      next_at: null,
      next_date: null,
      notify_at: UNTOLD_REASONS.includes(pause.reason) ? null : pause.now,
      notifying_since: null,
      notify_attempts: 0,
      changed_at: pause.now,
    })
    .where(({ and }) => and({ workspace: filter.workspace, state: 'on' }))
    .$if(filter.channel !== undefined, (query) => query.where('channel', '=', filter.channel ?? ''))
    .$if(filter.id !== undefined, (query) => query.where(matchesKey({ ...filter, id: filter.id ?? '' })))
    .execute();
}

/** Selects due digests, earliest first, and locks them for the caller's transaction. */
export function lockDueDigests(
  db: Queryable<DigestTables>,
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

/** Lists a page of the digests whose next slot is after `time`, by id. `afterId`: the page before's last id. */
export function listDigestsDueAfter(
  db: Queryable<DigestTables>,
  { time, afterId, limit }: { time: Date; afterId: string; limit: number },
): Promise<DigestRow[]> {
  return db
    .selectFrom('digest')
    .selectAll()
    .where('next_at', '>', time)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute();
}

export interface NextSlot {
  id: string;
  /** The stored instant. If another instance has changed it meanwhile, this change is dropped. */
  previousAt: Date;
  nextAt: Date | null;
  nextDate: string | null;
}

export async function setNextSlots(db: Queryable<DigestTables>, slots: readonly NextSlot[]): Promise<void> {
  if (slots.length === 0) return;
  const changes = sql`jsonb_to_recordset(${toJsonParameter(slots)}::jsonb)
    as v(id text, "previousAt" timestamptz, "nextAt" timestamptz, "nextDate" text)`;
  const ids = slots.map(({ id }) => id);
  // The list of ids makes Postgres use the index, because it doesn't know how few rows the JSON has.
  await sql`update digest set next_at = v."nextAt", next_date = v."nextDate" from ${changes}
    where digest.id = any(${ids}::text[]) and digest.id = v.id and digest.next_at = v."previousAt"`.execute(
    db,
  );
}

export type NewOccurrence = Insertable<DigestTables['digest_occurrence']>;

/** Inserts occurrences, and skips those whose digest and slot exist. Returns the number of inserted occurrences. */
export async function addOccurrences(
  db: Kysely<DigestTables>,
  rows: readonly NewOccurrence[],
): Promise<number> {
  if (rows.length === 0) return 0;
  const result = await db
    .insertInto('digest_occurrence')
    .values(rows.map((row) => ({ ...row, endpoint: row.workspace })))
    .onConflict((conflict) => conflict.columns(['workspace', 'digest', 'slot']).doNothing())
    .executeTakeFirst();
  return Number(result.numInsertedOrUpdatedRows ?? 0);
}

export function findOccurrence(
  db: Kysely<DigestTables>,
  { workspace, id }: Pick<OccurrenceRow, 'workspace' | 'id'>,
): Promise<OccurrenceRow | undefined> {
  return db
    .selectFrom('digest_occurrence')
    .selectAll()
    .where(({ and }) => and({ id, workspace }))
    .executeTakeFirst();
}

/** Finds, for each digest, the dates with an occurrence. Leaves out dates that have passed in every zone. */
export async function findTakenDates(
  db: Kysely<DigestTables>,
  digests: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  if (digests.length === 0) return new Map();
  const since = toLocalDate(addMs(now, -2 * DAY_MS), 'UTC');
  const rows = await db
    .selectFrom('digest_occurrence')
    .select(['digest', 'slot'])
    .where('digest', 'in', digests)
    .where('slot', '>=', since)
    .execute();
  const takenDates = new Map(digests.map((digest) => [digest, new Set<string>()]));
  for (const { digest, slot } of rows) takenDates.get(digest)?.add(slot);
  return takenDates;
}

/** Makes a workspace's pending notifications due now, also those about digests that an uninstallation has paused. */
export async function wakeNotifications(
  db: Kysely<DigestTables>,
  { workspace, now }: { workspace: string; now: Date },
): Promise<void> {
  for (const table of ['digest', 'digest_occurrence'] as const) {
    await db
      .updateTable(table)
      .set({ notify_at: now })
      .where('workspace', '=', workspace)
      .where('notify_at', '>', now)
      .execute();
  }
  await db
    .updateTable('digest')
    .set({ notify_at: now, notifying_since: null, notify_attempts: 0 })
    .where(({ and }) => and({ workspace, state: 'paused', pause_reason: 'uninstalled' }))
    .execute();
}
