import type { Kysely } from 'kysely';
import type { BotSchema } from '../store/schema.ts';

/** A claim of work that only one caller may do. */
interface OnceClaim {
  workspace: string;
  /** The work, e.g. `event.Ev123`. */
  name: string;
  now: Date;
  /** How long the name stays claimed, ms. Defaults to forever. */
  retentionMs?: number;
}

/**
 * Claims work for a single caller across all instances. Resolves with false if another caller has claimed it. Also
 * deletes expired claims.
 */
export async function claimOnce(db: Kysely<BotSchema>, claim: OnceClaim): Promise<boolean> {
  const { workspace, name, now, retentionMs } = claim;
  await db.deleteFrom('once_claim').where('expires_at', '<', now).execute();
  const expiresAt = retentionMs === undefined ? null : new Date(now.getTime() + retentionMs);
  const insertedNames = await db
    .insertInto('once_claim')
    .values({ workspace, name, expires_at: expiresAt })
    .onConflict((conflict) => conflict.columns(['workspace', 'name']).doNothing())
    .returning('name')
    .execute();
  return insertedNames.length > 0;
}

/** Deletes the claim of work that certainly wasn't done, so that the work can be claimed again. */
export async function releaseClaim(
  db: Kysely<BotSchema>,
  { workspace, name }: Pick<OnceClaim, 'workspace' | 'name'>,
): Promise<void> {
  await db.deleteFrom('once_claim').where('workspace', '=', workspace).where('name', '=', name).execute();
}
