import type { ApiClient } from './client.ts';
import { mapDone, type Outcome } from './outcome.ts';
import { fieldsOf } from './record-fields.ts';
import { type Records, readRecords } from './records.ts';
import { readScheduleDate } from './schedule-date.ts';

/** A line of a project's log; its fields are not described, these are the names such lines usually have. */
interface LogEntry {
  id?: string | undefined;
  /** A moment without an offset is read as UTC. */
  at?: Date | undefined;
  kind?: string | undefined;
  message: string;
}

function readLogEntry(value: unknown): LogEntry | undefined {
  const fields = fieldsOf(value);
  const message = fields?.text('Message', 'Text', 'Description', 'Action', 'Event');
  if (!fields || message === undefined) return undefined;
  const at = fields.text('CreatedAt', 'Timestamp', 'At', 'Date', 'Time');
  return {
    id: fields.id('Id'),
    at: at === undefined ? undefined : readScheduleDate(at, 'UTC'),
    kind: fields.text('Kind', 'Type', 'Level', 'Action', 'Event'),
    message,
  };
}

/** List Logs. */
export async function listLogs(client: ApiClient, projectId: string): Promise<Outcome<Records<LogEntry>>> {
  const outcome = await client.call('listLogs', (http, call) =>
    http.GET('/api/v1/projects/{project_id}/logs', { ...call, params: { path: { project_id: projectId } } }),
  );
  return mapDone(outcome, (data) => readRecords(data, 'Log', readLogEntry));
}
