import { expect, test } from 'vitest';
import { createMomentReader } from '../../../../src/features/schedule-post/prefill/moment-reader.ts';
import { parseLine } from '../../../../src/features/schedule-post/prefill/parse-line.ts';

/** A Tuesday. */
const now = new Date('2026-12-01T07:00:00Z');

function parse(locale: string, line: string) {
  return parseLine(line, { items: [], isTruncated: false }, createMomentReader(now, locale));
}

test.each([
  [
    'en',
    'friday 9am on x Live on Facebook: ask us anything',
    'friday 9am',
    ['X'],
    'Live on Facebook: ask us anything',
  ],
  [
    'en',
    'friday 9am on x Also on LinkedIn: three open jobs',
    'friday 9am',
    ['X'],
    'Also on LinkedIn: three open jobs',
  ],
  [
    'en',
    'friday 9am on x Now on LinkedIn: three open jobs',
    'friday 9am',
    ['X'],
    'Now on LinkedIn: three open jobs',
  ],
  [
    'en',
    'LinkedIn friday 10am Webinar at 15:00: join us',
    'friday 10am',
    ['LINKEDIN'],
    'Webinar at 15:00: join us',
  ],
  [
    'en',
    'tomorrow 2pm on instagram Find us on TikTok: link in bio',
    'tomorrow 2pm',
    ['INSTAGRAM'],
    'Find us on TikTok: link in bio',
  ],
  [
    'en',
    'on x tomorrow 8:30 Recap on YouTube: 12 minutes of jazz',
    'tomorrow 8:30',
    ['X'],
    'Recap on YouTube: 12 minutes of jazz',
  ],
  [
    'en',
    'x friday noon Tickets via Telegram: ask Mia',
    'friday noon',
    ['X'],
    'Tickets via Telegram: ask Mia',
  ],
  [
    'en',
    'dec 10 9am on x Follow us on Instagram: @harbour',
    'dec 10 9am',
    ['X'],
    'Follow us on Instagram: @harbour',
  ],
  [
    'en',
    'friday 9am x Watch on youtube: the making of',
    'friday 9am',
    ['X'],
    'Watch on youtube: the making of',
  ],
  [
    'de',
    'Freitag 9 Uhr auf x Live auf Facebook: fragt uns alles',
    'Freitag 9 Uhr',
    ['X'],
    'Live auf Facebook: fragt uns alles',
  ],
  [
    'de',
    'Freitag 9 Uhr auf x Auch auf LinkedIn: drei offene Stellen',
    'Freitag 9 Uhr',
    ['X'],
    'Auch auf LinkedIn: drei offene Stellen',
  ],
  [
    'de',
    'LinkedIn Freitag 10 Uhr Webinar um 15:00: jetzt anmelden',
    'Freitag 10 Uhr',
    ['LINKEDIN'],
    'Webinar um 15:00: jetzt anmelden',
  ],
  [
    'fr',
    'vendredi 9h sur x En direct sur Facebook : posez vos questions',
    'vendredi 9h',
    ['X'],
    'En direct sur Facebook : posez vos questions',
  ],
  [
    'fr',
    'vendredi 9h sur x Aussi sur LinkedIn : trois postes',
    'vendredi 9h',
    ['X'],
    'Aussi sur LinkedIn : trois postes',
  ],
  [
    'fr',
    'LinkedIn vendredi 10h Webinaire à 15h : inscrivez-vous',
    'vendredi 10h',
    ['LINKEDIN'],
    'Webinaire à 15h : inscrivez-vous',
  ],
  [
    'es',
    'viernes 9h en x En directo en Facebook: pregunta lo que quieras',
    'viernes 9h',
    ['X'],
    'En directo en Facebook: pregunta lo que quieras',
  ],
  [
    'es',
    'viernes 9h en x También en LinkedIn: tres vacantes',
    'viernes 9h',
    ['X'],
    'También en LinkedIn: tres vacantes',
  ],
  [
    'es',
    'LinkedIn viernes 10h Webinar a las 15:00: apúntate',
    'viernes 10h',
    ['LINKEDIN'],
    'Webinar a las 15:00: apúntate',
  ],
  [
    'it',
    'venerdì alle 9 su x In diretta su Facebook: chiedeteci tutto',
    'venerdì alle 9',
    ['X'],
    'In diretta su Facebook: chiedeteci tutto',
  ],
  [
    'it',
    'venerdì alle 9 su x Anche su LinkedIn: tre posizioni aperte',
    'venerdì alle 9',
    ['X'],
    'Anche su LinkedIn: tre posizioni aperte',
  ],
  [
    'it',
    'LinkedIn venerdì ore 10 Webinar alle 15:00: iscrivetevi',
    'venerdì ore 10',
    ['LINKEDIN'],
    'Webinar alle 15:00: iscrivetevi',
  ],
  [
    'pt',
    'sexta 9h no x Ao vivo no Facebook: pergunte o que quiser',
    'sexta 9h',
    ['X'],
    'Ao vivo no Facebook: pergunte o que quiser',
  ],
  ['pt', 'sexta 9h no x Também no LinkedIn: três vagas', 'sexta 9h', ['X'], 'Também no LinkedIn: três vagas'],
  [
    'pt',
    'LinkedIn sexta 10h Webinar às 15h: inscreva-se',
    'sexta 10h',
    ['LINKEDIN'],
    'Webinar às 15h: inscreva-se',
  ],
  [
    'nl',
    'vrijdag 9 uur op x Live op Facebook: vraag maar raak',
    'vrijdag 9 uur',
    ['X'],
    'Live op Facebook: vraag maar raak',
  ],
  [
    'nl',
    'vrijdag 9 uur op x Ook op LinkedIn: drie vacatures',
    'vrijdag 9 uur',
    ['X'],
    'Ook op LinkedIn: drie vacatures',
  ],
  [
    'nl',
    'LinkedIn vrijdag 10 uur Webinar om 15:00: doe mee',
    'vrijdag 10 uur',
    ['LINKEDIN'],
    'Webinar om 15:00: doe mee',
  ],
])('after a time and a platform, all is text, in %s: %s', (locale, line, when, platforms, text) =>
  expect(parse(locale, line)).toMatchObject({ when, platforms, text, unreadWords: '' }),
);

test.each([
  ['friday 9am on x new on threads: our weekly quiz', 'new on threads'],
  ['friday 9am on x, also on linkedin: Hello', 'also on linkedin'],
  ['friday 9am live on facebook: ask us anything', 'live on facebook'],
  ['friday 9am Live on Facebook: ask us anything', 'Live on Facebook'],
])('a note quotes words of the text that may have been meant otherwise: %s', (line, note) => {
  const { text, unreadWords, platforms } = parse('en', line);
  expect({ text, unreadWords }).toEqual({ text: line.slice(line.indexOf(note)), unreadWords: note });
  expect(platforms).toEqual(line.includes('on x') ? ['X'] : []);
});

test.each([
  ['en', 'May I introduce our new colleague Ana?'],
  ['en', 'March for Science, see you there'],
  ['en', 'This week in coffee: five stories'],
  ['en', 'Until Sunday: free delivery'],
  ['en', 'May the fourth be with you'],
  ['en', 'Next week we move house'],
  ['en', 'This month only: free refills'],
  ['en', 'August Escoffier taught us everything'],
  ['en', 'April Jones joins the team'],
  ['en', 'June and Tom got married here'],
  ['en', 'Second Sunday of Advent: mulled wine'],
  ['en', 'Midnight in Paris: film night'],
  ['en', 'In two weeks we celebrate ten years'],
  ['en', 'Four weeks, four recipes'],
  ['de', 'Bis Sonntag: kostenloser Versand'],
  ['de', 'August Macke im Café'],
  ['fr', 'Nouvel an, nouveau menu'],
  ['fr', 'Jusqu’à dimanche : livraison offerte'],
  ['fr', 'Ce soir on danse'],
  ['fr', 'Dès lundi, nouveaux horaires'],
  ['fr', 'Lundi de Pâques : fermé'],
  ['fr', '24 heures pour en profiter'],
  ['es', 'Mar de fondo'],
  ['es', 'Hasta el domingo: envío gratis'],
  ['es', 'Año nuevo, carta nueva'],
  ['es', 'Esta noche bailamos'],
  ['es', 'Sábado santo: cerrado'],
  ['es', '24 horas para aprovechar'],
  ['it', 'Dom Pérignon in offerta'],
  ['it', 'Mar Rosso in un bicchiere'],
  ['it', 'Fino a domenica: spedizione gratis'],
  ['it', 'Da lunedì apriamo alle 7'],
  ['it', 'Pasquetta: chiuso'],
  ['it', '24 ore per approfittarne'],
  ['pt', 'Quinta da boa vista'],
  ['pt', 'Até domingo: frete grátis'],
  ['pt', 'Ano novo, cardápio novo'],
  ['pt', 'Hoje à noite tem samba'],
  ['pt', 'A partir de segunda abrimos às 7h'],
  ['pt', '24 horas para aproveitar'],
  ['nl', 'Tot zondag: gratis verzending'],
  ['nl', 'Vanaf maandag open om 7 uur'],
  ['nl', 'Koningsdag: gesloten'],
  ['nl', '24 uur om te profiteren'],
  ['ja', '日曜まで：送料無料'],
])('a sentence that begins like a time is all text, in %s: %s', (locale, line) =>
  expect(parse(locale, line)).toMatchObject({ when: '', platforms: [], isDraft: false, text: line }),
);

test.each([
  ['en', 'May I introduce our new colleague Ana?', 'May', 'I introduce our new colleague Ana?'],
  ['en', 'This week in coffee: five stories', 'This week', 'in coffee: five stories'],
  ['fr', 'Nouvel an, nouveau menu', 'Nouvel an', 'nouveau menu'],
  ['it', 'Dom Pérignon in offerta', 'Dom', 'Pérignon in offerta'],
])('and its time is offered, in %s: %s', (locale, line, when, text) =>
  expect(parse(locale, line).offer).toMatchObject({ when, text }),
);

test.each([
  [
    'en',
    'friday 9am on x draft Live on Facebook: ask us anything',
    'friday 9am',
    ['X'],
    'Live on Facebook: ask us anything',
  ],
  ['en', 'Draft on linkedin: Hello', '', ['LINKEDIN'], 'Hello'],
  ['en', 'Draft: Hello world', '', [], 'Hello world'],
  ['de', 'Entwurf auf linkedin: Hallo', '', ['LINKEDIN'], 'Hallo'],
  ['de', 'Entwurf: Hallo Welt', '', [], 'Hallo Welt'],
  ['de', 'Entwurf für Freitag 9 Uhr auf x: Hallo', 'Freitag 9 Uhr', ['X'], 'Hallo'],
  ['fr', 'Brouillon sur linkedin : Bonjour', '', ['LINKEDIN'], 'Bonjour'],
  ['fr', 'brouillon sur x : Bonjour', '', ['X'], 'Bonjour'],
  ['fr', 'Brouillon : Bonjour', '', [], 'Bonjour'],
  ['es', 'Borrador en linkedin: Hola', '', ['LINKEDIN'], 'Hola'],
  ['es', 'borrador en x: Hola', '', ['X'], 'Hola'],
  ['es', 'Borrador: Hola', '', [], 'Hola'],
  ['it', 'Bozza su linkedin: Ciao', '', ['LINKEDIN'], 'Ciao'],
  ['it', 'bozza su x: Ciao', '', ['X'], 'Ciao'],
  ['it', 'Bozza: Ciao', '', [], 'Ciao'],
  ['pt', 'Rascunho no linkedin: Oi', '', ['LINKEDIN'], 'Oi'],
  ['pt', 'rascunho no x: Oi', '', ['X'], 'Oi'],
  ['pt', 'Rascunho: Oi', '', [], 'Oi'],
  ['nl', 'Concept op linkedin: Hallo', '', ['LINKEDIN'], 'Hallo'],
  ['nl', 'concept op x: Hallo', '', ['X'], 'Hallo'],
  ['nl', 'Als concept op x: Hallo', '', ['X'], 'Hallo'],
  ['ja', '下書き linkedin: こんにちは', '', ['LINKEDIN'], 'こんにちは'],
  ['ja', '下書き xで：こんにちは', '', ['X'], 'こんにちは'],
  ['ja', '下書き：こんにちは', '', [], 'こんにちは'],
])('a draft begins with the word for it, in %s: %s', (locale, line, when, platforms, text) =>
  expect(parse(locale, line)).toMatchObject({ isDraft: true, when, platforms, text, unreadWords: '' }),
);

test.each([
  ['en', 'post our menu on x tomorrow at 9', 'tomorrow at 9', 'our menu'],
  ['en', 'please post the new photo on instagram friday 5pm', 'friday 5pm', 'the new photo'],
  [
    'en',
    'schedule the newsletter teaser for linkedin monday 10:00',
    'for monday 10:00',
    'the newsletter teaser',
  ],
  ['de', 'poste unsere Karte auf x morgen um 9', 'morgen um 9', 'poste unsere Karte'],
])(
  'a request in a sentence is text, and what it asks for is offered, in %s: %s',
  (locale, line, when, text) => {
    const { offer, ...parsed } = parse(locale, line);
    expect(parsed).toMatchObject({ when: '', platforms: [], text: line });
    expect(offer).toMatchObject({ when, text });
    expect(offer?.platforms).toHaveLength(1);
  },
);

test.each([
  ['en', 'Fri, Dec 4, 2026 9:00 AM | LinkedIn | We are hiring', 'LINKEDIN', 'We are hiring'],
  ['de', 'LinkedIn | 4.12.2026 9:00 Uhr | Wir stellen ein', 'LINKEDIN', 'Wir stellen ein'],
  ['fr', '4/12 9h LinkedIn - Grande nouvelle', 'LINKEDIN', 'Grande nouvelle'],
  ['ja', '12月4日(金) 9:00 | X | 採用中 | 東京', 'X', '採用中 | 東京'],
  ['es', 'vie 4/12 9:00 x; ¡Ganamos!', 'X', '¡Ganamos!'],
  ['en', 'fri 9am x for the win!', 'X', 'for the win!'],
  ['en', 'x fri 9am — 4 lessons from 4 years', 'X', '4 lessons from 4 years'],
])(
  'cells and marks separate the text from a time and its platform, in %s: %s',
  (locale, line, name, text) => {
    expect(parse(locale, line)).toMatchObject({ platforms: [name], text, unreadWords: '' });
    expect(parse(locale, line).when).toMatch(/4.*9|fri 9/);
  },
);

test.each([
  ['12/4 9時 LinkedIn 大きなお知らせ', '12/4 9時', ['LINKEDIN'], '大きなお知らせ'],
  ['金曜9時半 Xとthreads 新しい豆', '金曜9時半', ['X', 'THREADS'], '新しい豆'],
  ['明日10時にLinkedInで投稿して：チーム紹介', '明日10時に', ['LINKEDIN'], 'チーム紹介'],
  ['Xとfacebookに金曜13時：週末の予定は？', '金曜13時', ['X', 'FACEBOOK'], '週末の予定は？'],
  ['明日9時、x、優勝！', '明日9時', ['X'], '優勝！'],
  ['月曜8時 tiktok 月曜のやる気：続けよう', '月曜8時', ['TIKTOK'], '月曜のやる気：続けよう'],
  ['x 18時 あと1日', '18時', ['X'], 'あと1日'],
])('a name before Japanese words is a platform: %s', (line, when, platforms, text) => {
  expect(parse('ja', line)).toMatchObject({ when, platforms, text, unreadWords: '' });
});

test.each([
  ['de', 'x 18 Uhr Zwei Tage bis zum Start', '18 Uhr', 'Zwei Tage bis zum Start'],
  ['fr', 'x 18h Deux jours avant le lancement', '18h', 'Deux jours avant le lancement'],
  ['nl', 'x 18u Twee dagen tot de lancering', '18u', 'Twee dagen tot de lancering'],
  ['fr', '14h sur x Bonjour', '14h', 'Bonjour'],
])(
  'a count that begins a text after an hour isn’t a part of the time, in %s: %s',
  (locale, line, when, text) => {
    expect(parse(locale, line)).toMatchObject({ when, platforms: ['X'], text, unreadWords: '' });
  },
);

test.each([
  ['de', 'Fr 9 Uhr Entwurf x Bier ist da', 'Bier ist da'],
  ['fr', 'ven 9h brouillon x La bière est là', 'La bière est là'],
  ['es', 'vie 9h borrador x Llegó la cerveza', 'Llegó la cerveza'],
  ['pt', 'sex 9h rascunho x Chegou a cerveja', 'Chegou a cerveja'],
  ['it', 'ven alle 9 bozza x È arrivata la birra', 'È arrivata la birra'],
  ['ja', '金曜9時 下書き x ビールが来ました', 'ビールが来ました'],
])('a draft may be named between the time and the platform, in %s: %s', (locale, line, text) => {
  expect(parse(locale, line)).toMatchObject({ isDraft: true, platforms: ['X'], text, unreadWords: '' });
});

test.each([
  ['en', 'In 2 weeks: our biggest sale', 'In 2 weeks'],
  ['de', 'In 2 Wochen: unser größter Sale', 'In 2 Wochen'],
  ['es', 'En 2 semanas: rebajas', 'En 2 semanas'],
  ['en', 'Two for Tuesday', 'Two for Tuesday'],
])(
  'words that may only count or sound like a time are text, and offered, in %s: %s',
  (locale, line, when) => {
    expect(parse(locale, line)).toMatchObject({ when: '', text: line, offer: { when } });
  },
);

test.each(['One more week!', 'あと1週間！'])('an exclamation is text: %s', (line) => {
  expect(parse('ja', line)).toMatchObject({ when: '', text: line });
});

test('words after a quotation stay in the text, and a note asks about them', () => {
  expect(parse('en', 'x fri 9am “Culture eats strategy” – a thread')).toMatchObject({
    when: 'fri 9am',
    text: '“Culture eats strategy” – a thread',
    unreadWords: '– a thread',
  });
});

test.each(['x friday 9am - 11am', 'x friday 9am – noon'])('a dash before an hour is a range: %s', (line) => {
  expect(parse('en', line)).toMatchObject({ when: line.slice(2), text: '' });
});
