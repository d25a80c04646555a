import type { Kysely } from 'kysely';
import type { ServiceSchema } from './schema.ts';

interface LogEntry {
  projectId: number;
  /** The event for programs: post.created. */
  event: string;
  /** The event for people. It names ids and never repeats content. */
  message: string;
}

/** Writes log entries of projects. */
export async function writeLog(db: Kysely<ServiceSchema>, at: Date, ...entries: LogEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map(({ projectId, event, message }) => ({
    project_id: projectId,
    event,
    message,
    created_at: at,
  }));
  await db.insertInto('logs').values(rows).execute();
}
