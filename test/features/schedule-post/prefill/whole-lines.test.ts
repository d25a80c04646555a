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
