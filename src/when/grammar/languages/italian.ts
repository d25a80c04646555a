import {
  byMeaning,
  type EuropeanWords,
  inOrder,
  numerals,
  patternsIn,
  unitsIn,
} from '../european/vocabulary.ts';
import { namedDays } from '../feasts.ts';

const ITALIAN_FEASTS = [
  ...namedDays(`01-01 (?:capodanno|(?:il )?primo (?:giorno )?dell'anno); 01-06 (?:(?:l')?epifania|(?:la )?befana); 02-14 (?:san|s\\.) ?valentino;
    03-08 (?:la )?festa della donna; 03-19 (?:(?:la )?festa del papà|(?:(?:la )?festa di )?san giuseppe);
    03-15 (?:le )?idi di marzo; 05-01 (?:la )?(?:festa|giorno) (?:dei lavoratori|del lavoro);
    08-15 (?:ferragosto|assunzione); 10-31 halloween; 11-01 (?:ognissanti|festa dei santi|tutti i santi);
    11-02 (?:(?:il )?giorno dei|ai|i) morti; 12-08 (?:l')?immacolata(?: concezione)?; 12-13 santa lucia;
    12-24 (?:la )?vigilia(?: di natale)?(?! di capodanno); 12-25 (?:(?:il )?giorno di )?natale;
    12-26 (?:santo|s\\.) ?stefano;
    12-31 (?:san silvestro|(?:la )?(?:vigilia|notte) di capodanno|(?:l')?ultimo (?:giorno )?dell'anno)`),
  // Legge 260/1949: Italy.
  ...namedDays(
    '04-25 (?:(?:la )?festa della |la )?liberazione; 06-02 (?:(?:la )?festa della |la )repubblica',
  ),
  // The churches' calendar, and days of shopping.
  ...namedDays(`fatThursday (?:il )?giovedì grasso; shroveTuesday (?:il )?martedì grasso;
    ashWednesday (?:il )?mercoledì delle ceneri; palmSunday (?:la )?domenica delle palme;
    maundyThursday (?:il )?giovedì santo; goodFriday (?:il )?venerdì santo;
    holySaturday (?:il )?sabato santo; easter (?:(?:la )?domenica di )?pasqua;
    easterMonday (?:(?:il )?lunedì (?:di pasqua|dell'angelo)|pasquetta); ascension (?:l')?ascensione;
    whitSunday (?:(?:la )?domenica di )?pentecoste; whitMonday (?:il )?lunedì di pentecoste;
    corpusChristi (?:il )?corpus domini; blackFriday (?:il )?(?:black friday|venerdì nero);
    cyberMonday (?:il )?cyber monday`),
  // Customs.
  ...namedDays('05-second-sunday (?:la )?festa della mamma'),
];

const PERIOD = '(?:giorno|settimana|fine settimana|week ?end|mese|trimestre|anno|notte|sera|mattina|volta)';
const DAY = '(?:domenica|lunedì|martedì|mercoledì|giovedì|venerdì|sabato)';

/** The ten loses its last vowel before uno and otto: "ventuno", "trentotto". */
const NUMBERS = numerals({
  small: patternsIn(`zero, (?:uno|una|un|un'), due, tre, quattro, cinque, sei, sette, otto, nove, dieci,
    undici, dodici, tredici, quattordici, quindici, sedici, diciassette, diciotto, diciannove`),
  tens: { 20: 'venti', 30: 'trenta', 40: 'quaranta', 50: 'cinquanta' },
  compound: (ten, unit, value) => {
    if (value % 10 === 1) return `${ten.slice(0, -1)}(?:uno|una|un)`;
    return value % 10 === 8 ? `${ten.slice(0, -1)}${unit}` : `${ten}${unit}`;
  },
});

const italian: EuropeanWords['grammar'] = {
  weekdays: patternsIn(`domenica|dom, lunedì|lun, martedì|mart|mar, mercoledì|merc|mer, giovedì|giov|gio,
    venerdì|vener|ven, sabato|sab`),
  months: patternsIn(`gennaio|genn|gen, febbraio|febb|feb, marzo|mar, aprile|apr, maggio|magg|mag, giugno|giu,
    luglio|lug, agosto|ago, settembre|sett|set, ottobre|ott, novembre|nov, dicembre|dic`),
  numbers: NUMBERS,
  ordinals: inOrder(patternsIn('prim[oa], second[oa], terz[oa], quart[oa], quint[oa]'), 1),
  twoThousand: 'duemila',
  ordinalEnding: '(?:°|[oa])',
  days: [
    ['(?:(?:(?:di|per) )?oggi|(?:in )?questo giorno)', { ahead: 0 }],
    ['(?:(?:di )?domani|dmn)', { ahead: 1 }],
    ['(?:il )?giorno (?:dopo|seguente|successivo)(?= (?:alle|ore|all)|\\W*$)', { ahead: 1 }],
    ['(?:(?:il )?giorno )?dopo ?dom(?:ani)?', { ahead: 2 }],
    ['domattina', { ahead: 1, part: 'morning' }],
    ['(?:domani|domattina) presto', { ahead: 1, part: 'start-of-morning' }],
  ],
  feasts: ITALIAN_FEASTS,
  weekdayBefore: byMeaning({
    this: 'quest[oa]',
    next: '(?:il |la )?(?<!sett |settimana )(?:prossim[oa]|prox\\.?|pross\\.?)',
  }),
  weekdayAfter: byMeaning({
    next: '(?:prossim[oa]|prox\\.?|pross\\.?|dopo(?= alle|\\W*$)|seguente|successiv[oa]|che viene)',
    this: 'quest[oa]',
  }),
  weekdayPlus: byMeaning({ P7D: 'a otto', P14D: 'a quindici' }),
  dayMarker: "(?:il giorno|(?:il )?prossimo|il|l'|del|dell'|al|per il)",
  of: "(?:del mese di|della|del|dell'|di|nel|in)",
  edges: byMeaning({
    start: "(?:a |ad |agli |all')?(?:inizio|inizi)",
    middle: '(?:a |alla )?metà',
    end: '(?:a |alla )?fine',
  }),
  weekends: byMeaning({
    0: '(?:(?:questo|il|nel|per il) )?(?:fine settimana|week ?end)',
    1: '(?:il |nel )?(?:prossimo (?:fine settimana|week ?end)|(?:fine settimana|week ?end) prossimo)',
  }),
  workingDay: 'giorn[oi] lavorativ[oi]',
  dayAfter: 'dopo',
  dayBefore: 'prima',
  daysBeside: byMeaning({
    P1D: '(?:il )?giorno (?:dopo|seguente|successivo)',
    '-P1D': '(?:il )?giorno prima',
  }),
  dayNoun: 'giorno',
  last: "(?:l')?ultim[oa]",
  partsOfWeekday: byMeaning({ 'start-of-morning': '(?:sul )?presto' }),
  parts: [
    ['(?:(?:la |di )?mattin[ao](?: sul)? presto|presto (?:la|di|al) mattin[ao])', 'start-of-morning'],
    [
      '(?:(?:di |in |la )?prima mattina(?:ta)?|inizio (?:della )?mattinata|(?:a )?prima ora)',
      'start-of-morning',
    ],
    ['(?:a )?metà mattina(?:ta)?', 'mid-morning'],
    ['(?:(?:in|nella) )?tarda mattinata', 'late-morning'],
    ['(?:(?:nel|di) )?primo pomeriggio', 'early-afternoon'],
    ['(?:a )?metà pomeriggio', 'mid-afternoon'],
    ['(?:(?:nel|di) )?tardo pomeriggio', 'late-afternoon'],
    ['(?:a |in )?fine (?:giornata(?: lavorativa)?|pomeriggio|turno)', 'late-afternoon'],
    ['dopo (?:il )?(?:lavoro|ufficio)', 'late-afternoon'],
    ['(?:in )?prima serata', 'early-evening'],
    ['(?:(?:in|a) )?tarda (?:serata|sera)|seconda serata', 'late-evening'],
    ["(?:a|per|(?:all')?ora di|dopo) cena", 'dinner'],
    ['prima di pranzo', 'late-morning'],
    ['(?:(?:al|di|del|nella|la|di prima) )?(?:mattin[oae]|mattinata)', 'morning'],
    ['(?:(?:di|del|nel|al) )?pom(?:e|eriggio)?', 'afternoon'],
    ['(?:(?:di|della|nella|la|alla|in|verso) )?(?:sera|sere|serata)', 'evening'],
    ['(?:(?:di|della|nella|la|in|durante la) )?(?:notte|nottata)', 'dead-of-night'],
    ["(?:a|per|(?:all')?ora di) pranzo", 'midday'],
    ['dopo pranzo', 'early-afternoon'],
  ],
  partsOfToday: byMeaning({
    morning: '(?:stamattina|stamani|stamane|questa mattina|questo mattino|questa mattinata)',
    afternoon: 'questo pomeriggio',
    evening: '(?:di )?(?:sta ?sera|questa sera)',
    'dead-of-night': '(?:stanotte|questa notte)',
  }),
  late: '(?<!più )(?:(?:sul|molto) )?tardi',
  dayEnd: '(?:(?:alla |la )?fine(?: d(?:el giorno|ella giornata|i))?)',
  sameTime: '(?:(?:alla |la )?stess[ao] (?:ora|orario))',
  at: "(?:(?:verso |circa |intorno |per |dalle )?(?:alle|alla|all'|le|l'|dalle)(?: ore)?|ore|h)(?: circa)?",
  // In "il 5 ore 20" it belongs to the number after it.
  hourUnit: '(?:ore(?! \\d+(?!\\d| min))|h|in punto|circa)',
  countsHoursTo: 12,
  noon: 'mezzogiorno',
  midnight: 'mezzanotte',
  hourFirst: { past: 'e', to: 'meno' },
  // Without its word, "cinque alle otto" would be a day and an hour.
  minutesFirst: { past: '(?!)', to: "(?<=(?:minuti|quarto) )(?:alle|alla|all'|a)" },
  minutes: byMeaning({ 15: '(?:un )?quarto', 30: '(?:mezza|mezzo)', 45: 'tre quarti' }),
  units: unitsIn('second[oi]|sec, minut[oi]|min, or[ae]|h, giorn[oi]|gg, settiman[ae], mes[ei], ann[oi]'),
  counts: [["un paio d(?:i |')", 2]],
  durations: [
    ["un'or(?:ett)?a", 'PT1H'],
    ["un'ora e mezz[ao]", 'PT90M'],
    ["(?:un )?quarto d'ora", 'PT15M'],
    ["mezz'?or(?:ett)?a", 'PT30M'],
    ["tre quarti d'ora", 'PT45M'],
  ],
  and: 'ed?|&|\\+',
  andHalf: 'e mezz[ao]',
  durationBefore: '(?:tra|fra|in)',
  durationAfter: '(?:dopo|più tardi|da (?:adesso|ora|oggi))',
  durationFrom: '(?:dopo|da|a partire da)',
  fillers:
    "(?:(?:un po' )?più tardi|entro|a partire da|al più tardi|a|al|alle|alla|all'|il|lo|la|le|l'|del|della|dell'|di|da|dal|in|nel|nella|per|verso|circa|intorno|ora locale|ore|h|esattamente|subito|in punto|per favore|va bene|ok|grazie|forse|magari|meglio|facciamo|diciamo|possiamo|puoi|(?:sposta|rimanda|rinvia)(?:re|r?lo)? (?:a|al)|(?:pubblica|programma|invia|manda)(?:re|r?lo)?|ricordami)",
  now: '(?:(?:proprio )?(?:ora|adesso)(?: stesso)?|subito|immediatamente|in questo (?:momento|istante)|(?:non )?appena (?:possibile|puoi|possiamo)|(?:il )?(?:prima possibile|più presto possibile)|quanto prima|asap)',
  over: `ieri|l'altro ieri|(?:\\d+|un[ao]?|un'|due|tre|quattro|cinque) (?:second[oi]|minut[oi]|or[ae]|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]) fa|(?:${PERIOD}|${DAY}|gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre) (?:scors[oa]|passat[oa]|precedente)|(?:scors[oa]|passat[oa]) (?:${PERIOD}|${DAY})|ultim[oa] (?:settimana|mese|anno)|fa`,
  repeats: `ogni|tutti i(?! santi)|tutte le|quotidian\\p{L}+|giornalier\\p{L}+|settimanal\\p{L}+|mensil\\p{L}+|annual\\p{L}+|(?:una|due|tre|\\d+) volt[ae] (?:al|alla|a)|(?:il|la) ${DAY}(?= (?:alle|all'|a|mattina|sera|pomeriggio)(?!\\p{L})|\\W*$)|domeniche|sabati`,
  range: `fino|tra le|fra le|tra il|fra il|durante|dalle .* alle|dal .* al|da ${DAY} a`,
  choice: '(?<=\\s)o(?=\\s)|oppure',
  fromTo: ['dalle|dal|dalla', 'alle|al|alla|a'],
  dayWords: 'domani dopodomani mattina mattino pomeriggio stasera notte mezzogiorno mezzanotte',
  wordsThemselves:
    'mazzo marco mario pazzo raggio saggio paggio faggio pugno grugno giglio miglio aprire romani domini domati botte lotte dotte rotte cotte nette salato angosto',
};

const NEXT = '(?:prossim[oaie]|prox|seguent[ei]|successiv[oaie]|che viene|entrante)';
const LAST = '(?:scors[oaie]|passat[oaie]|ultim[oaie]|precedent[ei])';

export const ITALIAN_WORDS: EuropeanWords = {
  grammar: {
    ...italian,
    weekdays: italian.weekdays.map((day, index) =>
      index === 0 ? `(?:${day}|domeniche)` : index === 6 ? `(?:${day}|sabati)` : day,
    ),
  },
  fillers: "in|nel|nell[ae']|il|la|lo|i|gli|le|l'|del|della|durante|per|tutt[oa]|a",
  repeats: {
    every: '(?:ogni|tutti i|tutte le|il|la|i|le|di)',
    weekdayEnding: '',
    everyDay: '(?:ogni giorno|tutti i giorni|quotidianamente|giornalmente)',
    workdays: '(?:nei giorni (?:feriali|lavorativi)|giorn[oi] (?:feriali?|lavorativ[oi])|feriali)',
    determiners: 'un[ao]?',
    weekends: '(?:nei )?(?:week ?end|fine settimana)',
    everyPart: '(?:ogni|tutte le)',
    except: '(?:tranne|eccetto|escluso)(?: (?:il|la))?',
    intervals: ['ogni # §', '(?:un |una |il |la )?§ sì,? (?!ma no)(?:e )?(?:\\p{L}+ )?no', 'a § altern[ie]'],
    fixedIntervals: [
      ['(?:settimanal\\w+|(?:ogni|tutte le|\\S+ volta \\S+) settiman[ae])', { unit: 'weeks', interval: 1 }],
      ['(?:ogni (?:15|quindici) giorni|quindicinal(?:e|mente))', { unit: 'weeks', interval: 2 }],
      ['(?:mensil(?:e|mente)|(?:ogni|tutti i|(?:una|1) volta al) mes[ei])', { unit: 'months', interval: 1 }],
      ['(?:annual(?:e|mente)|ogni anno|tutti gli anni)', { unit: 'years', interval: 1 }],
    ],
    onDate: "(?:(?:il|ogni|l'|la|i) ?)?(?:giorn[oi] )?",
    ofMonth: ['(?:di|del)', 'mese'],
    count: ['# volte'],
    lasting: ['per # §'],
    unsupported:
      '(?:ogni (?:ora|trimestre|(?:\\p{L}+|\\d+) (?:ore(?! \\d)|minuti))|trimestral\\p{L}+|bisettimanal\\p{L}+|bimestral\\p{L}+|(?:una|due|tre|\\d+) volt[ae] (?:al|alla|a) (?!(?<=(?:una|1) volta (?:al|alla|a) )(?:settimana|mese))\\p{L}+)',
  },
  copulas: 'è|sarà',
  stretches: {
    nouns: {
      week: 'sett(?:imana)?',
      weekend: '(?:fine settimana|week ?end)',
      month: 'mese',
      quarter: 'trimestre',
      year: "(?:l')?anno",
    },
    weekendBegins: 'fine',
    half: 'semestre',
    halves: [
      '(?:prima|1ª) (?:meta|quindicina) (?:di |del |della |d.)§',
      '(?:seconda|2ª) (?:meta|quindicina) (?:di |del |della |d.)§',
    ],
    ofCalendar: [
      ["quest(?:[oa] |' ?| )§", 0],
      ['§ (?:in corso|corrente|attuale)', 0],
      [`${NEXT} §`, 1],
      [`§ ${NEXT}`, 1],
      [`${LAST} §`, -1],
      [`§ ${LAST}`, -1],
    ],
    restOf: "resto (?:del |della |dell' ?|di quest[oa] )§",
    next: [`${NEXT} # §`],
    last: [`${LAST} # §`],
    ago: ['# § fa'],
    pastDays: ["(?:l'altro ieri|avantieri)", 'ieri', 'oggi'],
    quarterLetter: '[qt]',
    calendarWeek: '(?:settimana|sett) ?(?:nº |n |numero )?#',
    weekOf: 'settimana del',
  },
  edges: {
    from: "(?:da|dal|dall[ae']|a partire dal?|non prima d(?:i|el|elle|ella))",
    to: "(?:a|al|all[ae']|fino a(?:l|lla)?)",
    between: '(?:tra|fra)(?: (?:il|le))?',
    onwards: 'in poi',
    since: '(?:da|dal|dall[ae])',
    until: '(?:al più tardi|fino a(?:l|lle|lla)?|entro(?: il)?)',
    endOf: "(?:la )?fine(?: (?:del|della|dell'|di))?",
    before: '(?:prima d(?:i|el|elle|ella))',
    after: '(?:dopo(?: (?:il|le|la))?)',
  },
  examples: {
    moment: ['domani alle 9:00', 'ven 14:30', '1 dicembre alle 10:15'],
    moments: ['lun, mer e ven alle 9:30', 'domani alle 9:30 e 17:30', 'lun 9:30 e mar 17:30'],
    ranges: ['questa settimana', 'da lunedì a venerdì', 'dal 1 al 5 dicembre'],
    recurrences: ['ogni giorno alle 8:30', 'ogni lunedì alle 9:30', 'lun, mer e ven 10:00'],
  },
};
