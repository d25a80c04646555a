import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatMoment } from '../../../src/when/format-moment.ts';
import { ALL_ZONES } from '../../../src/when/zones/zone-index.ts';
import { measureCpuMs } from '../../support/cpu-ms.ts';
import { FRIDAY, read, summarize } from '../read.ts';

const LOCALES = ['de-DE', 'fr-FR', 'es-MX', 'nl-NL', 'pt-BR', 'it-IT', 'ja-JP'];

describe.each(LOCALES)('%s', (locale) => {
  test.each([
    ['tue 9am London time', 'understood: 2026-11-24 09:00 Europe/London'],
    ['yesterday 5pm', 'not-understood: yesterday 5pm'],
  ])('English phrases are understood too: %s', (text, expected) => {
    const actual = summarize(text, { locale });
    if (expected.startsWith('not-understood')) expect(actual).toMatch(/^not-understood/);
    else expect(actual).toBe(expected);
  });

  test.each([
    ['words of no language', 'blursday'],
    ['a text that is too long', 'a'.repeat(201)],
    ['a day that the calendar does not have', '2027-02-30 9:15'],
    ['a moment too far ahead', '2299-01-01 9:15'],
    ['a past time', PAST_PHRASES[locale] ?? ''],
    ['more than one moment', '9:15, 10:15'],
  ])('a refusal of %s offers three phrases of the language that work', (_kind, text) => {
    const reading = read(text, { locale });
    if (reading.kind !== 'not-understood') throw new Error(`expected a refusal, got ${reading.kind}`);
    expect(reading.examples).toHaveLength(3);
    expect(reading.examples).not.toEqual(ENGLISH_EXAMPLES);
    for (const example of reading.examples) {
      expect(['understood', 'ambiguous'], example).toContain(read(example, { locale }).kind);
    }
  });

  test.each([locale, 'en'])('reading a time formatted in %s returns the same time', (language) => {
    for (let hours = 1; hours < 24 * 400; hours += 29) {
      const instant = new Date(FRIDAY.getTime() - (FRIDAY.getTime() % 60_000) + hours * 3_600_000);
      const text = formatMoment({ instant, zone: 'Europe/Berlin' }, { now: FRIDAY, locale: language });
      expect(read(text, { locale }), text).toMatchObject({ kind: 'understood', moment: { instant } });
    }
  });

  test.each([locale, 'en'])(
    'reading a time formatted in %s for another zone, or a repeated time, returns the same time',
    (language) => {
      fc.assert(
        fc.property(fc.constantFrom(...ALL_ZONES), instants, (zone, minutes) => {
          const instant = new Date(minutes);
          const text = formatMoment({ instant, zone }, { now: FRIDAY, locale: language });
          expect(read(text, { locale }), text).toMatchObject({ kind: 'understood', moment: { instant } });
        }),
        { numRuns: 400 },
      );
    },
  );

  test.each(['a ', 'o ', 'de ', 'la ', 'le ', 'am ', 'um 9 ', '2 Uhr ', 'e ', '一', '今日'])(
    'many repetitions of %j are read quickly',
    (words) => {
      read('tomorrow', { locale });
      expect(measureCpuMs(() => read(words.repeat(200).slice(0, 200), { locale }))).toBeLessThan(250);
    },
  );

  test('“now” is the current minute', () => {
    expect(summarize(NOW_PHRASES[locale] ?? '', { locale })).toBe('now: 2026-11-20 11:15');
  });
});

const MINUTES_IN_FOUR_YEARS = 4 * 366 * 24 * 60;

/** Random minutes of four years, and times that a clock change repeats in Berlin, New York and Lord Howe. */
const instants = fc
  .oneof(
    { weight: 4, arbitrary: fc.integer({ min: 1, max: MINUTES_IN_FOUR_YEARS }) },
    fc.constantFrom(
      ...['2027-10-31T00:30:00Z', '2027-10-31T01:30:00Z', '2027-11-07T06:10:00Z', '2027-04-03T14:45:00Z'].map(
        (time) => (Date.parse(time) - FRIDAY.getTime()) / 60_000,
      ),
    ),
  )
  .map((minutes) => FRIDAY.getTime() + minutes * 60_000);

const PAST_PHRASES: Readonly<Record<string, string>> = {
  'de-DE': 'gestern um 9',
  'fr-FR': 'hier à 9h',
  'es-MX': 'ayer a las 9',
  'nl-NL': 'gisteren om 9 uur',
  'pt-BR': 'ontem às 9',
  'it-IT': 'ieri alle 9',
  'ja-JP': '昨日の9時',
};

const ENGLISH_EXAMPLES = ['tomorrow 9am', 'fri 14:30', '1 Dec at 10:15 London time'];

const NOW_PHRASES: Readonly<Record<string, string>> = {
  'de-DE': 'jetzt',
  'fr-FR': 'maintenant',
  'es-MX': 'ahora mismo',
  'nl-NL': 'nu meteen',
  'pt-BR': 'agora',
  'it-IT': 'adesso',
  'ja-JP': '今すぐ',
};

test('a phrase with different meanings in both languages is ambiguous, with the own language first', () => {
  expect(summarize('half 8', { locale: 'en-GB' })).toBe('ambiguous: 2026-11-21 08:30 | 2026-11-20 20:30');
  expect(summarize('half 8', { locale: 'nl' })).toMatch(/^ambiguous: 2026-11-21 07:30 .* 2026-11-21 08:30/);
});

test('a word of the own language isn’t read as a zone or as an English typo', () => {
  expect(summarize('cet après-midi à 15h', { locale: 'fr' })).toBe('understood: 2026-11-20 15:00');
  expect(summarize('midi et quart', { locale: 'fr' })).toBe('understood: 2026-11-20 12:15');
  expect(summarize('lun 10:00', { locale: 'it' })).toBe('understood: 2026-11-23 10:00');
  expect(summarize('demain 15h CET', { locale: 'fr' })).toBe('understood: 2026-11-21 15:00');
});

test('every region and spelling of a locale is known', () => {
  for (const locale of ['de', 'de-AT', 'de_CH', 'DE-de']) {
    expect(summarize('übermorgen 8:15', { locale }), locale).toBe('understood: 2026-11-22 08:15');
  }
});

test('an unknown language is read as English', () => {
  expect(summarize('tomorrow 9am', { locale: 'fi-FI' })).toBe('understood: 2026-11-21 09:00');
  expect(summarize('tomorrow 9am', { locale: 'constructor' })).toBe('understood: 2026-11-21 09:00');
});
