import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatMoment } from '../../../src/when/format-moment.ts';
import { ALL_ZONES } from '../../../src/when/zones/zone-index.ts';
import { measureCpuMs } from '../../support/cpu-ms.ts';
import { brief, FRIDAY, read } from '../read.ts';

const LOCALES = ['de-DE', 'fr-FR', 'es-MX', 'nl-NL', 'pt-BR', 'it-IT', 'ja-JP'];

describe.each(LOCALES)('%s', (locale) => {
  test.each([
    ['tomorrow 9am', 'understood: 2026-11-21 09:00'],
    ['next tuesday 14:30', 'understood: 2026-11-24 14:30'],
    ['first of december at noon', 'understood: 2026-12-01 12:00'],
    ['2026-12-01 15:30', 'understood: 2026-12-01 15:30'],
    ['tue 9am London time', 'understood: 2026-11-24 09:00 Europe/London'],
    ['yesterday 5pm', 'not-understood: yesterday 5pm'],
  ])('falls back to English: %s', (text, expected) => {
    const actual = brief(text, { locale });
    if (expected.startsWith('not-understood')) expect(actual).toMatch(/^not-understood/);
    else expect(actual).toBe(expected);
  });

  test.each([
    ['words of no language', 'blursday'],
    ['a text that is too long', 'a'.repeat(201)],
    ['a day that the calendar does not have', '2027-02-30 9:15'],
    ['a moment too far ahead', '2299-01-01 9:15'],
    ['what is over', OVER[locale] ?? ''],
    ['more than one moment', '9:15, 10:15'],
  ])('a refusal of %s gives three phrases of the language, and each of them works', (_what, text) => {
    const reading = read(text, { locale });
    if (reading.kind !== 'not-understood') throw new Error(`expected a refusal, got ${reading.kind}`);
    expect(reading.examples).toHaveLength(3);
    expect(reading.examples).not.toEqual(ENGLISH);
    for (const example of reading.examples) {
      expect(['understood', 'ambiguous'], example).toContain(read(example, { locale }).kind);
    }
  });

  test("the phrases of a refusal are the language's own: English alone does not read them all", () => {
    const reading = read('blursday', { locale });
    const examples = reading.kind === 'not-understood' ? reading.examples : [];
    const inEnglish = examples.map((example) => read(example, { locale: 'en-GB' }).kind);
    expect(inEnglish).toContain('not-understood');
  });

  test('what is said back, read again, is the same moment', () => {
    for (let hours = 1; hours < 24 * 400; hours += 29) {
      const instant = new Date(FRIDAY.getTime() - (FRIDAY.getTime() % 60_000) + hours * 3_600_000);
      const said = formatMoment({ instant, zone: 'Europe/Berlin' }, { now: FRIDAY });
      expect(read(said, { locale }), said).toMatchObject({ kind: 'understood', moment: { instant } });
    }
  });

  test('what is said back of other zones, and of an hour that comes twice, is the same moment too', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ALL_ZONES), instants, (zone, minutes) => {
        const instant = new Date(minutes);
        const said = formatMoment({ instant, zone }, { now: FRIDAY });
        expect(read(said, { locale }), said).toMatchObject({ kind: 'understood', moment: { instant } });
      }),
      { numRuns: 400 },
    );
  });

  test.each(['a ', 'o ', 'de ', 'la ', 'le ', 'am ', 'um 9 ', '2 Uhr ', 'e ', '一', '今日'])(
    'a long row of %j takes no long time',
    (words) => {
      read('tomorrow', { locale });
      expect(measureCpuMs(() => read(words.repeat(200).slice(0, 200), { locale }))).toBeLessThan(250);
    },
  );

  test('now cannot be scheduled: two minutes from now can', () => {
    expect(brief(NOW[locale] ?? '', { locale })).toBe('past: 2026-11-20 11:15 → 2026-11-20 11:17');
  });
});

const YEARS_OF_MINUTES = 4 * 366 * 24 * 60;

/** Any minute of four years, and the hours that Berlin, New York and Lord Howe Island have twice. */
const instants = fc
  .oneof(
    { weight: 4, arbitrary: fc.integer({ min: 1, max: YEARS_OF_MINUTES }) },
    fc.constantFrom(
      ...['2027-10-31T00:30:00Z', '2027-10-31T01:30:00Z', '2027-11-07T06:10:00Z', '2027-04-03T14:45:00Z'].map(
        (at) => (Date.parse(at) - FRIDAY.getTime()) / 60_000,
      ),
    ),
  )
  .map((minutes) => FRIDAY.getTime() + minutes * 60_000);

const OVER: Readonly<Record<string, string>> = {
  'de-DE': 'gestern um 9',
  'fr-FR': 'hier à 9h',
  'es-MX': 'ayer a las 9',
  'nl-NL': 'gisteren om 9 uur',
  'pt-BR': 'ontem às 9',
  'it-IT': 'ieri alle 9',
  'ja-JP': '昨日の9時',
};

const ENGLISH = ['tomorrow 9am', 'fri 14:30', '1 Dec at 10:15 London time'];

const NOW: Readonly<Record<string, string>> = {
  'de-DE': 'jetzt',
  'fr-FR': 'maintenant',
  'es-MX': 'ahora mismo',
  'nl-NL': 'nu meteen',
  'pt-BR': 'agora',
  'it-IT': 'adesso',
  'ja-JP': '今すぐ',
};

test('words that both languages know, and differ on, are asked about, the own language first', () => {
  expect(brief('half 8', { locale: 'en-GB' })).toBe('ambiguous: 2026-11-21 08:30 | 2026-11-20 20:30');
  expect(brief('half 8', { locale: 'nl' })).toMatch(/^ambiguous: 2026-11-21 07:30 .* 2026-11-21 08:30/);
});

test('words of another language that look like a zone, or like English with a typo, are neither', () => {
  expect(brief('cet après-midi à 15h', { locale: 'fr' })).toBe('understood: 2026-11-20 15:00');
  expect(brief('midi et quart', { locale: 'fr' })).toBe('understood: 2026-11-20 12:15');
  expect(brief('lun 10:00', { locale: 'it' })).toBe('understood: 2026-11-23 10:00');
  expect(brief('demain 15h CET', { locale: 'fr' })).toBe('understood: 2026-11-21 15:00');
});

test('a locale is known by its language, whatever its region and spelling', () => {
  for (const locale of ['de', 'de-AT', 'de_CH', 'DE-de']) {
    expect(brief('übermorgen 8:15', { locale }), locale).toBe('understood: 2026-11-22 08:15');
  }
});

test('a language that is not known is read as English, and English knows no other', () => {
  expect(brief('tomorrow 9am', { locale: 'fi-FI' })).toBe('understood: 2026-11-21 09:00');
  expect(brief('übermorgen 8:15', { locale: 'en-US' })).toBe('not-understood: übermorgen');
  expect(brief('tomorrow 9am', { locale: 'constructor' })).toBe('understood: 2026-11-21 09:00');
});
