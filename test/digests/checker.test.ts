import { expect, test } from 'vitest';
import { checkDigests } from '../support/digest-checker.ts';

const digest = { id: 'd1', channel: 'C1', owner: 'U1', minute: 9 * 60, zone: 'Europe/Berlin' };
const MESSAGE = 'digest d1 for 2026-03-28';
const NOTICE = 'Not sent: I wasn’t running.\n• <#C1>, daily at 09:00 (Berlin): Sun 29 Mar, 09:00 (Berlin)';

/** Checks two days across a clock change, with these messages to the channel and to the owner. */
function check({ toChannel, toOwner }: Record<'toChannel' | 'toOwner', string[]>) {
  const build = (channel: string) => (text: string) => ({ ts: '1.1', channel, at: 0, text });
  return checkDigests({
    digests: [digest],
    from: Date.parse('2026-03-27T12:00:00Z'),
    until: Date.parse('2026-03-29T07:00:00Z'),
    messages: [...toChannel.map(build('C1')), ...toOwner.map(build('D1'))],
  });
}

test('a date has an outcome if its digest was sent, or its owner was notified that it was missed', () => {
  const verdict = check({ toChannel: [MESSAGE], toOwner: [NOTICE] });
  expect(verdict).toEqual({ expected: 2, sent: 1, missed: 1, faults: [] });
});

test('missing and duplicate digests are detected', () => {
  expect(check({ toChannel: [MESSAGE, `${MESSAGE}, late`], toOwner: [] }).faults).toEqual([
    'digest d1 for 2026-03-28: sent 2 times, not missed',
    'digest d1 for 2026-03-29: sent 0 times, not missed',
  ]);
});

test('a digest that was sent although its owner was notified that it was missed is detected', () => {
  const { faults } = check({ toChannel: [MESSAGE, 'digest d1 for 2026-03-29'], toOwner: [NOTICE] });
  expect(faults).toEqual(['digest d1 for 2026-03-29: sent 1 times, missed']);
});
