import {
  byMeaning,
  type EuropeanWords,
  inOrder,
  numerals,
  patternsIn,
  unitsIn,
  type Vocabulary,
} from '../european/vocabulary.ts';
import { namedDays } from '../feasts.ts';

const SPANISH_FEASTS: Vocabulary['feasts'] = [
  ...namedDays(`01-01 (?:el )?(?:día de )?año nuevo; 01-05 (?:la )?noche de (?:los )?reyes;
    01-06 (?:el )?(?:día de (?:los )?reyes(?: magos)?|reyes(?: magos)?);
    02-14 (?:el )?(?:día de san valentín|san valentín|día de los enamorados);
    03-08 (?:el )?día (?:internacional )?de la mujer; 03-19 san josé;
    05-01 (?:el )?día (?:internacional )?(?:del trabajo|del trabajador|de los trabajadores);
    06-23 (?:la )?noche de san juan; 06-24 (?:el )?(?:día de )?san juan; 08-15 (?:la )?asunción;
    10-31 halloween; 11-01 (?:el )?(?:día de )?todos los santos; 11-02 (?:el )?día de (?:los )?muertos;
    12-08 (?:(?:día de )?la )?inmaculada(?: concepción)?; 12-12 (?:(?:día de )?la )?virgen de guadalupe;
    12-24 (?:la )?(?:noche ?buena|víspera de navidad); 12-25 (?:la |el día de )?navidad;
    12-28 (?:el )?día de los (?:santos )?inocentes; 12-31 (?:(?:la )?noche ?vieja|fin de año)`),
  // Ley 18/1987 and Real Decreto 2964/1983: Spain.
  ...namedDays('10-12 (?:el )?día de la hispanidad; 12-06 (?:el )?día de la constitución'),
  // The churches' calendar, and days of shopping.
  ...namedDays(`shroveTuesday/carnivalSunday (?:el |los )?carnaval(?:es)?;
    roseMonday (?:el )?lunes de carnaval; shroveTuesday (?:el )?martes de carnaval; ashWednesday (?:el )?miércoles de ceniza;
    palmSunday (?:el )?domingo de ramos; maundyThursday (?:el )?jueves santo;
    goodFriday (?:el )?viernes santo; holySaturday (?:el )?sábado (?:santo|de gloria);
    easter (?:(?:el )?domingo de )?(?:pascua(?: de resurrección)?|resurrección);
    easterMonday (?:el )?lunes de pascua; ascension (?:el )?(?:día|jueves) de la ascensión;
    whitSunday (?:(?:el )?domingo de )?pentecostés; whitMonday (?:el )?lunes de pentecostés;
    corpusChristi (?:el )?corpus(?: christi)?; blackFriday (?:el )?(?:black friday|viernes negro);
    cyberMonday (?:el )?(?:cyber ?monday|ciberlunes)`),
  // Customs: mothers have their day a week later in most of America, in Mexico on the 10th.
  ...namedDays(`05-first-sunday/05-second-sunday (?:el )?día de la madre;
    05-10 (?:el )?día de las madres; 03-19/06-third-sunday (?:el )?día del padre`),
];

const PERIOD = '(?:día|semana|fin de semana|mes|trimestre|año|noche|tarde|mañana|vez)';
const DAY = '(?:domingo|lunes|martes|miércoles|jueves|viernes|sábado)';

const NUMBERS = numerals({
  small: patternsIn(`(?:cero|zero), (?:uno|una|un), dos, tres, cuatro, cinco, seis, siete, ocho, nueve, diez,
    once, doce, trece, catorce, quince, (?:dieciséis|diez y seis), diecisiete, dieciocho, diecinueve, veinte,
    (?:veintiuno|veintiuna|veintiún), veintidós, veintitrés, veinticuatro, veinticinco, veintiséis,
    veintisiete, veintiocho, veintinueve`),
  tens: { 30: 'treinta', 40: 'cuarenta', 50: 'cincuenta' },
  compound: (ten, unit) => `${ten} y ${unit}`,
});

const AFTER = '(?:(?:que|q|k) (?:viene|entra)|entrante|próxim[oa]|prox|siguiente)';

const spanish: Vocabulary = {
  weekdays: patternsIn(`domingo|dom|do, lunes|lun|lu, martes|mart|mar|ma, miércoles|mierc|mier|mié|mi,
    jueves|juev|jue|ju, viernes|vier|vie|vi, sábado|sáb|sa`),
  months: patternsIn(`enero|ene, febrero|feb, marzo|mar, abril|abr, mayo|may, junio|jun, julio|jul,
    agosto|ago, septiembre|setiembre|sept|sep|set, octubre|oct, noviembre|nov, diciembre|dic`),
  numbers: NUMBERS,
  ordinals: [
    ...inOrder(patternsIn('primero|primera|primer, segund[oa], tercer[oa]?, cuart[oa], quint[oa]'), 1),
    ...inOrder(patternsIn('vigésimo, vigésimo primero, vigésimo segundo, vigésimo tercero'), 20),
    ...inOrder(patternsIn('trigésimo, trigésimo primero'), 30),
  ],
  twoThousand: 'dos mil',
  ordinalEnding: '(?:º|°|\\.?o|ª|er|ro|do|to)',
  days: [
    ['hoy', { ahead: 0 }],
    ['(?:mañana|mñn|mñna)', { ahead: 1 }],
    ['(?:(?:el )?(?:día siguiente|próximo día)(?! (?:a|de)l?\\b))', { ahead: 1 }],
    ['(?:pasado mañana|(?:el )?día después de mañana)', { ahead: 2 }],
  ],
  feasts: SPANISH_FEASTS,
  weekdayBefore: byMeaning({
    this: ['este próximo', 'este'],
    next: '(?:el )?(?:próx(?:imo)?\\.?|siguiente)',
  }),
  weekdayAfter: byMeaning({ next: AFTER }),
  weeksMayBeginOnSunday: true,
  weekdayPlus: byMeaning({ P7D: 'en (?:ocho|8)(?: días)?', P14D: 'en (?:quince|15)(?: días)?' }),
  dayMarker: '(?:(?:el )?día|(?:el )?próximo(?: día)?|el|al|del|para el)',
  ofMonthFigure: 'del ',
  of: '(?:de la|del mes de|del|de|en)',
  edges: byMeaning({
    start: '(?:a |al )?(?:principios?|inicios?|comienzos?)',
    middle: '(?:a )?mediados',
    end: '(?:a |al )?(?:fin|fines|final|finales)',
  }),
  weekends: byMeaning({
    0: '(?:(?:este|el|al|a) )?(?:fin de semana|finde)',
    1: '(?:el )?(?:próximo (?:fin de semana|finde)|(?:fin de semana|finde) (?:(?:que|q) viene|próximo))',
  }),
  workingDay: 'días? (?:hábil(?:es)?|laborables?)',
  dayAfter: '(?:después|tras|siguiente a)',
  dayBefore: 'antes',
  daysBeside: byMeaning({
    P1D: '(?:el )?día (?:después|siguiente)',
    '-P1D': '(?:el )?día (?:antes|anterior)',
  }),
  dayNoun: 'día',
  last: 'últim[oa]',
  partsOfWeekday: byMeaning({ morning: 'mañana', 'until-sunset': 'tarde', night: 'noche' }),
  parts: [
    ['(?:(?:a |de )?primera hora(?: de la mañana)?(?! de la tarde)|temprano|tempranito)', 'start-of-morning'],
    ['a media mañana', 'mid-morning'],
    ['a media tarde', 'mid-afternoon'],
    ['(?:a |en )?(?:última hora|el final|finales) de la mañana', 'late-morning'],
    ['(?:a )?primera hora de la tarde', 'early-afternoon'],
    ['(?:a )?última hora(?: de(?: la tarde|l día))?', 'late-afternoon'],
    ['al? (?:final|fin) de la (?:tarde|jornada)', 'late-afternoon'],
    ['(?:después del|tras el|al salir del) (?:trabajo|curro|laburo)', 'late-afternoon'],
    ['antes de(?: comer| la comida|l almuerzo)', 'late-morning'],
    ['a la hora de (?:cenar|la cena)', 'dinner'],
    ['(?:(?:(?:por|x|en|de|a) )?la mañana|mañanas)', 'morning'],
    ['(?:(?:(?:por|x|en|de|a) )?la tarde|tardes)', 'until-sunset'],
    ['a (?:la )?hora (?:de comer|de la comida|de almorzar|del almuerzo)', 'midday'],
    ['después de(?: comer| la comida|l almuerzo)', 'early-afternoon'],
    ['(?:(?:por|x|en|de|a) la )?noches?', 'night'],
    ['(?:de|en|por)(?: la)? madrugada', 'early-morning'],
    ['del mediodía', 'midday'],
  ],
  partsOfToday: byMeaning({
    morning: '(?:(?:en|de) )?esta mañana',
    'until-sunset': '(?:(?:en|de) )?esta tarde',
    night: '(?:(?:en|de) )?esta noche',
    'early-morning': '(?:(?:en|de) )?esta madrugada',
  }),
  late: '(?<!más )(?:muy )?tarde',
  dayEnd: '(?:(?:al |el )?(?:fin|final|finalizar)(?: (?:de |del |el )?día)?)',
  sameTime: '(?:(?:a )?la )?misma hora',
  at: '(?:(?:(?:para|hacia|a eso de|sobre|alrededor de|cerca de|desde) )?(?:a|al|hacia|sobre)? ?las?)',
  hourUnit: '(?:horas?|hrs?|hs|h|en punto)',
  countsHoursTo: 12,
  noon: '(?:medio ?día)',
  midnight: '(?:(?:esta )?media ?noche)',
  hourFirst: { past: '(?:y|con)', to: 'menos' },
  minutesFirst: { past: '(?!)', to: 'para las?' },
  minutes: byMeaning({ 15: '(?:un )?cuarto', 30: 'media' }),
  units: unitsIn('segundos?|seg, minutos?|mins?|m, horas?|hrs?|hs|h, días?, semanas?|sem, mes(?:es)?, años?'),
  counts: [['un par de', 2]],
  durations: [
    ['(?:un )?cuarto de hora', 'PT15M'],
    ['(?:una )?media hor(?:it)?a', 'PT30M'],
    ['hora y media', 'PT90M'],
    ['(?:tres|3) cuartos de hora', 'PT45M'],
  ],
  and: '[ye]|&|\\+',
  andHalf: 'y media?o?',
  durationBefore: '(?:dentro de|en|de aquí a)',
  durationAfter: '(?:más tarde|después|a partir de (?:ahora|hoy)|desde ahora)',
  durationFrom: '(?:después de|a partir de|tras)',
  fillers:
    '(?:(?:un poco )?más tarde|luego|a partir de|a más tardar|a|al|la|las|el|los|de|del|en|por|para|con|sobre|hacia|alrededor de|aproximadamente|en punto|exactamente|justo|por favor|vale|ok|gracias|quizás?|tal vez|(?<!la )mejor|digamos|podemos|puedes|(?:muev[ea]|muévelo|mover(?:lo)?|cambia(?:r|lo)?|pasa(?:r|lo)?|aplaza(?:r|lo)?) (?:al?|para)|publica(?:lo|r)?|publicarlo|pon(?:lo|er)?|programa(?:lo|r)?|envía(?:lo)?|enviar|manda(?:lo)?|recuérdame|hora local|horas?|hrs?|h)',
  now: '(?:(?:justo )?ahora(?: mismo)?|ahorita(?: mismo)?|ya(?: mismo)?|en este (?:momento|instante)|de inmediato|inmediatamente|(?:lo )?(?:cuanto antes|antes posible|más pronto posible)|tan pronto como (?:sea posible|podamos|puedas)|en cuanto (?:puedas|sea posible)|asap)',
  over: `ayer|anteayer|anoche|hace (?:\\d+|un|una|dos|tres|cuatro|cinco|unos|unas|poco)|(?:${PERIOD}|${DAY}|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre) (?:pasad[oa]|anterior|último)|(?:el |la )?(?:pasad[oa]) (?!mañana)(?:${PERIOD}|${DAY})|última? (?:semana|mes|año)|(?:un|una|dos|tres|\\d+) (?:días?|horas?|semanas?|meses|años?) (?:antes(?! \\S)|atrás)`,
  repeats: `cada|todos los(?! santos)|todas las|diari\\p{L}+|semanal\\p{L}*|mensual\\p{L}*|anual\\p{L}*|(?:una|dos|tres|\\d+) ve(?:z|ces) (?:al|por)|los (?:domingos|lunes|martes|miércoles|jueves|viernes|sábados)|domingos|sábados`,
  range: `hasta|entre|durante|desde .* a|de (?:\\d{1,2}(?::\\d\\d)?|${DAY}) a (?:\\d|${DAY}).*`,
  choice: '(?<=\\s)[ou](?=\\s)',
  fromTo: ['desde', 'a|al|hasta'],
  dayWords: 'mañana tarde noche mediodía medianoche',
  wordsThemselves:
    'marco mario mares partes artes cartas lunas género entero coche manzana jueces vienes angosto junco judío',
};

const NEXT = '(?:próxim[oa]s?|prox|siguientes?)';
const LAST = '(?:pasad[oa]s?|últim[oa]s?|anterior(?:es)?)';

export const SPANISH_WORDS: EuropeanWords = {
  grammar: spanish,
  fillers: 'en|el|la|los|las|del?|durante|para|tod[oa]',
  repeats: {
    every: '(?:cada|todos los|los|el|todas las)',
    weekdayEnding: 's?',
    everyDay: '(?:todos los días|cada día|diariamente|a diario|diario)',
    workdays: '(?:entre semana|días? (?:laborables?|hábil(?:es)?|de semana))',
    determiners: 'un[ao]?',
    weekends: '(?:fin(?:es)? de semana)',
    everyPart: '(?:todas las|cada)',
    morning: ['mañana', 'mañanas'],
    except: '(?:excepto|menos|salvo)(?: (?:los|el))?',
    intervals: [
      'cada # §',
      '(?:un|una|el|la)? ?§ sí,? (?!(?:pero|mas) no)(?:y )?(?:\\p{L}+ ){0,2}no',
      '§ por medio',
    ],
    fixedIntervals: [
      ['(?:semanal\\w*|(?:cada|todas las|\\S+ vez (?:por|a la)) semanas?)', { unit: 'weeks', interval: 1 }],
      ['(?:cada (?:15|quince) días|cada quincena|quincenal(?:mente)?)', { unit: 'weeks', interval: 2 }],
      ['(?:mensual\\w*|(?:cada|todos los|\\S+ vez (?:por|al)) mes(?:es)?)', { unit: 'months', interval: 1 }],
      ['(?:anual(?:mente)?|cada año|todos los años)', { unit: 'years', interval: 1 }],
    ],
    onDate: '(?:(?:el|los|cada) )?(?:días? )?',
    ofMonth: ['(?:del?)', 'mes'],
    count: ['# veces'],
    lasting: ['(?:durante|por) # §'],
    unsupported:
      '(?:cada (?:hora|trimestre|(?:\\p{L}+|\\d+) (?:horas|minutos))|trimestral\\p{L}*|(?:una|dos|tres|\\d+) ve(?:z|ces) (?:al|por) (?!(?<=(?:una|1) vez (?:al|por) )(?:semana|mes))\\p{L}+)',
  },
  copulas: 'es|será',
  stretches: {
    nouns: {
      week: 'sem(?:ana)?',
      weekend: '(?:fin de semana|finde)',
      month: 'mes',
      quarter: 'trimestre',
      year: 'año',
    },
    weekendBegins: 'fin de',
    half: 'semestre',
    halves: [
      '(?:primera|1ª) (?:mitad|quincena) de(?: la|l)? §',
      '(?:segunda|2ª) (?:mitad|quincena) de(?: la|l)? §',
    ],
    ofCalendar: [
      ['(?:est[ea]|presente) §', 0],
      ['§ (?:actual|en curso)', 0],
      [`${NEXT} §`, 1],
      [`§ ${AFTER}`, 1],
      [`${LAST} §`, -1],
      [`§ ${LAST}`, -1],
    ],
    restOf: 'resto (?:del|de la|de este|de esta) §',
    next: [`${NEXT} # §`],
    last: [`${LAST} # §`],
    ago: ['hace # §'],
    pastDays: ['(?:anteayer|antes de ayer)', 'ayer', 'hoy'],
    quarterLetter: '[qt]',
    calendarWeek: '(?:semana|sem) ?(?:nº |n |número )?#',
    weekOf: 'semana del',
  },
  edges: {
    from: '(?:de|del|desde|a partir del?|no antes del?)(?: (?:el|la|las))?',
    to: '(?:al?|hasta)(?: (?:el|la|las))?',
    between: 'entre(?: (?:el|las?))?',
    onwards: 'en adelante',
    since: 'desde(?: (?:el|la|las))?',
    until: '(?:hasta|a más tardar)(?: (?:el|la|las))?',
    endOf: '(?:el )?(?:fin|final|fines|finales)(?: (?:del?|de la))?',
    before: 'antes del?(?: (?:la|las))?',
    after: '(?:después del?|tras)(?: (?:la|las))?',
  },
  examples: {
    moment: ['mañana a las 9:00', 'vie 14:30', '1 de diciembre a las 10:15'],
    moments: ['lun, mié y vie a las 9:30', 'mañana a las 9:30 y 17:30', '9:30 en Madrid y Tokyo'],
    ranges: ['esta semana', 'de lunes a viernes', 'del 1 al 5 de diciembre'],
    recurrences: ['todos los días a las 8:30', 'cada lunes a las 9:30', 'lun, mié y vie 10:00'],
  },
};
