import type { Kysely, Transaction } from 'kysely';
import { deleteAuditRecord, deleteOldEntries } from '../access/access.ts';
import { createScans } from '../engine/scans.ts';
import type { Log } from '../slack/log.ts';
import { withoutStatementTimeout } from '../store/statement-timeout.ts';
import {
  clearUninstallation,
  deleteWorkspaceData,
  listWorkspacesWithExpiredData,
  lockExpiredData,
} from './sql/uninstalled-workspaces.ts';
import type { WorkspaceTables } from './tables.ts';

/**
 * How long data is stored after the app was uninstalled or its tokens were revoked. A team that returns within this
 * time finds its data.
 */
export const DATA_RETENTION_DAYS = 90;
/** PCI DSS 4.0.1 (10.5.1) requires a year for audit logs. We know of no stricter rule. */
export const AUDIT_RETENTION_DAYS = 365;
const RETENTION = { data: DATA_RETENTION_DAYS, auditRecord: AUDIT_RETENTION_DAYS };
const SCAN_INTERVAL_MS = 60 * 60 * 1000;

interface RetentionOptions {
  db: Kysely<WorkspaceTables>;
  /** Whether the app is installed by OAuth. The operator of a single workspace decides when its data are deleted. */
  isForMany: boolean;
  log: Log;
  now(): Date;
  /** Defaults to an hour. */
  scanIntervalMs?: number | undefined;
}

/**
 * Deletes old entries of the audit log, and the data of workspaces that the app has left, once their retention periods
 * have ended. Every instance scans for both.
 */
export function createRetention(options: RetentionOptions): { start(): void; stop(): Promise<void> } {
  const { log, now, scanIntervalMs = SCAN_INTERVAL_MS } = options;
  let isStopped = false;
  const scans = createScans(now, async () => {
    try {
      if (options.isForMany) await withoutStatementTimeout(() => deleteExpiredData(options));
      const deleted = await deleteOldEntries(options.db, () => isStopped);
      if (deleted > 0) log.info({ deleted }, 'deleted old audit entries');
    } catch (error) {
      log.error({ err: error }, 'scan for expired data failed');
    }
    return new Date(now().getTime() + scanIntervalMs);
  });
  return {
    start: () => scans.start(),
    stop() {
      isStopped = true;
      return scans.stop();
    },
  };
}

/** Runs one scan. A workspace whose deletion fails is retried in the next scan and doesn't delay the others. */
export async function deleteExpiredData({ db, log }: Pick<RetentionOptions, 'db' | 'log'>): Promise<void> {
  for (const workspace of await listWorkspacesWithExpiredData(db, RETENTION)) {
    try {
      const deleted = await deleteExpiredWorkspaceData(db, workspace);
      if (deleted) log.info({ workspace, deleted }, 'deleted expired workspace data');
    } catch (error) {
      log.error({ workspace, err: error }, 'could not delete expired workspace data');
    }
  }
}

function deleteExpiredWorkspaceData(db: Kysely<WorkspaceTables>, workspace: string) {
  return db.transaction().execute(async (transaction) => {
    const expiredPart = await lockExpiredData(transaction, workspace, RETENTION);
    if (expiredPart === 'everything') await deleteAllWorkspaceData(transaction, workspace);
    else if (expiredPart === 'data') await deleteWorkspaceData(transaction, workspace);
    return expiredPart;
  });
}

/** Deletes all data of a workspace, including its audit log and its row in `uninstalled_workspace`. Can be repeated. */
export async function deleteAllWorkspaceData(
  db: Transaction<WorkspaceTables>,
  workspace: string,
): Promise<void> {
  await deleteWorkspaceData(db, workspace);
  await deleteAuditRecord(db, workspace);
  await clearUninstallation(db, workspace);
}
