import { type Kysely, sql } from 'kysely';
import type { BotSchema } from './schema.ts';

/** Expired rows are removed once in this time, ms. */
const TIDY_MS = 60_000;

/** `now`: ms since the epoch, by the computer's own clock. */
interface Keeping {
  keepMs: number;
  now: () => number;
}

/** Remembers signatures of Slack's requests for all instances, for `keepMs`; answers with those that were not there. */
export function seenRequests(db: Kysely<BotSchema>, { keepMs, now }: Keeping) {
  let tidiedAt = 0;
  return async (signatures: readonly string[]): Promise<readonly string[]> => {
    const at = now();
    if (at - tidiedAt > TIDY_MS) {
      tidiedAt = at;
      await db.deleteFrom('seen_request').where('kept_until', '<', new Date(at)).execute();
    }
    // One text for any number of them, so that the database need not read a new one each time.
    const { rows } = await sql<{ signature: string }>`
      insert into seen_request (signature, kept_until)
      select signature, ${new Date(at + keepMs)}::timestamptz from unnest(${[...signatures]}::text[]) as signature
      on conflict (signature) do nothing
      returning signature`.execute(db);
    return rows.map(({ signature }) => signature);
  };
}

/** The same for an instance that shares its database with no other: kept only for its next start. */
export function keptRequests(db: Kysely<BotSchema>, keeping: Keeping) {
  const add = seenRequests(db, keeping);
  return {
    async before(): Promise<readonly string[]> {
      const rows = await db
        .selectFrom('seen_request')
        .select('signature')
        .where('kept_until', '>=', new Date(keeping.now()))
        .execute();
      return rows.map(({ signature }) => signature);
    },
    async add(signatures: readonly string[]): Promise<void> {
      await add(signatures);
    },
  };
}
