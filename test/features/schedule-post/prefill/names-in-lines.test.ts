import { describe, expect, test } from 'vitest';
import { createMomentReader } from '../../../../src/features/schedule-post/prefill/moment-reader.ts';
import { parseLine } from '../../../../src/features/schedule-post/prefill/parse-line.ts';

/** A Tuesday. */
const now = new Date('2026-12-01T09:00:00Z');
const projects = {
  items: [
    { id: 'p1', name: 'Harbour Coffee' },
    { id: 'p2', name: 'Northwind' },
  ],
  isTruncated: false,
};

function parse(locale: string, line: string) {
  return parseLine(line, projects, createMomentReader(now, locale));
}

describe('“everywhere” means all platforms', () => {
  test.each([
    ['en', 'friday 9am everywhere: We won', 'friday 9am'],
    ['en', 'Everywhere, friday 9am: We won', 'friday 9am'],
    ['en', 'mon and wed 9am everywhere: We won', 'mon and wed 9am'],
    ['en', 'friday 9am everywhere We won', 'friday 9am'],
    ['en', 'friday 9am on all socials: We won', 'friday 9am'],
    ['de', 'überall am 31.12. um 18 Uhr: We won', 'am 31.12. um 18 Uhr'],
    ['de', 'Freitag 9 Uhr, alle Kanäle: We won', 'Freitag 9 Uhr'],
    ['fr', '31/12 à 23h59 partout : We won', '31/12 à 23h59'],
    ['fr', 'vendredi 9h, tous les réseaux sociaux : We won', 'vendredi 9h'],
    ['es', '1 de enero a las 12 en todas partes: We won', '1 de enero a las 12'],
    ['es', 'viernes 9h en todas las redes sociales: We won', 'viernes 9h'],
    ['it', 'ovunque il 25 dicembre alle 9: We won', 'il 25 dicembre alle 9'],
    ['it', '24 dicembre ore 17, tutti i social: We won', '24 dicembre ore 17'],
    ['pt', 'sexta 9h em todo lugar: We won', 'sexta 9h'],
    ['nl', 'overal op 1 januari om 12 uur: We won', 'op 1 januari om 12 uur'],
    ['nl', 'overmorgen 12.00 uur, alle kanalen: We won', 'overmorgen 12.00 uur'],
    ['ja', '12/24（木）17:00 全プラットフォーム：We won', '12/24（木）17:00'],
  ])('before or after a time, in %s: %s', (locale, line, when) => {
    const parsed = parse(locale, line);
    expect(parsed).toMatchObject({ when, text: 'We won', unreadWords: '' });
    expect(parsed.platforms).toHaveLength(10);
  });

  test.each([
    ['en', 'friday 9am everywhere you look: maps'],
    ['en', 'friday 9am Everywhere: maps'],
    ['en', 'Everywhere at 9am people drink coffee'],
    ['de', 'Überall am Freitag um 18 Uhr Leute auf der Straße'],
    ['de', 'Freitag 9 Uhr Alle Kanäle voll: Tipps'],
    ['fr', 'vendredi 9h partout en France : nos ateliers'],
    ['it', '24 dicembre ore 17 Tutti i social spenti: una sfida'],
    ['nl', 'vrijdag 9 uur overal korting: kijk'],
    ['ja', '明日9時 全国で発売：新作'],
  ])('unless a text begins with it, in %s: %s', (locale, line) =>
    expect(parse(locale, line).platforms).toEqual([]),
  );
});

describe('a project needs no “for”', () => {
  test.each([
    ['en', 'Dec 10 at 8:30am, linkedin, Northwind: We won', 'Dec 10 at 8:30am'],
    ['en', 'Harbour Coffee, friday 9am, x: We won', 'friday 9am'],
    ['en', 'Northwind friday 9am on x We won', 'friday 9am'],
    ['en', 'friday 9am, northwind, x: We won', 'friday 9am'],
    ['de', 'linkedin + x, Do 8:30, Northwind: We won', 'Do 8:30'],
    ['ja', 'Northwind、明日9時、x：We won', '明日9時'],
  ])('if it stands for itself, in %s: %s', (locale, line, when) => {
    const parsed = parse(locale, line);
    expect(parsed).toMatchObject({ when, text: 'We won', unreadWords: '' });
    expect(parsed.project).toBeDefined();
  });

  test.each([
    'Northwind tomorrow at 9am: join our webinar',
    'Northwind x Acme: the collab',
    'Northwind, a case study: 3x growth',
    'Northwind’s roadmap friday 9am: what is next',
    'fri 9am x Northwind opens in Berlin',
    'fri 9am, x, Northwind, our new partner',
  ])('unlike in a text: %s', (line) => {
    const parsed = parse('en', line);
    expect(parsed.project).toBeUndefined();
    expect(parsed.text).toMatch(/Northwind/);
  });

  test('a note asks about its name before a colon', () =>
    expect(parse('en', 'fri 9am on x Northwind: our story')).toMatchObject({
      text: 'Northwind: our story',
      unreadWords: 'Northwind',
    }));
});

test.each([
  ['en', 'Draft for Northwind: our story'],
  ['en', 'Save as a draft for the Northwind project: our story'],
  ['en', '(draft) for Northwind: our story'],
  ['de', 'Entwurf für Northwind: our story'],
  ['fr', 'Brouillon pour Northwind : our story'],
  ['es', 'borrador para Northwind: our story'],
  ['it', 'Bozza per Northwind: our story'],
  ['pt', 'rascunho para Northwind: our story'],
  ['nl', 'Concept voor Northwind: our story'],
])('a draft for a project is one, in %s: %s', (locale, line) =>
  expect(parse(locale, line)).toMatchObject({
    isDraft: true,
    project: { name: 'Northwind' },
    text: 'our story',
    unreadWords: '',
  }),
);

test.each(['Save as draft: our story', 'please save this as draft: our story'])(
  'a draft may be asked for: %s',
  (line) => expect(parse('en', line)).toMatchObject({ isDraft: true, text: 'our story' }),
);

test('“save” alone begins a text', () =>
  expect(parse('en', 'Save the date: friday 9am')).toMatchObject({ isDraft: false, when: '' }));

describe('“only” beside a platform', () => {
  test.each([
    ['en', 'tomorrow 9am, X only: We won', ['X']],
    ['en', 'tomorrow 9am, X and LinkedIn only: We won', ['X', 'LINKEDIN']],
    ['en', 'tomorrow 9am only on x: We won', ['X']],
    ['en', 'tomorrow 9am x only We won', ['X']],
    ['de', 'morgen 9 Uhr nur auf X: We won', ['X']],
    ['fr', 'demain 9h uniquement sur X : We won', ['X']],
    ['es', 'mañana 9h solo en x: We won', ['X']],
  ])('is no text, in %s: %s', (locale, line, platforms) =>
    expect(parse(locale, line)).toMatchObject({ platforms, text: 'We won', unreadWords: '' }),
  );

  test.each([
    ['tomorrow 9am x Only on X: the reveal', 'Only on X: the reveal'],
    ['tomorrow 9am on x only today: 20% off', 'only today: 20% off'],
    ['Only on Instagram: see the drop', 'Only on Instagram: see the drop'],
  ])('unlike at the start of a text: %s', (line, text) => expect(parse('en', line).text).toBe(text));
});

test.each([
  ['en', 'fri 9am x LinkedIn: tips', 'LinkedIn: tips', ['X', 'LINKEDIN']],
  ['en', 'x fri 9am LinkedIn: tips', 'LinkedIn: tips', ['X', 'LINKEDIN']],
  ['de', 'Freitag 9 Uhr auf x LinkedIn: Tipps', 'LinkedIn: Tipps', ['X', 'LINKEDIN']],
])(
  'a platform with a capital after another may begin the text, and is offered, in %s: %s',
  (locale, line, text, platforms) =>
    expect(parse(locale, line)).toMatchObject({ platforms: ['X'], text, offer: { platforms } }),
);

test.each(['fri 9am x, LinkedIn: tips', 'fri 9am x and LinkedIn: tips', 'fri 9am X LinkedIn: tips'])(
  'unlike in a list: %s',
  (line) => expect(parse('en', line)).toMatchObject({ platforms: ['X', 'LINKEDIN'], text: 'tips' }),
);

test.each([
  ['de', 'auf x Freitag um 9 Januar Sale', 'Freitag um 9', 'Januar Sale'],
  ['de', 'x Freitag um 9 März Angebote', 'Freitag um 9', 'März Angebote'],
  ['nl', 'x vrijdag om 9 januari sale', 'vrijdag om 9', 'januari sale'],
])('after “at 9”, a note asks about a month, in %s: %s', (locale, line, when, text) =>
  expect(parse(locale, line)).toMatchObject({ when, text, unreadWords: text.split(' ')[0] }),
);

test('after “at 9”, a part of the day is no month', () =>
  expect(parse('de', 'auf x Freitag um 9 abends Sale')).toMatchObject({
    when: 'Freitag um 9 abends',
    text: 'Sale',
  }));

test.each([
  ['en', 'Fri Dec 4 2pm. Instagram. We won', ['INSTAGRAM']],
  ['en', 'X. Friday 9am. We won', ['X']],
  ['de', 'Fr. 4.12. 14 Uhr. Instagram. We won', ['INSTAGRAM']],
  ['fr', 'Demain 9h. Instagram. We won', ['INSTAGRAM']],
  ['en', 'Tues Dec 15th 2:45pm [x] [threads] We won', ['X', 'THREADS']],
  ['en', 'tomorrow 9am (X + LinkedIn): We won', ['X', 'LINKEDIN']],
  ['de', 'morgen 9 Uhr (auf X und LinkedIn): We won', ['X', 'LINKEDIN']],
  ['en', '(x) tomorrow 9am: We won', ['X']],
  ['en', 'wednesday at 9:00 AM Eastern, LinkedIn: We won', ['LINKEDIN']],
  ['en', 'pls post at 4pm on facebook, We won', ['FACEBOOK']],
  ['ja', '来週水曜日の午前11時にlinkedinで「We won」', ['LINKEDIN']],
  ['ja', '来週月曜 10:30 X「We won」', ['X']],
  ['en', 'sat+sun 10am x: We won', ['X']],
])(
  'full stops, brackets, zones and requests may stand beside platforms, in %s: %s',
  (locale, line, platforms) => {
    const parsed = parse(locale, line);
    expect(parsed).toMatchObject({ platforms, unreadWords: '' });
    expect(parsed.text.replace(/^「|」$/g, '')).toBe('We won');
  },
);

test.each([
  ['Instagram. Facebook. TikTok. You choose.', []],
  ['fri 9am x: solve for (x)', ['X']],
  ['fri 9am (x) marks the spot', []],
  ['Solve for (x): a puzzle', []],
])('a text keeps its full stops and brackets: %s', (line, platforms) => {
  const parsed = parse('en', line);
  expect(parsed.platforms).toEqual(platforms);
  expect(line.endsWith(parsed.text)).toBe(true);
});

test.each([
  ['en', 'for Northwind: draft: our story', 'our story', [], true],
  ['en', 'for Northwind: x: our story', 'our story', ['X'], false],
  ['en', 'x: linkedin: our story', 'our story', ['X', 'LINKEDIN'], false],
])(
  'names after a colon that only names precede may begin the text, and are offered, in %s: %s',
  (locale, line, text, platforms, isDraft) =>
    expect(parse(locale, line).offer).toMatchObject({ text, platforms, isDraft }),
);

test.each(['for Northwind: X vs. Threads: which one', 'x: Draft beer: the guide'])('unlike in: %s', (line) =>
  expect(parse('en', line).offer).toBeUndefined(),
);

test.each([
  ['it', 'Tra un mese è Capodanno'],
  ['it', 'Domani è Capodanno'],
  ['pt', 'Daqui a um mês é Natal'],
])('a sentence about two days is text, in %s: %s', (locale, line) =>
  expect(parse(locale, line)).toMatchObject({ when: '', text: line }),
);

test.each([
  ['en', 'Dec 4, 2026, 9:30 AM, X, We won', ['X']],
  ['en', 'fri 9am, X, LinkedIn, We won', ['X', 'LINKEDIN']],
  ['de', 'Fr 9 Uhr, Instagram, We won', ['INSTAGRAM']],
])('platforms with capitals between commas are no text, in %s: %s', (locale, line, platforms) =>
  expect(parse(locale, line)).toMatchObject({ platforms, text: 'We won' }),
);

test.each([
  'Fri 9am. Sale. We are live',
  'fri 9am, X, LinkedIn and more',
  'fri 9am, Instagram, here we come',
])('unlike words of a text: %s', (line) => {
  const parsed = parse('en', line);
  expect(parsed.platforms).toEqual([]);
  expect(parsed.text).toBe(line.replace(/^\S+ 9am[.,] /i, ''));
});

test('“concept” is a draft only in Dutch', () => {
  expect(parse('nl', 'concept: blog')).toMatchObject({ isDraft: true, text: 'blog', unreadWords: '' });
  expect(parse('en', 'concept: blog')).toMatchObject({ isDraft: false, unreadWords: 'concept' });
});

test.each([
  ['en', 'Tonight! Free tacos! 6pm!'],
  ['de', 'Heute! Freier Eintritt!'],
  ['es', 'Mañana! Todo al 50 %'],
])('a day with an exclamation mark begins a text, in %s: %s', (locale, line) =>
  expect(parse(locale, line)).toMatchObject({ when: '', text: line }),
);

test.each([
  ['en', 'Monday, 9am: “Good morning, Bristol” on facebook', 'Good morning, Bristol', ['FACEBOOK']],
  ['de', 'Montag 9 Uhr: „Guten Morgen“ auf x und linkedin', 'Guten Morgen', ['X', 'LINKEDIN']],
  ['fr', 'lundi 9h : « Bonjour » sur x', 'Bonjour', ['X']],
])('names after a text in quotes are offered, in %s: %s', (locale, line, text, platforms) =>
  expect(parse(locale, line)).toMatchObject({ platforms: [], offer: { text, platforms } }),
);

test('other words after quotes are text', () =>
  expect(parse('en', 'Monday 9am x: “Good design is honest.” – Dieter Rams').offer).toBeUndefined());
