import type { RecordRow } from '../../access/access.ts';
import { asCsv } from '../../slack/csv.ts';

const HEAD = [
  'Number',
  'Time (UTC)',
  'Who',
  'Project',
  'Action',
  'Target',
  'Decision',
  'Reference',
  'Hash before',
  'Hash',
];

/** With the hashes, so that the file proves itself beside a later one. */
export function recordAsCsv(rows: readonly RecordRow[]): string {
  return asCsv([
    HEAD,
    ...rows.map((row) => [
      String(row.seq),
      row.at.toISOString(),
      row.who,
      row.project,
      row.action,
      row.target,
      row.decision,
      row.reference,
      row.previous,
      row.hash,
    ]),
  ]);
}
