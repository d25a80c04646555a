import { type Kysely, type QueryExecutorProvider, sql } from 'kysely';
import { createBatchedStatement } from '../store/batched-statement.ts';
import { cleanText } from '../store/column-values.ts';
import { addMs } from './clock.ts';
import type { EngineTables } from './tables.ts';

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
 * The maximum number of expired claims that a statement deletes. A statement with many new claims deletes two for each,
 * so that a backlog shrinks.
 */
const MAX_DELETED_CLAIMS = 100;

/** Claims work for a single caller across all instances. Resolves with false if another caller has claimed it. */
export async function claimOnce(db: QueryExecutorProvider, claim: OnceClaim): Promise<boolean> {
  const claimed = await claimAll(db, [claim], claim.now);
  return claimed.has(getKey(claim));
}

/** Creates a `claimOnce` for frequent claims: simultaneous claims share a statement and its commit. */
export function createBatchedClaims(db: QueryExecutorProvider, clock: () => Date) {
  const claim = createBatchedStatement({
    getKey,
    run: (claims: readonly Omit<OnceClaim, 'now'>[]) => claimAll(db, claims, clock()),
  });
  return async (work: Omit<OnceClaim, 'now'>): Promise<boolean> => (await claim(work)) ?? false;
}

function getKey({ workspace, name }: Pick<OnceClaim, 'workspace' | 'name'>): string {
  // Ids of the service may contain characters that Postgres replaces.
  return JSON.stringify([cleanText(workspace), cleanText(name)]);
}

/** Makes claims of different work, and deletes a few expired claims. Resolves with the claims that succeeded, by key. */
async function claimAll(
  db: QueryExecutorProvider,
  claims: readonly Omit<OnceClaim, 'now'>[],
  now: Date,
): Promise<ReadonlyMap<string, true>> {
  const workspaces = claims.map(({ workspace }) => workspace);
  const names = claims.map(({ name }) => name);
  const ends = claims.map(({ retentionMs }) => (retentionMs === undefined ? null : addMs(now, retentionMs)));
  // In the order of the key, because two statements that insert the same rows in different orders could deadlock.
  const { rows } = await sql<{ workspace: string; name: string }>`
    with claim as (
      select * from unnest(${workspaces}::text[], ${names}::text[], ${ends}::timestamptz[])
        as claim (workspace, name, expires_at)
    ), expired as (
      delete from once_claim where (workspace, name) in (
        select workspace, name from once_claim
        where expires_at < ${now} and (workspace, name) not in (select workspace, name from claim)
        order by expires_at limit ${Math.max(MAX_DELETED_CLAIMS, 2 * claims.length)} for update skip locked
      )
    )
    insert into once_claim (workspace, name, expires_at)
    select workspace, name, expires_at from claim order by workspace, name
    on conflict (workspace, name) do update set expires_at = excluded.expires_at
    where once_claim.expires_at < ${now}
    returning workspace, name`.execute(db);
  return new Map(rows.map((row) => [getKey(row), true]));
}

/** Deletes the claim of work that certainly wasn't done, so that the work can be claimed again. */
export async function releaseClaim(
  db: Kysely<EngineTables>,
  { workspace, name }: Pick<OnceClaim, 'workspace' | 'name'>,
): Promise<void> {
  await db.deleteFrom('once_claim').where('workspace', '=', workspace).where('name', '=', name).execute();
}
