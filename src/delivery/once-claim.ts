import { type Kysely, sql } from 'kysely';
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

/** The maximum number of expired claims that a new claim deletes. More than one, so that a backlog shrinks. */
const MAX_DELETED_CLAIMS = 100;

/**
 * Claims work for a single caller across all instances. Resolves with false if another caller has claimed it. Also
 * deletes a few expired claims.
 */
export async function claimOnce(db: Kysely<BotSchema>, claim: OnceClaim): Promise<boolean> {
  const { workspace, name, now, retentionMs } = claim;
  const expiresAt = retentionMs === undefined ? null : new Date(now.getTime() + retentionMs);
  const { rows } = await sql<{ name: string }>`
    with expired as (
      delete from once_claim where (workspace, name) in (
        select workspace, name from once_claim
        where expires_at < ${now} and (workspace, name) <> (${workspace}, ${name})
        order by expires_at limit ${MAX_DELETED_CLAIMS} for update skip locked
      )
    )
    insert into once_claim (workspace, name, expires_at) values (${workspace}, ${name}, ${expiresAt}::timestamptz)
    on conflict (workspace, name) do update set expires_at = excluded.expires_at
    where once_claim.expires_at < ${now}
    returning name`.execute(db);
  return rows.length > 0;
}

/** Deletes the claim of work that certainly wasn't done, so that the work can be claimed again. */
export async function releaseClaim(
  db: Kysely<BotSchema>,
  { workspace, name }: Pick<OnceClaim, 'workspace' | 'name'>,
): Promise<void> {
  await db.deleteFrom('once_claim').where('workspace', '=', workspace).where('name', '=', name).execute();
}
