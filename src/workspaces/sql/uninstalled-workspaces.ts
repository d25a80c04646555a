import { sql } from 'kysely';
import type { Queryable } from '../../store/database.ts';
import type { WorkspaceTables } from '../tables.ts';

/** All tables with a workspace's data, but the audit log. What refers to a post, an import or a file goes with it. */
const WORKSPACE_TABLES = [
  'access_grant',
  'access_request',
  'channel_project',
  'credential',
  'date_order',
  'digest',
  'digest_occurrence',
  'once_claim',
  'scheduled_draft',
  'post',
  'series',
  'home_tab',
  'installed_workspace',
  'known_project',
  'known_service',
  'media_file',
  'notification_choice',
  'open_form',
  'post_import',
  'project_policy',
  'publication',
  'sending_stop',
  'service_pause',
  'slot_reservation',
  'submission',
  'web_link',
  'zone',
];

/** Whether anything is stored about a workspace or an organisation. */
export async function isKnown(db: Queryable<WorkspaceTables>, id: string): Promise<boolean> {
  const columns = [...WORKSPACE_TABLES, 'uninstalled_workspace', 'audit_entry'].map(
    (table) => sql`exists (select from ${sql.table(table)} where workspace = ${id})`,
  );
  const { rows } = await sql<{ isKnown: boolean }>`
    select ${sql.join(columns, sql` or `)}
      or exists (select from installation where id = ${id})
      or exists (select from installed_workspace where installation = ${id})
      or exists (select from uninstalled_workspace where installation = ${id}) as "isKnown"
  `.execute(db);
  return rows[0]?.isKnown ?? false;
}

/** Lists the workspaces that have an audit log, a role or an installation. The recursion skips along the index. */
export async function listKnownWorkspaces(db: Queryable<WorkspaceTables>): Promise<string[]> {
  const { rows } = await sql<{ workspace: string }>`
    with recursive logged as (
      select min(workspace) as workspace from audit_entry
      union all select (select min(workspace) from audit_entry where workspace > logged.workspace)
        from logged where logged.workspace is not null)
    select workspace from logged where workspace is not null
    union select workspace from installed_workspace
    union select workspace from access_grant
    order by workspace`.execute(db);
  return rows.map(({ workspace }) => workspace);
}

/**
 * Stores that the app has left these workspaces, or that its tokens for them were revoked. `installation` is set if
 * the whole installation ended. The time comes from the database's clock, so that an instance with a wrong clock
 * deletes nothing too early. A repetition doesn't change the stored time.
 */
export async function saveUninstalledWorkspaces(
  db: Queryable<WorkspaceTables>,
  workspaces: readonly string[],
  installation: string | null = null,
): Promise<void> {
  if (workspaces.length === 0) return;
  await db
    .insertInto('uninstalled_workspace')
    .values(workspaces.map((workspace) => ({ workspace, installation, uninstalled_at: sql<Date>`now()` })))
    .onConflict((conflict) =>
      conflict.column('workspace').doUpdateSet((row) => ({
        installation: row.fn.coalesce('excluded.installation', 'uninstalled_workspace.installation'),
      })),
    )
    .execute();
}

/** Deletes the rows about an uninstallation, and those of the organisation's workspaces, after a new installation. */
export async function clearUninstallationsOfInstallation(
  db: Queryable<WorkspaceTables>,
  id: string,
): Promise<void> {
  await db
    .deleteFrom('uninstalled_workspace')
    .where((row) => row.or([row('workspace', '=', id), row('installation', '=', id)]))
    .execute();
}

/**
 * How long after the app has left a workspace its requests are late ones, minutes. Slack resends an event for up to six
 * minutes (docs.slack.dev/apis/events-api, "Retries"). Afterwards they show that the app is back.
 */
const LATE_REQUEST_MINUTES = 10;

/** Whether the app has left a workspace so recently that a request doesn't show its return. Locks the workspace. */
export async function hasJustLeft(
  db: Queryable<WorkspaceTables>,
  { workspace, installation }: { workspace: string; installation: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('uninstalled_workspace')
    .select(
      sql<boolean>`uninstalled_at > now() - make_interval(mins => ${LATE_REQUEST_MINUTES})`.as('isRecent'),
    )
    .where('workspace', '=', workspace)
    .where((row) => row.or([row('installation', 'is', null), row('installation', '=', installation)]))
    .forUpdate()
    .executeTakeFirst();
  return row?.isRecent ?? false;
}

/**
 * Deletes the rows about revoked access of some workspaces, because they have access again. Slack may deliver an earlier
 * grant after the revocation, so those of access that was revoked since the grant stay. If one stays wrongly, because both
 * came within a second, a later request shows that the workspace has access.
 */
export async function clearRevocations(
  db: Queryable<WorkspaceTables>,
  workspaces: readonly string[],
  grantedAt: Date,
): Promise<void> {
  await db
    .deleteFrom('uninstalled_workspace')
    .where('workspace', 'in', [...workspaces])
    .where('installation', 'is', null)
    .where('uninstalled_at', '<', grantedAt)
    .execute();
}

/** The workspaces that the app left when this installation ended. */
export async function listUninstalledWorkspaces(
  db: Queryable<WorkspaceTables>,
  installation: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('uninstalled_workspace')
    .select('workspace')
    .where('installation', '=', installation)
    .execute();
  return rows.map(({ workspace }) => workspace);
}

/** How long data is kept after an uninstallation or a revocation, in case the team returns. */
export const DATA_RETENTION_DAYS = 90;
/** PCI DSS 4.0.1 (10.5.1) requires a year for audit logs. We know of no stricter rule. */
export const AUDIT_RETENTION_DAYS = 365;

/** The workspaces whose data must be deleted now, in the order in which the app left them. */
export async function listWorkspacesWithExpiredData(db: Queryable<WorkspaceTables>): Promise<string[]> {
  const rows = await db
    .selectFrom('uninstalled_workspace')
    .select('workspace')
    .where((row) =>
      row.or([
        buildExpiredCondition(AUDIT_RETENTION_DAYS),
        row.and([buildExpiredCondition(DATA_RETENTION_DAYS), row('data_deleted_at', 'is', null)]),
      ]),
    )
    .orderBy('uninstalled_at')
    .execute();
  return rows.map(({ workspace }) => workspace);
}

/**
 * Locks a workspace and returns the part of its data that has expired. Returns undefined if another instance has
 * already deleted it, or if the app was installed again. Other deletions and a new installation wait until the
 * transaction ends.
 */
export async function lockExpiredData(
  transaction: Queryable<WorkspaceTables>,
  workspace: string,
): Promise<'data' | 'everything' | undefined> {
  const row = await transaction
    .selectFrom('uninstalled_workspace')
    .select([
      'data_deleted_at',
      buildExpiredCondition(AUDIT_RETENTION_DAYS).as('isAuditRecordExpired'),
      buildExpiredCondition(DATA_RETENTION_DAYS).as('isDataExpired'),
    ])
    .where('workspace', '=', workspace)
    .forUpdate()
    .executeTakeFirst();
  if (row?.isAuditRecordExpired) return 'everything';
  return row?.isDataExpired && row.data_deleted_at === null ? 'data' : undefined;
}

/** SQL: whether the app left at least this many days ago. */
const buildExpiredCondition = (days: number) =>
  sql<boolean>`uninstalled_at <= now() - make_interval(days => ${days})`;

/** Deletes all data of a workspace except its audit log. */
export async function deleteWorkspaceData(
  transaction: Queryable<WorkspaceTables>,
  workspace: string,
): Promise<void> {
  for (const table of WORKSPACE_TABLES)
    await sql`delete from ${sql.table(table)} where workspace = ${workspace}`.execute(transaction);
  await transaction
    .updateTable('uninstalled_workspace')
    .set({ data_deleted_at: sql<Date>`now()` })
    .where('workspace', '=', workspace)
    .execute();
}

/** Deletes the row about the uninstallation. Called when the app is installed again, or after all data was deleted. */
export async function clearUninstallation(db: Queryable<WorkspaceTables>, workspace: string): Promise<void> {
  await db.deleteFrom('uninstalled_workspace').where('workspace', '=', workspace).execute();
}

/**
 * Restarts the retention periods of all uninstalled workspaces after a backup was restored. A workspace may have installed
 * the app again since the backup, and must not lose its data. Its next request shows that.
 */
export async function restartRetention(db: Queryable<WorkspaceTables>): Promise<void> {
  await db
    .updateTable('uninstalled_workspace')
    .set({ uninstalled_at: sql<Date>`now() - make_interval(mins => ${LATE_REQUEST_MINUTES})` })
    .execute();
}
