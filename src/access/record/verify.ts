import type { Kysely } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import type { Encryption } from '../encryption.ts';
import { BEGIN, hashOf, isKeyed } from './chain.ts';
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
 * One workspace's chain: whole, with its end, or the first row at which it is not. `older`: rows from before its key;
 * `unchecked`: those of them whose own key is lost, of which only the links are known to be whole.
 */
type Verified = { workspace: string; rows: number } & (
  | { kind: 'whole'; hash: string; older: number; unchecked: number }
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
      if (isUnchecked(row, checks.key)) unchecked += 1;
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
  return { workspace, rows: end.seq, kind: 'whole', hash: end.hash, older: older?.seq ?? 0, unchecked };
}

function faultOf(
  row: RecordRow,
  end: RecordHead,
  { key: { key, older }, earlier }: Checks,
): Fault | undefined {
  if (row.seq !== end.seq + 1) return 'missing';
  if (row.previous !== end.hash) return 'changed';
  const line = older.get(row.workspace);
  if (row.seq === line?.seq && row.hash !== line.hash) return 'changed';
  if (!isUnchecked(row, { key, older })) {
    const isOwn = isOlder(row, line) ? row.hash === hashOf(row) : key && row.hash === hashOf(row, key);
    if (!isOwn) return 'changed';
  }
  const isAnother = earlier.some(({ seq, hash }) => seq === row.seq && hash !== row.hash);
  return isAnother ? 'not-the-earlier-head' : undefined;
}

function isOlder({ seq }: RecordRow, line: RecordHead | undefined): boolean {
  return line !== undefined && seq <= line.seq;
}

/** Only the key that it was added with would tell, and that one is not at hand. */
function isUnchecked(row: RecordRow, { key, older }: ChainKey): boolean {
  return isKeyed(row) && (!key || isOlder(row, older.get(row.workspace)));
}
