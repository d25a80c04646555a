import type { LogEntry } from '../../api/logs.ts';
import { asCsv } from '../../slack/csv.ts';

const HEAD = ['Time (UTC)', 'Event', 'Who', 'Message', 'Details', 'Id'];

/** What the service listed, a line for each. */
export function logsAsCsv(entries: readonly LogEntry[]): string {
  const rows = entries.map(({ at, kind, who, message, details, id }) => [
    at?.toISOString() ?? '',
    kind ?? '',
    who ?? '',
    message,
    details ?? '',
    id ?? '',
  ]);
  return asCsv([HEAD, ...rows]);
}
