import type { Insertable, Kysely, Selectable } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import { MOVING } from '../lifecycle.ts';

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
    .values([...rows])
    .onConflict((conflict) => conflict.columns(['workspace', 'digest', 'slot']).doNothing())
    .executeTakeFirst();
  return Number(result.numInsertedOrUpdatedRows ?? 0);
}

/** What is due and in nobody's hands, the longest waiting first; from now on in the caller's until `leaseUntil`. */
export async function claimOccurrences(
  db: Kysely<BotSchema>,
  claim: {
    at: Date;
    leaseUntil: Date;
    limit: number;
    /** Workspaces in which nothing can go now. */
    except: readonly string[];
    /** Occurrences and digests. */
    setAside?: readonly string[];
  },
): Promise<OccurrenceRow[]> {
  const { setAside = [] } = claim;
  return db
    .updateTable('digest_occurrence')
    .set((row) => ({
      lease_until: claim.leaseUntil,
      next_at: claim.leaseUntil,
      fence: row('fence', '+', 1),
    }))
    .where('id', 'in', (from) =>
      from
        .selectFrom('digest_occurrence')
        .select('id')
        .where('state', 'in', MOVING)
        .where('next_at', '<=', claim.at)
        .where((row) => row.or([row('lease_until', 'is', null), row('lease_until', '<=', claim.at)]))
        .$if(claim.except.length > 0, (query) => query.where('workspace', 'not in', claim.except))
        .$if(setAside.length > 0, (query) =>
          query.where('id', 'not in', setAside).where('digest', 'not in', setAside),
        )
        .orderBy('next_at')
        .limit(claim.limit)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute();
}

/** Out of the caller's hands, as it was before the claim, so that another instance may take it at once. */
export async function releaseOccurrence(
  db: Kysely<BotSchema>,
  { id, fence, state }: Pick<OccurrenceRow, 'id' | 'fence' | 'state'>,
  at: Date,
): Promise<void> {
  await db
    .updateTable('digest_occurrence')
    .set({ lease_until: null, next_at: at })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .where('state', '=', state)
    .execute();
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
