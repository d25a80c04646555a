import type { Kysely } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import type { Encryption } from '../encryption.ts';
import { BEGIN, hashOf } from './chain.ts';
import { type ChainKey, keptChainKey } from './chain-key.ts';
import { keptHead, type RecordHead, type RecordRow, recordAfter, recordedWorkspaces } from './rows.ts';

/** What a chain is checked against: its key, and a head of it that somebody has kept elsewhere. */
interface Checks {
  key: ChainKey;
  earlier: readonly WorkspaceHead[];
}

export type WorkspaceHead = RecordHead & { workspace: string };

/** Something that is not as it was written. */
type Fault = 'changed' | 'missing' | 'cut-off' | 'not-the-earlier-head';

/**
 * One workspace's chain: whole, with its end, or the first row at which it is not. `unchecked`: rows from before its key,
 * of which only the links are known to be whole.
 */
type Verified = { workspace: string; rows: number } & (
  | { kind: 'whole'; hash: string; unchecked: number }
  | { kind: 'broken'; seq: number; what: Fault }
);

const PAGE = 1_000;

/** Goes through every row of every workspace. Throws CannotOpen where the key cannot be read. */
export async function verifyRecord(
  db: Kysely<BotSchema>,
  encryption: Encryption,
  earlier: readonly WorkspaceHead[] = [],
): Promise<Verified[]> {
  const key = await keptChainKey({ db, encryption });
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
  const head = await keptHead(db, workspace);
  const older = checks.key.older.get(workspace);
  let end = BEGIN;
  let unchecked = 0;
  for (;;) {
    const rows = await recordAfter(db, { workspace, after: end.seq, limit: PAGE });
    for (const row of rows) {
      const what = faultOf(row, end, checks);
      if (what) return { workspace, rows: end.seq, kind: 'broken', seq: end.seq + 1, what };
      if (!keyFor(row, checks.key)) unchecked += 1;
      end = { seq: row.seq, hash: row.hash };
    }
    if (rows.length < PAGE) break;
  }
  // Rows that came while they were read are behind the head that was read before them.
  const isCutOff =
    !head ||
    end.seq < head.seq ||
    (end.seq === head.seq && end.hash !== head.hash) ||
    [...checks.earlier, ...(older ? [older] : [])].some(({ seq }) => end.seq < seq);
  if (isCutOff) return { workspace, rows: end.seq, kind: 'broken', seq: end.seq + 1, what: 'cut-off' };
  return { workspace, rows: end.seq, kind: 'whole', hash: end.hash, unchecked };
}

function faultOf(row: RecordRow, end: RecordHead, { key: chainKey, earlier }: Checks): Fault | undefined {
  if (row.seq !== end.seq + 1) return 'missing';
  if (row.previous !== end.hash) return 'changed';
  const line = chainKey.older.get(row.workspace);
  if (row.seq === line?.seq && row.hash !== line.hash) return 'changed';
  const key = keyFor(row, chainKey);
  if (key && row.hash !== hashOf(row, key)) return 'changed';
  const isAnother = earlier.some(({ seq, hash }) => seq === row.seq && hash !== row.hash);
  return isAnother ? 'not-the-earlier-head' : undefined;
}

/** The key that a row was added with; undefined where that one is not at hand. */
function keyFor({ workspace, seq }: RecordRow, { key, older }: ChainKey): Buffer | undefined {
  return seq <= (older.get(workspace)?.seq ?? 0) ? undefined : key;
}
