import { type Kysely, sql } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import { FINAL, MOVING } from '../lifecycle.ts';
import type { DigestRow } from './digests.ts';
import type { OccurrenceRow } from './occurrences.ts';

/** What of digests waits for its moment, and whom to tell what. */

/** What comes first of each kind; undefined where nothing waits. */
interface Moments {
  /** A digest comes, by the clock for people. */
  due?: Date;
  /** Something goes on, by the other clock; and somebody is to be told. */
  moves?: Date;
  tells?: Date;
}

/** `setAside`: digests and occurrences that are left out. */
export async function nextMoments(db: Kysely<BotSchema>, setAside: readonly string[] = []): Promise<Moments> {
  const without = (...columns: readonly string[]) =>
    setAside.length === 0
      ? sql`true`
      : sql.join(
          columns.map((column) => sql`${sql.ref(column)} not in (${sql.join(setAside)})`),
          sql` and `,
        );
  const occurrence = without('id', 'digest');
  const { rows } = await sql<{ due: Date | null; moves: Date | null; tells: Date | null }>`
    select (select min(next_at) from digest where ${without('id')}) as due,
      (select min(greatest(next_at, lease_until)) from digest_occurrence
        where next_at is not null and state in (${sql.join(MOVING)}) and ${occurrence}) as moves,
      least((select min(tell_at) from digest_occurrence where ${occurrence}),
        (select min(tell_at) from digest where ${without('id')})) as tells`.execute(db);
  const { due, moves, tells } = rows[0] ?? {};
  return { ...(due && { due }), ...(moves && { moves }), ...(tells && { tells }) };
}

interface TellingClaim {
  at: Date;
  until: Date;
  /** Rows, and people that they are told to. */
  limit: number;
  owners: number;
  setAside: readonly string[];
}

/** Pauses of which the owner is to be told, for the caller alone until `until`. */
export function claimPausesToTell(db: Kysely<BotSchema>, claim: TellingClaim): Promise<DigestRow[]> {
  return db
    .updateTable('digest')
    .set({ tell_at: claim.until })
    .where('id', 'in', (from) =>
      from
        .selectFrom('digest')
        .select('id')
        .where('tell_at', '<=', claim.at)
        .$if(claim.setAside.length > 0, (query) => query.where('id', 'not in', claim.setAside))
        .where(
          ({ refTuple }) => refTuple('workspace', 'owner'),
          'in',
          (first) =>
            first
              .selectFrom('digest')
              .select(['workspace', 'owner'])
              .where('tell_at', '<=', claim.at)
              .$if(claim.setAside.length > 0, (query) => query.where('id', 'not in', claim.setAside))
              .groupBy(['workspace', 'owner'])
              .orderBy((row) => row.fn.min('tell_at'))
              .limit(claim.owners)
              .$asTuple('workspace', 'owner'),
        )
        .orderBy('tell_at')
        .limit(claim.limit)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute();
}

/** Occurrences of which the owner is to be told, for the caller alone until `until`. */
export function claimOccurrencesToTell(db: Kysely<BotSchema>, claim: TellingClaim): Promise<OccurrenceRow[]> {
  const { setAside } = claim;
  return db
    .updateTable('digest_occurrence')
    .set({ tell_at: claim.until })
    .where('id', 'in', (from) =>
      from
        .selectFrom('digest_occurrence')
        .select('id')
        .where('tell_at', '<=', claim.at)
        .$if(setAside.length > 0, (query) =>
          query.where('id', 'not in', setAside).where('digest', 'not in', setAside),
        )
        .where(
          ({ refTuple }) => refTuple('workspace', 'owner'),
          'in',
          (first) =>
            first
              .selectFrom('digest_occurrence')
              .select(['workspace', 'owner'])
              .where('tell_at', '<=', claim.at)
              .$if(setAside.length > 0, (query) =>
                query.where('id', 'not in', setAside).where('digest', 'not in', setAside),
              )
              .groupBy(['workspace', 'owner'])
              .orderBy((row) => row.fn.min('tell_at'))
              .limit(claim.owners)
              .$asTuple('workspace', 'owner'),
        )
        .orderBy('tell_at')
        .orderBy('owner')
        .limit(claim.limit)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute();
}

/** False where some of them are no longer the caller's to tell; the others are until `next`. */
export async function stillToTell(
  db: Kysely<BotSchema>,
  table: 'digest' | 'digest_occurrence',
  { ids, until, next }: { ids: readonly string[]; until: Date; next: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable(table)
    .set({ tell_at: next })
    .where('id', 'in', ids)
    .where('tell_at', '=', until)
    .executeTakeFirst();
  return Number(numUpdatedRows) === ids.length;
}

/**
 * They were told, or are told again at `again`. `may`: they may have been told, which counts; 'not at all' begins the
 * count anew. Where a row is no longer as they were told, it is left alone.
 */
export async function afterTelling(
  db: Kysely<BotSchema>,
  table: 'digest' | 'digest_occurrence',
  told: { ids: readonly string[]; until: Date; again: Date | null; may?: 'have been' | 'not at all' },
): Promise<void> {
  if (told.ids.length === 0) return;
  await db
    .updateTable(table)
    .set((row) => ({
      tell_at: told.again,
      ...(told.may === 'have been' && { tells: row('tells', '+', 1) }),
      ...(told.may === 'not at all' && { tells: 0 }),
    }))
    .where('id', 'in', told.ids)
    .where('tell_at', '=', told.until)
    .execute();
}

/** Who waits to be told in this workspace is told now, as are the owners of what was paused because the app was gone. */
export async function tellNow(db: Kysely<BotSchema>, at: { workspace: string; now: Date }): Promise<void> {
  for (const table of ['digest', 'digest_occurrence'] as const) {
    await db
      .updateTable(table)
      .set({ tell_at: at.now })
      .where('workspace', '=', at.workspace)
      .where('tell_at', '>', at.now)
      .execute();
  }
  await db
    .updateTable('digest')
    .set({ tell_at: at.now, tells: 0 })
    .where('workspace', '=', at.workspace)
    .where('state', '=', 'paused')
    .where('paused_why', '=', 'uninstalled')
    .execute();
}

/** Removes what ended before `before`, `limit` rows at most; how many. */
export async function forgetOccurrences(
  db: Kysely<BotSchema>,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const result = await db
    .deleteFrom('digest_occurrence')
    .where('id', 'in', (from) =>
      from
        .selectFrom('digest_occurrence')
        .select('id')
        .where('state', 'in', FINAL)
        .where('changed_at', '<', before)
        .where('tell_at', 'is', null)
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
