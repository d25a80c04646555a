import { expect, test } from 'vitest';
import { checkDigests } from '../support/digest-checker.ts';

const DIGEST = { id: 'd1', channel: 'C1', owner: 'U1', minute: 9 * 60, zone: 'Europe/Berlin' };
const FIRST = 'digest d1 for 2026-03-28';
const SECOND = 'digest d1 for 2026-03-29';
const NOTICE = 'Not sent: I wasn’t running.\n• <#C1>, weekdays at 09:00 (Berlin): Sun 29 Mar, 09:00 (Berlin)';

test.each<[title: string, toChannel: string[], toOwner: string[], faults: string[]]>([
  ['one digest and one notice that the other was missed', [FIRST], [NOTICE], []],
  ['a duplicate', [FIRST, `${FIRST}, late`], [NOTICE], [`${FIRST}: sent 2 times, not missed`]],
  ['a digest without an outcome', [FIRST], [], [`${SECOND}: sent 0 times, not missed`]],
  ['a notice about a sent digest', [FIRST, SECOND], [NOTICE], [`${SECOND}: sent 1 times, missed`]],
])('the checker of digests judges %s, across a clock change', (_title, toChannel, toOwner, faults) => {
  const build = (channel: string) => (text: string) => ({ ts: '1.1', channel, at: 0, text });
  const verdict = checkDigests({
    digests: [DIGEST],
    from: Date.parse('2026-03-27T12:00:00Z'),
    until: Date.parse('2026-03-29T07:00:00Z'),
    messages: [...toChannel.map(build('C1')), ...toOwner.map(build('D1'))],
  });
  expect(verdict).toMatchObject({ expected: 2, faults });
});
