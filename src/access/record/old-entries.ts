import { createHmac } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import type { Encryption } from '../encryption.ts';
import { readOrCreateChainKey } from './chain-key.ts';
import { deleteRowsUntil, listRowsAfter, type RecordHead } from './rows.ts';

/** Number of workspaces that are looked at in one statement. */
const WORKSPACE_PAGE_SIZE = 500;
/** Maximum number of rows that are deleted in one transaction. */
const BATCH_SIZE = 1_000;

export function computeSeal(workspace: string, { seq, hash }: RecordHead, key: Buffer): string {
  const text = JSON.stringify(['checkpoint', workspace, seq, hash]);
  return `hmac-sha256:${createHmac('sha256', key).update(text).digest('hex')}`;
}

/** Deletes the oldest entries of each workspace, those before a time. Resolves with their number. */
export async function deleteOldEntries(
  store: { db: Kysely<BotSchema>; encryption: Encryption },
  before: Date,
): Promise<number> {
  let deletedCount = 0;
  for (let lastWorkspace: string | undefined = ''; lastWorkspace !== undefined; ) {
    const page = await listChainStarts(store.db, { after: lastWorkspace, before });
    for (const { workspace, isOld } of page) {
      if (isOld) deletedCount += await deleteOldEntriesOf(store, workspace, before);
    }
    lastWorkspace = page.length === WORKSPACE_PAGE_SIZE ? page.at(-1)?.workspace : undefined;
  }
  return deletedCount;
}

/** Lists a page of workspaces with a chain, and whether the first row of each chain is old. */
async function listChainStarts(
  db: Kysely<BotSchema>,
  { after, before }: { after: string; before: Date },
): Promise<{ workspace: string; isOld: boolean }[]> {
  const { rows } = await sql<{ workspace: string; isOld: boolean }>`
    select page.workspace, coalesce((select at < ${before} from audit_entry
      where audit_entry.workspace = page.workspace order by seq limit 1), false) as "isOld"
    from (select workspace from audit_head where workspace > ${after}
      order by workspace limit ${WORKSPACE_PAGE_SIZE}) as page
    order by page.workspace`.execute(db);
  return rows;
}

async function deleteOldEntriesOf(
  { db, encryption }: { db: Kysely<BotSchema>; encryption: Encryption },
  workspace: string,
  before: Date,
): Promise<number> {
  const key = await readOrCreateChainKey({ db, encryption });
  let deletedCount = 0;
  for (;;) {
    const rows = await listRowsAfter(db, { workspace, after: 0, limit: BATCH_SIZE });
    const firstRecent = rows.findIndex(({ at }) => at >= before);
    const oldRows = firstRecent < 0 ? rows : rows.slice(0, firstRecent);
    const last = oldRows.at(-1);
    if (!last) return deletedCount;
    const head = { seq: last.seq, hash: last.hash };
    await deleteRowsUntil(db, workspace, { ...head, seal: computeSeal(workspace, head, key) });
    deletedCount += oldRows.length;
    if (oldRows.length < BATCH_SIZE) return deletedCount;
  }
}
