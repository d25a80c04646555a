import { describe, expect, test } from 'vitest';
import { findLeadingMoments } from '../../src/when/when.ts';
import { FRIDAY, listPhrases, read, summarize, testReadings } from './read.ts';

// The current time in these tests: Friday 20 November 2026, 11:15 in Berlin.

test.each([
  ['kickoff of skylark: monday 9:05am', '2026-11-23 09:05', 'of skylark:'],
  ['wedding monday 9am', '2026-11-23 09:00', 'wedding'],
  ['lunch with bob tomorrow at noon', '2026-11-21 12:00', 'lunch with bob'],
  ['tomorrow at 9am with sophie', '2026-11-21 09:00', 'with sophie'],
  ['tuesday 3pm at the blue cafe', '2026-11-24 15:00', 'at the blue cafe'],
  ['tomorrow at 9am to sharpen pencils', '2026-11-21 09:00', 'to sharpen pencils'],
])('a title next to a complete date and time is ignored, with a note: %s', (text, wallTime, ignoredWords) => {
  expect(summarize(text)).toBe(`understood: ${wallTime}`);
  expect(read(text)).toMatchObject({ notes: [expect.stringContaining(ignoredWords)] });
});

describe('everyday words around a time are in a note', () => {
  test.each([
    ['we go live tomorrow morning at 9', '2026-11-21 09:00', 'we go live'],
    ['tomorrow we launch at 17:00', '2026-11-21 17:00', 'we launch at'],
  ])('%s', (text, wallTime, words) => {
    expect(summarize(text)).toBe(`understood: ${wallTime}`);
    expect(read(text)).toMatchObject({ notes: [`“${words}” was left unread.`] });
  });

  test('a word of the reader’s language isn’t left unread', () => {
    expect(read('Do, 26.11.2026 9:05', { locale: 'de' })).toMatchObject({ kind: 'understood', notes: [] });
  });

  test.each(['probably tomorrow at 9:05', 'hi, tomorrow at around 9:05, thanks'])(
    'words that only join or soften it aren’t: %s',
    (text) => {
      expect(read(text)).toMatchObject({ kind: 'understood', notes: [] });
    },
  );
});

test.each(
  listPhrases(`
  sat in the park at 5 | game on wed | draft 3 friday | 5 people tomorrow | tomorrow dinner for two | friday 3 posts | undo friday 9am
  did we post friday 9am? | were we live friday 9am | delete the friday 9am post | unpublish friday 9am
`),
)('words of other sentences are no time: %s', (text) => {
  expect(read(text).kind).toBe('not-understood');
});

test.each([
  ['sun is out', undefined],
  ['sat in the park, 5pm', undefined],
  ['friday 9am We are hiring', 'friday 9am'],
  ['end of the month We are live', 'end of the month'],
  ['Good Friday 9am We are closed', 'Good Friday 9am'],
  ["mother's day gifts are here", undefined],
  ['Freitag ist Pizzatag', undefined],
  ['vendredi est férié', undefined],
  ['monday 9 um 10 things', 'monday 9'],
  ['Black Friday Big news', 'Black Friday'],
  ['Freitag 5 Tipps', 'Freitag'],
  ['vendredi 5 conseils', 'vendredi'],
  ['viernes 4 consejos', 'viernes 4'],
])('the moment that a text starts with: %s', (text, words) => {
  expect(findLeadingMoments({ text, now: FRIDAY, zone: 'Europe/Berlin' })?.words).toBe(words);
});

test.each([
  ['de', 'So I joined a new team'],
  ['de', 'So Leute, es ist soweit'],
  ['nl', 'Do I need a visa?'],
  ['fr', 'We Are Hiring'],
  ['en-US', "Mother's Day Gift Guide"],
  ['en-US', "Father's Day Giveaway"],
  ['en-US', 'End of Year Sale starts now'],
  ['en-US', 'Good Friday Offers'],
  ['en-US', 'Sun Is Out'],
  ['en-US', 'friday evening is the night'],
  ['fr', 'vendredi est le jour J'],
  ['es', 'lunes es festivo'],
  ['en-US', 'Friday 5pm is the deadline for entries'],
  ['de', 'Samstag 20 Uhr ist Einlass'],
  ['fr', '24h pour gagner un voyage'],
  ['de', '8h left to register'],
  ['de', 'friday and do it right'],
  ['en-US', 'Friday Feeling: what made you smile?'],
  ['de', 'Cyber Monday Deals'],
  ['es', '3 días para el lanzamiento'],
  ['fr', '3 jours avant le lancement'],
  ['de', 'Zwei Tage noch'],
  ['en-US', 'Monday Motivation - keep going'],
  ['en-US', 'Monday Motivation 🚀'],
  ['en-US', 'Valentine’s Day Deals'],
  ['es', 'Primer semestre exitoso para todos'],
  ['de', 'Erstes Halbjahr Ergebnisse sind da'],
  ['de', 'Erstes Halbjahr: 20 % mehr Umsatz'],
])('a sentence or title that begins like a moment, in %s: %s', (locale, text) => {
  expect(findLeadingMoments({ text, now: FRIDAY, zone: 'Europe/Berlin', locale })).toBeUndefined();
});

test.each([
  ['en-US', 'tomorrow 9am', 'are you ready for the weekend?'],
  ['en-US', 'friday 5pm', 'will you join us?'],
  ['en-US', 'Good Friday 9am', 'we are closed'],
  ['de', 'So 9 Uhr', "geht's los"],
  ['de', 'MORGEN UM 9 UHR', 'WIR SIND LIVE'],
  ['de', 'morgen um 8 Uhr morgens', 'Neue Folge'],
  ['nl', 'di en do 9 uur', 'nieuwe aflevering'],
  ['de', 'Freitag 9 Uhr', 'So machen wir das'],
  ['fr', 'vendredi 9h', 'et We are live'],
  ['nl', 'vrijdag 9 uur', 'en zo kun je meedoen'],
  ['nl', 'morgen 9 uur', 'Zo win je kaartjes'],
  ['de', 'morgen um 9', 'circa 20 Leute'],
  ['de', 'Montag 8', 'Neue Folge'],
  ['nl', 'maandag 20', 'Grote uitverkoop'],
])('an hour makes it a moment, in %s: %s | %s', (locale, words, rest) => {
  const question = { text: `${words} ${rest}`, now: FRIDAY, zone: 'Europe/Berlin', locale };
  expect(findLeadingMoments(question)).toMatchObject({ words, rest });
});

test.each([
  ['Fri.', 'New Episode'],
  ['Friday', 'On Linkedin'],
  ['Friday', 'For Harbour Coffee'],
  ['Friday', 'Harbour Coffee: We are live'],
  ['Friday', 'Thanks'],
  ['Monday', 'Please'],
])('a moment that no title begins with: %s | %s', (words, rest) => {
  const question = { text: `${words} ${rest}`, now: FRIDAY, zone: 'Europe/Berlin' };
  expect(findLeadingMoments(question)).toMatchObject({ words, rest });
});

test.each([
  ['de', 'dec 5 morning', 'Big news'],
  ['en-US', 'tomorrow noon', 'lunch special'],
  ['en-US', '7pm tonight', 'Dinner for two'],
  ['fr', 'demain soir à 20h', 'Soirée à Paris'],
  ['fr', 'demain 20 h 30', 'Soirée à Paris'],
  ['es', 'mañana a las 20', 'Noche de gala'],
])('a part of the day belongs to a day without a time, in %s: %s | %s', (locale, words, rest) => {
  const question = { text: `${words} ${rest}`, now: FRIDAY, zone: 'Europe/Berlin', locale };
  expect(findLeadingMoments(question)).toMatchObject({ words, rest });
});

test.each([
  ['de', 'von Montag bis Freitag um 9 Uhr und 17 Uhr', 'Frühstück für alle'],
  ['de', 'jeden Werktag nächste Woche um 9 Uhr', 'Tipp des Tages'],
  ['fr', 'lundi 7 décembre à 9h, mardi 8 décembre à 10h', 'nouvelle offre'],
  ['es', 'lunes, miércoles y viernes a las 9:30', 'nueva oferta'],
  ['es', 'mañana a las 4 y media', 'Estamos en directo'],
  ['es', 'mañana a las 9', 'Final de temporada'],
  ['pt', 'dia 5', 'Out novo'],
  ['pt', 'amanhã', 'Um novo episódio'],
  ['fr', 'dans 20 min', '20 minutes de lecture'],
  ['en-US', 'in 20 min', '20 minute read'],
  ['en-US', 'monday after next', 'May we have your attention'],
  ['pt', 'segunda, quarta e sexta às 9h e às 17h', 'Bom dia'],
  ['en-US', 'monday to friday at 9am and 5pm', 'Daily tip'],
  ['en-US', 'tusday 9:05 on the dot London time', 'Shop opens'],
])('the whole time or list that a text starts with, in %s: %s', (locale, words, rest) => {
  const question = { text: `${words} ${rest}`, now: FRIDAY, zone: 'Europe/Berlin', locale };
  expect(findLeadingMoments(question)).toMatchObject({ words, rest });
});

describe.each(['en-US', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'ja'])('for a reader of %s', (locale) => {
  test.each([
    ['morgen um 9', 'Am Stand 5 gibt es Kaffee'],
    ['demain à 9', 'On est en direct'],
    ['hoy a las 17', 'Estamos en vivo'],
    ['domani alle ore 9', 'A tavola'],
    ['amanhã às 9', 'Estamos ao vivo'],
    ['over twee uur', 'We zijn live'],
    ['明日の9時', '公開します'],
  ])('the moment that a text starts with, in any language: %s | %s', (words, rest) => {
    const question = { text: `${words} ${rest}`, now: FRIDAY, zone: 'Europe/Berlin', locale };
    expect(findLeadingMoments(question)).toMatchObject({ words, rest });
  });
});

describe('an hour that can be morning or evening is said', () => {
  test.each([
    ['today at 9', '2026-11-20 21:00', 'Read as 21:00, not 09:00.'],
    ['sat 8', '2026-11-21 08:00', 'Read as 08:00, not 20:00.'],
  ])('%s', (text, wallTime, note) => {
    expect(summarize(text)).toBe(`understood: ${wallTime}`);
    expect(read(text)).toMatchObject({ notes: [note] });
  });

  test.each(['tomorrow 17:00', 'tomorrow morning at 8'])(
    'not beside am, pm or a part of the day: %s',
    (text) => {
      expect(read(text)).toMatchObject({ kind: 'understood', notes: [] });
    },
  );
});

test.each([
  ['reverses the meaning', 'skip monday 9am'],
  ['reverses the meaning', 'anything but monday 9am'],
  ['reverses the meaning', 'cancel monday 9am'],
  ['reverses the meaning', 'nothing on monday 9am'],
  ['changes the time', 'shortly before monday 9am'],
  ['changes the time', 'once monday 9am passes'],
  ['is in the past', 'met ben monday 9am'],
  ['is in the past', 'visited rome monday 9am'],
  ['may have a time zone', 'tomorrow 9am XYZ'],
  ['may have a time zone', 'tomorrow 9am in springfield'],
  ['may have another day', 'payday monday 9am'],
  ['may have another day', 'half term monday 9am'],
  ['may have another time', 'sunset yoga tomorrow 7pm'],
  ['may have another time', 'minute details at 9am monday'],
  ['has other digits', 'q4 plans with 3 people monday 9am'],
  ['lacks a time', 'lunch with bob tomorrow'],
])('a phrase is refused if it: %s: %s', (_reason, text) => {
  expect(read(text).kind).toBe('not-understood');
});

test.each(['room 204 tomorrow at 9am', 'version 3 on monday', 'gate 17 on monday'])(
  'a number that belongs to a thing isn’t a time: %s',
  (text) => {
    expect(read(text).kind).toBe('not-understood');
  },
);

testReadings('a time next to a thing is understood: %s', { kind: 'understood' }, [
  ['train 3pm tomorrow', '2026-11-21 15:00'],
  ['bus at 9:40 pm', '2026-11-20 21:40'],
  ['page 9 december', '2026-12-09 09:00'],
]);

test('“I sat” isn’t a Saturday', () => {
  expect(read('i sat down at 9am').kind).toBe('not-understood');
  expect(summarize('sat 9am')).toBe('understood: 2026-11-21 09:00');
});

testReadings('a phrase with two meanings is ambiguous: %s', { kind: 'ambiguous' }, [
  ['tomorrow 9am, friday', '2026-11-21 09:00 | 2026-11-27 09:00'],
  ['next spring', '2027-03-20 09:00 | 2027-03-01 09:00'],
  ['this winter', '2026-12-21 09:00 | 2026-12-01 09:00'],
]);

testReadings('a Unix timestamp is an exact time: %s', { kind: 'understood' }, [
  ['1800000000000', '2027-01-15 09:00'],
  ['@1800000060.000100', '2027-01-15 09:01'],
]);

test('other long numbers are refused', () => {
  for (const text of ['5551234567', '18000000000', '0170 1234567']) {
    expect(read(text).kind).toBe('not-understood');
  }
});

testReadings('%s', { kind: 'understood' }, [
  ['5 till noon tomorrow', '2026-11-21 11:55'],
  ['top of the hour', '2026-11-20 12:00'],
  ['on the half hour', '2026-11-20 11:30'],
  ['a half-hour from now', '2026-11-20 11:45'],
  ['in 2 and 1/2 hours', '2026-11-20 13:45'],
  ['4 days in the future', '2026-11-24 11:15'],
  ['next week at the same time', '2026-11-27 11:15'],
  ['a month from now at the same time', '2026-12-20 11:15'],
  ['7 in the evening tonight', '2026-11-20 19:00'],
  ['*monday 7:45pm*', '2026-11-23 19:45'],
  ['“monday 7:45pm”', '2026-11-23 19:45'],
  ['_next monday_', '2026-11-23 09:00'],
  ['pick up the kids from school at 3:15 pm tomorrow', '2026-11-21 15:15'],
]);

test.each(['ten to eleven tomorrow morning', '10 to midnight', 'in the next 3 days'])(
  'a time that could also be a range is refused: %s',
  (text) => {
    expect(read(text).kind).toBe('not-understood');
  },
);

test.each([
  ['en-US', 'tuesday 9:05 (easter special)', 'easter special'],
  ['en-US', 'tuesday 9:05 (reminder: parking closed)', 'reminder: parking closed'],
  ['de', 'Dienstag 9:05 (Achtung: Parkplatz zu)', 'Achtung: Parkplatz zu'],
  ['fr', 'mardi 9h05 (parking fermé)', 'parking fermé'],
  ['ja', '火曜 9:05（駐車場注意）', '駐車場注意'],
])('brackets after a time have a text, which a note quotes, in %s: %s', (locale, text, words) => {
  expect(summarize(text, { locale })).toBe('understood: 2026-11-24 09:05');
  expect(read(text, { locale })).toMatchObject({ notes: [`“(${words})” was left unread.`] });
});

test.each([
  ['tuesday 9:05 (next week)', 'understood: 2026-11-24 09:05'],
  ['tuesday 9:05 (every week)', 'not-understood: every'],
  ['tuesday 9:05 (or wednesday)', 'not-understood: or'],
])('brackets with words of a time belong to it: %s', (text, expected) => {
  expect(summarize(text)).toBe(expected);
});

test.each([
  ['en-US', 'when: tuesday 9:05'],
  ['de', 'Wann: Dienstag 9:05'],
  ['fr', 'quand : mardi 9h05'],
  ['es', 'cuándo: martes 9:05'],
  ['pt', 'Quando: terça 9h05'],
  ['nl', 'wanneer: dinsdag 9:05'],
  ['ja', '日時：火曜 9:05'],
])('the label of a form before a time is no part of it, in %s: %s', (locale, text) => {
  expect(summarize(text, { locale })).toBe('understood: 2026-11-24 09:05');
});
