import { type Kysely, sql } from 'kysely';
import type { BotSchema } from './schema.ts';

/** Everything that is kept of a workspace, but its record. */
const OF_WORKSPACE = [
  'access_grant',
  'access_request',
  'channel_project',
  'credential',
  'digest',
  'digest_occurrence',
  'done_once',
  'draft_copy',
  'home_tab',
  'installed_workspace',
  'open_form',
  'service_hold',
  'submission',
  'workspace_hold',
  'zone',
] as const;

/** The app has left these, or its tokens there were revoked. */
export async function noteLeft(
  db: Kysely<BotSchema>,
  workspaces: readonly string[],
  at: Date,
): Promise<void> {
  if (workspaces.length === 0) return;
  await db
    .insertInto('left_workspace')
    .values(workspaces.map((workspace) => ({ workspace, left_at: at })))
    .onConflict((conflict) => conflict.column('workspace').doUpdateSet({ left_at: at, forgotten_at: null }))
    .execute();
}

/** Drops the notes of those that the app is in again. */
export async function dropReturned(db: Kysely<BotSchema>): Promise<void> {
  await sql`
    delete from left_workspace where exists (
      select 1 from installation left join installed_workspace on installation = installation.id
      where installation.id = left_workspace.workspace or installed_workspace.workspace = left_workspace.workspace
    )`.execute(db);
}

interface LeftBefore {
  /** Those that left by then lose all but their record. */
  all: Date;
  /** Those that left by then lose their record too. */
  record: Date;
}

/** Those of which something must go now, the first that left first; whether that is their record too. */
export async function dueToForget(
  db: Kysely<BotSchema>,
  { all, record }: LeftBefore,
): Promise<{ workspace: string; record: boolean }[]> {
  const rows = await db
    .selectFrom('left_workspace')
    .select(['workspace', 'left_at'])
    .where((row) =>
      row.or([
        row('left_at', '<=', record),
        row.and([row('left_at', '<=', all), row('forgotten_at', 'is', null)]),
      ]),
    )
    .orderBy('left_at')
    .execute();
  return rows.map((row) => ({ workspace: row.workspace, record: row.left_at <= record }));
}

/** Deletes all of a workspace but its record. It can be repeated. */
export async function forgetAll(db: Kysely<BotSchema>, workspace: string, at: Date): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    for (const table of OF_WORKSPACE)
      await transaction.deleteFrom(table).where('workspace', '=', workspace).execute();
    await transaction
      .updateTable('left_workspace')
      .set({ forgotten_at: at })
      .where('workspace', '=', workspace)
      .execute();
  });
}

/** Nothing is left of it. */
export async function dropNote(db: Kysely<BotSchema>, workspace: string): Promise<void> {
  await db.deleteFrom('left_workspace').where('workspace', '=', workspace).execute();
}
