import { type Kysely, sql } from 'kysely';
import type { OccurrenceRow } from './digest-occurrences.ts';
import type { BotSchema } from './schema.ts';

/** What of digests waits for its moment, and whom to tell what. */

/** What comes first of each kind; undefined where nothing waits. */
interface Moments {
  /** A digest comes, by the clock for people. */
  due?: Date;
  /** Something goes on, by the other clock; and somebody is to be told. */
  moves?: Date;
  tells?: Date;
}

export async function nextMoments(db: Kysely<BotSchema>): Promise<Moments> {
  const { rows } = await sql<{ due: Date | null; moves: Date | null; tells: Date | null }>`
    select (select min(next_at) from digest) as due,
      (select min(greatest(next_at, lease_until)) from digest_occurrence where next_at is not null) as moves,
      least((select min(tell_at) from digest_occurrence), (select min(tell_at) from digest)) as tells`.execute(
    db,
  );
  const { due, moves, tells } = rows[0] ?? {};
  return { ...(due && { due }), ...(moves && { moves }), ...(tells && { tells }) };
}

/** Occurrences of which the owner is to be told, for the caller alone until `until`. */
export function claimOccurrencesToTell(
  db: Kysely<BotSchema>,
  claim: { at: Date; until: Date; limit: number },
): Promise<OccurrenceRow[]> {
  return db
    .updateTable('digest_occurrence')
    .set({ tell_at: claim.until })
    .where('id', 'in', (from) =>
      from
        .selectFrom('digest_occurrence')
        .select('id')
        .where('tell_at', '<=', claim.at)
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

/** Removes what ended before `before`. */
export async function forgetOccurrences(db: Kysely<BotSchema>, before: Date): Promise<void> {
  await db
    .deleteFrom('digest_occurrence')
    .where('changed_at', '<', before)
    .where('next_at', 'is', null)
    .where('tell_at', 'is', null)
    .where('state', '!=', 'uncertain')
    .execute();
}
