import { describe, expect, it } from 'vitest';
import { listClockJumps } from '../../src/page/clock-switch.ts';

const BERLIN = { zone: 'Europe/Berlin', locale: 'en-DE' };
const TOKYO = { zone: 'Asia/Tokyo', locale: 'en-JP' };

const listJumps = (now: string, reader = BERLIN) =>
  Object.fromEntries(
    listClockJumps(Date.parse(now), reader).map(({ key, to }) => [key, new Date(to).toISOString()]),
  );

describe('the jumps of the practice clock', () => {
  it('a jump to a day leads to 8:59 in the reader’s time zone', () => {
    expect(listJumps('2026-11-20T12:00:00Z')).toEqual({
      hour: '2026-11-20T13:00:00.000Z',
      tomorrow: '2026-11-21T07:59:00.000Z',
      monday: '2026-11-23T07:59:00.000Z',
    });
    expect(listJumps('2026-11-20T20:00:00Z', TOKYO).tomorrow).toBe('2026-11-21T23:59:00.000Z');
  });

  it('today is offered only before nine, and on Sundays tomorrow replaces Monday', () => {
    expect(listJumps('2026-11-20T05:00:00Z').today).toBe('2026-11-20T07:59:00.000Z');
    expect(Object.keys(listJumps('2026-11-22T12:00:00Z'))).toEqual(['hour', 'tomorrow']);
  });

  it.each([
    ['2026-03-28T22:59:30Z', '2026-03-29T06:59:00.000Z'],
    ['2026-10-24T12:00:00Z', '2026-10-25T07:59:00.000Z'],
    ['2026-10-24T22:30:00Z', '2026-10-26T07:59:00.000Z'],
  ])('days are counted by the calendar when the clocks change: %s', (now, tomorrow) => {
    expect(listJumps(now).tomorrow).toBe(tomorrow);
  });
});
