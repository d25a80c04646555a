import { describe, expect, test } from 'vitest';
import { createMomentReader } from '../../../../src/features/schedule-post/prefill/moment-reader.ts';
import { parseLine } from '../../../../src/features/schedule-post/prefill/parse-line.ts';

/** A Wednesday. */
const now = new Date('2026-11-18T10:15:00Z');
const projects = { items: [{ id: 'p1', name: 'Harbour Coffee' }], isTruncated: false };

function parse(line: string, locale = 'en-US') {
  return parseLine(line, projects, createMomentReader(now, locale));
}

describe('a day and an hour, with a name between them', () => {
  test.each([
    ['en', 'friday on linkedin at 10am', 'friday at 10am', ''],
    ['en', 'friday on linkedin at 10am We are hiring', 'friday at 10am', 'We are hiring'],
    ['en', 'tomorrow on x 6pm Supper club', 'tomorrow 6pm', 'Supper club'],
    ['de', '9 Uhr auf x Samstag', '9 Uhr Samstag', ''],
    ['en', 'friday for harbour coffee 10am Hello', 'friday 10am', 'Hello'],
    ['en', 'friday draft 10am', 'friday 10am', ''],
    ['en', 'at 6pm on ig tomorrow New drop', 'at 6pm tomorrow', 'New drop'],
    ['en', 'tomorrow morning on x 8:30 Hi', 'tomorrow morning 8:30', 'Hi'],
    ['en', 'friday on x at noon New menu', 'friday at noon', 'New menu'],
    ['de', 'Freitag auf x um 10 Uhr Hallo Welt', 'Freitag um 10 Uhr', 'Hallo Welt'],
    ['de', 'um 10 Uhr auf x am Freitag Hallo', 'um 10 Uhr am Freitag', 'Hallo'],
    ['de', '9 Uhr auf x Sa 28.11. Top 10 der Woche', '9 Uhr Sa 28.11.', 'Top 10 der Woche'],
    ['fr', 'vendredi sur x à 10h Bonjour', 'vendredi à 10h', 'Bonjour'],
    ['fr', 'le 3 décembre sur x à 10h Bonjour', 'le 3 décembre à 10h', 'Bonjour'],
    ['es', 'viernes en x a las 10 Hola', 'viernes a las 10', 'Hola'],
    ['pt', 'sexta no x às 10h Olá', 'sexta às 10h', 'Olá'],
    ['ja', '金曜日 xで 10時 こんにちは', '金曜日 10時', 'こんにちは'],
  ])('are one time, in %s: %s', (locale, line, when, text) =>
    expect(parse(line, locale)).toMatchObject({ when, text, unreadWords: '' }),
  );

  test.each([
    ['en', 'friday', '10 reasons to come'],
    ['en', 'friday', '5 a day'],
    ['en', 'friday', '24h sale'],
    ['en', 'friday', 'noon special'],
    ['en', 'friday', '1st birthday party'],
    ['en', 'friday', '10am to 5pm open house'],
    ['en', 'tomorrow', '16:9 explained'],
    ['en', 'tomorrow', '2026 goals'],
    ['en', 'friday 9am', 'friday 13th is next month'],
    ['en', '10am', 'Monday Motivation'],
    ['en', '10am', 'friday’s menu is out'],
    ['de', 'Freitag', 'Um 18 Uhr spielt die Band'],
    ['en', '9am', 'black friday deals'],
    ['en', 'at 9', 'friday feeling'],
    ['en', 'at 9', 'sat down with anna'],
    ['en', '9am', 'easter eggs'],
    ['en', '9am', '1/2 price'],
    ['en', 'dec 3', '1000 Fans'],
    ['en', 'friday', 'at 9 we open'],
    ['en', 'friday', '7pm doors open'],
    ['en', 'tonight', 'tonight at 8 We play'],
    ['de', 'heute Abend', 'Zwei Tage noch'],
    ['de', 'heute Abend', 'zwei Tage noch'],
    ['de', 'Freitag Abend', 'Eine Überraschung'],
    ['de', '9 Uhr', 'Samstag Flohmarkt im Hof'],
  ])('unless the words after the name begin the text, in %s: %s on x %s', (locale, when, text) =>
    expect(parse(`${when} ${locale === 'de' ? 'auf' : 'on'} x ${text}`, locale)).toMatchObject({
      when,
      text,
    }),
  );
});

test.each([
  ['en', 'on linkedin', 'Monday mornings are hard'],
  ['en', 'on x', 'Tomorrow never dies'],
  ['en', 'on x', 'Right now we are open'],
  ['en', '', 'This time we mean it'],
  ['de', 'auf x', 'Morgen geht es los'],
  ['fr', 'sur x', 'Maintenant on ouvre'],
  ['es', 'en x', 'Mañana será otro día'],
  ['pt', 'no x', 'Hoje tem festa'],
])('a time with a capital is part of the sentence that it begins, in %s: %s %s', (locale, name, text) =>
  expect(parse(`${name} ${text}`, locale)).toMatchObject({ when: '', text }),
);

test.each([
  ['Right now on x hello', 'Right now', 'hello'],
  ['on x Right now We are open', 'Right now', 'We are open'],
  ['on x tomorrow 9am hello', 'tomorrow 9am', 'hello'],
])('unlike before a name or a new sentence, or without a capital: %s', (line, when, text) =>
  expect(parse(line)).toMatchObject({ when, platforms: ['X'], text }),
);

test.each([
  ['tomorrow 9am on x, 10am on linkedin: Hi', true],
  ['on x mon 9am, on fb tue 10am: Hi', true],
  ['tomorrow 9am and 10am on x and linkedin: Hi', false],
  ['x tomorrow 9am linkedin: Hi', false],
])('several times with platforms between them may each be for their own: %s', (line, hasOwnTimes) =>
  expect(parse(line)).toMatchObject({ hasOwnTimes, text: 'Hi' }),
);

test.each([
  ['friday 9am', '', ':flag-us: sale'],
  ['friday 9am', '', ':clock9: Hi'],
  ['friday', 'on x ', ':one: Hi'],
  ['tonight', '', ':night_with_stars: Hi'],
  ['friday 9am', '', ':tada::one: Hi'],
  ['', '', ':tada: friday 9am we open'],
  ['', '', ':tada: friday 9am on x: we open'],
])('the words of an emoji’s code are no time: %s %s%s', (when, names, text) =>
  expect(parse(`${when} ${names}${text}`)).toMatchObject({ when, text, unreadWords: '' }),
);

test.each([
  ['am 3. Dezember', 'Abend der offenen Tür'],
  ['am 3. Dezember', 'Abend der offenen Tür: kommt'],
  ['am 3.12.', 'Nacht der Museen'],
  ['am 24.12.', 'Mittag geschlossen'],
  ['am 3. Dezember', 'Donnerstag ist Pizzatag'],
  ['am 3. Dezember Abend', 'Hallo'],
  ['am 3. Dezember Abend um 8', 'Hallo'],
])('a name after a German date begins the text: %s, %s', (when, text) =>
  expect(parse(`${when} ${text}`, 'de')).toMatchObject({ when, text, unreadWords: '' }),
);

test.each([
  ['en', '', 'now through sunday: free shipping', []],
  ['en', '', 'from now until sunday: 20% off', []],
  ['de', '', 'nicht vor Montag: kaufen', []],
  ['en', 'friday until 5pm on x', '', ['X']],
])('a range isn’t the time of the post, in %s: %s %s', (locale, head, text, platforms) => {
  const when = head.replace(' on x', '');
  expect(parse(`${head} ${text}`, locale)).toMatchObject({ when, text, platforms });
});

test.each(['friday until 5pm Hello', 'friday 9am - 11am Hello', 'now until friday Hello'])(
  'the range of “%s” stays in the time, where it is asked about',
  (line) => expect(parse(line, 'en')).toMatchObject({ when: line, text: '' }),
);

test.each([
  ['en', 'friday until 5pm on x', 'New menu'],
  ['en', 'tomorrow 9am to 5pm on x', 'Open house'],
  ['en', 'monday to friday on x', 'New menu'],
  ['en', 'mon - fri on x', 'New menu'],
  ['en', 'monday or tuesday on x', 'New menu'],
  ['en', 'every monday 9am on x', 'New menu'],
  ['en', 'until friday 5pm on x', 'New menu'],
  ['en', 'monday to friday', 'New menu'],
  ['en', 'thu before noon on x', 'New menu'],
  ['de', 'am 5.12. bis 10.12. auf x', 'Neues Menü'],
  ['de', 'am 5.12. bis 10.12. auf x', 'neues menü'],
  ['de', 'am 5.12. bis 10.12.', 'Neues Menü'],
  ['fr', 'vendredi jusqu’à 17h sur x', 'Nouveau menu'],
  ['es', 'del lunes al viernes en x', 'Nuevo menú'],
  ['nl', 'maandag tot vrijdag op x', 'Nieuw menu'],
])('a time that can’t be used stays whole before a text, in %s: %s %s', (locale, head, text) => {
  const when = head.replace(/ (?:on|auf|sur|en|op) x$/, '');
  expect(parse(`${head} ${text}`, locale)).toMatchObject({ when, text, unreadWords: '' });
});

test.each([
  ['en', 'tomorrow 9am on x', 'Monday to Friday we open at 7'],
  ['en', 'tomorrow on x', 'until friday 20% off'],
  ['en', 'mon 9am on x -', 'Monday, 9am. Coffee first.'],
  ['en', 'tomorrow 9am', 'until Friday 20% off everything'],
  ['en', 'monday -', 'Tuesday Specials are here'],
  ['en', 'monday', 'to all our friends'],
  ['en', '', 'Monday to Friday on Instagram we show you coffee'],
  ['en', '', '5 days until christmas on x Hello'],
  ['en', '', 'Every Friday on Instagram Live we cook'],
  ['en', '', 'Last week on LinkedIn We shared our story'],
  ['en', '', 'Weekdays on Instagram Stories we share tips'],
  ['en', '', 'Since 2019 on Instagram Thank You'],
  ['de', '', 'Bis Freitag auf Instagram Gewinnspiel'],
  ['es', '', 'Cada viernes en Instagram Live cocinamos'],
  ['en', '', 'Sat on Instagram for two hours'],
  ['en', '', 'Wed on TikTok and married in June'],
  ['en', '', 'Sun on x is out'],
  ['en', '', 'Sat on X in 1999'],
  ['en', '', 'sat on x by Anna'],
  ['en', '', 'wed on instagram and happy'],
  ['de', 'mo 9 uhr', 'vom 1. bis 24. dezember täglich ein türchen'],
  ['fr', 'lundi 9h', 'du 1er au 24 décembre un cadeau'],
  ['es', 'lunes 9h', 'esta semana 20% menos'],
  ['fr', 'lundi 10h', 'À midi 2 pour 1'],
  ['de', 'mo 9 uhr', '24. dezember ist frist'],
  ['de', 'mo 9 uhr', '24 dezember ist frist'],
  ['fr', 'lundi 9h', '15 décembre est la date'],
  ['nl', 'maandag 9 uur', '15 mei is te laat'],
  ['de', 'mo 9 uhr', 'viertel nach acht ist bürozeit'],
  ['pt', 'segunda 9h', 'meia entrada'],
  ['de', 'di 9 uhr', '30 prozent rabatt'],
  ['nl', 'di 9 uur', '30 procent korting'],
  ['fr', 'lundi 9h', '45 euros au lieu de 60'],
  ['en', 'mon 9am', '4.5 stars'],
  ['en', 'mon 9am', 'x. marks the spot'],
  ['en', 'tue', '1.5 million thanks'],
  ['en', 'friday 9am on x', 'christmas trees are in'],
  ['en', 'tue 9am on x', 'black friday preview'],
])('a range, date or hour of the text stays there, in %s: %s %s', (locale, head, text) =>
  expect(parse(`${head} ${text}`.trim(), locale)).toMatchObject({ text, unreadWords: '' }),
);

test.each([
  ['auf x', 'Freitag: Messe'],
  ['auf x', '1. Dezember: Messe'],
  ['auf x', '1. Advent: Messe'],
  ['auf x', 'Heiligabend: Frohes Fest'],
  ['für Harbour Coffee', 'Silvester: Guten Rutsch'],
  ['auf x', 'Übermorgen: Messe'],
  ['auf x', 'Sonnabend: Messe'],
  ['auf x', 'Mitte Dezember: Messe'],
  ['auf x', 'Heiligabend'],
  ['auf x', 'Heute'],
])('a day after a German hour and a name belongs to the time: um 9 %s %s', (name, line) => {
  const [day, text = ''] = line.split(': ');
  expect(parse(`um 9 ${name} ${line}`, 'de')).toMatchObject({ when: `um 9 ${day}`, text, unreadWords: '' });
});

test('“Heute” may also begin the text, so a note quotes it', () =>
  expect(parse('um 9 auf x Heute: Messe', 'de')).toMatchObject({
    when: 'um 9',
    text: 'Heute: Messe',
    unreadWords: 'Heute',
  }));

test.each([
  ['en', 'today 11am CET', 'on x', 'webinar'],
  ['en', 'wednesday 9am 2026-11-18', 'on x', 'we open'],
  ['en', '9am wednesday 11/18', 'on x', 'our new menu is out'],
  ['en', 'wednesday 9am this week', 'on x', 'we open'],
  ['en', 'today 1:30 in the morning', '', 'we sleep'],
  ['de', 'mittwoch 9 uhr 18.11.', '', 'wir öffnen'],
  ['es', 'hoy a las 11:00 hora de Madrid', 'en x', 'abrimos'],
  ['it', 'oggi alle 11:00 ora di Roma', 'su x', 'apriamo'],
  ['nl', 'vandaag 11 uur CET', 'op x', 'we gaan open'],
])('a time that has passed keeps its zone and date, in %s: %s %s %s', (locale, when, name, text) => {
  const platforms = name === '' ? [] : ['X'];
  expect(parse(`${when} ${name} ${text}`, locale)).toMatchObject({ when, platforms, text });
});

test('unlike a period of the text', () =>
  expect(parse('monday 9am this week only we launch')).toMatchObject({
    when: 'monday 9am',
    text: 'this week only we launch',
  }));

test.each([
  ['en', 'friday 4 dec', 'on x', '5pm hello world', '5pm'],
  ['en', 'at 5pm', 'on x', 'friday 4 dec hello world', 'friday 4 dec'],
  ['en', 'friday 4 dec', 'for Harbour Coffee', 'at 9 we open', 'at 9'],
  ['de', 'freitag', 'auf x', 'um 17 uhr hallo welt', 'um 17 uhr'],
  ['de', 'um 18 Uhr', 'auf x', 'Ostersonntag Frohe Ostern', 'Ostersonntag'],
  ['de', 'um 18 Uhr', 'auf x', 'Montag Neue Folge', 'Montag'],
  ['de', 'um 18 Uhr', 'auf x', 'Heute Neue Folge', ''],
  ['fr', 'le 4 décembre', 'sur x', 'à 17h bonjour', 'à 17h'],
  ['en', 'friday', 'on x', 'noon special', ''],
])(
  'a note quotes what may be the other half of a time, in %s: %s %s %s',
  (locale, when, name, text, note) => {
    expect(parse(`${when} ${name} ${text}`, locale)).toMatchObject({ when, text, unreadWords: note });
  },
);

test.each(['friday 9am on x. Hello', 'friday 9am on x; Hello', 'on x. friday 9am Hello'])(
  'a platform may end a sentence: %s',
  (line) => expect(parse(line)).toMatchObject({ when: 'friday 9am', platforms: ['X'], text: 'Hello' }),
);

test('a project may end a sentence', () => {
  const parsed = parse('friday 9am on x for Harbour Coffee. Hello');
  expect(parsed).toMatchObject({ project: { id: 'p1' }, text: 'Hello' });
});

test.each([
  ['en', 'sat on x Hello', 'sat', 'Hello'],
  ['nl', 'over 2 uur op x Hallo', 'over 2 uur', 'Hallo'],
  ['en', 'wed on x for Harbour Coffee Hello', 'wed', 'Hello'],
  ['en', 'sat on x at 9am Hello', 'sat at 9am', 'Hello'],
  ['es', 'jueves 9h 24 de diciembre en x Hola', 'jueves 9h 24 de diciembre', 'Hola'],
  ['it', 'gio 26/11 h 18 su x Ciao', 'gio 26/11 h 18', 'Ciao'],
  ['ja', '2時間後 x こんにちは', '2時間後', 'こんにちは'],
  ['ja', '明日9時にxで：新作', '明日9時に', '新作'],
  ['ja', '明日9時 x「新作」', '明日9時', '「新作」'],
])('a time before a platform, in %s: %s', (locale, line, when, text) =>
  expect(parse(line, locale)).toMatchObject({ when, platforms: ['X'], text }),
);

describe('24 hours', () => {
  test.each([
    ['es', 'mañana', '24 horas de ofertas'],
    ['it', 'domani', '24 ore di sconti'],
    ['pt', 'amanhã', '24h de promoção'],
    ['nl', 'morgen', '24 uur open'],
    ['fr', 'samedi', '24h de folie'],
    ['de', 'morgen', '24h geöffnet'],
  ])('begin a text that goes on in small letters, in %s: %s %s', (locale, when, text) =>
    expect(parse(`${when} ${text}`, locale)).toMatchObject({ when, text, unreadWords: '' }),
  );

  test.each([
    ['de', 'morgen 24 Uhr', 'wir schließen'],
    ['de', 'morgen 24:00', 'wir schließen'],
    ['fr', 'samedi 24h', 'sur x Bonjour'],
    ['fr', 'samedi 24h et dimanche 10h', 'Bonjour'],
    ['nl', 'morgen 24 uur', 'op x hallo'],
    ['ja', '明日24時', 'こんにちは'],
  ])('are an hour in %s: %s %s', (locale, when, text) =>
    expect(parse(`${when} ${text}`, locale)).toMatchObject({ when }),
  );
});

test('“to Monday Club” is no range before the name of a project', () => {
  const club = { items: [{ id: 'p1', name: 'Monday Club' }], isTruncated: false };
  const text = 'to Monday Club New menu';
  expect(parseLine(`friday 9am ${text}`, club, createMomentReader(now, 'en'))).toMatchObject({
    when: 'friday 9am',
    text,
  });
});

test('a text may follow an hour without a space', () =>
  expect(parse('friday at 10"We are live"')).toMatchObject({ when: 'friday at 10', text: 'We are live' }));
