import { describe, expect, test } from 'vitest';
import { createMomentReader } from '../../../../src/features/schedule-post/prefill/moment-reader.ts';
import { parseLine } from '../../../../src/features/schedule-post/prefill/parse-line.ts';
import { withStepBudget } from '../../../../src/when/when.ts';

/** A Wednesday, so that "friday" is in two days. */
const now = new Date('2026-11-18T10:15:00Z');
const projects = { items: [], isTruncated: false };

function parse(line: string, locale = 'en-US') {
  return parseLine(line, projects, createMomentReader(now, locale));
}

describe('words before a colon stay in the text', () => {
  test.each([
    ['en', 'tomorrow 9am', 'Next week: the reveal'],
    ['en', 'monday 9am', 'Every Friday: tacos'],
    ['en', 'dec 3 10:00', 'Christmas: open all day'],
    ['en', 'dec 3 10:00', 'Tomorrow: the reveal'],
    ['de', 'Montag 9 Uhr', 'Jeden Freitag: Pizza'],
    ['de', 'morgen 9 Uhr', 'Nächste Woche: Messe'],
    ['fr', 'le 3 décembre à 10h', 'La semaine prochaine : salon'],
    ['es', 'martes 9:00', 'Cada viernes: tacos'],
    ['it', 'domani alle 9', 'Oggi: -20%'],
    ['pt', 'amanhã às 9h', 'Esta semana: 20%'],
    ['nl', 'morgen 9 uur', 'Vandaag: 20%'],
    ['en', 'tomorrow 9am', 'Good morning: the new menu'],
    ['en', 'tomorrow 9am', 'Just in: oat milk'],
    ['de', 'morgen 9 Uhr', 'Danke: 1000 Fans'],
    ['fr', 'demain 9h', 'Merci : 1000 fans'],
  ])('if they are a time of the text, in %s: %s %s', (locale, when, text) =>
    expect(parse(`${when} ${text}`, locale)).toMatchObject({ when, text, unreadWords: '' }),
  );

  test.each([
    ['en', 'mon 9am', 'Cyber Monday', '30% off'],
    ['en', 'thu 9am', 'Christmas Eve', 'sale'],
    ['en', 'Sunday 9am', 'Easter', 'Hi'],
    ['de', 'Donnerstag 9 Uhr', 'Heiligabend', 'offen bis 14 Uhr'],
    ['fr', 'vendredi 9h', 'Noël', 'Salut'],
  ])('and in the time, if they are a feast on this weekday, in %s: %s %s: %s', (locale, time, feast, text) =>
    expect(parse(`${time} ${feast}: ${text}`, locale)).toMatchObject({
      when: `${time} ${feast}`,
      text: `${feast}: ${text}`,
      unreadWords: '',
    }),
  );

  test.each(['thursday 9am on Christmas Eve', 'friday 9am on Black Friday'])(
    'unless a preposition stands before the feast: %s',
    (when) => expect(parse(`${when}: Hi`)).toMatchObject({ when, text: 'Hi' }),
  );

  test.each([
    ['en', 'tomorrow 9am', 'in 3 days: doors open', 'in 3 days'],
    ['en', 'monday 9am', 'this friday: the big one', 'this friday'],
    ['en', 'monday 9am', '10 years: thank you', '10 years'],
    ['en', 'monday 9am', 'spoiler: it’s good', 'spoiler'],
    ['en', 'monday', 'from friday: new hours', 'from friday'],
    ['de', 'Montag 9 Uhr', 'Schöner Zeit: mehr Schlaf', 'Schöner Zeit'],
    ['de', 'Montag 9 Uhr', 'Kölner Zeit: Tipps', 'Kölner Zeit'],
    ['ja', '明日9時', '10周年：感謝', '10周年'],
  ])('and a note quotes them if they may be a time of the post, in %s: %s %s', (locale, when, text, note) =>
    expect(parse(`${when} ${text}`, locale)).toMatchObject({ when, text, unreadWords: note }),
  );

  test.each([
    ['en', 'friday', 'today only: 20% off'],
    ['en', 'monday', 'tonight only: free entry'],
    ['en', 'monday', 'weekend recap: what a ride'],
    ['en', 'monday 9am', 'Q4: the numbers'],
    ['en', 'monday 9am', '4th of July sale: 20% off'],
    ['en', 'monday 9am', 'all hands: notes'],
    ['en', 'monday 9am', 'all day: breakfast'],
    ['es', 'lunes', 'hoy: 20 %'],
    ['it', 'lunedì', 'domani: la sorpresa'],
    ['en', 'tomorrow 9am', 'Thank you: 1000 fans'],
  ])('after a platform, in %s: %s on x %s', (locale, when, text) =>
    expect(parse(`${when} on x ${text}`, locale)).toMatchObject({ when, platforms: ['X'], text }),
  );
});

describe('quotes in a sentence after the time', () => {
  test.each([
    ['en', 'tomorrow 9am', '', 'our “Spring” sale'],
    ['en', 'tomorrow 9am', 'on x ', 'our “Spring” sale: come'],
    ['en', 'mon and tue 9am', '', 'the "new" menu "is" here'],
    ['de', 'morgen 9 Uhr', '', 'unser „Herbst“ Angebot'],
    ['en', 'tomorrow 9am', '', 'The “best” coffee'],
    ['fr', 'demain 9h', '', 'notre « Printemps » solde'],
    ['en', 'tomorrow 9am', 'on x ', '“Hi” 🎉'],
    ['en', 'tomorrow 9am', '', '“Hi” :tada:'],
    ['en', 'tomorrow 9am', 'on x ', 'New 12" pizza for £8'],
  ])('belong to the text, in %s: %s %s%s', (locale, when, names, text) =>
    expect(parse(`${when} ${names}${text}`, locale)).toMatchObject({ when, text, unreadWords: '' }),
  );

  test.each([
    ['en', 'tomorrow 9am', '', '“Spring”', 'sale'],
    ['en', 'tomorrow 9am', 'on x ', '"The Hive"', 'opens its doors at 7pm'],
    ['en', 'tomorrow 9am', 'on x ', '“Spring”', 'sale: 20% off'],
    ['de', 'morgen 9 Uhr', 'auf x ', '„Alles neu“', 'heißt unser Motto'],
    ['fr', 'demain 9h', 'sur x ', '« Nouveau »', 'menu dès lundi'],
    ['en', 'friday 9am', '', '"New menu"', 'image attached'],
    ['en', 'friday 9am', '', '"New menu"', 'approved by Anna'],
    ['en', 'friday 9am', '', '"New menu"', '(draft copy)'],
  ])(
    'begin the text, and a note quotes the words after them, in %s: %s %s%s %s',
    (locale, when, names, quoted, rest) => {
      const text = `${quoted} ${rest}`;
      expect(parse(`${when} ${names}${text}`, locale)).toMatchObject({ when, text, unreadWords: rest });
    },
  );

  test.each([
    ['tomorrow 9am our “Hi” sale on x', 'our sale'],
    ['tomorrow 9am post “Hi” on x', ''],
    ['tomorrow 9am post “Hi” please', ''],
    ['friday 9am with the text “Hi” and a photo', ''],
    ['tomorrow 9am - “Hi” at 9am', ''],
    ['tomorrow post “Hi” at 9am', ''],
    ['tomorrow 9am “Hi” thanks', ''],
    ['tomorrow 9am “Hi” urgent', 'urgent'],
    ['tomorrow 9am “Hi” every monday', 'every monday'],
    ['tomorrow 9am on x “Hi” thanks a lot', 'thanks a lot'],
    ['tomorrow 9am “Hi” with a photo of the cat', ''],
    ['tomorrow 9am “Hi” and add the picture', ''],
    ['tomorrow “Hi” 9am with a cat photo', ''],
    ['tomorrow 9am “Hi” on myspace', ''],
    ['tomorrow 9am “Hi” for Nobody', ''],
  ])('or a note quotes the words around them, unless they are an instruction: %s', (line, unreadWords) =>
    expect(parse(line)).toMatchObject({ text: 'Hi', unreadWords }),
  );
});

test.each([
  ['tomorrow 9am on x', 'We are live :tada:'],
  ['tomorrow 9am on x', ':+1::skin-tone-2: Great news'],
  ['tomorrow 9am', ':100: reasons to come'],
])('the colons of an emoji’s code are part of the text: %s %s', (head, text) =>
  expect(parse(`${head} ${text}`)).toMatchObject({ when: 'tomorrow 9am', text, unreadWords: '' }),
);

test('after an emoji’s code, a colon ends the time and the platforms', () => {
  const parsed = parse('tomorrow 9am :rocket: on x: Hi');
  expect(parsed).toMatchObject({ when: 'tomorrow 9am :rocket:', platforms: ['X'], text: 'Hi' });
});

test.each(['24 hours only', '50% off'])('a dash after a platform is no part of the text: %s', (text) =>
  expect(parse(`tomorrow 9am – on x – ${text}`)).toMatchObject({ when: 'tomorrow 9am', text }),
);

test.each(['GMT', 'London', 'Local Time'])('a zone after a platform is no text: %s', (zone) =>
  expect(parse(`tomorrow 9am on x ${zone}: Hi`)).toMatchObject({ when: `tomorrow 9am ${zone}`, text: 'Hi' }),
);

describe('an x between two names is no platform', () => {
  test.each([
    'acme x globex: the collab',
    '@acme x @globex: the collab',
    'Acme x Globex: the collab',
    'Pizza x Wine: the evening',
  ])('after a time: %s', (text) =>
    expect(parse(`tomorrow 9am ${text}`)).toMatchObject({ when: 'tomorrow 9am', platforms: [], text }),
  );

  test.each(['Black Friday x Nike: the drop', 'Friday Night x Adidas: sign up', 'Friday x Nike: the drop'])(
    'in a title that begins with a day: %s',
    (text) => expect(parse(text)).toMatchObject({ when: '', platforms: [], text }),
  );

  test.each([
    ['Friday x LinkedIn: Hi', 'Friday', ['X', 'LINKEDIN']],
    ['Black Friday x: Hi', 'Black Friday', ['X']],
  ])('unlike before another platform or the colon: %s', (line, when, platforms) =>
    expect(parse(line)).toMatchObject({ when, platforms, text: 'Hi' }),
  );
});

test.each(['31 april jokes: read on', '31 november reasons to smile: go', 'every monday 9am coffee: Hi'])(
  'begins with a time that can’t be used, so it’s all text: %s',
  (text) => expect(parse(text)).toMatchObject({ when: '', text }),
);

test.each([
  ['31 april on x: Hi', '31 april'],
  ['31 april 9am: Hi', '31 april 9am'],
  ['friday 9am - 11am: Hi', 'friday 9am - 11am'],
  ['every monday at 9 with a photo: Hi', 'every monday at 9 with a photo'],
  ['31 november for the team: Hi', '31 november'],
])('%s names a time that can’t be used', (line, when) =>
  expect(parse(line)).toMatchObject({ when, text: 'Hi' }),
);

test.each([
  ['en', 'friday on x 5pm only', 'friday 5pm'],
  ['en', 'friday draft 5pm only', 'friday 5pm'],
  ['en', 'friday 5pm on x only', 'friday 5pm'],
  ['en', 'monday 9am only', 'monday 9am'],
  ['de', 'Freitag auf x 17 Uhr nur', 'Freitag 17 Uhr'],
  ['es', 'viernes en x a las 17:00 solo', 'viernes a las 17:00'],
  ['fr', 'vendredi sur x 17h seulement', 'vendredi 17h'],
  ['nl', 'vrijdag op x 17 uur alleen', 'vrijdag 17 uur'],
])('“only” after an hour begins no text, in %s: %s', (locale, head, when) => {
  const { unreadWords, ...parsed } = parse(`${head}: Hi`, locale);
  expect(parsed).toMatchObject({ when, text: 'Hi' });
  expect(head).toContain(` ${unreadWords}`);
});

test('a line that takes too many steps to read is all text', () => {
  const line =
    'vendredi à 18h Notre nouveau menu de l’hiver avec soupe et pain le lundi et le vendredi en décembre à midi pour deux: ok';
  expect(withStepBudget(() => parse(line, 'fr-FR'))).toMatchObject({ when: '', text: line });
  const named = `x, el próximo lunes a las 15h, ${line}`;
  expect(withStepBudget(() => parse(named, 'es'))).toMatchObject({ when: '', platforms: [], text: named });
});

test.each([
  ['en', 'tomorrow 9am', 'latest'],
  ['en', 'tomorrow 9am', 'local'],
  ['en', 'monday 9am', 'daily'],
  ['de', 'morgen 9 Uhr', 'dringend'],
  ['en', 'may', '9am'],
])('a word about the time begins no text, in %s: %s %s', (locale, when, word) =>
  expect(parse(`${when} ${word}: Hi`, locale)).toMatchObject({ when, text: 'Hi', unreadWords: word }),
);

test.each([
  'friday 9am lunch: our new bowls',
  'friday 9am on x breakfast: eggs',
  'friday 9am tea time: our new blend',
])('a meal after an hour in figures is part of the text: %s', (line) => {
  const { when, text } = parse(line);
  expect({ when, text }).toEqual({ when: 'friday 9am', text: line.replace(/^.*(?:9am|on x) /, '') });
});

test('“body” before the colon names the text', () =>
  expect(parse('tomorrow 9am body: Hi')).toMatchObject({
    when: 'tomorrow 9am',
    text: 'Hi',
    unreadWords: '',
  }));
