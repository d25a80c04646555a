import type { Insertable, Kysely } from 'kysely';
import type { DigestTables, OccurrenceRow } from '../occurrence.ts';

/** An occurrence to insert. */
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
    .where('id', '=', id)
    .where('workspace', '=', workspace)
    .executeTakeFirst();
}

/** Finds, for each digest, the dates with an occurrence, starting at `since`. */
export async function findTakenSlots(
  db: Kysely<DigestTables>,
  { digests, since }: { digests: readonly string[]; since: string },
): Promise<Map<string, Set<string>>> {
  if (digests.length === 0) return new Map();
  const rows = await db
    .selectFrom('digest_occurrence')
    .select(['digest', 'slot'])
    .where('digest', 'in', digests)
    .where('slot', '>=', since)
    .execute();
  const takenSlots = new Map(digests.map((digest) => [digest, new Set<string>()]));
  for (const { digest, slot } of rows) takenSlots.get(digest)?.add(slot);
  return takenSlots;
}

/** Finds the conversation that contains an earlier message of the digest. */
export async function findStoredConversation(
  db: Kysely<DigestTables>,
  digest: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('digest_occurrence')
    .select('conversation')
    .where('digest', '=', digest)
    .where('conversation', 'is not', null)
    .orderBy('slot', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.conversation ?? undefined;
}

/**
 * Makes a workspace's pending notifications due now. Also schedules notifications about digests that were paused
 * because the app was uninstalled.
 */
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
    .where('workspace', '=', workspace)
    .where('state', '=', 'paused')
    .where('pause_reason', '=', 'uninstalled')
    .execute();
}
