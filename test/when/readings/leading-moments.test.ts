import { expect, test } from 'vitest';
import { findLeadingMoments } from '../../../src/when/when.ts';
import { FRIDAY } from '../read.ts';

/** Returns the lines of which another time than the first part is found. */
function wrongLines(locale: string, times: readonly string[], texts: readonly string[]): readonly string[] {
  return times.flatMap((words) =>
    texts.flatMap((rest) => {
      const text = `${words} ${rest}`;
      const found = findLeadingMoments({ text, now: FRIDAY, zone: 'Europe/Berlin', locale });
      return found?.words === words && found.rest === rest ? [] : [`${text}: ${found?.words}`];
    }),
  );
}

test.each([
  [
    'en-US',
    ['tomorrow 9am', 'friday 7pm', 'friday', 'in two weeks', 'friday in two weeks', 'on 3 March at 10:30'],
    [
      ...['Dinner for two', 'Today we dance', 'March with us', 'Black Friday starts now'],
      ...['In two weeks we launch', '🎉 Big launch', '20 % off'],
    ],
  ],
  [
    'en-US',
    ['tomorrow 9am', 'friday', 'friday in two weeks', '3 March'],
    ['10 years of us', '3 for 2 on all books', '$20 off', '5 € off'],
  ],
  [
    'de',
    ['morgen 9 Uhr', 'in 2 Stunden', 'Freitag Abend'],
    ['Am Freitag geht es los', '20 % auf alles', 'Weihnachten naht', 'London ruft'],
  ],
  ['de', ['morgen 9 Uhr', 'der 3. März', 'Freitag Abend'], ['10 Jahre Liebe', '3 für 2 auf alle Bücher']],
  [
    'fr',
    ['demain 9h', 'vendredi', 'le 3 mars', 'dans deux semaines'],
    ['Soirée pizza', 'Un an déjà', '20 % sur tout', 'Noël approche', 'Paris nous appelle'],
  ],
  ['fr', ['demain 9h'], ['soirée pizza', 'nuit blanche à Paris', '1er épisode en ligne']],
  ['fr', ['demain 9h', 'vendredi 18h'], ['Réveillon 2026', '10 ans de café', 'Quart de finale']],
  ['es', ['mañana 9h', 'viernes'], ['Noche de pizza', 'Hoy celebramos', 'Mar y sol', '20 % en todo']],
  ['es', ['mañana 9h'], ['noche de pizza', 'tarde de juegos']],
  ['it', ['domani alle 9', 'venerdì'], ['Oggi si festeggia', 'Mar Rosso', '20 % su tutto', '10 anni di noi']],
  ['pt', ['amanhã 9h', 'sexta'], ['Noite de pizza', 'Hoje celebramos', 'Out novo', '10 anos de nós']],
  ['nl', ['morgen 9 uur', '1 december 14 uur'], ['Weekend!', 'Avond van de pizza', '10 jaar koffie']],
] as const)(
  'in %s, no word of a text is taken for a part of the time before it: %j',
  (locale, times, texts) => {
    expect(wrongLines(locale, times, texts)).toEqual([]);
  },
);

test.each([
  ['en-US', ['on 3 March at 10:30', '3 March', 'the 1st of May', '1st May', 'May 4', 'friday May 4']],
  ['en-US', ['friday in two weeks', '9am friday in two weeks', 'next month', 'in two weeks', 'this weekend']],
  ['en-US', ['tuesday December 1', 'Thursday 6pm Christmas Eve', 'in 1 hour 30 minutes', 'Monday Morning']],
  [
    'en-US',
    ['tomorrow 9am New York', 'tomorrow 9am New York time', '9am New York tomorrow', '9am PT tomorrow'],
  ],
  ['en-US', ['tomorrow 9am Central European Time', 'tomorrow 9am CET', 'tomorrow 9am in London']],
  [
    'en-US',
    ['Tomorrow At 9am', 'Easter Monday', 'tomorrow 9 A.M.', 'tomorrow 9am Tokyo time', '9 P.M. tomorrow'],
  ],
  ['de', ['am Samstag Abend', 'Samstag Abend um 8', 'nächsten Montag Morgen']],
  ['en-US', ['end of march', 'in Q4', 'next week Thursday', 'Mon 9am, Tue and Wed 10am']],
  [
    'de',
    ['der 3. März', 'am 3. März um 10:30', 'Ende März', 'Freitag Abend', 'Montag Morgen', 'heute Abend'],
  ],
  ['de', ['Am 5. Dezember Um 18 Uhr', 'Am 5.12. Um 18 Uhr']],
  ['de', ['in zwei Wochen', 'in 2 Stunden', 'Freitag 18 Uhr 30', 'morgen Viertel nach 9']],
  ['fr', ['le 3 Mars', 'le 25 Décembre à 9h', 'demain à neuf heures', 'demain neuf heures et quart']],
] as const)('in %s, all words of a time belong to it: %j', (locale, times) => {
  expect(wrongLines(locale, times, ['We are live', '"Quote of the day"', '#launch'])).toEqual([]);
});

test.each([
  ['en-US', 'March Madness'],
  ['en-US', 'may all your dreams come true'],
  ['en-US', 'Summer Sale'],
  ['en-US', 'evening classes start soon'],
  ['en-US', '2027 trends'],
  ['de', 'wochenende voller musik'],
  ['de', 'besser spät als nie'],
  ['fr', 'soirée pizza'],
  ['es', 'fin de semana loco'],
  ['es', 'la mejor tarde de tu vida'],
  ['es', 'tarde o temprano llega'],
  ['it', 'meglio tardi che mai'],
  ['pt', 'fim de semana chegou'],
  ['nl', 'avond van de pizza'],
] as const)('in %s, no day is said, so it’s all text: %s', (locale, text) => {
  expect(findLeadingMoments({ text, now: FRIDAY, zone: 'Europe/Berlin', locale })).toBeUndefined();
});

test.each([
  ['en-US', 'summer', 'We are live'],
  ['en-US', 'this weekend', 'we are live'],
  ['en-US', 'tue 10am', 'late night shopping'],
  ['en-US', 'weekend', 'for Harbour Coffee'],
  ['en-US', 'tuesday 10am', 'the 12 days of Christmas begin'],
  ['en-US', 'wed 11am', 'midweek reset with Dana'],
  ['en-US', '9am a week from friday', 'we open'],
  ['en-US', '9am three days before christmas', 'we open'],
  ['en-US', '9am ET tomorrow', '- Early bird pricing ends'],
  ['en-US', 'saturday 9am', 'small business saturday is today'],
  ['fr', 'samedi 11h', 'deux jours de fête'],
  ['nl', 'zaterdag 11 uur', 'twee dagen feest'],
  ['it', '24/12 ore 16', 'Buona vigilia a tutti'],
  ['pt', 'hoje 20h', 'Às 21h a gente começa'],
] as const)('in %s, %j is the time before %j', (locale, words, rest) => {
  expect(wrongLines(locale, [words], [rest])).toEqual([]);
});

test.each([
  ['en-US', 'tomorrow 9am', 'Mountain trip'],
  ['en-US', 'Easter Monday', 'we are closed'],
  ['en-US', 'tomorrow 9am Eastern', 'we are live'],
  ['en-US', 'tomorrow 9am', 'new york is calling'],
  ['en-US', 'midnight', 'New York Fashion Week'],
  ['en-US', 'friday 9am London', 'Black Friday starts'],
  ['en-US', 'friday 9am Pacific', 'New Video Out Now'],
  ['en-US', 'friday 9am London', 'New Video Out Now'],
  ['en-US', 'friday 11am', '1st birthday party'],
  ['en-US', 'tuesday 2pm', '1st come, 1st served'],
  ['en-US', 'tuesday 2pm 1st day of december', 'we open'],
  ['en-US', 'tuesday 2pm 1st', 'then we open'],
  ['en-US', '7pm december 24th', 'we celebrate'],
  ['en-US', '7pm monday 7th', 'brunch'],
  ['de', '9 uhr montag 7.', 'öffnen wir'],
  ['en-US', 'tomorrow nine ten', 'we open'],
  ['en-US', 'tomorrow at eight evening', 'show'],
  ['it', 'domani 18:30', 'sera di pizza'],
  ['en-US', 'friday 11am', 'night owls rejoice'],
  ['en-US', 'friday 9 pm', 'a new era'],
  ['de', 'freitag 9 uhr', 'zwei neue folgen'],
  ['de', 'freitag 9 uhr dreißig', 'neue folge'],
  ['fr', 'vendredi 9h', 'deux nouveautés'],
  ['fr', 'demain 9h soir', 'nous sommes là'],
  ['de', 'mo 9 uhr', '2. staffel startet'],
  ['de', 'Freitag', '3-nach-9 Party'],
  ['de', 'Freitag', '1-vor-12 Gin'],
  ['en-US', 'in Q1 2027', 'Days like these'],
  ['en-US', 'Dec 1 and Dec 3', 'Minutes matter'],
  ['en-US', 'half past 9', 'Second chance'],
  ['de', 'am ersten Montag im Dezember', 'Wir sind live'],
  ['de', 'am ersten Advent', 'bald'],
  ['de', 'im 1. Quartal 2027', '50/50'],
  ['de', 'am 3. März 2027', 'Jahr im Rückblick'],
  ['de', 'morgen 9 Uhr Berliner Zeit', 'nur heute'],
  ['en-US', 'friday', '9 to 5 is over'],
  ['en-US', 'tomorrow', '9 am to 5 pm open house'],
  ['en-US', 'tomorrow', '9am to noon open house'],
  ['en-US', 'friday', '10 am – 4 pm sale in store'],
  ['en-US', 'tomorrow 9am', '– Two new flavours'],
  ['en-US', 'tomorrow 3pm', '- Noon special'],
  ['en-US', 'tomorrow 3', '– 5 things to know'],
  ['en-US', 'tomorrow 3pm', '– 2h workshop'],
  ['en-US', 'tomorrow 3pm', '– Midnight sale'],
  ['de', 'morgen 15 Uhr', '– 24h Rabatt'],
  ['de', 'morgen 15', '– 5 Tipps'],
  ['fr', 'demain 15h', '- 24h de soldes'],
  ['fr', 'demain 15h', '– Midi pile'],
  ['es', 'mañana 15h', '- 24h de ofertas'],
  ['nl', 'morgen 15u', '– 24u korting'],
  ['it', 'domani 15:00', '- 24h di sconti'],
  ['de', 'morgen', '9 Uhr bis 17 Uhr Tag der offenen Tür'],
  ['fr', 'demain', '9h à midi portes ouvertes'],
  ['es', 'mañana', 'de 9 a 17 h puertas abiertas'],
  ['pt', 'amanhã', 'das 9h às 17h portas abertas'],
  ['it', 'domani', 'dalle ore 9 alle ore 17 porte aperte'],
  ['nl', 'morgen', 'van 9 tot 17 uur open dag'],
  ['en-US', 'wed 4pm', 'Q4 numbers are in'],
  ['en-US', 'tomorrow 9am ET', 'Call for papers'],
  ['en-US', 'mon 9:00 et', 'we open'],
  ['en-US', 'demain 9:00', 'et ça repart'],
  ['en-US', 'tomorrow 9am', 'et tout'],
  ['en-US', 'friday 9am', 'et tu brute'],
  ['en-US', 'friday 9am', 'ET was right'],
  ['fr', 'lundi 9:00 et 17:00', 'on ouvre'],
  ['en-US', 'friday 9am', 'halloween party'],
  ['en-US', 'friday 9am local time', 'we open'],
  ['pt', 'amanhã 9h', 'segunda chance'],
  ['pt', 'terça 10h', 'a partir de hoje 20 %'],
  ['fr', 'demain 9h', 'à la boutique'],
  ['de', 'morgen 9 Uhr', '10 bis 12 Plätze frei'],
  ['en-US', 'friday 9am', 'to 5 winners'],
  ['en-US', 'friday 10 to 5', 'we are live'],
  ['en-US', 'tomorrow 9am', 'sat down with Dana'],
  ['en-US', 'monday 7pm', 'weekend vibes'],
  ['en-US', 'monday 7pm', 'may contain nuts'],
  ['en-US', 'friday 7pm', 'christmas market'],
  ['en-US', 'tuesday 9am', 'december drop'],
  ['de', 'Di 9 Uhr', 'Am 5.12. um 18 Uhr'],
  ['de', 'Di 9 Uhr', 'Ab 5.12. neue Zeiten'],
  ['en-US', 'friday 5pm', 'late night menu'],
  ['nl', 'december 9 uur', 'brunch'],
  ['nl', 'dinsdag 14 uur', '1ste editie'],
  ['de', 'Di 14 Uhr', '1. Folge'],
  ['en-US', '2pm', '2nd week in a row'],
  ['de', '9 Uhr', 'Karneval in Köln'],
  ['it', 'alle 9', 'Carnevale a Venezia'],
  ['de', '9 Uhr am 1. Dezember', '50 % auf alles'],
  ['de', 'Di 14 Uhr 1.', 'Wir sind live'],
  ['fr', 'mardi 14h', '1re édition'],
])('in %s, a time, and a text that begins like one: %s | %s', (locale, words, rest) => {
  expect(wrongLines(locale, [words], [rest])).toEqual([]);
});

test.each([
  ['en-US', 'Thursday 6pm Christmas Eve'],
  ['de', 'morgen 8 Uhr Abends'],
])('at the end of a text, words with a capital belong to the time, in %s: %s', (locale, text) => {
  expect(findLeadingMoments({ text, now: FRIDAY, zone: 'Europe/Berlin', locale })).toMatchObject({
    words: text,
    rest: '',
  });
});

test.each([
  ['en-US', 'A few days left'],
  ['en-US', 'A couple of weeks ago we opened'],
  ['en-US', 'Half an hour of music'],
  ['de', 'Ein paar Stunden Pause'],
  ['de', 'Ein paar Wochen Sommer'],
  ['de', 'Ein paar Wochen später waren wir da'],
  ['de', 'Ein paar Jahre Harbour Coffee'],
  ['de', 'Halbes Jahr geschafft'],
  ['de', '5-vor-12 Aktion'],
  ['de', '2-vor-8 Regel'],
  ['fr', '1 1/2 heure de pause'],
  ['es', 'Un par de minutos de pausa'],
  ['it', 'Un paio di settimane fa abbiamo aperto'],
  ['it', 'Un paio di anni dopo siamo qui'],
  ['it', "Un paio d'ore di pausa"],
  ['nl', 'Een paar weken geleden openden we onze winkel'],
  ['nl', 'Een paar minuten rust'],
])('no time stands before a text that begins with a duration or a name, in %s: %s', (locale, text) => {
  expect(findLeadingMoments({ text, now: FRIDAY, zone: 'Europe/Berlin', locale })).toBeUndefined();
});
