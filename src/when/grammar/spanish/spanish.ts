import type { Vocabulary } from '../european/vocabulary.ts';
import { numerals } from '../european/word-list.ts';
import { SPANISH_FEASTS } from './spanish-feasts.ts';

const PERIOD = '(?:día|semana|fin de semana|mes|trimestre|año|noche|tarde|mañana|vez)';
const DAY = '(?:domingo|lunes|martes|miércoles|jueves|viernes|sábado)';

const SMALL_NUMBERS = `
  (?:cero|zero), (?:uno|una|un), dos, tres, cuatro, cinco, seis, siete, ocho, nueve, diez, once, doce,
  trece, catorce, quince, (?:dieciséis|diez y seis), diecisiete, dieciocho, diecinueve, veinte,
  (?:veintiuno|veintiuna|veintiún), veintidós, veintitrés, veinticuatro, veinticinco, veintiséis,
  veintisiete, veintiocho, veintinueve
`;

const NUMBERS = numerals({
  small: SMALL_NUMBERS.trim().split(/,\s+/),
  tens: { 30: 'treinta', 40: 'cuarenta', 50: 'cincuenta' },
  compound: (ten, unit) => `${ten} y ${unit}`,
});

export const spanish: Vocabulary = {
  weekdays: [
    '(?:domingo|dom|do)',
    '(?:lunes|lun|lu)',
    '(?:martes|mart|mar|ma)',
    '(?:miércoles|mier|mié|mi)',
    '(?:jueves|juev|jue|ju)',
    '(?:viernes|vier|vie|vi)',
    '(?:sábado|sáb|sa)',
  ],
  months: [
    '(?:enero|ene)',
    '(?:febrero|feb)',
    '(?:marzo|mar)',
    '(?:abril|abr)',
    '(?:mayo|may)',
    '(?:junio|jun)',
    '(?:julio|jul)',
    '(?:agosto|ago)',
    '(?:septiembre|setiembre|sept|sep|set)',
    '(?:octubre|oct)',
    '(?:noviembre|nov)',
    '(?:diciembre|dic)',
  ],
  numbers: NUMBERS,
  ordinals: [
    ['(?:primero|primera|primer)', 1],
    ['segund[oa]', 2],
    ['tercer[oa]?', 3],
    ['cuart[oa]', 4],
    ['quint[oa]', 5],
  ],
  ordinalEnding: '(?:º|°|\\.?o|ª|er|ro|do|to)',
  days: [
    ['hoy', { ahead: 0 }],
    ['mañana', { ahead: 1 }],
    ['(?:el )?(?:día siguiente|próximo día)', { ahead: 1 }],
    ['(?:pasado mañana|(?:el )?día después de mañana)', { ahead: 2 }],
  ],
  feasts: SPANISH_FEASTS,
  weekdayBefore: [
    ['este próximo', 'this'],
    ['este', 'this'],
    ['próximo', 'next'],
  ],
  weekdayAfter: [['(?:próximo|que viene|siguiente)', 'next']],
  weeks: [
    ['esta semana', 'this-week'],
    [
      '(?:la )?(?:próxima semana|siguiente semana|semana (?:que viene|próxima|siguiente|que entra))',
      'next-week',
    ],
  ],
  dayMarker: '(?:(?:el )?día|(?:el )?próximo(?: día)?|el|al|del|para el)',
  ofMonthFigure: 'del',
  of: '(?:de la|del mes de|del|de|en)',
  ofMonths: [
    ['(?:de este mes|del mes|del presente mes)', 0],
    ['(?:del|de) (?:próximo mes|mes (?:que viene|próximo|siguiente))', 1],
  ],
  ends: [
    ['(?:a |al )?(?:fin|final|fines|finales) (?:de|del|de este) mes', { unit: 'month', ahead: 0 }],
    ['(?:a |al )?(?:fin|final|fines|finales) del (?:próximo mes|mes que viene)', { unit: 'month', ahead: 1 }],
    ['(?:a |al )?(?:final|finales) (?:de|del|de este) año', { unit: 'year', ahead: 0 }],
  ],
  dayNoun: 'día',
  last: '(?:último|ultima)',
  hourAfterWeekday: false,
  dashedDates: false,
  spacedAm: true,
  parts: [
    ['(?:por|en|de|a) la mañana', 'morning'],
    // It lasts until the sun is gone: 17:00 stands for it.
    ['(?:por|en|de|a) la tarde', 'late-afternoon'],
    ['a (?:la )?hora (?:de comer|de la comida|de almorzar|del almuerzo)', 'midday'],
    ['después de(?: comer| la comida|l almuerzo)', 'early-afternoon'],
    ['(?:(?:por|en|de|a) la )?noche', 'night'],
    ['(?:de|en|por) la madrugada', 'early-morning'],
    ['del mediodía', 'midday'],
    ['tarde(?= del?\\b)', 'late-afternoon'],
  ],
  partsOfToday: [
    ['(?:(?:en|de) )?esta mañana', 'morning'],
    ['(?:(?:en|de) )?esta tarde', 'late-afternoon'],
    ['(?:(?:en|de) )?esta noche', 'night'],
    ['(?:(?:en|de) )?esta madrugada', 'early-morning'],
  ],
  at: '(?:(?:(?:para|hacia|sobre|alrededor de|cerca de|desde) )?(?:a|al|hacia|sobre)? ?las?)',
  hourUnit: '(?:horas?|hrs?|h|en punto)',
  hourLetter: 'h',
  noon: '(?:medio ?día)',
  midnight: '(?:media ?noche)',
  hourFirst: { past: '(?:y|con)', to: 'menos' },
  minutesFirst: { past: '(?!)', to: 'para las?' },
  minutes: [
    ['(?:un )?cuarto', 15],
    ['media', 30],
  ],
  units: [
    ['(?:segundos?|seg)', 'seconds'],
    ['(?:minutos?|mins?|m)', 'minutes'],
    ['(?:horas?|hrs?|h)', 'hours'],
    ['días?', 'days'],
    ['(?:semanas?|sem)', 'weeks'],
    ['mes(?:es)?', 'months'],
    ['años?', 'years'],
  ],
  durations: [
    ['(?:un )?cuarto de hora', 'PT15M'],
    ['media hora', 'PT30M'],
    ['hora y media', 'PT90M'],
    ['tres cuartos de hora', 'PT45M'],
  ],
  and: 'y',
  andHalf: 'y media?o?',
  durationBefore: '(?:dentro de|en|de aquí a)',
  durationAfter: '(?:más tarde|después|a partir de (?:ahora|hoy)|desde ahora)',
  durationFrom: '(?:después de|a partir de|tras)',
  fillers:
    '(?:a|al|la|las|el|los|de|del|en|por|para|con|sobre|hacia|alrededor de|aproximadamente|en punto|exactamente|por favor|publica(?:lo|r)?|publicarlo|envía(?:lo)?|enviar|manda(?:lo)?|recuérdame|horas?|hrs?|h)',
  now: '(?:ahora|ahora mismo|ahorita|ya|justo ahora|inmediatamente|cuanto antes|lo (?:más|antes) (?:pronto )?posible)',
  over: `ayer|anteayer|anoche|hace (?:\\d+|un|una|dos|tres|cuatro|cinco|unos|unas|poco)|(?:${PERIOD}|${DAY}|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre) (?:pasad[oa]|anterior|último)|(?:el |la )?(?:pasad[oa]) (?!mañana)(?:${PERIOD}|${DAY})|última? (?:semana|mes|año)|(?:un|una|dos|tres|\\d+) (?:días?|horas?|semanas?|meses|años?) (?:antes|atrás)`,
  repeats: `cada|todos los(?! santos)|todas las|diari\\p{L}+|semanal\\p{L}*|mensual\\p{L}*|anual\\p{L}*|(?:una|dos|tres|\\d+) ve(?:z|ces) (?:al|por)|los (?:domingos|lunes|martes|miércoles|jueves|viernes|sábados)|domingos|sábados`,
  range: `hasta|entre|durante|desde .* a|de (?:\\d{1,2}(?::\\d\\d)?|${DAY}) a (?:\\d|${DAY}).*`,
  stretch:
    '(?:(?:esta|la|la próxima|próxima) semana(?: (?:que viene|próxima))?|(?:este|el|el próximo|próximo) (?:fin de semana|mes|año|trimestre)(?: que viene)?|fin de semana)',
  choice: '(?<=\\s)[ou](?=\\s)',
  idiom: '(?:en|dentro de) (?:ocho|quince) días',
  fromTo: ['desde', 'a|al|hasta'],
  typos: {
    dayWords: 'mañana tarde noche mediodía medianoche',
    wordsThemselves:
      'marco mario mares partes artes cartas lunas género entero coche manzana jueces vienes angosto junco judío',
  },
  examples: ['mañana a las 9:00', 'vie 14:30', '1 de diciembre a las 10:15'],
};
