import { describe, expect, test } from 'vitest';
import { understandMoments } from '../../../src/when/readings/moments/understand-moments.ts';
import { understandRange } from '../../../src/when/readings/ranges/understand-range.ts';
import { understandRecurrence } from '../../../src/when/readings/recurrences/understand-recurrence.ts';
import { FRIDAY } from '../read.ts';
import { renderMomentsReading, renderRangeReading, renderRecurrenceReading } from './render-readings.ts';

describe('recurrences in other languages are understood', () => {
  test.each([
    ['de', 'werktags 8:30', 'weekdays at 08:30'],
    ['de', '1x pro Woche montags 9 Uhr', 'every Monday at 09:00'],
    ['fr', 'une fois par semaine le lundi 9h', 'every Monday at 09:00'],
    ['es', 'una vez por semana los lunes a las 9', 'every Monday at 09:00'],
    ['pt', 'uma vez por semana à segunda 9h', 'every Monday at 09:00'],
    ['it', 'una volta a settimana il lunedì 9:00', 'every Monday at 09:00'],
    ['nl', '1x per week op maandag 9u', 'every Monday at 09:00'],
    ['ja', '週1回月曜9時', 'every Monday at 09:00'],
    ['fr', 'tous les soirs à 8h', 'every day at 20:00'],
    ['es', 'todas las mañanas a las 8', 'every day at 08:00'],
    ['pt', 'toda manhã às 8', 'every day at 08:00'],
    ['de', 'jeden Montag um 9:00', 'every Monday at 09:00'],
    ['de', 'montags und donnerstags 12 Uhr', 'Mon and Thu at 12:00'],
    ['fr', 'tous les jours à 8h30', 'every day at 08:30'],
    ['fr', 'les lundis et jeudis à midi', 'Mon and Thu at 12:00'],
    ['fr', 'du lundi au vendredi à 9h30', 'weekdays at 09:30'],
    ['es', 'los fines de semana a las 10:00', 'weekends at 10:00'],
    ['it', 'dal lunedì al venerdì alle 9:30', 'weekdays at 09:30'],
    ['pt', 'segundas e quintas às 10:00', 'Mon and Thu at 10:00'],
    ['ja', '平日 8時30分', 'weekdays at 08:30'],
    ['ja', '毎週月曜日と木曜日の12時', 'Mon and Thu at 12:00'],
    ['ja', '月・水・金 10:00', 'Mon, Wed and Fri at 10:00'],
    ['ja', '毎日10時', 'every day at 10:00'],
    ['ja', '2月1日から3月1日まで毎週火曜9時', 'every Tuesday at 09:00, from 1 Feb 2027, until 1 Mar 2027'],
    ['ja', '12月末まで毎週火曜', 'every Tuesday at 09:00, until 31 Dec 2026'],
    ['ja', '毎週火曜9時、12/31まで', 'every Tuesday at 09:00, until 31 Dec 2026'],
    ['ja', '来月から毎週火曜9時', 'every Tuesday at 09:00, from 1 Dec 2026'],
    ['ja', '月曜から金曜まで毎日9時', 'weekdays at 09:00'],
    ['fr', 'le mardi et le jeudi uniquement, 10h', 'Tue and Thu at 10:00'],
    ['es', 'los días 1 y 15 de cada mes a las 9', 'the 1st and 15th of every month at 09:00'],
    ['pt', 'dias 1 e 15 de cada mês às 9h', 'the 1st and 15th of every month at 09:00'],
    ['de', 'Mo und Di je 9 Uhr', 'Mon and Tue at 09:00'],
    ['de', 'jeweils montags 9 Uhr', 'every Monday at 09:00'],
    ['es', 'todos los días de lunes a viernes a las 9', 'weekdays at 09:00'],
    ['nl', 'elke dag ma-vr 9 uur', 'weekdays at 09:00'],
  ])('%s: %s', (locale, text, expectedText) => {
    expect(renderRecurrenceReading(text, { locale })).toBe(expectedText);
  });

  test.each([
    ['de', 'jeden zweiten Montag 9 Uhr', 'every other Monday at 09:00, from 23 Nov 2026'],
    ['it', 'ogni due ore', 'every 2 hours'],
    ['de', 'jeden Freitagabend um 7', 'every Friday at 19:00'],
    ['nl', 'elke vrijdagavond 19 uur', 'every Friday at 19:00'],
    ['fr', 'tous les lundis à neuf heures et quart', 'every Monday at 09:15'],
    ['es', 'todos los lunes a las 9 y media', 'every Monday at 09:30'],
    ['es', 'cada día a las 9 y 17', 'every day at 09:00 and 17:00'],
    ['fr', 'chaque fin de mois à 17h', 'the last day of every month at 17:00'],
    ['es', 'a final de cada mes a las 17h', 'the last day of every month at 17:00'],
    ['nl', 'eind van elke maand 17 uur', 'the last day of every month at 17:00'],
    ['de', 'am 1. jedes Monats um 9 Uhr', 'the 1st of every month at 09:00'],
    ['de', 'jeden Montag bis März 9 Uhr', 'every Monday at 09:00, until 31 Mar 2027'],
    ['de', 'täglich außer sonntags um 9 und 17 Uhr', 'Mon, Tue, Wed, Thu, Fri and Sat at 09:00 and 17:00'],
    ['es', 'cada 15 días los lunes a las 9', 'every other Monday at 09:00, from 23 Nov 2026'],
    ['es', 'cada 15 días a las 9', 'every 15 days at 09:00, from 21 Nov 2026'],
    ['fr', 'ts les jours à 8h', 'every day at 08:00'],
    ['de', 'jeden Morgen um 8', 'every day at 08:00'],
    ['de', 'jeden Montagmorgen um 8', 'every Monday at 08:00'],
    ['nl', 'elke morgen om 8 uur', 'every day at 08:00'],
    ['pt', 'toda terça às 9h exceto dia 29 de dezembro', 'every Tuesday at 09:00 except 29 Dec 2026'],
    [
      'es',
      'todos los lunes 9h excepto del 20 de diciembre al 4 de enero',
      'every Monday at 09:00 except 20 Dec 2026 to 4 Jan 2027',
    ],
    ['ja', '毎月の末日 17時', 'the last day of every month at 17:00'],
    ['fr', 'un lundi sur deux à 9h', 'every other Monday at 09:00, from 23 Nov 2026'],
    ['fr', 'tous les jours ouvrés à 9h', 'weekdays at 09:00'],
    ['pt', 'todos os dias úteis às 9h', 'weekdays at 09:00'],
    ['fr', 'le 1er de chaque mois à 9h', 'the 1st of every month at 09:00'],
    ['fr', 'tous les lundis à 9h jusqu’en mars', 'every Monday at 09:00, until 31 Mar 2027'],
    ['fr', 'tous les mardis à 10h, 10 fois', 'every Tuesday at 10:00, from 24 Nov 2026, 10 times'],
    ['es', 'cada dos semanas los lunes a las 9:00', 'every other Monday at 09:00, from 23 Nov 2026'],
    ['es', 'el primer lunes de cada mes a las 10:00', 'the first Monday of every month at 10:00'],
    ['es', 'todos los días excepto el domingo 9:00', 'Mon, Tue, Wed, Thu, Fri and Sat at 09:00'],
    ['it', 'il 1 di ogni mese alle 9:00', 'the 1st of every month at 09:00'],
    ['it', 'ogni lunedì alle 9:00 fino a marzo', 'every Monday at 09:00, until 31 Mar 2027'],
    ['pt', 'última sexta-feira de cada mês às 17h', 'the last Friday of every month at 17:00'],
    ['pt', 'semana sim, semana não às 9h', 'every other Friday at 09:00, from 27 Nov 2026'],
    ['nl', 'om de week op maandag 9 uur', 'every other Monday at 09:00, from 23 Nov 2026'],
    ['nl', 'de 1e van elke maand om 9 uur', 'the 1st of every month at 09:00'],
    ['fr', 'le 1er de chaque mois à 9h à partir de mars', 'the 1st of every month at 09:00, from 1 Mar 2027'],
    ['es', 'el 1 de cada mes a las 9 desde marzo', 'the 1st of every month at 09:00, from 1 Mar 2027'],
    ['ja', '毎月15日と30日の10時', 'the 15th and 30th of every month at 10:00'],
    ['de', 'erster Montag im Quartal 9 Uhr', 'the first Monday of every 3 months at 09:00, from 4 Jan 2027'],
    [
      'de',
      'letzter Freitag im Quartal 9 Uhr',
      'the last Friday of every 3 months at 09:00, from 25 Dec 2026',
    ],
    [
      'fr',
      'premier lundi de chaque trimestre',
      'the first Monday of every 3 months at 09:00, from 4 Jan 2027',
    ],
    ['es', 'el primer lunes del trimestre', 'the first Monday of every 3 months at 09:00, from 4 Jan 2027'],
    ['it', 'primo lunedì di ogni trimestre', 'the first Monday of every 3 months at 09:00, from 4 Jan 2027'],
    ['pt', 'primeira segunda do trimestre', 'the first Monday of every 3 months at 09:00, from 4 Jan 2027'],
    ['nl', 'eerste maandag van het kwartaal', 'the first Monday of every 3 months at 09:00, from 4 Jan 2027'],
    ['ja', '毎四半期の第1月曜日', 'the first Monday of every 3 months at 09:00, from 4 Jan 2027'],
    ['de', 'jdeen Montag um 10', 'every Monday at 10:00'],
    ['fr', 'chaque mois fin de matinée', 'the 20th of every month at 11:00'],
    ['nl', 'elke maand half 9', 'the 20th of every month at 08:30 | the 20th of every month at 09:30'],
  ])('%s: %s', (locale, text, expectedText) => {
    expect(renderRecurrenceReading(text, { locale })).toBe(expectedText);
  });

  test.each([
    ['de', 'alle 5 Stunden'],
    ['fr', 'trois fois par semaine'],
    ['es', 'cada hora'],
    ['it', 'ogni trimestre'],
    ['pt', 'a cada 5 horas'],
    ['nl', 'elk uur'],
    ['ja', '毎時'],
    // An end without a day, which isn't the day of today.
    ['it', 'ogni mese alla fine alle 17'],
    ['fr', 'chaque mois à la fin 17h'],
    ['pt', 'todo mês no final às 17h'],
    ['es', 'cada mes al final a las 17'],
  ])('%s: %s is refused', (locale, text) => {
    expect(renderRecurrenceReading(text, { locale })).toBe('no');
  });
});

test.each([
  ['de', 'diese Woche', 'Mon 16 Nov to Sun 22 Nov'],
  ['de', 'vom 1. bis 5. Dezember', 'Tue 1 Dec to Sat 5 Dec'],
  ['de', 'die letzten 7 Tage', 'Fri 13 Nov to Fri 20 Nov, 11:15'],
  ['de', 'vor 3 Tagen', 'Tue 17 Nov'],
  ['de', 'vor Freitag', 'until Thu 26 Nov'],
  ['de', 'KW 48', 'Mon 23 Nov to Sun 29 Nov'],
  ['fr', 'hier', 'Thu 19 Nov'],
  ['es', 'del 1 al 5 de diciembre', 'Tue 1 Dec to Sat 5 Dec'],
  ['es', 'el mes pasado', 'Thu 1 Oct to Sat 31 Oct'],
  ['pt-PT', 'próximos 10 dias', 'Fri 20 Nov, 11:15 to Mon 30 Nov'],
  ['nl', 'vorige maand', 'Thu 1 Oct to Sat 31 Oct'],
  ['ja', '月曜日から金曜日まで', 'Mon 16 Nov to Fri 20 Nov'],
  ['de', 'erste Woche im Dezember', 'Mon 7 Dec to Sun 13 Dec | Tue 1 Dec to Mon 7 Dec'],
  ['it', 'prima settimana di dicembre', 'Mon 7 Dec to Sun 13 Dec | Tue 1 Dec to Mon 7 Dec'],
  ['es', 'jueves antes del mediodía', 'Thu 26 Nov, 00:00 to 12:00'],
  ['de', 'erste Hälfte Dezember', 'Tue 1 Dec to Tue 15 Dec'],
  ['de', 'ab der zweiten Dezemberhälfte', 'from Wed 16 Dec'],
  ['fr', 'd’ici la fin du mois', 'until Mon 30 Nov'],
  ['es', 'segunda quincena de enero', 'Sat 16 Jan 2027 to Sun 31 Jan 2027'],
  ['it', 'seconda metà del mese', 'Mon 16 Nov to Mon 30 Nov'],
  ['pt', 'primeira metade de dezembro', 'Tue 1 Dec to Tue 15 Dec'],
  ['nl', 'eerste helft van december', 'Tue 1 Dec to Tue 15 Dec'],
  ['de', 'der Rest des Monats', 'Fri 20 Nov, 11:15 to Mon 30 Nov'],
  ['es', 'el resto de la semana', 'Fri 20 Nov, 11:15 to Sun 22 Nov'],
  ['it', 'il resto dell’anno', 'Fri 20 Nov, 11:15 to Thu 31 Dec'],
  ['pt', 'o resto do mês', 'Fri 20 Nov, 11:15 to Mon 30 Nov'],
  ['nl', 'de rest van deze maand', 'Fri 20 Nov, 11:15 to Mon 30 Nov'],
  ['fr', 'la semaine en cours', 'Mon 16 Nov to Sun 22 Nov'],
  ['es', 'el mes en curso', 'Sun 1 Nov to Mon 30 Nov'],
  ['it', 'la settimana corrente', 'Mon 16 Nov to Sun 22 Nov'],
  ['pt', 'o mês atual', 'Sun 1 Nov to Mon 30 Nov'],
  ['fr', 'avant minuit', 'until Fri 20 Nov'],
  ['it', 'prima di mezzanotte', 'until Fri 20 Nov'],
  ['pt', 'antes da meia-noite', 'until Fri 20 Nov'],
  ['de', 'von jetzt bis Mitternacht', 'Fri 20 Nov, 11:15 to Sat 21 Nov, 00:00'],
  ['fr', 'demain avant midi', 'Sat 21 Nov, 06:00 to 12:00'],
  ['nl', 'vóór volgende week', 'until Sun 22 Nov'],
  ['nl', 'voor december', 'until Mon 30 Nov | Tue 1 Dec to Thu 31 Dec'],
  ['nl', 'voor volgende week', 'until Sun 22 Nov | Mon 23 Nov to Sun 29 Nov'],
  ['nl', 'voor vrijdag', 'until Thu 26 Nov'],
  ['nl', 'voor vandaag', 'Fri 20 Nov'],
  ['nl', 'voor deze week', 'Mon 16 Nov to Sun 22 Nov'],
  ['ja', '12月上旬', 'Tue 1 Dec to Thu 10 Dec'],
  ['ja', '12月中旬', 'Fri 11 Dec to Sun 20 Dec'],
  ['de', 'frühestens ab Montag', 'from Mon 23 Nov'],
  ['fr', 'pas avant lundi', 'from Mon 23 Nov'],
  ['es', 'no antes del lunes', 'from Mon 23 Nov'],
  ['it', 'non prima di lunedì', 'from Mon 23 Nov'],
  ['nl', 'niet voor maandag', 'from Mon 23 Nov'],
  ['fr', 'au plus tard lundi', 'until Mon 23 Nov'],
  ['es', 'a más tardar el lunes', 'until Mon 23 Nov'],
  ['it', 'al più tardi lunedì', 'until Mon 23 Nov'],
  ['pt', 'o mais tardar segunda', 'until Mon 23 Nov'],
  ['nl', 'uiterlijk maandag', 'until Mon 23 Nov'],
])('ranges in other languages are understood: %s: %s', (locale, text, expectedText) => {
  expect(renderRangeReading(text, { locale })).toBe(expectedText);
});

test.each([
  ['de', 'Mo, Mi und Fr um 9:00', '11-23 09:00, 11-25 09:00, 11-27 09:00'],
  ['de', 'Montag bis Mittwoch um 9 Uhr', '11-23 09:00, 11-24 09:00, 11-25 09:00'],
  ['fr', 'demain à 9h30 et 17h30', '11-21 09:30, 11-21 17:30'],
  ['it', 'domani alle 9:30 e 17:30', '11-21 09:30, 11-21 17:30'],
  ['pt', 'seg, qua e sex às 9:30', '11-23 09:30, 11-25 09:30, 11-27 09:30'],
  ['nl', 'ma, wo en vr om 9:30', '11-23 09:30, 11-25 09:30, 11-27 09:30'],
  ['es', '9h e 17h', '11-20 17:00, 11-21 09:00'],
  ['it', '9h & 17h', '11-20 17:00, 11-21 09:00'],
  ['pt', '9h, 17h', '11-20 17:00, 11-21 09:00'],
  ['nl', '9 uur en 17 uur', '11-20 17:00, 11-21 09:00'],
  ['de', 'in 2 Stunden & 30 Minuten', '11-20 13:45'],
  ['fr', 'dans 3 jours 20h', '11-23 20:00'],
  ['fr', 'dans 3j 20h', '11-24 07:15'],
  ['it', 'il 5 ore 20', '12-05 20:00'],
])('lists of times in other languages are understood: %s: %s', (locale, text, moments) => {
  expect(renderMomentsReading(text, { locale })).toBe(moments);
});

test.each([
  ['es', 'el lunes en dos semanas a las 9', '11-30 09:00 | 12-07 09:00'],
  ['it', 'tra due settimane lunedì', '11-30 09:00 | 12-07 09:00'],
  ['pt', 'segunda daqui a duas semanas às 9h', '11-30 09:00 | 12-07 09:00'],
  ['de', 'in fünf Wochen Montag 9 Uhr', '12-21 09:00 | 12-28 09:00'],
  ['fr', 'réveillon 18h', '12-24 18:00 | 12-31 18:00'],
  ['de', 'spätestens Dienstag 12 Uhr', '11-24 12:00'],
  ['nl', 'vanaf morgen 9 uur', '11-21 09:00'],
  ['es', 'a partir de mañana 9h', '11-21 09:00'],
  ['pt', 'a partir das 9h amanhã', '11-21 09:00'],
  ['it', 'entro lunedì alle 9', '11-23 09:00'],
  ['it', 'alle 5 ore 20 minuti', '11-20 17:20'],
])(
  'a weekday in weeks, and the time from or until which a post goes out: %s: %s',
  (locale, text, moments) => {
    expect(renderMomentsReading(text, { locale })).toBe(moments);
  },
);

test.each([
  ['en-GB', ' and ', ['5pm', '17:30', 'noon'], ['in 9 hours', 'tomorrow 9:00', 'tomorrow evening']],
  ['de', ' und ', ['17h', '18 Uhr', '12 Uhr'], ['in 2 Stunden', 'morgen 9 Uhr', 'morgen Abend']],
  ['fr', ' et ', ['17h', '18 heures', 'midi'], ['dans 2 heures', 'demain 9h', 'demain soir']],
  ['es', ' y ', ['17h', '18:00', 'mediodía'], ['en 2 horas', 'mañana 9h', 'mañana por la tarde']],
  ['it', ' e ', ['17h', 'alle 18', 'mezzogiorno'], ['tra 2 ore', 'domani alle 9', 'domani sera']],
  ['pt', ' e ', ['17h', '18 horas', 'meio-dia'], ['em 2 horas', 'amanhã 9h', 'amanhã à noite']],
  ['nl', ' en ', ['17u', '18 uur', '12 uur'], ['over 2 uur', 'morgen 9 uur', 'morgenavond']],
  ['ja', 'と', ['17時', '午後6時', '正午'], ['2時間後', '明日9時', '明日の夜']],
] as const)('two joined times are those times, and no third: in %s', (locale, and, times, moments) => {
  const pairs = [times, moments].flatMap((each) =>
    each.flatMap((first) => each.filter((second) => second !== first).map((second) => [first, second])),
  );
  const wrong = pairs.flatMap(([first = '', second = '']) =>
    [and, ', ', ' & '].flatMap((joiner) => {
      const text = `${first}${joiner}${second}`;
      const alone = [first, second].map((time) => renderMomentsReading(time, { locale })).toSorted();
      const reading = renderMomentsReading(text, { locale });
      const isAsked = reading === 'no' || reading.includes('|');
      return isAsked || reading === alone.join(', ') ? [] : [`${text}: ${reading}`];
    }),
  );
  expect(wrong).toEqual([]);
});

test.each(['en-US', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'ja', 'sv'])(
  'the examples of a refusal work: in %s',
  (locale) => {
    const question = { text: 'qwertz', now: FRIDAY, zone: 'Europe/Berlin', locale };
    const listExamples = (reading: { kind: string; examples?: readonly string[] }) => reading.examples ?? [];
    const recurrences = listExamples(understandRecurrence(question)).map(
      (text) => understandRecurrence({ ...question, text }).kind,
    );
    const ranges = listExamples(understandRange(question)).map(
      (text) => understandRange({ ...question, text }).kind,
    );
    const lists = listExamples(understandMoments(question)).map(
      (text) => understandMoments({ ...question, text }).kind,
    );
    expect({ recurrences, ranges, lists }).toEqual({
      recurrences: Array(3).fill('understood'),
      ranges: Array(3).fill('understood'),
      lists: Array(3).fill('understood'),
    });
  },
);

describe('texts in another language than the reader’s are understood', () => {
  test.each([
    ['montag, mittwoch und freitag 9 uhr', '11-23 09:00, 11-25 09:00, 11-27 09:00'],
    ['Mo/Mi/Fr 9 Uhr', '11-23 09:00, 11-25 09:00, 11-27 09:00'],
    ['lundi et jeudi à 9h30', '11-23 09:30, 11-26 09:30'],
    ['seg, qua e sex às 9:30', '11-23 09:30, 11-25 09:30, 11-27 09:30'],
    ['月曜日と水曜日の10時', '11-23 10:00, 11-25 10:00'],
    ['monday, blah and friday 9am', '11-23 09:00, 11-27 09:00 [blah: not-understood]'],
  ])('the list %s', (text, expectedText) => {
    expect(renderMomentsReading(text)).toBe(expectedText);
  });

  test.each([
    ['jeden Montag 9 Uhr', 'every Monday at 09:00'],
    ['tous les lundis à 9h', 'every Monday at 09:00'],
    ['毎週月曜日 9時', 'every Monday at 09:00'],
  ])('the recurrence %s', (text, expectedText) => {
    expect(renderRecurrenceReading(text)).toBe(expectedText);
  });

  test.each([
    ['von Montag bis Freitag', 'Mon 16 Nov to Fri 20 Nov'],
    ['de lunes a viernes', 'Mon 16 Nov to Fri 20 Nov'],
    ['fino a venerdì', 'until Fri 20 Nov'],
  ])('the range %s', (text, expectedText) => {
    expect(renderRangeReading(text)).toBe(expectedText);
  });
});

test.each([
  ['de', 'seit ein paar Wochen'],
  ['it', 'da un paio di settimane'],
  ['nl', 'sinds een paar weken'],
])('time in the past is no range to come: in %s, %s', (locale, text) => {
  expect(renderRangeReading(text, { locale })).toBe('no');
});

test.each([
  ['ja', '12月の最後の金曜日', 'Fri 25 Dec (Tokyo)'],
  ['ja', '12月の最初の月曜日', 'Mon 7 Dec (Tokyo)'],
  ['ja', '12月の第2火曜日', 'Tue 8 Dec (Tokyo)'],
  ['en', 'last friday of december', 'Fri 25 Dec (Tokyo)'],
])('of the same days of two years, a range is on the nearest: %s: %s', (locale, text, expectedText) => {
  const now = new Date('2026-12-31T09:00:00Z');
  expect(renderRangeReading(text, { now, zone: 'Asia/Tokyo', locale })).toBe(expectedText);
});

test.each([
  ['de', 'am 1. Januar, 8. und 25. um 12 Uhr'],
  ['de', 'am 1./8./25. Januar um 12 Uhr'],
  ['fr', 'le 1er janvier, le 8 et le 25 à 12h'],
  ['es', '1 de enero, el 8 y el 25 a las 12:00'],
  ['pt', '1 de janeiro, dia 8 e dia 25 às 12h'],
  ['it', "1 gennaio, l'8 e il 25 alle 12:00"],
  ['nl', '1 januari, de 8e en de 25e om 12:00'],
  ['ja', '1月1日、8日、25日の12時'],
])('a day in a list is in the month of the date before it, in %s: %s', (locale, text) => {
  expect(renderMomentsReading(text, { locale })).toBe('01-01 12:00, 01-08 12:00, 01-25 12:00');
});

test('weekdays in one word are a list in Japanese, and the weekend isn’t', () => {
  expect(renderMomentsReading('月水金 9時', { locale: 'ja' })).toBe('11-23 09:00, 11-25 09:00, 11-27 09:00');
});
