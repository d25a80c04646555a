import { type Kysely, sql, type Transaction } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';

/** All tables with data of a workspace, except the audit record. */
const WORKSPACE_TABLES = [
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
  'service_pause',
  'submission',
  'zone',
] as const;

/**
 * Stores that the app has left these workspaces, or that its tokens there were revoked. `installation` is set if the
 * whole installation ended. The time comes from the database's clock, so that an instance with a wrong clock deletes
 * nothing too early. A repetition keeps the first time.
 */
export async function recordLeaving(
  db: Kysely<BotSchema>,
  workspaces: readonly string[],
  installation: string | null = null,
): Promise<void> {
  if (workspaces.length === 0) return;
  await db
    .insertInto('left_workspace')
    .values(workspaces.map((workspace) => ({ workspace, installation, left_at: sql<Date>`now()` })))
    .onConflict((conflict) =>
      conflict.column('workspace').doUpdateSet((row) => ({
        installation: row.fn.coalesce('excluded.installation', 'left_workspace.installation'),
      })),
    )
    .execute();
}

/** The app is back in this workspace, or in all workspaces of this installation. */
export async function deleteLeftWorkspacesOf(db: Kysely<BotSchema>, id: string): Promise<void> {
  await db
    .deleteFrom('left_workspace')
    .where((row) => row.or([row('workspace', '=', id), row('installation', '=', id)]))
    .execute();
}

/** The workspaces that the app left when this installation ended. */
export async function workspacesLeftWith(db: Kysely<BotSchema>, installation: string): Promise<string[]> {
  const rows = await db
    .selectFrom('left_workspace')
    .select('workspace')
    .where('installation', '=', installation)
    .execute();
  return rows.map(({ workspace }) => workspace);
}

/** Retention after the app has left, in days. */
interface RetentionDays {
  /** Everything except the audit record. */
  data: number;
  record: number;
}

/** The workspaces with data to delete now, in the order in which the app left them. */
export async function workspacesDueForDeletion(
  db: Kysely<BotSchema>,
  retention: RetentionDays,
): Promise<string[]> {
  const rows = await db
    .selectFrom('left_workspace')
    .select('workspace')
    .where((row) =>
      row.or([
        leftAtLeastDaysAgo(retention.record),
        row.and([leftAtLeastDaysAgo(retention.data), row('data_deleted_at', 'is', null)]),
      ]),
    )
    .orderBy('left_at')
    .execute();
  return rows.map(({ workspace }) => workspace);
}

/**
 * Locks a workspace and returns what to delete of it; undefined if another instance was faster or the app has returned.
 * Until the transaction ends, other deletions and a new installation wait.
 */
export async function lockForDeletion(
  transaction: Transaction<BotSchema>,
  workspace: string,
  retention: RetentionDays,
): Promise<'data' | 'everything' | undefined> {
  const row = await transaction
    .selectFrom('left_workspace')
    .select([
      'data_deleted_at',
      leftAtLeastDaysAgo(retention.record).as('isRecordDue'),
      leftAtLeastDaysAgo(retention.data).as('isDataDue'),
    ])
    .where('workspace', '=', workspace)
    .forUpdate()
    .executeTakeFirst();
  if (row?.isRecordDue) return 'everything';
  return row?.isDataDue && row.data_deleted_at === null ? 'data' : undefined;
}

const leftAtLeastDaysAgo = (days: number) => sql<boolean>`left_at <= now() - make_interval(days => ${days})`;

/** Deletes everything of a workspace except its audit record. */
export async function deleteWorkspaceData(
  transaction: Transaction<BotSchema>,
  workspace: string,
): Promise<void> {
  for (const table of WORKSPACE_TABLES)
    await transaction.deleteFrom(table).where('workspace', '=', workspace).execute();
  await transaction
    .updateTable('left_workspace')
    .set({ data_deleted_at: sql<Date>`now()` })
    .where('workspace', '=', workspace)
    .execute();
}

/** Forgets that the app has left this workspace. */
export async function deleteLeftWorkspace(db: Kysely<BotSchema>, workspace: string): Promise<void> {
  await db.deleteFrom('left_workspace').where('workspace', '=', workspace).execute();
}

/**
 * Restarts the retention of all left workspaces. For a restored backup: teams that have returned since it was made are
 * not in it, and must lose nothing.
 */
export async function restartRetention(db: Kysely<BotSchema>): Promise<void> {
  await db.updateTable('left_workspace').set({ left_at: sql<Date>`now()` }).execute();
}
