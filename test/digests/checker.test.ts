import { expect, test } from 'vitest';
import { checkDigests } from '../support/digest-checker.ts';

const NINE_IN_BERLIN_MS = 8 * 60 * 60 * 1000;
const rule = { days: [1, 2, 3, 4, 5, 6, 7], minute: 9 * 60, zone: 'Europe/Berlin' };
const startedAt = Date.parse('2026-01-04T12:00:00Z');
const digest = { id: 'd1', channel: 'C1', owner: 'U1' };

/** Checks a week whose first digest is empty and omitted. At its end, the owner is notified of the missed dates. */
function checkWeek({
  unnamedCount,
  until,
  silentDate = '2026-01-05',
}: {
  unnamedCount: number;
  until: string;
  silentDate?: string;
}) {
  const namedDates = [6, 7, 8, 9, 10].map((day) => `Tue ${day} Jan, 09:00 (Berlin)`).join('; ');
  const text = `Not sent: I wasn’t running.\n• <#C1>, daily at 09:00 (Berlin): ${namedDates}; ${unnamedCount} more\nThe next ones come as planned.`;
  const end = Date.parse(`${until}T00:00:00Z`) + NINE_IN_BERLIN_MS;
  return checkDigests({
    digests: [{ ...digest, eventLog: [{ at: 0, now: startedAt, kind: 'set', rule }] }],
    jumps: [],
    end: { at: 1, now: end },
    messages: [{ ts: '1.1', channel: 'D1', at: end, text }],
    isSilent: (_id, date) => date === silentDate,
  });
}

test('dates that a notification counts but doesn’t name are missed, and dates with an omitted empty digest aren’t', () => {
  expect(checkWeek({ unnamedCount: 2, until: '2026-01-12' })).toMatchObject({
    missed: 7,
    silent: 1,
    faults: [],
  });
});

test('a date that exceeds the count in the notification is reported as a date without an outcome', () => {
  const { faults } = checkWeek({ unnamedCount: 1, until: '2026-01-12' });
  expect(faults).toEqual(['digest d1 for 2026-01-12 (C1): nothing']);
});

test('a date that the notification doesn’t count is reported, unless its empty digest was omitted', () => {
  const { faults } = checkWeek({ unnamedCount: 2, until: '2026-01-12', silentDate: 'never' });
  expect(faults).toEqual(['digest d1 for 2026-01-12 (C1): nothing']);
});
