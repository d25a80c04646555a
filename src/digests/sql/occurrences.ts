import type { Insertable, Kysely, Selectable } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';

/**
 * The times at which digests come, in the hands of one instance at a time. A claim gives a lease and the next fencing
 * token; a move counts only with the token and the state that the row has.
 */
export type OccurrenceRow = Selectable<BotSchema['digest_occurrence']>;
export type NewOccurrence = Insertable<BotSchema['digest_occurrence']>;

/** Those whose digest and slot have none yet; how many that were. */
export async function addOccurrences(db: Kysely<BotSchema>, rows: readonly NewOccurrence[]): Promise<number> {
  if (rows.length === 0) return 0;
  const result = await db
    .insertInto('digest_occurrence')
    .values(rows.map((row) => ({ ...row, endpoint: row.workspace })))
    .onConflict((conflict) => conflict.columns(['workspace', 'digest', 'slot']).doNothing())
    .executeTakeFirst();
  return Number(result.numInsertedOrUpdatedRows ?? 0);
}

export function occurrenceOf(
  db: Kysely<BotSchema>,
  { workspace, id }: Pick<OccurrenceRow, 'workspace' | 'id'>,
): Promise<OccurrenceRow | undefined> {
  return db
    .selectFrom('digest_occurrence')
    .selectAll()
    .where('id', '=', id)
    .where('workspace', '=', workspace)
    .executeTakeFirst();
}

/** The dates from `since` on that are taken, by digest: they never come again. */
export async function takenSlots(
  db: Kysely<BotSchema>,
  { digests, since }: { digests: readonly string[]; since: string },
): Promise<Map<string, Set<string>>> {
  if (digests.length === 0) return new Map();
  const rows = await db
    .selectFrom('digest_occurrence')
    .select(['digest', 'slot'])
    .where('digest', 'in', digests)
    .where('slot', '>=', since)
    .execute();
  const taken = new Map(digests.map((digest) => [digest, new Set<string>()]));
  for (const { digest, slot } of rows) taken.get(digest)?.add(slot);
  return taken;
}

/** The direct message in which a person got this digest before. */
export async function knownConversation(db: Kysely<BotSchema>, digest: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('digest_occurrence')
    .select('conversation')
    .where('digest', '=', digest)
    .where('conversation', 'is not', null)
    .orderBy('slot', 'desc')
    .limit(1)
    .executeTakeFirst();
  return found?.conversation ?? undefined;
}
