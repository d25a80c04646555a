import { type Kysely, sql } from 'kysely';
import type { BotSchema } from '../store/schema.ts';

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
export function seenRequests(db: Kysely<BotSchema>, keeping: Keeping) {
  const add = addRequests(db, keeping, { returning: true });
  return async (signatures: readonly string[]): Promise<ReadonlyMap<string, Arrived>> => {
    const at = keeping.now();
    const added = new Set(await add(signatures));
    const seen = signatures.filter((signature) => !added.has(signature));
    const ages = seen.length > 0 ? await agesOf(db, seen, at + keeping.keepMs) : new Map<string, number>();
    // A row that has expired and gone meanwhile was as old as they get.
    return new Map(
      signatures.map((signature) => [
        signature,
        added.has(signature) ? 'first' : (ages.get(signature) ?? keeping.keepMs),
      ]),
    );
  };
}

/** Adds signatures, and resolves with those that were not there; with none where `returning` is false. */
function addRequests(db: Kysely<BotSchema>, { keepMs, now }: Keeping, { returning }: { returning: boolean }) {
  let tidiedAt = 0;
  return async (signatures: readonly string[]): Promise<readonly string[]> => {
    const at = now();
    if (at - tidiedAt > TIDY_MS) {
      tidiedAt = at;
      await db.deleteFrom('seen_request').where('expires_at', '<', new Date(at)).execute();
    }
    // One text for any number of them, so that the database need not read a new one each time.
    const { rows } = await sql<{ signature: string }>`
      insert into seen_request (signature, expires_at)
      select signature, ${new Date(at + keepMs)}::timestamptz from unnest(${[...signatures]}::text[]) as signature
      on conflict (signature) do nothing
      ${returning ? sql`returning signature` : sql``}`.execute(db);
    return rows.map(({ signature }) => signature);
  };
}

/** How long before now they came, ms; `until` is what a row that is added now is kept until. */
async function agesOf(
  db: Kysely<BotSchema>,
  signatures: readonly string[],
  until: number,
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('seen_request')
    .select(['signature', 'expires_at'])
    .where('signature', '=', sql<string>`any(${[...signatures]}::text[])`)
    .execute();
  return new Map(
    rows.map(({ signature, expires_at }) => [signature, Math.max(0, until - expires_at.getTime())]),
  );
}

/** The same for an instance that shares its database with no other: kept only for its next start. */
export function keptRequests(db: Kysely<BotSchema>, keeping: Keeping) {
  const add = addRequests(db, keeping, { returning: false });
  return {
    /** Each with when it came, ms since the epoch. */
    async before(): Promise<ReadonlyMap<string, number>> {
      const rows = await db
        .selectFrom('seen_request')
        .select(['signature', 'expires_at'])
        .where('expires_at', '>=', new Date(keeping.now()))
        .execute();
      return new Map(
        rows.map(({ signature, expires_at }) => [signature, expires_at.getTime() - keeping.keepMs]),
      );
    },
    async add(signatures: readonly string[]): Promise<void> {
      await add(signatures);
    },
  };
}
