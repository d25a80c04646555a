import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { MINUTE_MS } from '../../durations.ts';
import { addMs } from '../../engine/clock.ts';
import type { AccessTables } from '../tables.ts';
import type { AuditAction } from './entry.ts';
import { OPERATOR } from './record.ts';

/** A line of the log about an audit entry. */
const loggedEntry = z.object({
  msg: z.literal('audit entry'),
  id: z.string(),
  at: z.coerce.date(),
  workspace: z.string(),
  actor: z.string(),
  project: z.string(),
  action: z.string(),
});
export type LoggedEntry = z.infer<typeof loggedEntry>;

/** Entries of one moment are committed in any order. */
const MAX_DISORDER_MS = 10 * MINUTE_MS;
/** Ids in one statement. */
const BATCH_SIZE = 500;

/**
 * Finds the entries with these actions that the log has, and that a restored database lacks, because they were made after
 * its backup. `lines`: those of the log, perhaps with text before the JSON, as collectors write it.
 */
export async function findMissingEntries(
  db: Kysely<AccessTables>,
  lines: AsyncIterable<string>,
  actions: readonly AuditAction[],
): Promise<LoggedEntry[]> {
  // The operator's entries are those of commands since the restore.
  const { rows } = await sql<{ at: Date | null }>`
    select max(at) as at from audit_entry where actor <> ${OPERATOR}`.execute(db);
  const since = rows[0]?.at ? addMs(rows[0].at, -MAX_DISORDER_MS) : new Date(0);
  const candidates = new Map<string, LoggedEntry>();
  for await (const line of lines) {
    const entry = readEntry(line);
    if (entry && entry.at >= since && actions.some((action) => action === entry.action))
      candidates.set(entry.id, entry);
  }
  const ids = [...candidates.keys()];
  for (let start = 0; start < ids.length; start += BATCH_SIZE) {
    const stored = await db
      .selectFrom('audit_entry')
      .select('id')
      .where('id', 'in', ids.slice(start, start + BATCH_SIZE))
      .execute();
    for (const { id } of stored) candidates.delete(id);
  }
  return [...candidates.values()].toSorted((one, other) => one.at.getTime() - other.at.getTime());
}

function readEntry(line: string): LoggedEntry | undefined {
  if (!line.includes('audit entry')) return undefined;
  try {
    return loggedEntry.safeParse(JSON.parse(line.slice(line.indexOf('{')))).data;
  } catch {
    return undefined;
  }
}
