import { type Kysely, sql } from 'kysely';
import type { RecordRow } from '../../src/access/access.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';

/** Lists the entries of a workspace in the order in which they were added; of all workspaces by default. */
export function listAuditRows(db: Kysely<BotSchema>, workspace?: string): Promise<RecordRow[]> {
  const rows = db.selectFrom('audit_entry').selectAll().orderBy('seq');
  return (workspace === undefined ? rows : rows.where('workspace', '=', workspace)).execute();
}

/** Empties the audit log, which only the owner of the table can do. */
export async function emptyAuditRecord(db: Kysely<BotSchema>): Promise<void> {
  await sql`alter table audit_entry disable trigger all`.execute(db);
  await db.deleteFrom('audit_entry').execute();
  await sql`alter table audit_entry enable trigger all`.execute(db);
}

/** The entries of the audit log as lines, without their times and people. */
export async function readAuditLines(db: Kysely<BotSchema>): Promise<string[]> {
  const rows = await listAuditRows(db);
  return rows.map(({ action, target, project, decision }) =>
    [action, target, project, decision].filter(Boolean).join(' | '),
  );
}
