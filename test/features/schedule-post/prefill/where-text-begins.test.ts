import { describe, expect, test } from 'vitest';
import { createMomentReader } from '../../../../src/features/schedule-post/prefill/moment-reader.ts';
import { parseLine } from '../../../../src/features/schedule-post/prefill/parse-line.ts';

/** A Tuesday. */
const now = new Date('2026-12-01T10:15:00Z');
const projects = { items: [{ id: 'p1', name: 'Harbour Coffee' }], isTruncated: false };

function parse(locale: string, line: string) {
  return parseLine(line, projects, createMomentReader(now, locale));
}

describe('after a complete time, words that could extend it begin the text if a sentence goes on', () => {
  test.each([
    ['pt', 'x 18h Segunda-feira triste? Aqui não', '18h', 'Segunda-feira triste? Aqui não'],
    ['it', 'x ore 18 Lunedì triste? Qui no', 'ore 18', 'Lunedì triste? Qui no'],
    ['nl', 'x 20-12 7u 12 cadeau-ideeën', '20-12 7u', '12 cadeau-ideeën'],
    ['en', 'fri 3pm x On LinkedIn we wrote about this', 'fri 3pm', 'On LinkedIn we wrote about this'],
    ['de', 'x Sa 14 Uhr 2. Advent im Museum', 'Sa 14 Uhr', '2. Advent im Museum'],
    ['en', 'x wed 8am 2027 budgets: where to cut', 'wed 8am', '2027 budgets: where to cut'],
  ])('in %s: %s', (locale, line, when, text) =>
    expect(parse(locale, line)).toMatchObject({ when, text, platforms: ['X'], unreadWords: '' }),
  );

  test.each([
    ['pt', 'x 18h Segunda-feira', '18h Segunda-feira', ''],
    ['en', 'x 6pm Monday Great news', '6pm Monday', 'Great news'],
    ['de', 'x 18 Uhr 30 neue Folge', '18 Uhr 30', 'neue Folge'],
  ])('but not before a new sentence, in %s: %s', (locale, line, when, text) =>
    expect(parse(locale, line)).toMatchObject({ when, text, unreadWords: '' }),
  );

  test('a note asks about a second day', () =>
    expect(parse('en', 'x 5pm friday Friday the 13th it is not')).toMatchObject({
      when: '5pm friday',
      text: 'Friday the 13th it is not',
      unreadWords: 'Friday the 13th',
    }));

  test('a note asks about a day that has a capital in any case', () =>
    expect(parse('en', 'x 6pm Monday blues? Not here')).toMatchObject({
      when: '6pm',
      text: 'Monday blues? Not here',
      unreadWords: 'Monday',
    }));
});

describe('after a day and an hour, a note asks about words in small letters', () => {
  test.each([
    ['en', 'x fri 9am next week we launch', 'fri 9am', 'next week'],
    ['fr', 'x vendredi 9h la semaine prochaine on ferme', 'vendredi 9h', 'la semaine prochaine'],
    ['de', 'x Freitag 9:00 nächste Woche mehr', 'Freitag 9:00', 'nächste Woche'],
    ['pt', 'x sexta 9h semana que vem tem mais', 'sexta 9h', 'semana que vem'],
    ['pt', 'x sexta 9h amanhã tem mais', 'sexta 9h', 'amanhã'],
    ['es', 'x viernes 9:00 mañana más', 'viernes 9:00', 'mañana'],
    ['it', 'x venerdì 9:00 il 12 apriamo', 'venerdì 9:00', 'il 12'],
    ['nl', 'x vrijdag 9:00 volgende week meer', 'vrijdag 9:00', 'volgende week'],
    ['en', 'x fri 9am morning all', 'fri 9am', 'morning'],
    ['de', 'x Freitag 9:00 am Samstag zu', 'Freitag 9:00', 'am'],
  ])('for another day or period, in %s: %s', (locale, line, when, unreadWords) => {
    const parsed = parse(locale, line);
    expect(parsed).toMatchObject({ when, unreadWords, platforms: ['X'] });
    expect(parsed.text.startsWith(unreadWords)).toBe(true);
  });

  test.each([
    ['en', 'x friday at 9 in the morning we open', 'friday at 9 in the morning'],
    ['es', 'x el viernes a las 9 de la mañana abrimos', 'el viernes a las 9 de la mañana'],
    ['pt', 'x sexta às 9 da manhã abrimos', 'sexta às 9 da manhã'],
    ['nl', "x vrijdag 9 uur 's ochtends open", "vrijdag 9 uur 's ochtends"],
    ['fr', 'x vendredi 9h du matin on ouvre', 'vendredi 9h du matin'],
    ['en', 'x fri 9am next week We launch', 'fri 9am next week'],
    ['de', 'Freitag 9:00 am x Hallo', 'Freitag 9:00 am'],
  ])('but not for what belongs to the hour, nor before a capital, in %s: %s', (locale, line, when) =>
    expect(parse(locale, line)).toMatchObject({ when, unreadWords: '', platforms: ['X'] }),
  );
});

test.each([
  ['en', '5pm somewhere', '5pm'],
  ['en', 'Sat 3pm kick-off, gates at 2', 'Sat 3pm'],
  ['fr', "Samedi 15h coup d'envoi", 'Samedi 15h'],
])(
  'small letters right after a time without a name are text, and the time is offered, in %s: %s',
  (locale, line, when) =>
    expect(parse(locale, line)).toMatchObject({ when: '', text: line, offer: { when } }),
);

test.each([
  ['pt', 'Até às 7'],
  ['nl', 'Tot 7 uur'],
  ['de', 'Bis zum 5.: freier Eintritt'],
])('a line that begins with “until” is text, in %s: %s', (locale, line) =>
  expect(parse(locale, line)).toMatchObject({ when: '', text: line }),
);

test.each([
  ['en', 'for Harbour Coffee: fri 6pm x, Poetry night', ['X'], false, 'Poetry night'],
  ['en', 'linkedin: fri 6pm: Poetry night', ['LINKEDIN'], false, 'Poetry night'],
  ['en', 'draft: fri 6pm on x Poetry night', ['X'], true, 'Poetry night'],
])(
  'a time after a colon that only names precede is offered, in %s: %s',
  (locale, line, platforms, isDraft, text) => {
    const { when, offer } = parse(locale, line);
    expect({ when, offer }).toMatchObject({ when: '', offer: { when: 'fri 6pm', platforms, isDraft, text } });
  },
);

test.each(['x: friday we open', 'linkedin: 5 tips: read on', 'for Harbour Coffee: Hello'])(
  'without an hour, nothing is offered: %s',
  (line) => expect(parse('en', line).offer).toBeUndefined(),
);

test.each([
  ['en', '[tomorrow 9am] [x] We won!'],
  ['en', 'X - tomorrow 9am - We won!'],
  ['en', 'tomorrow 9am\nx\nWe won!'],
  ['en', 'tomorrow 9am, x. We won!'],
  ['ja', '明日9時、x。We won!'],
  ['ja', 'x、明日9時、We won!'],
])('rows, lines and full stops end the time and the platforms, in %s: %s', (locale, line) =>
  expect(parse(locale, line)).toMatchObject({ platforms: ['X'], text: 'We won!', unreadWords: '' }),
);

test.each(['fri 9am - X - We won!', 'fri 9am – x, linkedin – We won! - Really'])(
  'dashes may stand between the time, the platforms and the text: %s',
  (line) => {
    const { platforms, text } = parse('en', line);
    expect(platforms[0]).toBe('X');
    expect(text).toMatch(/^We won!/);
  },
);

test.each(['fri 9am - X marks - the spot', '9am - 11am - We won!', 'Friday - X - the unknown'])(
  'unlike in: %s',
  (line) => expect(parse('en', line).platforms).toEqual([]),
);

test.each(['9am or 5pm? When do you drink coffee?', 'Friday 9am? Too early'])(
  'a question is text, although it begins with a time: %s',
  (line) => expect(parse('en', line)).toMatchObject({ when: '', text: line }),
);

test.each([
  ['4pm wed dec 9 li workshop', '4pm wed dec 9', 'LINKEDIN', 'workshop'],
  ['4pm dec 9 ig Wednesday workshop: pricing', '4pm dec 9', 'INSTAGRAM', 'Wednesday workshop: pricing'],
  ['4pm wed 9 dec x Wednesday workshop', '4pm wed 9 dec', 'X', 'Wednesday workshop'],
  ['new year’s eve 6pm ig 6 hours to go', 'new year’s eve 6pm', 'INSTAGRAM', '6 hours to go'],
  ['tmrw 9 x See you there', 'tmrw 9', 'X', 'See you there'],
  ['tonight 8 threads who is in', 'tonight 8', 'THREADS', 'who is in'],
  ['sat 10 via x we are live', 'sat 10', 'X', 'we are live'],
  ['x tmrw 9 See you there', 'tmrw 9', 'X', 'See you there'],
  ['dec 24 9am et li Join us', 'dec 24 9am et', 'LINKEDIN', 'Join us'],
])('a date, an hour and a zone end before a platform: %s', (line, when, platform, text) =>
  expect(parse('en', line)).toMatchObject({ when, text, platforms: [platform] }),
);

test('a number before other words counts them', () =>
  expect(parse('en', 'tomorrow 5 reasons to come')).toMatchObject({ text: '5 reasons to come' }));

test('a German unit of the hour begins no text', () =>
  expect(parse('de', 'x Freitag, 4. Dezember, 9:00 Uhr Mittwoch: Workshop').text).toBe('Mittwoch: Workshop'));

test.each(['Xで 明日9時 新作です', '明日9時 Xで 新作です'])('で says where to: %s', (line) =>
  expect(parse('ja', line)).toMatchObject({ platforms: ['X'], when: '明日9時', text: '新作です' }),
);

test.each([
  ['明日9時 x 新作、instagram、公開', '新作、instagram、公開'],
  ['新作、instagram、公開', '新作、instagram、公開'],
])('a Japanese text keeps its commas: %s', (line, text) => expect(parse('ja', line).text).toBe(text));

test.each([
  ['en', 'every tues & thurs 7am x Run club', 'every tues & thurs 7am', false],
  ['de', 'jeden Di und Do 7 Uhr x Lauftreff', 'jeden Di und Do 7 Uhr', false],
  ['en', 'save as draft for x tues dec 8 9am Maybe', 'tues dec 8 9am', true],
  ['ja', 'x 12月8日9時 下書きとして たぶん', '12月8日9時', true],
])(
  'a series of several days and a draft before or after them are no text, in %s: %s',
  (locale, line, when, isDraft) =>
    expect(parse(locale, line)).toMatchObject({ when, isDraft, platforms: ['X'] }),
);

test('a text keeps its bars', () =>
  expect(parse('en', 'This week | Sale | now').text).toBe('This week | Sale | now'));

test.each([
  [
    'de',
    'Di 12 Uhr LinkedIn Heute vor 10 Jahren',
    'LinkedIn Heute vor 10 Jahren',
    ['LINKEDIN'],
    'Heute vor 10 Jahren',
  ],
  ['nl', '31 dec 20:00 X Gelukkig nieuwjaar!', 'X Gelukkig nieuwjaar!', ['X'], 'Gelukkig nieuwjaar!'],
  [
    'de',
    'Di 12 Uhr Facebook und Instagram Hallo',
    'Facebook und Instagram Hallo',
    ['FACEBOOK', 'INSTAGRAM'],
    'Hallo',
  ],
  ['en', 'fri 9am X, LinkedIn Good morning', 'X, LinkedIn Good morning', ['X', 'LINKEDIN'], 'Good morning'],
  [
    'en',
    'fri 9am fb LinkedIn Good morning',
    'LinkedIn Good morning',
    ['FACEBOOK', 'LINKEDIN'],
    'Good morning',
  ],
])(
  'platforms with a capital after a time may begin the text, and are offered, in %s: %s',
  (locale, line, text, platforms, rest) => {
    const parsed = parse(locale, line);
    expect(parsed).toMatchObject({
      text,
      isDraft: false,
      offer: { text: rest, platforms, when: parsed.when },
    });
  },
);

test('platforms between two colons are offered', () =>
  expect(parse('en', 'fri 9am: X, LinkedIn: Good morning')).toMatchObject({
    text: 'X, LinkedIn: Good morning',
    offer: { text: 'Good morning', platforms: ['X', 'LINKEDIN'] },
  }));

test.each([
  ['fri 9am Instagram is down', ['INSTAGRAM'], 'is down'],
  ['fri 9am LinkedIn and Instagram follow us', ['LINKEDIN', 'INSTAGRAM'], 'follow us'],
  ['fri 9am, LinkedIn, friday feeling', ['LINKEDIN'], 'friday feeling'],
  ['12 dec at noon X half price', ['X'], 'half price'],
])('also before small letters: %s', (line, platforms, text) => {
  const { offer, ...parsed } = parse('en', line);
  expect(parsed).toMatchObject({ platforms: [], text: line.slice(line.search(/[A-Z]/)) });
  expect(offer).toMatchObject({ platforms, text, when: parsed.when });
});

test.each(['fri 9am: Instagram Reels', 'fri 9am - Instagram Reels'])(
  'but not after a colon or a dash: %s',
  (line) => expect(parse('en', line).offer).toBeUndefined(),
);

test.each([
  ['en', 'x, friday 9am, This weekend only: cake', 'friday 9am', 'This weekend only: cake'],
  ['en', 'friday 9am, on x, Today only: cake', 'friday 9am', 'Today only: cake'],
  ['en', 'x, friday 9am, tomorrow we open', 'friday 9am', 'tomorrow we open'],
  ['en', 'x, dec 9 14:00, London, baby', 'dec 9 14:00', 'London, baby'],
  ['en', 'x, in 2 hours, and we are off', 'in 2 hours', 'and we are off'],
  ['en', 'x, tomorrow at 9am, December deals and more', 'tomorrow at 9am', 'December deals and more'],
  ['en', 'x, friday 9am, 30 minutes: read on', 'friday 9am', '30 minutes: read on'],
  ['de', 'x, Fr 4.12. 18:00, Nach Feierabend auf LinkedIn', 'Fr 4.12. 18:00', 'Nach Feierabend auf LinkedIn'],
  ['es', 'x, hoy 17:30, Mediodía en la playa', 'hoy 17:30', 'Mediodía en la playa'],
  ['it', 'x, ven 4 dic 18:00, Le 12 notti', 'ven 4 dic 18:00', 'Le 12 notti'],
  ['ja', 'x、12/12 12:00、今日だけ', '12/12 12:00', '今日だけ'],
  ['ja', 'xで、明日9時、ごろごろ', '明日9時', 'ごろごろ'],
])('a comma ends a complete time before words that name another one, in %s: %s', (locale, line, when, text) =>
  expect(parse(locale, line)).toMatchObject({ when, text, platforms: ['X'] }),
);

test.each([
  ['x, monday 9am, tuesday 10am We are open', 'monday 9am, tuesday 10am', 'We are open'],
  ['x, mon 9am, wed, fri: Tip of the day', 'mon 9am, wed, fri', 'Tip of the day'],
  ['monday 9am, Wednesday on x Tip of the day', 'monday 9am, Wednesday', 'Tip of the day'],
  ['x, fri 9am, London: Hi', 'fri 9am, London', 'Hi'],
])('but not a list or a zone: %s', (line, when, text) =>
  expect(parse('en', line)).toMatchObject({ when, text, platforms: ['X'] }),
);

test.each([
  ['en', 'x friday feeling', 'friday', 'feeling'],
  ['en', 'on linkedin tomorrow we open', 'tomorrow', 'we open'],
  ['en', 'x Tonight at 8 we play', 'Tonight at 8', 'we play'],
  ['en', 'x midnight madness', 'midnight', 'madness'],
  ['es', 'x el 12 celebramos', 'el 12', 'celebramos'],
  ['pt', 'x Ano novo, vida nova', 'Ano novo', 'vida nova'],
  ['de', 'x morgen öffnen wir', 'morgen', 'öffnen wir'],
  ['pt', 'x Quinta da boa vista', 'Quinta da boa vista', ''],
])('after a platform, half a time before small letters is text, and is offered, in %s: %s', (...example) => {
  const [locale, line, when, rest] = example;
  const text = line.slice(line.indexOf(when));
  expect(parse(locale, line)).toMatchObject({ when: '', text, offer: { when, text: rest } });
});

test.each([
  ['en', 'x friday New menu', 'friday'],
  ['en', 'x 12/4 we open', '12/4'],
  ['en', 'x 9am we open', '9am'],
  ['en', 'x friday 9am we open', 'friday 9am'],
  ['de', 'x Freitag 9 Uhr wir öffnen', 'Freitag 9 Uhr'],
])('unlike in %s: %s', (locale, line, when) => expect(parse(locale, line)).toMatchObject({ when }));

test.each(['friday feeling', 'tomorrow we open: read on', 'today only at 5pm'])(
  'a day before small letters is text, and is offered: %s',
  (line) =>
    expect(parse('en', line)).toMatchObject({
      when: '',
      text: line,
      offer: { when: /^\S+/.exec(line)?.[0] },
    }),
);

test.each([
  ['es', 'x hoy 17:30 Hora feliz', 'hoy 17:30', 'Hora feliz', ''],
  ['fr', 'x 9/12 14:00 heure bleue', '9/12 14:00', 'heure bleue', 'heure'],
  ['nl', 'x vrijdag 9:00 U bent welkom', 'vrijdag 9:00', 'U bent welkom', ''],
  ['it', 'x tra 2 ore 10 motivi', 'tra 2 ore', '10 motivi', '10'],
  ['de', 'x Mo 8 Uhr Woche 50 beginnt', 'Mo 8 Uhr', 'Woche 50 beginnt', 'Woche 50'],
  ['pt', 'x, quinta 12h, Hora do almoço!', 'quinta 12h', 'Hora do almoço!', 'Hora do almoço!'],
  ['it', 'x lunedì alle 15 Giorno 1 di 30', 'lunedì alle 15', 'Giorno 1 di 30', 'Giorno 1'],
  ['nl', 'x vrijdag 9:00 Week 3 is er', 'vrijdag 9:00', 'Week 3 is er', ''],
])('a unit, a count or another time after a complete one is text, in %s: %s', (...example) => {
  const [locale, line, when, text, unreadWords] = example;
  expect(parse(locale, line)).toMatchObject({ when, text, unreadWords });
});

test('the French pronoun “on” belongs to no time', () =>
  expect(parse('fr', 'x le 12 on fête')).toMatchObject({
    when: '',
    text: 'le 12 on fête',
    offer: { when: 'le 12' },
  }));

test.each([
  ['en', 'x: in 2 hours: We won', 'in 2 hours', 'We won'],
  ['nl', 'x over 2 uur Na het werk', 'over 2 uur', 'Na het werk'],
])('a complete time after a platform is at least offered, in %s: %s', (locale, line, when, text) =>
  expect(parse(locale, line)).toMatchObject({ when: '', offer: { when, text, platforms: ['X'] } }),
);

test.each([
  ['de', 'morgen 9:00 bei LinkedIn - Bis Freitag nur'],
  ['es', 'viernes 9:00 por LinkedIn - Mediodía en la playa'],
  ['en', 'friday 9am – LinkedIn – Midnight madness'],
])('a platform with a word before it, or between dashes, is no text, in %s: %s', (locale, line) =>
  expect(parse(locale, line)).toMatchObject({ platforms: ['LINKEDIN'], text: line.split(/ [-–] /).at(-1) }),
);

test('a text after words in quotes keeps each letter', () =>
  expect(parse('en', 'friday 9am “Quote” of the day: read')).toMatchObject({
    text: 'Quote',
    unreadWords: 'of the day: read',
  }));

test.each([
  ['es', 'x Dom Pérignon'],
  ['ja', 'x 12/12 9:00から受付開始'],
])(
  'a short name of a day, and an hour from which something goes, begin the text, in %s: %s',
  (locale, line) =>
    expect(parse(locale, line)).toMatchObject({ when: '', text: line.slice(2), platforms: ['X'] }),
);

test('an hour in figures ends before Japanese words', () =>
  expect(parse('ja', 'x 12/12 12:00に新作')).toMatchObject({ when: '12/12 12:00に', text: '新作' }));

test('a full-width colon after an hour ends the time', () =>
  expect(parse('ja', 'x 12/12 12:00：1年の感謝')).toMatchObject({ when: '12/12 12:00', text: '1年の感謝' }));

test.each([
  ['en', 'fri 3pm on x draft beer is back', 'draft beer is back', 'beer is back'],
  ['en', 'fri 3pm on x draft hello', 'draft hello', 'hello'],
  ['en', 'x fri 3pm draft night is here', 'draft night is here', 'night is here'],
])(
  '“draft” in small letters after a time and a platform may begin the text, and is offered, in %s: %s',
  (locale, line, text, rest) =>
    expect(parse(locale, line)).toMatchObject({
      text,
      isDraft: false,
      platforms: ['X'],
      offer: { text: rest, isDraft: true, platforms: ['X'] },
    }),
);

test.each(['fri 3pm on x draft Hello', 'fri 3pm on x draft', 'fri 3pm on x draft for Harbour Coffee Hello'])(
  'and is none in: %s',
  (line) => expect(parse('en', line)).toMatchObject({ isDraft: true, platforms: ['X'] }),
);

test.each([
  ['en', 'X and LinkedIn fri 9am We won', ['X', 'LINKEDIN'], 'fri 9am', false],
  ['en', 'Instagram, Facebook, fri 9am, We won', ['INSTAGRAM', 'FACEBOOK'], 'fri 9am', false],
  ['en', 'Draft Instagram fri 9am We won', ['INSTAGRAM'], 'fri 9am', true],
  ['ja', '下書き LinkedIn: We won', ['LINKEDIN'], '', true],
  ['de', 'Entwurf LinkedIn: We won', ['LINKEDIN'], '', true],
])(
  'platforms with capitals before a time or a colon are no text, in %s: %s',
  (locale, line, platforms, when, isDraft) =>
    expect(parse(locale, line)).toMatchObject({ platforms, when, isDraft, text: 'We won' }),
);

test.each([
  ['en', 'Two weeks'],
  ['en', 'In two weeks'],
  ['de', 'Zwei Wochen'],
  ['fr', 'Deux semaines'],
])('a count with a capital may be all of the text, and is offered as the time, in %s: %s', (locale, line) =>
  expect(parse(locale, line)).toMatchObject({ text: line, when: '', offer: { when: line, text: '' } }),
);

test.each(['two weeks', 'Tomorrow', 'In 2 weeks'])('unlike in: %s', (line) =>
  expect(parse('en', line)).toMatchObject({ text: '', when: line }),
);
