import type { Kysely } from 'kysely';
import { keptHead, type RecordRow, recordAfter, recordedWorkspaces } from '../../store/record.ts';
import type { BotSchema } from '../../store/schema.ts';
import { BEGIN, hashOf } from './chain.ts';

/** One workspace's chain: whole, with its end, or the first row at which it is not. */
type Verified = { workspace: string; rows: number } & (
  | { kind: 'whole'; hash: string }
  | { kind: 'broken'; seq: number; what: 'changed' | 'missing' | 'cut-off' }
);

const PAGE = 1_000;

/** Goes through every row of every workspace. */
export async function verifyRecord(db: Kysely<BotSchema>): Promise<Verified[]> {
  const verified: Verified[] = [];
  for (const workspace of await recordedWorkspaces(db)) verified.push(await verifyChain(db, workspace));
  return verified;
}

async function verifyChain(db: Kysely<BotSchema>, workspace: string): Promise<Verified> {
  const head = await keptHead(db, workspace);
  let end = BEGIN;
  for (;;) {
    const rows = await recordAfter(db, { workspace, after: end.seq, limit: PAGE });
    for (const row of rows) {
      const what = faultOf(row, end);
      if (what) return { workspace, rows: end.seq, kind: 'broken', seq: end.seq + 1, what };
      end = { seq: row.seq, hash: row.hash };
    }
    if (rows.length < PAGE) break;
  }
  // Rows that came while they were read are behind the head that was read before them.
  const isCutOff = !head || end.seq < head.seq || (end.seq === head.seq && end.hash !== head.hash);
  if (isCutOff) return { workspace, rows: end.seq, kind: 'broken', seq: end.seq + 1, what: 'cut-off' };
  return { workspace, rows: end.seq, kind: 'whole', hash: end.hash };
}

function faultOf(row: RecordRow, end: { seq: number; hash: string }): 'changed' | 'missing' | undefined {
  if (row.seq !== end.seq + 1) return 'missing';
  return row.previous === end.hash && row.hash === hashOf(row) ? undefined : 'changed';
}
