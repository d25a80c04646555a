import type { Kysely } from 'kysely';
import type { BotSchema } from './schema.ts';

/** Expired rows are removed once in this time, ms. */
const TIDY_MS = 60_000;

/**
 * Remembers signatures of Slack's requests for all instances, for `keepMs`; answers with those that were not there.
 * `now`: ms since the epoch, by the computer's own clock.
 */
export function seenRequests(db: Kysely<BotSchema>, { keepMs, now }: { keepMs: number; now: () => number }) {
  let tidiedAt = 0;
  return async (signatures: readonly string[]): Promise<readonly string[]> => {
    const at = now();
    if (at - tidiedAt > TIDY_MS) {
      tidiedAt = at;
      await db.deleteFrom('seen_request').where('kept_until', '<', new Date(at)).execute();
    }
    const keptUntil = new Date(at + keepMs);
    const added = await db
      .insertInto('seen_request')
      .values(signatures.map((signature) => ({ signature, kept_until: keptUntil })))
      .onConflict((conflict) => conflict.column('signature').doNothing())
      .returning('signature')
      .execute();
    return added.map(({ signature }) => signature);
  };
}
