import { expect, test } from 'vitest';
import { formatMoment } from '../../src/when/format-moment.ts';
import { understandMoment } from '../../src/when/when.ts';

/** A Friday. */
const NOW = new Date('2026-11-20T12:00:00Z');

function read(text: string, present: string, locale = 'en-GB') {
  const asked = { text, now: NOW, zone: 'Europe/Lisbon', locale };
  const reading = understandMoment({ ...asked, present: new Date(present) });
  const render = (moment: Parameters<typeof formatMoment>[0]) => formatMoment(moment, { now: NOW });
  if (reading.kind === 'ambiguous') return reading.candidates.map(render).join(' or ');
  return 'moment' in reading ? render(reading.moment) : reading.kind;
}

test.each([
  ['saturday', 'Sat 21 Nov, 20:30 (Lisbon)'],
  ['today', 'Fri 20 Nov, 20:30 (Lisbon)'],
  ['1 week', 'Fri 27 Nov, 20:30 (Lisbon)'],
  ['same time tomorrow', 'Sat 21 Nov, 20:30 (Lisbon)'],
  ['tomorrow same time', 'Sat 21 Nov, 20:30 (Lisbon)'],
  ['saturday at the same time', 'Sat 21 Nov, 20:30 (Lisbon)'],
  ['same time next week', 'Fri 27 Nov, 20:30 (Lisbon)'],
  ['morgen gleiche Zeit', 'Sat 21 Nov, 20:30 (Lisbon)'],
  ['demain même heure', 'Sat 21 Nov, 20:30 (Lisbon)'],
  ['tonight', 'Fri 20 Nov, 21:00 (Lisbon)'],
  ['tomorrow at 8', 'Sat 21 Nov, 08:00 (Lisbon)'],
  ['in 9 hours', 'Fri 20 Nov, 21:00 (Lisbon)'],
  ['monday in Tokyo', 'Mon 23 Nov, 09:00 (Tokyo)'],
  ['5/12', 'Sat 5 Dec, 20:30 (Lisbon)'],
  ['am 5.12.', 'Sat 5 Dec, 20:30 (Lisbon)'],
])('a post at 20:30 that is moved to “%s” goes out at %s', (text, shown) => {
  expect(read(text, '2026-12-01T20:30:00Z')).toBe(shown);
});

test('a post at midnight that is moved to “tonight” stays on that day', () => {
  expect(read('tonight', '2026-12-01T00:00:00Z')).toBe('Fri 20 Nov, 21:00 (Lisbon)');
  expect(read('tomorrow', '2026-12-01T00:00:00Z')).toBe('Sat 21 Nov, 00:00 (Lisbon)');
});

test('“today” stays today if the post’s time is over', () => {
  expect(read('today', '2026-12-01T09:00:00Z')).toBe('Fri 20 Nov, 13:00 (Lisbon)');
});

test('“mar 5” in French stays also Tuesday at 17:00', () => {
  expect(read('mar 5', '2026-12-01T12:00:00Z', 'fr-FR')).toBe(
    [
      'Tue 5 Jan 2027, 12:00 (Lisbon)',
      'Sat 5 Dec, 12:00 (Lisbon)',
      'Tue 24 Nov, 17:00 (Lisbon)',
      'Fri 5 Mar 2027, 12:00 (Lisbon)',
    ].join(' or '),
  );
});

test.each([
  ['10am', 'Tue 1 Dec, 10:00 (Lisbon)'],
  ['at 3', 'Tue 1 Dec, 15:00 (Lisbon)'],
  ['noon', 'Tue 1 Dec, 12:00 (Lisbon)'],
  ['10 Uhr', 'Tue 1 Dec, 10:00 (Lisbon)'],
  ['24 Uhr', 'Wed 2 Dec, 00:00 (Lisbon)'],
  ['24時', 'Wed 2 Dec, 00:00 (Lisbon)'],
  ['10am PT', 'Tue 1 Dec, 10:00 (Los Angeles)'],
  ['midnight', 'Wed 2 Dec, 00:00 (Lisbon) or Tue 1 Dec, 00:00 (Lisbon)'],
])('a post on 1 December that is moved to “%s” goes out at %s', (text, shown) => {
  expect(read(text, '2026-12-01T20:30:00Z')).toBe(shown);
});

test('a time that is over on the post’s day is the next one', () => {
  expect(read('10am', '2026-11-20T20:30:00Z')).toBe('Sat 21 Nov, 10:00 (Lisbon)');
  expect(read('10am', '2026-11-18T20:30:00Z')).toBe('Sat 21 Nov, 10:00 (Lisbon)');
});
