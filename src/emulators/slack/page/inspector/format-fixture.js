/** @import { TrafficRecord } from '../../protocol.ts' */

/**
 * The record as JSON that a test can load: a request to the app with its `body` as Bolt gets it, or a call with its
 * arguments and answer.
 * @param {TrafficRecord} record
 */
export function formatFixture({ direction, kind, label, payload, answer }) {
  const answered = answer === undefined ? undefined : JSON.parse(answer);
  const fixture =
    direction === 'to-app'
      ? { type: kind, body: JSON.parse(payload), acknowledgement: answered }
      : { method: label, arguments: JSON.parse(payload), answer: answered };
  return `${JSON.stringify(fixture, null, 2)}\n`;
}
