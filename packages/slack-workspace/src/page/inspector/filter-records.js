/**
 * @import { TrafficRecord } from '../../protocol.ts'
 *
 * @typedef {object} TrafficFilter
 * @property {string} kind `to-app`, `from-app` or the kind of a record. Empty for all.
 * @property {string} app name of an app. Empty for all.
 * @property {boolean} errorsOnly
 * @property {string} text words that must all occur in the record
 */

/** @type {TrafficFilter} */
export const NO_FILTER = { kind: '', app: '', errorsOnly: false, text: '' };

/** @param {TrafficRecord} record */
const isError = ({ outcome }) => outcome === 'failed' || outcome === 'late';

/**
 * @param {readonly TrafficRecord[]} records
 * @param {TrafficFilter} filter
 */
export function filterRecords(records, { kind, app, errorsOnly, text }) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return records.filter(
    (record) =>
      (kind === '' || record.direction === kind || record.kind === kind) &&
      (app === '' || record.app === app) &&
      (!errorsOnly || isError(record)) &&
      hasWords(record, words),
  );
}

/**
 * @param {TrafficRecord} record
 * @param {readonly string[]} words
 */
function hasWords({ label, kind, reason = '', payload, answer = '' }, words) {
  if (words.length === 0) return true;
  const searched = `${label}\n${kind}\n${reason}\n${payload}\n${answer}`.toLowerCase();
  return words.every((word) => searched.includes(word));
}
