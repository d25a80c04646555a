import { type Kysely, sql } from 'kysely';
import type { BotSchema } from './schema.ts';

/** Expired rows are removed once in this time, ms. */
const TIDY_MS = 60_000;

/** `now`: ms since the epoch, by the computer's own clock. */
interface Keeping {
  keepMs: number;
  now: () => number;
}

/** `first`, or how many ms ago the same request first arrived, by the clocks of both instances. */
type Arrived = 'first' | number;

/** Remembers signatures of Slack's requests for all instances, for `keepMs`. Resolves with when each came first. */
export function seenRequests(db: Kysely<BotSchema>, { keepMs, now }: Keeping) {
  let tidiedAt = 0;
  return async (signatures: readonly string[]): Promise<ReadonlyMap<string, Arrived>> => {
    const at = now();
    if (at - tidiedAt > TIDY_MS) {
      tidiedAt = at;
      await db.deleteFrom('seen_request').where('kept_until', '<', new Date(at)).execute();
    }
    // One text for any number of them, so that the database need not read a new one each time.
    // A row that another instance adds at the same moment is not visible yet: its age is 0.
    const { rows } = await sql<{ signature: string; is_first: boolean; kept_until: Date | null }>`
      with given as (select unnest(${[...signatures]}::text[]) as signature),
      added as (
        insert into seen_request (signature, kept_until)
        select signature, ${new Date(at + keepMs)}::timestamptz from given
        on conflict (signature) do nothing
        returning signature
      )
      select given.signature, added.signature is not null as is_first, seen_request.kept_until
      from given
      left join added on added.signature = given.signature
      left join seen_request on seen_request.signature = given.signature`.execute(db);
    const age = (until: Date | null) => Math.max(0, until === null ? 0 : at + keepMs - until.getTime());
    return new Map(
      rows.map(({ signature, is_first, kept_until }) => [signature, is_first ? 'first' : age(kept_until)]),
    );
  };
}

/** The same for an instance that shares its database with no other: kept only for its next start. */
export function keptRequests(db: Kysely<BotSchema>, keeping: Keeping) {
  const add = seenRequests(db, keeping);
  return {
    /** Each with when it came, ms since the epoch. */
    async before(): Promise<ReadonlyMap<string, number>> {
      const rows = await db
        .selectFrom('seen_request')
        .select(['signature', 'kept_until'])
        .where('kept_until', '>=', new Date(keeping.now()))
        .execute();
      return new Map(
        rows.map(({ signature, kept_until }) => [signature, kept_until.getTime() - keeping.keepMs]),
      );
    },
    async add(signatures: readonly string[]): Promise<void> {
      await add(signatures);
    },
  };
}
