import { type Kysely, sql } from 'kysely';
import type { BotSchema } from '../store/schema.ts';

/** How often expired rows are deleted. */
const PURGE_INTERVAL_MS = 60_000;

/** `now`: the system clock, ms since the epoch. */
interface SeenRequestOptions {
  keepMs: number;
  now: () => number;
}

/** `first`, or how many ms ago the same request first arrived, by the clocks of both instances. */
type Arrival = 'first' | number;

/** Stores signatures of Slack's requests for all instances, for `keepMs`. Resolves with the arrival of each. */
export function createSeenRequests(db: Kysely<BotSchema>, keeping: SeenRequestOptions) {
  const add = addRequests(db, keeping, { returning: true });
  return async (signatures: readonly string[]): Promise<ReadonlyMap<string, Arrival>> => {
    const at = keeping.now();
    const added = new Set(await add(signatures));
    const seen = signatures.filter((signature) => !added.has(signature));
    const ages = seen.length > 0 ? await agesOf(db, seen, at + keeping.keepMs) : new Map<string, number>();
    // A row that has been purged meanwhile had the maximum age.
    return new Map(
      signatures.map((signature) => [
        signature,
        added.has(signature) ? 'first' : (ages.get(signature) ?? keeping.keepMs),
      ]),
    );
  };
}

/** Adds signatures. Resolves with the new ones, or with none if `returning` is false. */
function addRequests(
  db: Kysely<BotSchema>,
  { keepMs, now }: SeenRequestOptions,
  { returning }: { returning: boolean },
) {
  let purgedAt = 0;
  return async (signatures: readonly string[]): Promise<readonly string[]> => {
    const at = now();
    if (at - purgedAt > PURGE_INTERVAL_MS) {
      purgedAt = at;
      await db.deleteFrom('seen_request').where('expires_at', '<', new Date(at)).execute();
    }
    // The statement's text is the same for any number of signatures, so that the database can reuse its plan.
    const { rows } = await sql<{ signature: string }>`
      insert into seen_request (signature, expires_at)
      select signature, ${new Date(at + keepMs)}::timestamptz from unnest(${[...signatures]}::text[]) as signature
      on conflict (signature) do nothing
      ${returning ? sql`returning signature` : sql``}`.execute(db);
    return rows.map(({ signature }) => signature);
  };
}

/** The ages of these rows, ms. `until`: when a row that is added now would expire. */
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

/** For the only instance on a database: it checks signatures in memory, and stores them for its next start. */
export function createStoredRequests(db: Kysely<BotSchema>, keeping: SeenRequestOptions) {
  const add = addRequests(db, keeping, { returning: false });
  return {
    /** The arrival of each stored signature, ms since the epoch. */
    async load(): Promise<ReadonlyMap<string, number>> {
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
