import { describe, expect, test } from 'vitest';
import { renderUnreadNotes } from '../../../../src/features/schedule-post/prefill/initial-values.ts';
import { createMomentReader } from '../../../../src/features/schedule-post/prefill/moment-reader.ts';
import { parseLine } from '../../../../src/features/schedule-post/prefill/parse-line.ts';
import { measureCpuMs } from '../../../support/cpu-ms.ts';

const now = new Date('2026-11-20T12:00:00Z');
const items = [
  { id: 'p1', name: 'Harbour Coffee' },
  { id: 'p2', name: 'Night Market Books' },
  { id: 'p3', name: 'Monday Club' },
];
const projects = { items, isTruncated: false };
const moments = createMomentReader(now, 'en-US');

/** Parses a line into "when | platforms | project | text", after DRAFT for a draft. */
function describeParsedLine(line: string, momentReader = moments): string {
  const { when, platforms, project, text, isDraft } = parseLine(line, projects, momentReader);
  const names = platforms.length === 10 ? 'ALL' : platforms.join(',');
  return [isDraft ? `DRAFT ${when}` : when, names, project?.id ?? '', text].join(' | ');
}

test.each([
  ['tomorrow 9:30 on x, linkedin: We are live!', 'tomorrow 9:30 | X,LINKEDIN |  | We are live!'],
  ['tomorrow 12:30 on x:\nTwo\nlines: here', 'tomorrow 12:30 | X |  | Two\nlines: here'],
  ['tomorrow 9am on x "We are live: now"', 'tomorrow 9am | X |  | We are live: now'],
  ['“We are live” tomorrow 9am on x', 'tomorrow 9am | X |  | We are live'],
  ['on x “He said “hi” to us” tomorrow', 'tomorrow | X |  | He said “hi” to us'],
  ['on x „Wir öffnen“ tomorrow', 'tomorrow | X |  | Wir öffnen'],
  ['tomorrow on x "We are live', 'tomorrow | X |  | We are live'],
  ['tomorrow on x: "Quotes" are kept here', 'tomorrow | X |  | "Quotes" are kept here'],
  [': Only a text', ' |  |  | Only a text'],
  ['tomorrow 9am on x', 'tomorrow 9am | X |  | '],
  ['tomorrow 9am on x:', 'tomorrow 9am | X |  | '],
  ['can you post friday 9am on x: Hi', 'friday 9am | X |  | Hi'],
  ['can you post: photos of the day', ' |  |  | can you post: photos of the day'],
  ['can you post this: Hi', ' |  |  | Hi'],
  ['could you please post: Hi', ' |  |  | Hi'],
  ['can you post “Hi”', ' |  |  | Hi'],
  ['please post this: Hi', ' |  |  | Hi'],
  ['put this on x friday 9am: Hi', 'friday 9am | X |  | Hi'],
  ['put a spring in your step: Hi', ' |  |  | put a spring in your step: Hi'],
  ['2 hours left: buy now', ' |  |  | 2 hours left: buy now'],
  ['see https://example.com tomorrow', ' |  |  | see https://example.com tomorrow'],
  ['tomorrow 9am on x - We are live', 'tomorrow 9am | X |  | We are live'],
  ['tomorrow 9am – on x – We are live', 'tomorrow 9am | X |  | We are live'],
  ['tomorrow 9am -50% off', 'tomorrow 9am |  |  | -50% off'],
  ['tomorrow 9am\n- one\n- two', 'tomorrow 9am |  |  | - one\n- two'],
  ['x: <!channel> & “all”', ' | X |  | <!channel> & “all”'],
])('the text in %j is found', (line, expected) => expect(describeParsedLine(line)).toBe(expected));

describe('a count or a day', () => {
  test.each([
    ['en-US', '3 days on the road'],
    ['en-US', '2 days no rain'],
    ['en-US', '2 days no threads'],
    ['en-US', '2 days on sale'],
    ['en-US', '10 years on and still going'],
    ['de', '3 Tage auf dem Land'],
    ['nl', '2 dagen op pad'],
    ['fr', '2 jours sur place'],
    ['es', '2 días en la playa'],
    ['pt', 'Duas semanas em Lisboa'],
    ['it', '2 giorni su Marte'],
  ])('without a platform after it begins the text, in %s: %s', (locale, text) =>
    expect(parseLine(text, projects, createMomentReader(now, locale))).toMatchObject({ text, when: '' }),
  );

  test.each([
    ['two weeks on linkedin buy now', 'two weeks | LINKEDIN |  | buy now'],
    ['two weeks on linked in buy now', 'two weeks | LINKEDIN |  | buy now'],
    ['two weeks to x Hello', 'two weeks | X |  | Hello'],
    ['sabato 6 su x Promo', 'sabato 6 |  |  | su x Promo'],
    ['Friday Instagram - We are live', 'Friday |  |  | Instagram - We are live'],
    ['Monday Twitter #launch', 'Monday |  |  | Twitter #launch'],
    ['Monday Bluesky 🎉', 'Monday |  |  | Bluesky 🎉'],
    ['Friday Sale - on x', 'Friday |  |  | Sale - on x'],
    ['Friday Launch - 5pm', 'Friday |  |  | Launch - 5pm'],
    ['Monday Threads', 'Monday |  |  | Threads'],
    ['on x Monday Big News', 'Monday | X |  | Big News'],
    ['draft Monday Big News', 'DRAFT Monday |  |  | Big News'],
    ['on x Monday Big News: hi', 'Monday | X |  | Big News: hi'],
    ['post Monday Big News: hi', 'Monday |  |  | Big News: hi'],
    ['Monday Motivation: hi', ' |  |  | Monday Motivation: hi'],
  ])('is a time beside a platform, a draft or a verb: %s', (line, expected) =>
    expect(describeParsedLine(line)).toBe(expected),
  );
});

test.each([
  ['tomorrow on x Hello without a colon', 'tomorrow | X |  | Hello without a colon'],
  ['on x and linkedin tomorrow 9am We are live', 'tomorrow 9am | X,LINKEDIN |  | We are live'],
  [
    'mon, wed and fri 9am on ig Soup\n\nof the day',
    'mon, wed and fri 9am | INSTAGRAM |  | Soup\n\nof the day',
  ],
  ['draft for harbour tomorrow Latte art', 'DRAFT tomorrow |  | p1 | Latte art'],
  ['morgen um 9 Uhr Wir sind da', 'morgen um 9 Uhr |  |  | Wir sind da'],
  ['lundi prochain à 9h Bonjour', 'lundi prochain à 9h |  |  | Bonjour'],
  ['tomorrow noon lunch special', 'tomorrow noon |  |  | lunch special'],
  ['tomorrow 9am in the morning We are live', 'tomorrow 9am in the morning |  |  | We are live'],
  ['tomorrow 8 evening gala', 'tomorrow 8 evening |  |  | gala'],
  ['tomorrow 5 reasons to visit', 'tomorrow |  |  | 5 reasons to visit'],
  ['We are live on x tomorrow', ' |  |  | We are live on x tomorrow'],
  ['New post: How we roast', ' |  |  | New post: How we roast'],
  ['Friday deals at our shop', ' |  |  | Friday deals at our shop'],
  ['10 reasons to come', ' |  |  | 10 reasons to come'],
  ['No Threads, no problem', ' |  |  | No Threads, no problem'],
  ['friday 9am no linkedin this week', 'friday 9am |  |  | no linkedin this week'],
  ['Instagram is down', ' |  |  | Instagram is down'],
  ['tomorrow 9am Draft beer for all', 'tomorrow 9am |  |  | Draft beer for all'],
  ['hello', ' |  |  | hello'],
  ['2 hours left', ' |  |  | 2 hours left'],
  ['now hiring baristas', ' |  |  | now hiring baristas'],
  ['now We are live', 'now |  |  | We are live'],
  ['tomorrow 9am linkedin To all of you', 'tomorrow 9am | LINKEDIN |  | To all of you'],
  ['tomorrow 9am to all our friends', 'tomorrow 9am |  |  | to all our friends'],
  ['tomorrow 9am linkedin On fire', 'tomorrow 9am | LINKEDIN |  | On fire'],
  ['monday 8am Last chance: 20% off', 'monday 8am |  |  | Last chance: 20% off'],
  ['friday 10am Black Friday: 30% off', 'friday 10am |  |  | Black Friday: 30% off'],
  ['starting next week every monday 9am: Hi', 'starting next week every monday 9am |  |  | Hi'],
  ['tomorrow Noon we dance: Hi', 'tomorrow Noon we dance |  |  | Hi'],
  ['tomorrow 9 and 17:00: Hi', 'tomorrow 9 and 17:00 |  |  | Hi'],
  ['drafts rest of the week: Hi', 'DRAFT rest of the week |  |  | Hi'],
  ['tomorrow 9am to our friends: thank you', 'tomorrow 9am |  |  | to our friends: thank you'],
  ['monday 8am tip of the day: drink water', 'monday 8am |  |  | tip of the day: drink water'],
  ['Tomorrow 8 In The Evening: Hi', 'Tomorrow 8 In The Evening |  |  | Hi'],
  ['friday 9am In Two Weeks: Hi', 'friday 9am In Two Weeks |  |  | Hi'],
  ['Sale ends 31 november', ' |  |  | Sale ends 31 november'],
  ['5 days until christmas', ' |  |  | 5 days until christmas'],
  ['monday 9am LA Lakers tickets', 'monday 9am |  |  | LA Lakers tickets'],
  ['saturday 9am caption: Hi', 'saturday 9am |  |  | Hi'],
  ['monday 8am on x  Last   chance : 20% off', 'monday 8am | X |  | Last   chance : 20% off'],
])('%j has the text after the time and the platforms', (line, expected) =>
  expect(describeParsedLine(line)).toBe(expected),
);

test('“on” is no word before a platform in French', () => {
  const french = createMomentReader(now, 'fr-FR');
  const line = describeParsedLine('lundi 9h sur linkedin on recrute', french);
  expect(line).toBe('lundi 9h | LINKEDIN |  | on recrute');
});

test('the time can be in the author’s language', () => {
  const german = createMomentReader(now, 'de-DE');
  expect(parseLine('morgen um 9 Uhr auf zum Fest', projects, german)).toMatchObject({
    when: 'morgen um 9 Uhr',
    text: 'auf zum Fest',
  });
});

test.each([
  ['tomorrow 9am on myspace: Hi', 'tomorrow 9am', ['myspace'], ''],
  ['on myspace tomorrow: Hi', 'tomorrow', ['myspace'], ''],
  ['tomorrow on x and linkdin: Hi', 'tomorrow', ['linkdin'], ''],
  ['on orkut: Hi', '', ['orkut'], ''],
  ['tomorrow on bluesky Hello', 'tomorrow', ['bluesky'], ''],
  ['tomorrow on orkut', 'tomorrow', ['orkut'], ''],
  ['tomorrow on Google My Business: Hi', 'tomorrow', ['google'], ''],
  ['tomorrow on Google My Business Hi', 'tomorrow', ['google'], ''],
  ['31 feb on x: Hi', '31 feb', [], ''],
  ['yesterday on x: Hi', 'yesterday', [], ''],
  ['every monday 9am on x: Hi', 'every monday 9am', [], ''],
  ['tomorrow 9am perchance on x: Hi', 'tomorrow 9am', [], 'perchance on x'],
  ['on friday on x: Hi', 'on friday', [], ''],
  ['friday on x y: Hi', 'friday', [], 'y'],
  ['monday 9am On Discord', 'monday 9am', ['Discord'], ''],
  ['monday 9am but wednesday 8am: Hi', 'monday 9am', [], 'but wednesday 8am'],
  ['monday 9am doors open on friday: Hi', 'monday 9am', [], ''],
  ['friday on x and: Hi', 'friday', [], ''],
  ['friday 9am on linkedin company page: Hi', 'friday 9am', [], 'company page'],
])(
  'in %j, unknown words become neither the time nor a platform',
  (line, when, unknownPlatforms, unreadWords) =>
    expect(parseLine(line, projects, moments)).toMatchObject({ when, unknownPlatforms, unreadWords }),
);

test.each([
  ['en', 'friday 9am HQ time: Hi', 'friday 9am', 'HQ time', 'Hi'],
  ['en', 'friday 9am on x with a photo: Hi', 'friday 9am', 'with a photo', 'Hi'],
  ['en', 'friday 9am cc @Anna Smith: Hi', 'friday 9am', 'cc @Anna Smith', 'Hi'],
  ['de', 'Freitag 9 Uhr mit Bild: Hallo', 'Freitag 9 Uhr', 'mit Bild', 'Hallo'],
  ['es', 'viernes 9h hora de España: Hola', 'viernes 9h', 'hora de España', 'Hola'],
  ['de', 'Freitag 9 Uhr Ortszeit: Hallo', 'Freitag 9 Uhr Ortszeit', '', 'Hallo'],
  ['fr', 'vendredi 9h sur x heure de Paris: Bonjour', 'vendredi 9h heure de Paris', '', 'Bonjour'],
  ['en', 'friday only 9am: Hi', 'friday 9am', '', 'Hi'],
  ['de', 'Freitag nur 9 Uhr: Hallo', 'Freitag 9 Uhr', '', 'Hallo'],
  ['es', 'viernes solo a las 9: Hola', 'viernes a las 9', '', 'Hola'],
  ['nl', 'maandag of dinsdag: brunch', 'maandag of dinsdag', '', 'brunch'],
  ['en', '30 february hello', '30 february', '', 'hello'],
  ['en', '9 on x hello there: Hi', '9', 'hello there', 'hello there: Hi'],
])(
  'words about the time or the post aren’t published, in %s: %s',
  (locale, line, when, unreadWords, text) => {
    const parsedLine = parseLine(line, projects, createMomentReader(now, locale));
    expect(parsedLine).toMatchObject({ when, unreadWords, text });
  },
);

test.each([
  ['en', '', 'Today only: free shipping'],
  ['de', '', 'Nur heute: Gratisversand'],
  ['en', 'friday 9am', 'only in London: free shipping'],
  ['en', 'friday 9am', 'by @anna: a new mural'],
  ['de', 'Freitag 9 Uhr', 'Hochzeit: so feiern wir'],
  ['fr', 'vendredi 9h', 'heure du thé: notre mélange'],
  ['en', 'friday 9am', 'Top 5: yes'],
  ['en', 'monday 9am', 'SF opening'],
  ['de', '', 'Dezember 9 Uhr: Brunch'],
  ['en', '', '3 for 2 on all books'],
  ['en', '', '4 for the price of 3'],
  ['it', '', '3 al prezzo di 2'],
  ['en', '', 'Black Friday starts at midnight'],
  ['de', '', 'Freitag Abend gibt es Pizza'],
  ['en', '', 'Friday draft beer half price'],
  ['en', 'monday 10am', 'Week 2 of our challenge'],
  ['en', 'monday 10am', 'week 2 of our challenge'],
  ['en', 'monday 10am', 'Week 2: the roast'],
  ['de', 'Montag 9 Uhr', 'Woche 2 unserer Challenge'],
  ['en', '', 'Week 2: the roast'],
  ['en', '', 'week 2 of our challenge'],
  ['en', 'friday 9am', 'pour over coffee'],
])('words of the text stay in it, in %s: %s %s', (locale, when, text) => {
  const parsedLine = parseLine(`${when} ${text}`, projects, createMomentReader(now, locale));
  expect(parsedLine).toMatchObject({ when, unreadWords: '', text });
});

test.each([
  ['en', '9 on x Hello', '9 | X |  | Hello'],
  ['en', '9 for Harbour Coffee on x', '9 | X | p1 | '],
  ['en', '15 on x Hello', ' |  |  | 15 on x Hello'],
  ['en', '9 to everyone: Hello', ' |  |  | 9 to everyone: Hello'],
  ['de', 'Freitag Abend auf x Hallo', 'Freitag Abend | X |  | Hallo'],
  ['de', 'Freitag Abend für Harbour Coffee Hallo', 'Freitag Abend |  | p1 | Hallo'],
  ['de', 'Freitag 9 Uhr als Entwurf Hallo', 'DRAFT Freitag 9 Uhr |  |  | Hallo'],
  ['en', 'Black Friday via x Hello', 'Black Friday | X |  | Hello'],
  ['en', 'Next Monday as a draft Hello', 'DRAFT Next Monday |  |  | Hello'],
  ['en', 'monday 10am Week 50 for Harbour Coffee Hello', 'monday 10am Week 50 |  | p1 | Hello'],
  ['en', 'monday week 2: Hello', 'monday week 2 |  |  | Hello'],
])('words before a platform, a project or a draft are a time, in %s: %s', (locale, line, expected) =>
  expect(describeParsedLine(line, createMomentReader(now, locale))).toBe(expected),
);

test.each([
  ['every monday 9am', 'every monday 9am'],
  ['every monday 9am on x', 'every monday 9am'],
  ['friday 9am - 11am', 'friday 9am - 11am'],
  ['friday 9am - noon', 'friday 9am - noon'],
  ['friday between 9 and 11 on x', 'friday between 9 and 11'],
  ['monday or tuesday 9am', 'monday or tuesday 9am'],
  ['31 feb', '31 feb'],
])('%j is a time that can’t be used, and no text', (line, when) =>
  expect(parseLine(line, projects, moments)).toMatchObject({ when, text: '', unreadWords: '' }),
);

test.each(['every monday 9am coffee', 'Every monday we bake', 'every monday we post every hour'])(
  'begins with a time that can’t be used, so it’s all text: %s',
  (line) => expect(parseLine(line, projects, moments)).toMatchObject({ when: '', text: line }),
);

describe('platforms', () => {
  test.each([
    ['on twitter, ig and fb tomorrow 9am: Hi', 'tomorrow 9am | X,INSTAGRAM,FACEBOOK |  | Hi'],
    ['x/linkedin tomorrow: Hi', 'tomorrow | X,LINKEDIN |  | Hi'],
    ['on x & fb at 5pm: Hi', 'at 5pm | X,FACEBOOK |  | Hi'],
    ['linked in and tik tok friday 9am: Hi', 'friday 9am | LINKEDIN,TIKTOK |  | Hi'],
    ['on friday on x: Hi', 'on friday | X |  | Hi'],
    ['mon, wed and fri 9am on x: Hi', 'mon, wed and fri 9am | X |  | Hi'],
    ['on x twitter: Hi', ' | X |  | Hi'],
  ])('the platforms are found in %j', (line, expected) => expect(describeParsedLine(line)).toBe(expected));

  test.each([
    ['de', 'morgen 9 Uhr auf x und linkedin: Hallo', 'morgen 9 Uhr | X,LINKEDIN |  | Hallo'],
    ['de', 'morgen 9 Uhr auf x und auf linked in: Hallo', 'morgen 9 Uhr | X,LINKEDIN |  | Hallo'],
    ['de', 'morgen 9 Uhr auf x Hallo Welt', 'morgen 9 Uhr | X |  | Hallo Welt'],
    ['de', 'morgen 9 Uhr auf allen Kanälen, Hallo', 'morgen 9 Uhr | ALL |  | Hallo'],
    ['nl', 'morgen 9 uur op alle kanalen hallo', 'morgen 9 uur | ALL |  | hallo'],
    ['en', 'tomorrow on all platforms, we are live', 'tomorrow | ALL |  | we are live'],
    ['en', 'tomorrow on all platforms the new menu', 'tomorrow | ALL |  | the new menu'],
    ['en', 'tomorrow 9am on all our channels Big news', 'tomorrow 9am | ALL |  | Big news'],
    ['de', 'morgen 9 Uhr auf allen Kanälen! Hallo', 'morgen 9 Uhr |  |  | auf allen Kanälen! Hallo'],
    ['de', 'Auf allen Kanälen präsent', ' |  |  | Auf allen Kanälen präsent'],
    ['es', 'En todas las redes hablan de ti', ' |  |  | En todas las redes hablan de ti'],
    ['ja', '明日9時 Xとのコラボ: 公開', '明日9時 |  |  | Xとのコラボ: 公開'],
    ['de', 'morgen 9 Uhr für Harbour Coffee: Hallo', 'morgen 9 Uhr |  | p1 | Hallo'],
    ['fr', 'demain 9h sur x et sur linkedin : Bonjour', 'demain 9h | X,LINKEDIN |  | Bonjour'],
    ['fr', 'demain 9h et voilà', 'demain 9h |  |  | et voilà'],
    ['it', 'domani alle 9 e festa per tutti', 'domani alle 9 |  |  | e festa per tutti'],
    ['es', 'mañana 9:00 Y Facebook se cayó', 'mañana 9:00 |  |  | Y Facebook se cayó'],
    ['de', 'morgen 9 Uhr Auf Instagram mehr', 'morgen 9 Uhr |  |  | Auf Instagram mehr'],
    ['en', 'tomorrow 9am Su li is here', 'tomorrow 9am |  |  | Su li is here'],
    ['en', 'tomorrow 9am and to all a good night', 'tomorrow 9am |  |  | and to all a good night'],
    ['fr', 'lundi 9h pour Harbour Coffee sur x: Ça y est', 'lundi 9h | X | p1 | Ça y est'],
    ['es', 'mañana a las 9 en x y linkedin: Hola', 'mañana a las 9 | X,LINKEDIN |  | Hola'],
    ['it', 'domani alle 9 su x e linkedin Ciao', 'domani alle 9 | X,LINKEDIN |  | Ciao'],
    ['pt', 'amanhã às 9h no x e no linkedin: Oi', 'amanhã às 9h | X,LINKEDIN |  | Oi'],
    ['nl', 'op x en linkedin morgen 9 uur voor Harbour Coffee: Hoi', 'morgen 9 uur | X,LINKEDIN | p1 | Hoi'],
    ['ja', '明日9時 xとlinkedin：公開', '明日9時 | X,LINKEDIN |  | 公開'],
  ])('are found between the words of another language, in %s: %s', (locale, line, expected) =>
    expect(describeParsedLine(line, createMomentReader(now, locale))).toBe(expected),
  );

  test.each([
    'on all tomorrow: Hi',
    'all platforms tomorrow: Hi',
    'auf allen Plattformen tomorrow: Hi',
    'tomorrow sur toutes les plateformes: Hi',
    'post to all platforms tomorrow: Hi',
    'tomorrow via all channels: Hi',
    'tomorrow auf all platforms: Hi',
    'on all our channels tomorrow: Hi',
    'tomorrow on all of our platforms: Hi',
    'tomorrow to all my networks: Hi',
  ])('%j means all ten platforms', (line) => {
    const { platforms, when, unreadWords } = parseLine(line, projects, moments);
    expect(platforms).toHaveLength(10);
    expect({ when, unreadWords }).toEqual({ when: 'tomorrow', unreadWords: '' });
  });

  test('"all" in another phrase means no platforms', () =>
    expect(describeParsedLine('all day: Hi')).toBe(' |  |  | all day: Hi'));
});

test.each([
  ['for Harbour Coffee tomorrow 9am: Hi', 'tomorrow 9am |  | p1 | Hi'],
  ['tomorrow 9am for harbour: Hi', 'tomorrow 9am |  | p1 | Hi'],
  ['for "Night Market Books" tomorrow: Hi', 'tomorrow |  | p2 | Hi'],
  ['for p2 on x, tomorrow: Hi', 'tomorrow | X | p2 | Hi'],
  ['for monday 9am on x: Hi', 'for monday 9am | X |  | Hi'],
  ['for Monday Club at 9am: Hi', 'at 9am |  | p3 | Hi'],
  ['for Nobody tomorrow: Hi', 'tomorrow |  |  | Hi'],
  ['for the Harbour Coffee project tomorrow 9am: Hi', 'tomorrow 9am |  | p1 | Hi'],
])('the project is found in %j only if the project exists', (line, expected) =>
  expect(describeParsedLine(line)).toBe(expected),
);

describe('a project that isn’t understood', () => {
  test.each([
    ['tomorrow 9am on x for Spring campaign: Hi', 'tomorrow 9am', 'Spring campaign'],
    ['tomorrow 9am for the bookshop on x: Hi', 'tomorrow 9am', 'the bookshop'],
    ['for Spring campaign tomorrow 9am: Hi', 'tomorrow 9am', 'Spring campaign'],
    ['for "Nobody Ltd" tomorrow 9am: Hi', 'tomorrow 9am', 'Nobody Ltd'],
    ['tomorrow 9am for Twin: Hi', 'tomorrow 9am', 'Twin'],
    ['tomorrow 9am for Twin on x Hi', 'tomorrow 9am', 'Twin'],
  ])('%j names the time and the words that aren’t the name of one project', (line, when, unknownProject) => {
    const twins = [
      { id: 'p4', name: 'Twin' },
      { id: 'p5', name: 'Twin' },
    ];
    const parsedLine = parseLine(line, { items: [...items, ...twins], isTruncated: false }, moments);
    expect(parsedLine).toMatchObject({ when, unknownProject, text: 'Hi' });
    expect(parsedLine.project).toBeUndefined();
  });

  test('without a colon or a text, the words after “for” are a name', () =>
    expect(parseLine('tomorrow 9am on x for the bookshop', projects, moments)).toMatchObject({
      ...{ when: 'tomorrow 9am', unknownProject: 'the bookshop', text: '' },
    }));

  test('without a colon, the name stays in the text', () =>
    expect(describeParsedLine('tomorrow 9am for the bookshop Hello')).toBe(
      'tomorrow 9am |  |  | for the bookshop Hello',
    ));
});

describe('words before the colon that are no instruction', () => {
  test.each([
    'Sale ends friday 5pm on x: shop now',
    'We are live: come in',
    'Doors open friday 6pm: bring friends',
    'We are hiring: apply by friday',
    'Friday deals: 20% off',
    'End of summer sale: 20% off',
    'thanks for the coffee friday: it was great',
    'Now open for business: come in',
    'New on Instagram: our reels',
    'Open daily: come in',
    'For coffee lovers: 20% off',
    'Our “soft launch” is friday: come',
  ])('%j is all text', (line) => expect(describeParsedLine(line)).toBe(` |  |  | ${line}`));

  test.each([
    ['post friday 9am: Hi', 'friday 9am |  |  | Hi'],
    ['please schedule this on x friday 9am: Hi', 'friday 9am | X |  | Hi'],
    ['schedule on x: Hi', ' | X |  | Hi'],
    ['Friday: Hi', 'Friday |  |  | Hi'],
    ['Tomorrow 9am on x: Hi', 'Tomorrow 9am | X |  | Hi'],
    ['in a couple of hours on x: Hi', 'in a couple of hours | X |  | Hi'],
    ['tomorrow 9 am We are live', 'tomorrow 9 am |  |  | We are live'],
  ])('%j is an instruction', (line, expected) => expect(describeParsedLine(line)).toBe(expected));
});

test.each([
  ['tomorrow 9am on x： Hi', 'tomorrow 9am | X |  | Hi'],
  ['tomorrow 9am on x：Hi', 'tomorrow 9am | X |  | Hi'],
  ['9：30 tomorrow on x、linkedin: Hi', '9：30 tomorrow | X,LINKEDIN |  | Hi'],
  ['明日9時、xで：こんにちは', '明日9時 | X |  | こんにちは'],
])('full-width punctuation separates the parts of a line: %j', (line, expected) =>
  expect(describeParsedLine(line)).toBe(expected),
);

test.each([
  ['draft: Hi', 'DRAFT  |  |  | Hi'],
  ['draft for harbour on x: Hi', 'DRAFT  | X | p1 | Hi'],
  ['save as a draft tomorrow 9am: Hi', 'DRAFT tomorrow 9am |  |  | Hi'],
  ['tomorrow 9am als Entwurf: Hi', 'DRAFT tomorrow 9am |  |  | Hi'],
  ['brouillon tomorrow 9am: Hi', 'DRAFT tomorrow 9am |  |  | Hi'],
  ['下書き tomorrow 9am: Hi', 'DRAFT tomorrow 9am |  |  | Hi'],
  ['tomorrow: a draft beer', 'tomorrow |  |  | a draft beer'],
  ['tomorrow 9am entwurf der Verfassung: Hi', 'tomorrow 9am |  |  | entwurf der Verfassung: Hi'],
  ['Entwurf der Satzung: Hi', ' |  |  | Entwurf der Satzung: Hi'],
])('the word "draft" before the text means a draft, in any language: %j', (line, expected) =>
  expect(describeParsedLine(line)).toBe(expected),
);

test('a long line without a colon or quotes is all text', () => {
  const line = 'We open tomorrow at nine and everybody is welcome '.repeat(9).trim();
  expect(describeParsedLine(line)).toBe(` |  |  | ${line}`);
});

test('the beginning of a name matches no project if the list is truncated', () => {
  const truncatedList = { items, isTruncated: true };
  expect(parseLine('tomorrow for harbour: Hi', truncatedList, moments)).toMatchObject({
    when: 'tomorrow',
    unknownProject: 'harbour',
  });
  expect(parseLine('tomorrow for harbour coffee: Hi', truncatedList, moments).project?.id).toBe('p1');
});

test('a line of 100 kB is parsed within a second', () => {
  for (const part of ['"', '“', 'for ', 'on x, ', 'a:', 'b c ', 'all ', ', and ']) {
    const line = part.repeat(Math.ceil(100_000 / part.length));
    expect(
      measureCpuMs(() => parseLine(line, projects, moments)),
      part,
    ).toBeLessThan(1_000);
  }
});

test('after “for”, only words that may begin a project’s name are read as a time', () => {
  const checkedTexts: string[] = [];
  const line = `${'for monday or friday at 9am in Berlin '.repeat(3)}: We are live!`;
  parseLine(line, projects, {
    ...moments,
    isMoment(text) {
      checkedTexts.push(text);
      return moments.isMoment(text);
    },
  });
  const textsAfterFor = checkedTexts.filter((text) => !text.includes(' for '));
  expect(new Set(textsAfterFor)).toEqual(new Set(['monday']));
  expect(textsAfterFor.length).toBeLessThan(5);
});

test('unknown words are quoted above the form', () => {
  expect(
    renderUnreadNotes(
      {
        unknownPlatforms: ['myspace', 'orkut'],
        unknownProject: 'the bookshop',
        unreadWords: 'every full moon',
        text: 'Hello',
      },
      { isComplete: true },
    ),
  ).toEqual([
    'I don’t know which project “the bookshop” is. Choose one.',
    'I don’t know the platform “myspace”. Choose the platforms.',
    'I don’t know the platform “orkut”. Choose the platforms.',
    'I didn’t understand “every full moon”.',
  ]);
  expect(
    renderUnreadNotes({ unknownPlatforms: [], unreadWords: '', text: '' }, { isComplete: true }),
  ).toEqual([]);
});

test('a time in Spanish is no project, although there is one of that name', () => {
  const named = { items: [{ id: 'p1', name: 'La Mañana' }], isTruncated: false };
  const parsed = parseLine('mañana por la mañana en x: Hola', named, createMomentReader(now, 'es-ES'));
  expect(parsed).toMatchObject({ when: 'mañana por la mañana', platforms: ['X'], text: 'Hola' });
  expect(parsed.project).toBeUndefined();
});

test('“and no linkedin” after a platform is part of the text, and a note says so', () =>
  expect(parseLine('friday 9am on x and no linkedin: Hello', projects, moments)).toMatchObject({
    ...{ platforms: ['X'], unreadWords: 'and no linkedin', text: 'and no linkedin: Hello' },
  }));
