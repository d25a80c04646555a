import { listRowsAfter } from '../../../src/access/record/rows.ts';
import type { BotDatabase } from '../../support/bot-database.ts';

/** Reads the lines of the audit record. */
export async function readRecord(db: BotDatabase['db']): Promise<string[]> {
  const [head] = await db.selectFrom('audit_head').selectAll().execute();
  const rows = head ? await listRowsAfter(db, { workspace: head.workspace, after: 0, limit: 10_000 }) : [];
  return rows.map(({ action, target, project, decision }) =>
    [action, target, project, decision].filter(Boolean).join(' | '),
  );
}
