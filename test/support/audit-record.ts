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
