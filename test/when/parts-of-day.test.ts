import { expect, test } from 'vitest';
import { read } from './read.ts';

// The current time in these tests: Friday 20 November 2026, 11:15 in Berlin.

/** The hours of each part of the day, from the first to the last. */
const HOURS = {
  'small hours': [0, 9],
  morning: [1, 12],
  midday: [10, 16],
  afternoon: [12, 19],
  tarde: [12, 21],
  pm: [12, 24],
  evening: [17, 24],
  night: [17, 24],
  'late night': [22, 24],
} as const;

/** A phrase for each part of the day, with # for the hour. */
const PHRASES: Readonly<Record<string, Partial<Record<keyof typeof HOURS, readonly string[]>>>> = {
  'en-US': {
    morning: ['tomorrow morning at #', '# in the morning tomorrow', 'late morning tomorrow at #'],
    midday: ['# at lunchtime tomorrow'],
    afternoon: ['tomorrow afternoon at #', '# this afternoon', 'late afternoon tomorrow at #'],
    evening: ['tomorrow evening at #', 'this evening at #', '# in the evening on monday'],
    pm: ['tomorrow pm at #'],
    night: ['tonight at #', 'monday night at #', 'tomorrow night #'],
  },
  de: {
    morning: ['morgen Vormittag um #', 'morgen früh um #'],
    midday: ['morgen Mittag um #'],
    afternoon: ['morgen Nachmittag um #'],
    evening: ['heute Abend um #', 'Montagabend um # Uhr', 'morgen um # abends'],
    'late night': ['heute Nacht um #', 'Montag nachts um #'],
  },
  fr: {
    morning: ['demain matin à #h'],
    afternoon: ['demain après-midi à #h'],
    evening: ['ce soir à #h', 'demain soir à #h', 'lundi à #h du soir'],
    'late night': ['cette nuit à #h'],
  },
  es: {
    'small hours': ['mañana a las # de la madrugada'],
    morning: ['mañana por la mañana a las #'],
    tarde: ['mañana por la tarde a las #', 'esta tarde a las #'],
    night: ['esta noche a las #', 'mañana a las # de la noche', 'lunes por la noche a las #'],
  },
  it: {
    morning: ['domani mattina alle #'],
    afternoon: ['domani pomeriggio alle #'],
    evening: ['stasera alle #', 'domani sera alle #', 'lunedì alle # di sera'],
    'late night': ['stanotte alle #'],
  },
  pt: {
    'small hours': ['amanhã de madrugada às #'],
    morning: ['amanhã de manhã às #'],
    afternoon: ['amanhã à tarde às #'],
    night: ['hoje à noite às #', 'amanhã às # da noite', 'segunda à noite às #'],
  },
  nl: {
    morning: ['morgenochtend om #'],
    afternoon: ['morgenmiddag om #'],
    evening: ['vanavond om #', 'morgenavond om # uur', 'maandagavond # uur'],
    'late night': ['vannacht om #'],
  },
  ja: {
    morning: ['明日の朝#時'],
    midday: ['明日の昼#時'],
    pm: ['明日の午後#時'],
    evening: ['今夜#時', '明晩#時'],
    night: ['明日の夜#時'],
  },
};

const GRID = Object.entries(PHRASES).flatMap(([locale, parts]) =>
  Object.entries(parts).flatMap(([part, phrases]) =>
    phrases.map((phrase) => [phrase, locale, HOURS[part as keyof typeof HOURS]] as const),
  ),
);

test.each(GRID)(
  'an hour lies in the part of the day beside it, or else that is said or asked: %s (%s)',
  (phrase, locale, [first, end]) => {
    for (let hour = 1; hour <= 12; hour += 1) {
      const text = phrase.replace('#', String(hour));
      const reading = read(text, { zone: 'Etc/UTC', locale });
      expect(reading.kind, text).not.toBe('not-understood');
      if (reading.kind !== 'understood' || reading.notes.length > 0) continue;
      const shown = reading.moment.instant.getUTCHours();
      expect(first <= shown && shown < end, `${text} is ${shown}:00`).toBe(true);
    }
  },
);

test.each([
  ['heute Nacht um 2', 'de', '2026-11-21T02:00:00.000Z'],
  ['vannacht om 5', 'nl', '2026-11-21T05:00:00.000Z'],
])('%s (%s) is on the next day, and a note says so', (text, locale, instant) => {
  const reading = read(text, { zone: 'Etc/UTC', locale });
  expect(reading).toMatchObject({
    kind: 'understood',
    notes: ['That’s after midnight, so on the next day.'],
  });
  expect('moment' in reading && reading.moment.instant.toISOString()).toBe(instant);
});

test.each([
  ['end of today', 'en-US'],
  ['Feierabend', 'de'],
  ['fin de journée', 'fr'],
])('“%s” (%s) says the hour that it’s read as', (text, locale) => {
  expect(read(text, { zone: 'Etc/UTC', locale })).toMatchObject({ notes: ['Read as 17:00.'] });
});

test.each([
  ['late', 'en-US'],
  ['fim do dia', 'pt'],
  ['fin del día', 'es'],
])('“%s” (%s) asks for the hour, and says none', (text, locale) => {
  expect(read(text, { zone: 'Etc/UTC', locale })).toMatchObject({ kind: 'ambiguous', notes: [] });
});

test.each([
  ['Silvesterabend um 12', 'de', ['00:00', '12:00']],
  ['nochevieja a las 12', 'es', ['00:00', '12:00']],
  ['heute Abend um 2', 'de', ['02:00', '14:00']],
])('%s (%s) is asked', (text, locale, times) => {
  const reading = read(text, { zone: 'Etc/UTC', locale });
  const candidates = reading.kind === 'ambiguous' ? reading.candidates : [];
  expect(candidates.map(({ instant }) => instant.toISOString().slice(11, 16)).toSorted()).toEqual(
    times.toSorted(),
  );
});

test.each([
  ['in the afternoon at 7', 'en-US', '19:00'],
  ['4:30 in the evening', 'en-US', '16:30'],
  ['nachmittags um 7', 'de', '19:00'],
  ["4h30 de l'après-midi", 'fr', '16:30'],
  ['7 de la tarde', 'es', '19:00'],
])('an hour just outside its part of the day isn’t asked: %s (%s)', (text, locale, time) => {
  const reading = read(text, { zone: 'Etc/UTC', locale });
  expect('moment' in reading && reading.moment.instant.toISOString().slice(11, 16)).toBe(time);
});

test.each([
  ['Silvester 0 Uhr', 'de'],
  ["new year's eve at 0:00", 'en-US'],
  ['oudejaarsavond om 0 uur', 'nl'],
  ['大晦日0時', 'ja'],
])('midnight on new year’s eve is its end, or else its beginning: %s (%s)', (text, locale) => {
  const reading = read(text, { zone: 'Etc/UTC', locale });
  const candidates = reading.kind === 'ambiguous' ? reading.candidates : [];
  expect(candidates.map(({ instant }) => instant.toISOString().slice(0, 10))).toEqual([
    '2027-01-01',
    '2026-12-31',
  ]);
});

test.each([
  ['Silvester 12 Uhr', 'de'],
  ["new year's eve at noon", 'en-US'],
])('noon on new year’s eve is asked about only if it may be midnight: %s (%s)', (text, locale) => {
  const reading = read(text, { zone: 'Etc/UTC', locale });
  expect('moment' in reading && reading.moment.instant.toISOString()).toBe('2026-12-31T12:00:00.000Z');
});

test.each([
  ['tomorrow at 7pm in the afternoon', '2026-11-21T19:00:00.000Z'],
  ['early evening at 4', '2026-11-20T16:00:00.000Z'],
  ['morgen Nachmittag um 21 Uhr', '2026-11-21T21:00:00.000Z'],
])('“%s” is as written, and a note says that the hour is in another part of the day', (text, instant) => {
  const reading = read(text, { zone: 'Etc/UTC', locale: text.startsWith('morgen') ? 'de' : 'en-US' });
  expect(reading).toMatchObject({ kind: 'understood', notes: ['That hour isn’t in that part of the day.'] });
  expect('moment' in reading && reading.moment.instant.toISOString()).toBe(instant);
});
