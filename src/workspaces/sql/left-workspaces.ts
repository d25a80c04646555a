import { type Kysely, sql, type Transaction } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';

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
  'service_pause',
  'submission',
  'zone',
] as const;

/**
 * The app has left these workspaces, or its tokens there were revoked; `installation` where it ended as a whole. The
 * database's clock says when, and only it: an instance whose clock is wrong deletes nothing too early. Saying it again
 * keeps the first moment.
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

/** The app is back in this workspace, or with this installation in all its workspaces. */
export async function recordReturn(db: Kysely<BotSchema>, id: string): Promise<void> {
  await db
    .deleteFrom('left_workspace')
    .where((row) => row.or([row('workspace', '=', id), row('installation', '=', id)]))
    .execute();
}

/** The workspaces that the app left when this installation ended. */
export async function leftWith(db: Kysely<BotSchema>, installation: string): Promise<string[]> {
  const rows = await db
    .selectFrom('left_workspace')
    .select('workspace')
    .where('installation', '=', installation)
    .execute();
  return rows.map(({ workspace }) => workspace);
}

/** How long something is kept after the app has left, in days. */
interface KeptDays {
  /** Everything but the record. */
  data: number;
  record: number;
}

/** The workspaces of which something must be deleted now, the first that left first. */
export async function dueForDeletion(db: Kysely<BotSchema>, kept: KeptDays): Promise<string[]> {
  const rows = await db
    .selectFrom('left_workspace')
    .select('workspace')
    .where((row) =>
      row.or([leftBefore(kept.record), row.and([leftBefore(kept.data), row('forgotten_at', 'is', null)])]),
    )
    .orderBy('left_at')
    .execute();
  return rows.map(({ workspace }) => workspace);
}

/**
 * What must be deleted of a workspace that is due; undefined where another instance was faster or the app has returned.
 * Until the transaction ends nobody else deletes it, and an installation waits.
 */
export async function lockForDeletion(
  transaction: Transaction<BotSchema>,
  workspace: string,
  kept: KeptDays,
): Promise<'data' | 'everything' | undefined> {
  const row = await transaction
    .selectFrom('left_workspace')
    .select(['forgotten_at', leftBefore(kept.record).as('isAll'), leftBefore(kept.data).as('isDue')])
    .where('workspace', '=', workspace)
    .forUpdate()
    .executeTakeFirst();
  if (row?.isAll) return 'everything';
  return row?.isDue && row.forgotten_at === null ? 'data' : undefined;
}

const leftBefore = (days: number) => sql<boolean>`left_at <= now() - make_interval(days => ${days})`;

/** Deletes all of a workspace but its record. */
export async function deleteWorkspaceData(
  transaction: Transaction<BotSchema>,
  workspace: string,
): Promise<void> {
  for (const table of OF_WORKSPACE)
    await transaction.deleteFrom(table).where('workspace', '=', workspace).execute();
  await transaction
    .updateTable('left_workspace')
    .set({ forgotten_at: sql<Date>`now()` })
    .where('workspace', '=', workspace)
    .execute();
}

/** Nothing is left of it. */
export async function dropLeaving(db: Kysely<BotSchema>, workspace: string): Promise<void> {
  await db.deleteFrom('left_workspace').where('workspace', '=', workspace).execute();
}

/** After a backup was put back: whoever has returned since is not known, so that everybody is kept from now on. */
export async function keepLeftFromNow(db: Kysely<BotSchema>): Promise<void> {
  await db.updateTable('left_workspace').set({ left_at: sql<Date>`now()` }).execute();
}
