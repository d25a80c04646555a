import { listAuditRows } from '../../support/audit-record.ts';
import type { BotDatabase } from '../../support/bot-database.ts';

/** Reads the lines of the audit log. */
export async function readRecord(db: BotDatabase['db']): Promise<string[]> {
  const rows = await listAuditRows(db);
  return rows.map(({ action, target, project, decision }) =>
    [action, target, project, decision].filter(Boolean).join(' | '),
  );
}
