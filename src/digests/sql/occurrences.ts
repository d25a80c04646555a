import { type Insertable, type Kysely, type Selectable, sql } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import { LIFECYCLE, MOVING, type State } from '../lifecycle.ts';

/**
 * The times at which digests come, in the hands of one instance at a time. A claim gives a lease and the next fencing
 * token; a move counts only with the token and the state that the row has.
 */
export type OccurrenceRow = Selectable<BotSchema['digest_occurrence']>;
export type NewOccurrence = Insertable<BotSchema['digest_occurrence']>;

/** What a move may change. */
export type OccurrenceChange = Partial<
  Pick<
    OccurrenceRow,
    | 'why'
    | 'asked_at'
    | 'next_at'
    | 'lease_until'
    | 'attempts'
    | 'looks'
    | 'tried_since'
    | 'sending_at'
    | 'conversation'
    | 'ts'
    | 'file'
    | 'afterwards'
    | 'tell_at'
  >
>;

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
      state: sql<State>`case when state = 'due' then 'claimed' else state end`,
      lease_until: claim.leaseUntil,
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
): Promise<void> {
  await db
    .updateTable('digest_occurrence')
    .set({ state: state === 'claimed' ? 'due' : state, lease_until: null })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .where('state', '=', state)
    .execute();
}

export interface OccurrenceMove {
  row: OccurrenceRow;
  to: State;
  /** When its message was posted, where it was just now: then the digest's last one. */
  postedAt?: Date | undefined;
  /** What its composer wants to know again the next time. */
  memory?: string | undefined;
  change: OccurrenceChange;
}

/**
 * Moves many rows in one statement, each with the token and the state that its caller knows; the ids of those that
 * were moved. The others have gone on in other hands; and nothing comes to be sent while all sending is stopped.
 */
export async function moveOccurrences(
  db: Kysely<BotSchema>,
  moves: readonly OccurrenceMove[],
  at: Date,
): Promise<Set<string>> {
  const values = moves.map(({ row, to, change, postedAt, memory }) => {
    const { id, fence, state: was } = row;
    const last = { posted_at: postedAt ?? null, memory: memory ?? null };
    return {
      ...row,
      ...change,
      ...last,
      id,
      fence,
      was,
      state: to,
      sends: LIFECYCLE[to].sends === true,
      changed_at: at,
    };
  });
  const { rows } = await sql<{ id: string }>`
    with v as (
      select * from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as v(
        id text, fence int, was text, state text, why text, asked_at timestamptz, next_at timestamptz,
        lease_until timestamptz, attempts int, looks int, tried_since timestamptz, sending_at timestamptz,
        conversation text, ts text, file text, afterwards text, tell_at timestamptz, changed_at timestamptz,
        posted_at timestamptz, memory text, sends boolean)
    ), moved as (
      update digest_occurrence o set
        state = v.state, why = v.why, asked_at = v.asked_at, next_at = v.next_at, lease_until = v.lease_until,
        attempts = v.attempts, looks = v.looks, tried_since = v.tried_since, sending_at = v.sending_at,
        conversation = v.conversation, ts = v.ts, file = v.file, afterwards = v.afterwards, tell_at = v.tell_at,
        tells = case when v.tell_at is null then o.tells else 0 end, changed_at = v.changed_at
      from v where o.id = v.id and o.fence = v.fence and o.state = v.was
        and (not v.sends or not exists (select 1 from halt where name = 'sending'))
      returning o.id, o.digest, v.posted_at, v.memory
    ), last_posted as (
      update digest d set
        posted_at = coalesce(moved.posted_at, d.posted_at), memory = coalesce(moved.memory, d.memory)
      from moved where d.id = moved.digest and (moved.posted_at is not null or moved.memory is not null)
    )
    select id from moved`.execute(db);
  return new Set(rows.map(({ id }) => id));
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
