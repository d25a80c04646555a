import type { Kysely } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import type { Encryption } from '../encryption.ts';
import { CHAIN_START, hashOf } from './chain.ts';
import { type ChainKey, readChainKey } from './chain-key.ts';
import { findHead, type RecordHead, type RecordRow, recordedWorkspaces, rowsAfter } from './rows.ts';

/** What a chain is checked against: its key, and heads that somebody has stored outside the database. */
interface Checks {
  key: ChainKey;
  earlier: readonly WorkspaceHead[];
}

export type WorkspaceHead = RecordHead & { workspace: string };

/** How a chain differs from what was written. */
type Fault = 'changed' | 'missing' | 'cut-off' | 'not-the-earlier-head';

/**
 * The result for one workspace's chain: whole, with its last hash, or broken, with the first wrong row. `unchecked`:
 * the number of rows older than the key, of which only the links could be checked.
 */
type Verified = { workspace: string; rows: number } & (
  | { kind: 'whole'; hash: string; unchecked: number }
  | { kind: 'broken'; seq: number; fault: Fault }
);

const PAGE = 1_000;

/** Checks every row of every workspace. Throws DecryptionError if the key can't be decrypted. */
export async function verifyRecord(
  db: Kysely<BotSchema>,
  encryption: Encryption,
  earlier: readonly WorkspaceHead[] = [],
): Promise<Verified[]> {
  const key = await readChainKey({ db, encryption });
  const expected = [...key.older.keys(), ...earlier.map(({ workspace }) => workspace)];
  const workspaces = new Set([...(await recordedWorkspaces(db)), ...expected]);
  const verified: Verified[] = [];
  for (const workspace of [...workspaces].toSorted()) {
    const own = earlier.filter((head) => head.workspace === workspace);
    verified.push(await verifyChain(db, workspace, { key, earlier: own }));
  }
  return verified;
}

async function verifyChain(db: Kysely<BotSchema>, workspace: string, checks: Checks): Promise<Verified> {
  const head = await findHead(db, workspace);
  const older = checks.key.older.get(workspace);
  let end = CHAIN_START;
  let unchecked = 0;
  for (;;) {
    const rows = await rowsAfter(db, { workspace, after: end.seq, limit: PAGE });
    for (const row of rows) {
      const fault = faultOf(row, end, checks);
      if (fault) return { workspace, rows: end.seq, kind: 'broken', seq: end.seq + 1, fault };
      if (!keyFor(row, checks.key)) unchecked += 1;
      end = { seq: row.seq, hash: row.hash };
    }
    if (rows.length < PAGE) break;
  }
  // The head was read first, so rows that were appended meanwhile come after it.
  const isCutOff =
    !head ||
    end.seq < head.seq ||
    (end.seq === head.seq && end.hash !== head.hash) ||
    [...checks.earlier, ...(older ? [older] : [])].some(({ seq }) => end.seq < seq);
  if (isCutOff) return { workspace, rows: end.seq, kind: 'broken', seq: end.seq + 1, fault: 'cut-off' };
  return { workspace, rows: end.seq, kind: 'whole', hash: end.hash, unchecked };
}

function faultOf(row: RecordRow, end: RecordHead, { key: chainKey, earlier }: Checks): Fault | undefined {
  if (row.seq !== end.seq + 1) return 'missing';
  if (row.previous !== end.hash) return 'changed';
  const olderHead = chainKey.older.get(row.workspace);
  if (row.seq === olderHead?.seq && row.hash !== olderHead.hash) return 'changed';
  const key = keyFor(row, chainKey);
  if (key && row.hash !== hashOf(row, key)) return 'changed';
  const isAnother = earlier.some(({ seq, hash }) => seq === row.seq && hash !== row.hash);
  return isAnother ? 'not-the-earlier-head' : undefined;
}

/** The key that a row was added with; undefined if that key is lost. */
function keyFor({ workspace, seq }: RecordRow, { key, older }: ChainKey): Buffer | undefined {
  return seq <= (older.get(workspace)?.seq ?? 0) ? undefined : key;
}
