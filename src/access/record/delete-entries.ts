import { type Kysely, sql, type Transaction } from 'kysely';
import { DecryptionError, type Encryption } from '../encryption.ts';
import type { AccessTables } from '../tables.ts';
import { CHAIN_START } from './chain.ts';
import { lockChainKey, removeOlderHead } from './chain-key.ts';
import {
  deleteChain,
  deleteRowsUntil,
  findCheckpoint,
  isHeadMissing,
  listRowsAfter,
  lockHead,
  type RecordHead,
} from './rows.ts';
import { computeSeal, findCheckpointFault, findFault } from './verify.ts';

/**
 * How long an entry is stored: at any time the whole last year, and some weeks for whoever audits it. PCI DSS 4.0.1
 * (10.5.1) requires a year. The trigger of the table has the same number, so the database refuses to delete newer rows.
 */
export const ENTRY_RETENTION_DAYS = 400;
/** Old entries of a workspace are deleted once a week, because each deletion verifies many rows. */
const DELETION_INTERVAL_DAYS = 7;

/** Number of workspaces that one statement looks at. */
const WORKSPACE_PAGE_SIZE = 500;
/** Maximum number of rows that one transaction verifies and deletes. Appends to their chain wait for it. */
const BATCH_SIZE = 1_000;

interface DeletionOptions {
  db: Kysely<AccessTables>;
  encryption: Encryption;
  /** Called for a workspace of which nothing more is deleted now. */
  onError(error: unknown, context: { workspace: string }): void;
  /** Ends the deletion after the current batch. */
  isStopped(): boolean;
}

/**
 * Deletes the oldest entries of each workspace in batches. Before a batch is deleted, its rows are verified from the
 * last checkpoint on, and a new checkpoint is sealed with the chain's key. A chain that isn't as it was written keeps
 * all its rows, so that deletion can't hide a change. A chain with rows of a lost key keeps all its rows too, because
 * the old ones can't be verified. Returns the number of deleted entries. Throws DecryptionError if the stored key can't
 * be decrypted.
 */
export async function deleteOldEntries(options: DeletionOptions): Promise<number> {
  const { db, encryption, onError, isStopped } = options;
  let deletedCount = 0;
  let page: { workspace: string; isOld: boolean }[];
  let after = '';
  do {
    page = await listOldestEntries(db, after);
    after = page.at(-1)?.workspace ?? '';
    for (const { workspace, isOld } of page) {
      if (!isOld) continue;
      try {
        let batch: number;
        do {
          if (isStopped()) return deletedCount;
          batch = await db
            .transaction()
            .setIsolationLevel('read committed')
            .execute((transaction) => deleteBatch(transaction, workspace, encryption));
          deletedCount += batch;
        } while (batch === BATCH_SIZE);
      } catch (error) {
        // No other chain has a readable key either.
        if (error instanceof DecryptionError) throw error;
        onError(error, { workspace });
      }
    }
  } while (page.length === WORKSPACE_PAGE_SIZE);
  return deletedCount;
}

/** The database's time this many days ago. */
const daysAgo = (days: number) => sql<Date>`now() - make_interval(days => ${days})`;

/**
 * Lists a page of workspaces with entries, and whether a week's old entries can be deleted from each. The workspaces
 * are those of the entries, because a chain may have lost its head. The index is read once for each workspace.
 */
async function listOldestEntries(
  db: Kysely<AccessTables>,
  after: string,
): Promise<{ workspace: string; isOld: boolean }[]> {
  const { rows } = await sql<{ workspace: string; isOld: boolean }>`
    with recursive entry_workspace as (
      select min(workspace) as workspace from audit_entry where workspace > ${after}
      union all
      select (select min(workspace) from audit_entry where workspace > entry_workspace.workspace)
      from entry_workspace where workspace is not null)
    select workspace, coalesce((select at < ${daysAgo(ENTRY_RETENTION_DAYS + DELETION_INTERVAL_DAYS)} from audit_entry
      where audit_entry.workspace = page.workspace order by seq limit 1), false) as "isOld"
    from (select workspace from entry_workspace where workspace is not null
      limit ${WORKSPACE_PAGE_SIZE}) as page
    order by workspace`.execute(db);
  return rows;
}

/** Verifies and deletes the oldest rows of a chain. Returns their number. Throws if a row isn't as it was written. */
async function deleteBatch(
  transaction: Transaction<AccessTables>,
  workspace: string,
  encryption: Encryption,
): Promise<number> {
  const lockedHead = await lockHead(transaction, workspace);
  // The chain was deleted in the meantime. A new chain may have begun, whose rows are recent.
  if (!lockedHead && !(await isHeadMissing(transaction, workspace))) return 0;
  const head = lockedHead ?? CHAIN_START;
  const chainKey = await lockChainKey({ db: transaction, encryption });
  const { key, headsBeforeKey } = chainKey;
  if (!key || headsBeforeKey.has(workspace)) return 0;
  const { before } = await transaction
    .selectNoFrom(daysAgo(ENTRY_RETENTION_DAYS).as('before'))
    .executeTakeFirstOrThrow();
  const checkpoint = await findCheckpoint(transaction, workspace);
  const rows = await listRowsAfter(transaction, { workspace, after: undefined, limit: BATCH_SIZE });
  const input = { chainKey, externalHeads: [] };
  if (findCheckpointFault(workspace, checkpoint, input))
    throw new BrokenChain('checkpoint', checkpoint?.seq ?? 0);
  let last: RecordHead = checkpoint ?? CHAIN_START;
  for (const row of rows) {
    const fault = findFault(row, last, input);
    if (fault) throw new BrokenChain(fault, last.seq + 1);
    last = row;
  }
  const isWholeChain = rows.length < BATCH_SIZE;
  if (head.seq < last.seq || (isWholeChain && (head.seq !== last.seq || head.hash !== last.hash)))
    throw new BrokenChain('cut-off', last.seq + 1);
  const firstRecent = rows.findIndex(({ at }) => at >= before);
  const deletedCount = firstRecent < 0 ? rows.length : firstRecent;
  const lastDeleted = rows[deletedCount - 1];
  if (!lastDeleted) return 0;
  const { seq, hash } = lastDeleted;
  await deleteRowsUntil(transaction, workspace, {
    seq,
    hash,
    seal: computeSeal(workspace, { seq, hash }, key),
  });
  return deletedCount;
}

/** Deletion ended because a chain isn't as it was written. `npm run verify-record` says more. */
class BrokenChain extends Error {
  constructor(fault: string, seq: number) {
    super(`the audit log is broken at row ${seq} (${fault})`);
    this.name = 'BrokenChain';
  }
}

/**
 * Deletes a workspace's entire chain; the other chains stay intact. Can be repeated. Rejects if the database account
 * doesn't own the table, or if the chains' key was replaced by another instance in the meantime.
 */
export async function deleteAuditRecord(
  { db, encryption }: { db: Transaction<AccessTables>; encryption: Encryption },
  workspace: string,
): Promise<void> {
  await deleteChain(db, workspace);
  await removeOlderHead({ db, encryption }, workspace);
}
