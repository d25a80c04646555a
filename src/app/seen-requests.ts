import { type Kysely, sql } from 'kysely';
import { createBatchedStatement } from '../store/batched-statement.ts';
import { deleteBatch } from '../store/delete-batch.ts';
import type { BotSchema } from './schema.ts';

/** The interval for deleting expired rows, and the maximum number of rows, because a request waits for it. */
const PURGE_INTERVAL_MS = 1_000;
const MAX_PURGED_ROWS = 2_000;

/** `retentionMs`: how long a signature is stored. `now`: the system clock, ms since the epoch. */
interface SeenRequestOptions {
  retentionMs: number;
  now: () => number;
}

/** `first`, or how many ms ago the same request arrived. Two instances measure this with different clocks. */
type Arrival = 'first' | number;

/** Creates a function that stores the signature of a request from Slack for all instances, and returns its arrival. */
export function createSeenRequests(db: Kysely<BotSchema>, options: SeenRequestOptions) {
  const add = createRequestStore(db, options, { returning: true });
  const record = async (signatures: readonly string[]): Promise<ReadonlyMap<string, Arrival>> => {
    const arrivedAt = options.now();
    const addedSignatures = new Set(await add(signatures));
    const seenSignatures = signatures.filter((signature) => !addedSignatures.has(signature));
    const ages =
      seenSignatures.length > 0
        ? await readAges(db, seenSignatures, arrivedAt + options.retentionMs)
        : new Map<string, number>();
    // A row that another instance has just purged had the maximum age.
    return new Map(
      signatures.map((signature) => [
        signature,
        addedSignatures.has(signature) ? 'first' : (ages.get(signature) ?? options.retentionMs),
      ]),
    );
  };
  const recordInBatch = createBatchedStatement({ getKey: (signature: string) => signature, run: record });
  return async (signature: string): Promise<Arrival> => {
    const arrival = await recordInBatch(signature);
    if (arrival === undefined) throw new Error('the database returned no arrival for a signature');
    return arrival;
  };
}

/** Creates a function that adds signatures and returns the new ones. Returns none if `returning` is false. */
function createRequestStore(
  db: Kysely<BotSchema>,
  { retentionMs, now }: SeenRequestOptions,
  { returning }: { returning: boolean },
) {
  let purgedAt = 0;
  return async (signatures: readonly string[]): Promise<readonly string[]> => {
    const time = now();
    if (time - purgedAt > PURGE_INTERVAL_MS) {
      purgedAt = time;
      await deleteBatch(db, 'seen_request', {
        key: 'signature',
        condition: sql`expires_at < ${new Date(time)}`,
        orderBy: 'expires_at',
        limit: MAX_PURGED_ROWS,
      });
    }
    // The text of the statement is the same for any number of signatures, so that the database can reuse its plan.
    const { rows } = await sql<{ signature: string }>`
      insert into seen_request (signature, expires_at)
      select signature, ${new Date(time + retentionMs)}::timestamptz from unnest(${[...signatures]}::text[]) as signature
      on conflict (signature) do nothing
      ${returning ? sql`returning signature` : sql``}`.execute(db);
    return rows.map(({ signature }) => signature);
  };
}

/** Reads the ages of rows, in ms. `until`: the expiry of a row that is added now. */
async function readAges(
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

/** Stores signatures for the next start of the only instance on a database, which checks signatures in memory. */
export function createStoredRequests(db: Kysely<BotSchema>, options: SeenRequestOptions) {
  const add = createRequestStore(db, options, { returning: false });
  return {
    /** Loads the arrival of each stored signature, in ms since the epoch. */
    async load(): Promise<ReadonlyMap<string, number>> {
      const rows = await db
        .selectFrom('seen_request')
        .select(['signature', 'expires_at'])
        .where('expires_at', '>=', new Date(options.now()))
        .execute();
      return new Map(
        rows.map(({ signature, expires_at }) => [signature, expires_at.getTime() - options.retentionMs]),
      );
    },
    async add(signatures: readonly string[]): Promise<void> {
      await add(signatures);
    },
  };
}
