import type { TrafficRecord } from '../../protocol.ts';

export interface TrafficFilter {
  /** `to-app`, `from-app` or the kind of a record. Empty for all. */
  kind: string;
  /** Name of an app. Empty for all. */
  app: string;
  errorsOnly: boolean;
  /** Words that must all occur in the record. */
  text: string;
}

export const NO_FILTER: TrafficFilter = { kind: '', app: '', errorsOnly: false, text: '' };

const isError = ({ outcome }: TrafficRecord) => outcome === 'failed' || outcome === 'late';

export function filterRecords(
  records: readonly TrafficRecord[],
  { kind, app, errorsOnly, text }: TrafficFilter,
) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return records.filter(
    (record) =>
      (kind === '' || record.direction === kind || record.kind === kind) &&
      (app === '' || record.app === app) &&
      (!errorsOnly || isError(record)) &&
      hasWords(record, words),
  );
}

function hasWords(
  { label, kind, reason = '', payload, answer = '' }: TrafficRecord,
  words: readonly string[],
) {
  if (words.length === 0) return true;
  const searched = `${label}\n${kind}\n${reason}\n${payload}\n${answer}`.toLowerCase();
  return words.every((word) => searched.includes(word));
}
