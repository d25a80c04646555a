import { describe, expect, test } from 'vitest';
import { MAX_STEPS, stepsOf } from '../../../src/when/limits.ts';
import { understandRange } from '../../../src/when/readings/ranges/understand-range.ts';
import { FRIDAY, summarize } from '../read.ts';
import { renderRangeReading } from '../readings/render-readings.ts';

test.each([
  ['nl', 'halverwege de week 10:00', 'understood: 2026-11-25 10:00'],
  ['nl', 'medio de volgende maand', 'understood: 2026-12-15 09:00'],
  ['it', 'fine sett prossima', 'ambiguous: 2026-11-27 09:00 | 2026-11-29 09:00'],
  ['it', 'fine settimana che viene', 'ambiguous: 2026-11-27 09:00 | 2026-11-29 09:00'],
  ['es', 'fin de semana siguiente', 'ambiguous: 2026-11-27 09:00 | 2026-11-29 09:00'],
  ['pt', 'final de semana seguinte', 'ambiguous: 2026-11-27 09:00 | 2026-11-29 09:00'],
  ['it', 'fine settimana', 'ambiguous: 2026-11-21 09:00 | 2026-11-22 09:00'],
  ['it', "Natale dell'anno prossimo", 'understood: 2027-12-25 09:00'],
])('a place in a period is a day: in %s: %s', (locale, text, expected) => {
  expect(summarize(text, { locale })).toBe(expected);
});

describe('words that only look like a place in a period are none', () => {
  test.each([
    ['nl', 'begin van dit kwartaal', 'past: 2026-10-01 09:00'],
    ['nl', 'eerste maandag van dit jaar 10:00', 'past: 2026-01-05 10:00'],
    ['nl', 'half jaar', 'not-understood: half jaar'],
    ['pt', 'meio ano', 'not-understood: meio ano'],
    ['pt', 'em meio ano', 'not-understood: em meio ano'],
    ['ja', '第4四半期下旬', 'not-understood: 下旬'],
    ['ja', '来年下旬', 'not-understood: 来年下旬'],
  ])('in %s: %s', (locale, text, expected) => {
    expect(summarize(text, { locale })).toBe(expected);
  });

  test.each(['先週の5日', '先週の12月25日'])('the day of a month in last week: %s', (text) => {
    expect(renderRangeReading(text, { locale: 'ja' })).toBe('no');
  });
});

test.each([
  ['it', 'ultimo ', 'venerdì'],
  ['es', 'último ', 'viernes'],
  ['de', 'letzten ', 'Freitag'],
])('in %s, a row of “last” takes few steps', (locale, last, weekday) => {
  const text = `${last.repeat(22)}${weekday}`;
  expect(stepsOf(() => understandRange({ text, now: FRIDAY, zone: 'Europe/Berlin', locale }))).toBeLessThan(
    MAX_STEPS / 2,
  );
});
