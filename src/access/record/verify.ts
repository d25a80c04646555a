import { createHmac, type KeyObject } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Encryption } from '../encryption.ts';
import type { AccessTables } from '../tables.ts';
import { CHAIN_START, computeHash } from './chain.ts';
import { type ChainKey, readChainKey } from './chain-key.ts';
import {
  type Checkpoint,
  findCheckpoint,
  findHead,
  listRecordedWorkspaces,
  listRowsAfter,
  type RecordHead,
  type RecordRow,
} from './rows.ts';

/** The key and the externally stored heads for verifying a chain. */
interface VerificationInput {
  chainKey: ChainKey;
  externalHeads: readonly WorkspaceHead[];
}

export type WorkspaceHead = RecordHead & { workspace: string };

/**
 * How a chain differs from the rows that were written. `changed`: a row was modified, replaced or added. `missing`: a row
 * in the middle is gone. `cut-off`: the last rows are gone, or the chain doesn't end at its head. `head-mismatch`: a row
 * differs from an externally stored head. `checkpoint`: the checkpoint wasn't written by Upnext, or is gone.
 */
type Fault = 'changed' | 'missing' | 'cut-off' | 'head-mismatch' | 'checkpoint';

/**
 * The result for one workspace's chain. `rows`: the number of the last correct row. `deletedRows`: how many of them were
 * deleted because of their age. An intact chain has its last hash; a broken one has the number of the first wrong row.
 * `unkeyedRows`: the number of rows that are older than the current key. Only their links to the previous rows are
 * verified. `uncheckedHeads`: the externally stored heads whose rows were deleted, so that nothing can be compared with
 * them.
 */
type ChainVerification = { workspace: string; rows: number; deletedRows: number } & (
  | { kind: 'intact'; hash: string; unkeyedRows: number; uncheckedHeads: readonly WorkspaceHead[] }
  | { kind: 'broken'; seq: number; fault: Fault }
);

const PAGE_SIZE = 1_000;

/**
 * Verifies every row of every workspace, all as they were at one time, so that what other instances append or delete
 * meanwhile makes no difference. Throws DecryptionError if the key can't be decrypted.
 */
export function verifyRecord(
  db: Kysely<AccessTables>,
  encryption: Encryption,
  externalHeads: readonly WorkspaceHead[] = [],
): Promise<ChainVerification[]> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => {
      const chainKey = await readChainKey({ db: snapshot, encryption });
      const workspaces = new Set([
        ...(await listRecordedWorkspaces(snapshot)),
        ...chainKey.headsBeforeKey.keys(),
        ...externalHeads.map(({ workspace }) => workspace),
      ]);
      const verifications: ChainVerification[] = [];
      for (const workspace of [...workspaces].toSorted()) {
        const workspaceHeads = externalHeads.filter((head) => head.workspace === workspace);
        const input = { chainKey, externalHeads: workspaceHeads };
        verifications.push(await verifyChain(snapshot, workspace, input));
      }
      return verifications;
    });
}

async function verifyChain(
  db: Kysely<AccessTables>,
  workspace: string,
  input: VerificationInput,
): Promise<ChainVerification> {
  const { chainKey, externalHeads } = input;
  const head = await findHead(db, workspace);
  const headBeforeKey = chainKey.headsBeforeKey.get(workspace);
  const checkpoint = await findCheckpoint(db, workspace);
  const deletedRows = checkpoint?.seq ?? 0;
  let last: RecordHead = checkpoint ?? CHAIN_START;
  const createFault = (fault: Fault, seq = last.seq + 1): ChainVerification => ({
    workspace,
    rows: last.seq,
    deletedRows,
    kind: 'broken',
    seq,
    fault,
  });
  const checkpointFault = findCheckpointFault(workspace, checkpoint, input);
  if (checkpointFault) return createFault(checkpointFault, deletedRows);
  // The first page contains rows up to the checkpoint, too, which nobody but an attacker stores.
  let after: number | undefined;
  for (;;) {
    const rows = await listRowsAfter(db, { workspace, after, limit: PAGE_SIZE });
    for (const row of rows) {
      const fault = findFault(row, last, input);
      if (fault) return createFault(fault, Math.min(row.seq, last.seq + 1));
      last = { seq: row.seq, hash: row.hash };
    }
    if (rows.length < PAGE_SIZE) break;
    after = last.seq;
  }
  const expectedHeads = [...externalHeads, ...(headBeforeKey ? [headBeforeKey] : [])];
  if (head?.seq !== last.seq || head.hash !== last.hash || expectedHeads.some(({ seq }) => last.seq < seq))
    return createFault('cut-off');
  return {
    workspace,
    rows: last.seq,
    deletedRows,
    kind: 'intact',
    hash: last.hash,
    unkeyedRows: headBeforeKey?.seq ?? 0,
    uncheckedHeads: externalHeads.filter(({ seq }) => seq < deletedRows),
  };
}

/** HMAC-SHA-256 over a checkpoint, in hex. It differs from the hash of any row. */
export function computeSeal(workspace: string, { seq, hash }: RecordHead, key: KeyObject): string {
  const text = JSON.stringify(['checkpoint', workspace, seq, hash]);
  return `hmac-sha256:${createHmac('sha256', key).update(text).digest('hex')}`;
}

/**
 * Returns undefined if the checkpoint, or its absence, is correct. Deletion keeps the rows of a lost key, so a chain with
 * such rows has the checkpoint that it had when the current key was created.
 */
export function findCheckpointFault(
  workspace: string,
  checkpoint: Checkpoint | undefined,
  { chainKey, externalHeads }: VerificationInput,
): Fault | undefined {
  const headBeforeKey = chainKey.headsBeforeKey.get(workspace);
  if (headBeforeKey) {
    if ((checkpoint?.seq ?? 0) !== headBeforeKey.deletedRows) return 'checkpoint';
  } else if (
    checkpoint &&
    !(chainKey.key && checkpoint.seal === computeSeal(workspace, checkpoint, chainKey.key))
  ) {
    return 'checkpoint';
  }
  const contradictsHead = ({ seq, hash }: RecordHead) => seq === checkpoint?.seq && hash !== checkpoint.hash;
  return externalHeads.some(contradictsHead) ? 'head-mismatch' : undefined;
}

/** Returns undefined if the row is correct. `previousHead`: the previous row's number and hash. */
export function findFault(
  row: RecordRow,
  previousHead: RecordHead,
  { chainKey, externalHeads }: VerificationInput,
): Fault | undefined {
  if (row.seq <= previousHead.seq) return 'changed';
  if (row.seq > previousHead.seq + 1) return 'missing';
  if (row.previous !== previousHead.hash) return 'changed';
  const headBeforeKey = chainKey.headsBeforeKey.get(row.workspace);
  if (row.seq === headBeforeKey?.seq && row.hash !== headBeforeKey.hash) return 'changed';
  const key = findKey(row, chainKey);
  if (key && row.hash !== computeHash(row, key)) return 'changed';
  const contradictsExternalHead = externalHeads.some(({ seq, hash }) => seq === row.seq && hash !== row.hash);
  return contradictsExternalHead ? 'head-mismatch' : undefined;
}

/** The key of the row's hash; undefined if that key is lost. */
function findKey({ workspace, seq }: RecordRow, { key, headsBeforeKey }: ChainKey): KeyObject | undefined {
  return seq <= (headsBeforeKey.get(workspace)?.seq ?? 0) ? undefined : key;
}
