/** @import { TrafficRecord } from '../../protocol.ts' */

/**
 * The record as JSON for a test: a request to the app with its `body` as Bolt receives it, or a call with its arguments
 * and answer.
 * @param {TrafficRecord} record
 */
export function formatFixture({ direction, kind, label, payload, answer }) {
  const parsedAnswer = answer === undefined ? undefined : JSON.parse(answer);
  const fixture =
    direction === 'to-app'
      ? { type: kind, body: JSON.parse(payload), acknowledgement: parsedAnswer }
      : { method: label, arguments: JSON.parse(payload), answer: parsedAnswer };
  return `${JSON.stringify(fixture, null, 2)}\n`;
}
