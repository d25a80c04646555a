import { type Kysely, type QueryExecutorProvider, sql } from 'kysely';
import { MINUTE_MS } from '../durations.ts';
import { cleanText } from '../store/column-values.ts';
import { DATABASE_TIME } from './clock.ts';
import type { EngineTables } from './tables.ts';

interface OnceClaim {
  workspace: string;
  /** The work, e.g. `event.Ev123`. */
  name: string;
  /** How long the name stays claimed, ms. Defaults to forever. */
  retentionMs?: number;
}

/** The maximum number of expired claims that a new claim deletes. */
const MAX_DELETED_CLAIMS = 100;

/**
 * Claims work for a single caller across all instances, and deletes a few expired claims. Resolves with false if another
 * caller has claimed it. The database's clock decides what has expired: with a caller's, one wrong clock would release
 * claims of every name.
 */
export async function claimOnce(
  db: QueryExecutorProvider,
  { workspace, name, retentionMs }: OnceClaim,
): Promise<boolean> {
  // Ids of the service may contain characters that Postgres refuses.
  const key = { workspace: cleanText(workspace), name: cleanText(name) };
  const expiresAt =
    retentionMs === undefined
      ? sql`null::timestamptz`
      : sql`${DATABASE_TIME} + make_interval(secs => ${retentionMs / 1_000})`;
  const { rows } = await sql`
    with expired as (
      delete from once_claim where (workspace, name) in (
        select workspace, name from once_claim
        where expires_at < ${DATABASE_TIME} and (workspace, name) <> (${key.workspace}, ${key.name})
        order by expires_at limit ${MAX_DELETED_CLAIMS} for update skip locked
      )
    )
    insert into once_claim (workspace, name, expires_at) values (${key.workspace}, ${key.name}, ${expiresAt})
    on conflict (workspace, name) do update set expires_at = excluded.expires_at
    where once_claim.expires_at < ${DATABASE_TIME}
    returning name`.execute(db);
  return rows.length > 0;
}

/** For this long a copy of a request is recognized. Longer than Slack's signature of a request is valid. */
export const REQUEST_RETENTION_MS = 10 * MINUTE_MS;

/**
 * Claims what a request asks for. Resolves with false for a copy of the request. Only copies have the same trigger id:
 * a view keeps its id, and also its hash while errors are shown in it.
 */
export async function claimRequest(
  request: { context: { db: QueryExecutorProvider }; actor: { workspace: string }; trigger?: string },
  name: string,
): Promise<boolean> {
  const { context, actor, trigger } = request;
  if (trigger === undefined) return true;
  const claim = { workspace: actor.workspace, name: `${name} ${trigger}`, retentionMs: REQUEST_RETENTION_MS };
  return claimOnce(context.db, claim);
}

/** Deletes the claim of work that certainly wasn't done, so that the work can be claimed again. */
export async function releaseClaim(
  db: Kysely<EngineTables>,
  { workspace, name }: Pick<OnceClaim, 'workspace' | 'name'>,
): Promise<void> {
  await db.deleteFrom('once_claim').where('workspace', '=', workspace).where('name', '=', name).execute();
}
