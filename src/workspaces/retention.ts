import type { Kysely, Transaction } from 'kysely';
import { type Encryption, forgetRecord } from '../access/access.ts';
import { createScans } from '../delivery/scans.ts';
import type { Log } from '../slack/log.ts';
import type { BotSchema } from '../store/schema.ts';
import { withoutStatementLimit } from '../store/statement-limit.ts';
import { deleteWorkspaceData, dropLeaving, dueForDeletion, lockForDeletion } from './sql/left-workspaces.ts';

/**
 * What stays when the app is uninstalled or its tokens are revoked: so long a team can come back to it. Our own choice.
 */
export const KEEP_DATA_DAYS = 90;
/** A year is what PCI DSS 4.0.1 (10.5.1) asks of audit logs, and nobody whom we know asks for more. */
export const KEEP_RECORD_DAYS = 365;
const KEPT = { data: KEEP_DATA_DAYS, record: KEEP_RECORD_DAYS };
/** Between two scans, ms. */
const SCAN_MS = 60 * 60 * 1000;

interface Sealed {
  db: Kysely<BotSchema>;
  encryption: Encryption;
}

interface RetentionOptions extends Sealed {
  log: Log;
  now(): Date;
}

/** Deletes what is kept of workspaces that the app has left, once its time is over. Any instance does it. */
export function createRetention(options: RetentionOptions): { start(): void; stop(): Promise<void> } {
  const { log, now } = options;
  return createScans(now, async () => {
    try {
      await withoutStatementLimit(() => deleteOverdue(options));
    } catch (error) {
      log.error({ err: error }, 'scan for data of workspaces that the app has left failed');
    }
    return new Date(now().getTime() + SCAN_MS);
  });
}

/** One scan. What fails for one workspace is tried again at the next scan, and holds up no other. */
export async function deleteOverdue({
  log,
  ...sealed
}: Sealed & Pick<RetentionOptions, 'log'>): Promise<void> {
  for (const workspace of await dueForDeletion(sealed.db, KEPT)) {
    try {
      const deleted = await deleteOne(sealed, workspace);
      if (deleted) log.info({ workspace, deleted }, 'data of a workspace that the app has left was deleted');
    } catch (error) {
      log.error({ workspace, err: error }, 'deleting data of a workspace that the app has left failed');
    }
  }
}

function deleteOne({ db, encryption }: Sealed, workspace: string) {
  return db.transaction().execute(async (transaction) => {
    const due = await lockForDeletion(transaction, workspace, KEPT);
    if (due === 'everything') await deleteEverything({ db: transaction, encryption }, workspace);
    else if (due === 'data') await deleteWorkspaceData(transaction, workspace);
    return due;
  });
}

/** All of a workspace, its record and the note that the app has left it too. It can be repeated. */
export async function deleteEverything(
  { db, encryption }: Sealed & { db: Transaction<BotSchema> },
  workspace: string,
): Promise<void> {
  await deleteWorkspaceData(db, workspace);
  await forgetRecord({ db, encryption }, workspace);
  await dropLeaving(db, workspace);
}
