import type { Kysely } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import type { Encryption } from '../encryption.ts';
import { CHAIN_START, computeHash } from './chain.ts';
import { type ChainKey, readChainKey } from './chain-key.ts';
import { findHead, listRecordedWorkspaces, listRowsAfter, type RecordHead, type RecordRow } from './rows.ts';

/** The key and the externally stored heads for verifying a chain. */
interface VerificationInput {
  chainKey: ChainKey;
  externalHeads: readonly WorkspaceHead[];
}

export type WorkspaceHead = RecordHead & { workspace: string };

/**
 * How a chain differs from the rows that were written. `changed`: a row was modified or replaced. `missing`: a row in
 * the middle is gone. `cut-off`: the last rows are gone. `head-mismatch`: a row differs from an externally stored head.
 */
type Fault = 'changed' | 'missing' | 'cut-off' | 'head-mismatch';

/**
 * The result for one workspace's chain. An intact chain has its last hash; a broken one has the number of the first
 * wrong row. `unkeyedRows`: the number of rows that are older than the current key. Only their links to the previous
 * rows are verified.
 */
type ChainVerification = { workspace: string; rows: number } & (
  | { kind: 'intact'; hash: string; unkeyedRows: number }
  | { kind: 'broken'; seq: number; fault: Fault }
);

const PAGE_SIZE = 1_000;

/** Verifies every row of every workspace. Throws DecryptionError if the key can't be decrypted. */
export async function verifyRecord(
  db: Kysely<BotSchema>,
  encryption: Encryption,
  externalHeads: readonly WorkspaceHead[] = [],
): Promise<ChainVerification[]> {
  const chainKey = await readChainKey({ db, encryption });
  const expectedWorkspaces = [
    ...chainKey.headsBeforeKey.keys(),
    ...externalHeads.map(({ workspace }) => workspace),
  ];
  const workspaces = new Set([...(await listRecordedWorkspaces(db)), ...expectedWorkspaces]);
  const verifications: ChainVerification[] = [];
  for (const workspace of [...workspaces].toSorted()) {
    const workspaceHeads = externalHeads.filter((head) => head.workspace === workspace);
    verifications.push(await verifyChain(db, workspace, { chainKey, externalHeads: workspaceHeads }));
  }
  return verifications;
}

async function verifyChain(
  db: Kysely<BotSchema>,
  workspace: string,
  input: VerificationInput,
): Promise<ChainVerification> {
  const head = await findHead(db, workspace);
  const headBeforeKey = input.chainKey.headsBeforeKey.get(workspace);
  let verifiedHead = CHAIN_START;
  let unkeyedRows = 0;
  for (;;) {
    const rows = await listRowsAfter(db, { workspace, after: verifiedHead.seq, limit: PAGE_SIZE });
    for (const row of rows) {
      const fault = findFault(row, verifiedHead, input);
      if (fault)
        return { workspace, rows: verifiedHead.seq, kind: 'broken', seq: verifiedHead.seq + 1, fault };
      if (!findKey(row, input.chainKey)) unkeyedRows += 1;
      verifiedHead = { seq: row.seq, hash: row.hash };
    }
    if (rows.length < PAGE_SIZE) break;
  }
  // The stored head was read before the rows. Rows that were appended in the meantime come after that head.
  const isCutOff =
    !head ||
    verifiedHead.seq < head.seq ||
    (verifiedHead.seq === head.seq && verifiedHead.hash !== head.hash) ||
    [...input.externalHeads, ...(headBeforeKey ? [headBeforeKey] : [])].some(
      ({ seq }) => verifiedHead.seq < seq,
    );
  if (isCutOff)
    return { workspace, rows: verifiedHead.seq, kind: 'broken', seq: verifiedHead.seq + 1, fault: 'cut-off' };
  return { workspace, rows: verifiedHead.seq, kind: 'intact', hash: verifiedHead.hash, unkeyedRows };
}

/** Returns undefined if the row is correct. `previousHead`: the previous row's number and hash. */
function findFault(
  row: RecordRow,
  previousHead: RecordHead,
  { chainKey, externalHeads }: VerificationInput,
): Fault | undefined {
  if (row.seq !== previousHead.seq + 1) return 'missing';
  if (row.previous !== previousHead.hash) return 'changed';
  const headBeforeKey = chainKey.headsBeforeKey.get(row.workspace);
  if (row.seq === headBeforeKey?.seq && row.hash !== headBeforeKey.hash) return 'changed';
  const key = findKey(row, chainKey);
  if (key && row.hash !== computeHash(row, key)) return 'changed';
  const contradictsExternalHead = externalHeads.some(({ seq, hash }) => seq === row.seq && hash !== row.hash);
  return contradictsExternalHead ? 'head-mismatch' : undefined;
}

/** The key of the row's hash; undefined if that key is lost. */
function findKey({ workspace, seq }: RecordRow, { key, headsBeforeKey }: ChainKey): Buffer | undefined {
  return seq <= (headsBeforeKey.get(workspace)?.seq ?? 0) ? undefined : key;
}
