import type { Kysely, Transaction } from 'kysely';
import { deleteAuditRecord, type Encryption } from '../access/access.ts';
import { createScans } from '../delivery/scans.ts';
import type { Log } from '../slack/log.ts';
import type { BotSchema } from '../store/schema.ts';
import { withoutStatementLimit } from '../store/statement-limit.ts';
import {
  deleteLeftWorkspace,
  deleteWorkspaceData,
  lockForDeletion,
  workspacesDueForDeletion,
} from './sql/left-workspaces.ts';

/**
 * How long data is kept after the app was uninstalled or its tokens were revoked, so that a team can return. Our own
 * choice.
 */
export const DATA_RETENTION_DAYS = 90;
/** PCI DSS 4.0.1 (10.5.1) requires a year for audit logs. We know of no stricter rule. */
export const AUDIT_RETENTION_DAYS = 365;
const RETENTION = { data: DATA_RETENTION_DAYS, record: AUDIT_RETENTION_DAYS };
/** Between two scans, ms. */
const SCAN_MS = 60 * 60 * 1000;

interface RetainedData {
  db: Kysely<BotSchema>;
  encryption: Encryption;
}

interface RetentionOptions extends RetainedData {
  log: Log;
  now(): Date;
}

/** Deletes the data of workspaces that the app has left when its retention ends. Any instance does it. */
export function createRetention(options: RetentionOptions): { start(): void; stop(): Promise<void> } {
  const { log, now } = options;
  return createScans(now, async () => {
    try {
      await withoutStatementLimit(() => deleteOverdue(options));
    } catch (error) {
      log.error({ err: error }, 'scan for expired workspace data failed');
    }
    return new Date(now().getTime() + SCAN_MS);
  });
}

/** One scan. A workspace whose deletion fails is retried at the next scan and doesn't delay the others. */
export async function deleteOverdue({
  log,
  ...retained
}: RetainedData & Pick<RetentionOptions, 'log'>): Promise<void> {
  for (const workspace of await workspacesDueForDeletion(retained.db, RETENTION)) {
    try {
      const deleted = await deleteWorkspace(retained, workspace);
      if (deleted) log.info({ workspace, deleted }, 'deleted expired workspace data');
    } catch (error) {
      log.error({ workspace, err: error }, 'could not delete expired workspace data');
    }
  }
}

function deleteWorkspace({ db, encryption }: RetainedData, workspace: string) {
  return db.transaction().execute(async (transaction) => {
    const due = await lockForDeletion(transaction, workspace, RETENTION);
    if (due === 'everything') await deleteAllWorkspaceData({ db: transaction, encryption }, workspace);
    else if (due === 'data') await deleteWorkspaceData(transaction, workspace);
    return due;
  });
}

/** Deletes everything of a workspace, also its audit record and its row in `left_workspace`. Can be repeated. */
export async function deleteAllWorkspaceData(
  { db, encryption }: RetainedData & { db: Transaction<BotSchema> },
  workspace: string,
): Promise<void> {
  await deleteWorkspaceData(db, workspace);
  await deleteAuditRecord({ db, encryption }, workspace);
  await deleteLeftWorkspace(db, workspace);
}
