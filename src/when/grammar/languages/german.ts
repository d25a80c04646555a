import { byMeaning, type EuropeanWords, numerals, patternsIn, unitsIn } from '../european/vocabulary.ts';
import { namedDays } from '../feasts.ts';

const GERMAN_NUMBERS = numerals({
  small: patternsIn(`null, (?:ein|eins|eine|einen|einem|einer|'?ner|'?nem), (?:zwei|zwo), drei, vier, fünf,
    sechs, sieben, acht, neun, zehn, elf, zwölf, dreizehn, vierzehn, fünfzehn, sechzehn, siebzehn, achtzehn,
    neunzehn`),
  tens: { 20: 'zwanzig', 30: 'dreißig', 40: 'vierzig', 50: 'fünfzig' },
  compound: (ten, unit) => `${unit}und${ten}`,
});

const IRREGULAR: Readonly<Record<number, string>> = { 1: 'ers', 3: 'drit', 7: 'sieb(?:en)?', 8: 'ach' };

/** "ersten", "dritter", "einundzwanzigste": to 19 with -te, from 20 with -ste. */
const GERMAN_ORDINALS = GERMAN_NUMBERS.filter(([, value]) => value >= 1 && value <= 31).map(
  ([word, value]) => [`${IRREGULAR[value] ?? word}${value < 20 ? 't' : 'st'}e[nrsm]?`, value] as const,
);

const GERMAN_FEASTS = [
  ...namedDays(`01-01 (?:neujahr|neujahrstag); 01-06 (?:(?:heilige|hl\\.?) drei könige|dreikönigstag|dreikönig);
    02-14 valentinstag; 03-08 (?:internationale[rn] )?(?:welt)?frauentag; 04-30 walpurgisnacht;
    05-01 tag der arbeit|maifeiertag`),
  // The United Nations' day is in November, but Germany has two of its own.
  ...namedDays('06-01/09-20 (?:welt|internationaler )?kindertag'),
  ...namedDays(`06-24 johannis(?:tag)?; 08-15 mariä himmelfahrt; 10-31 (?:halloween|reformationstag);
    11-01 allerheiligen; 11-02 allerseelen; 11-11 (?:sankt martin|st\\.? martin|martinstag); 12-04 barbaratag;
    12-06 (?:sankt |st\\.? )?nikolaus(?:tag|abend)?; 12-08 mariä empfängnis;
    12-24 (?:heiligabend|heilige[rn]? abend|heilig abend|weihnachtsabend);
    12-25 (?:erste[rn]?|1\\.) weihnachts(?:feier)?tag;
    12-26 (?:(?:zweite[rn]?|2\\.) weihnachts(?:feier)?tag|stephanstag|stefanitag)`),
  // Presents are given on the eve; the feast is the day.
  ...namedDays('12-25/12-24 weihnachten; 12-31 (?:silvester|sylvester)(?:abend|tag)?'),
  // Einigungsvertrag, article 2: Germany. The federal constitution, article 110: Switzerland. BGBl. 298/1967: Austria.
  ...namedDays('10-03 tag der (?:deutschen )?einheit; 08-01 bundesfeiertag; 10-26 nationalfeiertag'),
  // The churches' calendar, and days of shopping.
  ...namedDays(`fatThursday (?:weiberfastnacht|altweiber|schmotziger donnerstag); roseMonday rosenmontag;
    carnivalSunday (?:fastnachts|faschings|karnevals)sonntag;
    shroveTuesday (?:fastnachts|faschings|veilchen)dienstag; ashWednesday aschermittwoch;
    palmSunday palmsonntag; maundyThursday gründonnerstag; goodFriday karfreitag;
    holySaturday (?:kar|oster)samstag; easter oster(?:n|sonntag); easterMonday ostermontag;
    ascension (?:christi )?himmelfahrt(?:stag)?; whitSunday-1 pfingstsamstag; whitSunday pfingst(?:en|sonntag);
    whitMonday pfingstmontag; corpusChristi fronleichnam;
    firstAdvent (?:(?:erste[rn]?|1\\.) advent(?:ssonntag)?);
    secondAdvent (?:(?:zweite[rn]?|2\\.) advent(?:ssonntag)?);
    thirdAdvent (?:(?:dritte[rn]?|3\\.) advent(?:ssonntag)?);
    fourthAdvent (?:(?:vierte[rn]?|4\\.) advent(?:ssonntag)?); blackFriday black friday;
    cyberMonday cyber monday; 10-first-sunday erntedank(?:fest)?;
    firstAdvent-11 (?:buß-? und bettag|bußtag); firstAdvent-14 volkstrauertag;
    firstAdvent-7 (?:toten|ewigkeits)sonntag`),
  // Customs: fathers have their day on a Sunday in Austria.
  ...namedDays('05-second-sunday muttertag; ascension/06-second-sunday vatertag'),
];

const PERIOD = '(?:tag|woche|wochenende|monat|quartal|jahr|morgen|abend|nacht|mal)';
const DAY = '(?:sonntag|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend)';

const german: EuropeanWords['grammar'] = {
  weekdays:
    patternsIn(`sonntag|so(?! (?:um|gegen|ab(?!end\\b)|ungefähr|etwa|circa|zirka|ca|früh|spät|bald|schnell)),
    montag|mo, dienstag|di, mittwoch|mi, donnerstag|do, freitag|fr, samstag|sonnabend|sa`),
  months: patternsIn(`januar|jänner|jan, februar|feber|feb, märz|mär|mrz, april|apr, mai, juni|juno|jun,
    juli|julei|jul, august|aug, september|sept|sep, oktober|okt, november|nov, dezember|dez`),
  numbers: GERMAN_NUMBERS,
  ordinals: GERMAN_ORDINALS,
  ordinalEnding: '\\.(?!\\d)|te[nrsm]?|ter|ste[nr]?',
  days: [
    ['heute?', { ahead: 0 }],
    ['morgen', { ahead: 1 }],
    ['(?:über|ueber)morgen', { ahead: 2 }],
    ['(?:am )?nächsten tag', { ahead: 1 }],
    ['überübermorgen', { ahead: 3 }],
    ['morgen (?:in der )?früh', { ahead: 1, part: 'morning' }],
    ['(?:über|ueber)morgen (?:in der )?früh(?! am )', { ahead: 2, part: 'morning' }],
  ],
  feasts: GERMAN_FEASTS,
  weekdayBefore: byMeaning({
    this: 'diese[nmrs]?',
    coming: '(?:diese[nmr]? )?kommende[nmrs]?',
    'after-next': 'übernächste[nmrs]?',
    next: '(?:nächste[nmrs]?|nä\\.?)',
  }),
  weekdayPlus: byMeaning({
    P7D: 'in (?:einer|1) woche',
    P14D: 'in (?:(?:zwei|2) wochen|(?:vierzehn|14) tagen)',
    P21D: 'in (?:drei|3) wochen',
  }),
  dayMarker: '(?:am|an dem|den|dem|der|vom|zum|der tag)',
  of: '(?:de[sr]|im|in|von|vom|der|von der|in der)',
  edges: byMeaning({ start: '(?:am |zu )?(?:anfang|beginn)', middle: 'mitte', end: '(?:am |gegen )?ende' }),
  edgesInOneWord: [
    ['(?:am |zum |zu )?monats(?:anfang|beginn)', { place: 'start', unit: 'month' }],
    ['(?:am |zum )?monatsende', { place: 'end', unit: 'month' }],
    ['(?:am |zum |zu )?quartals(?:anfang|beginn)', { place: 'start', unit: 'quarter' }],
    ['(?:am |zum )?quartalsende', { place: 'end', unit: 'quarter' }],
    ['(?:am |zum |zu )?jahres(?:anfang|beginn)', { place: 'start', unit: 'year' }],
    ['(?:am |zum )?jahresende', { place: 'end', unit: 'year' }],
  ],
  weekends: byMeaning({
    0: '(?:am |diese[sm]? )?(?:kommende[sn]? )?wochenende',
    1: '(?:am )?nächste[sn]? wochenende',
  }),
  workingDay: '(?:werk|arbeits)tag(?:en?)?',
  dayAfter: 'nach',
  dayBefore: 'vor',
  daysBeside: byMeaning({ P1D: '(?:am |de[rn] |einen )?tag nach', '-P1D': '(?:am |de[rn] |einen )?tag vor' }),
  ordinalMonths: true,
  dayNoun: 'tag(?:es)?',
  last: 'letzte[nmrs]?',
  hourAfterWeekday: true,
  parts: [
    [
      '(?:früh ?morgens|morgens früh|(?:am )?frühe[nr]? morgen|(?:in der )?früh(?: am (?:tag|morgen))?|(?:ganz|sehr|ziemlich|recht|möglichst) früh|so früh wie möglich)',
      'early-morning',
    ],
    ['(?:(?:am|des) )?(?:frühen )?vormittags?', 'morning'],
    ['(?:am morgen(?: de[sr])?|morgens|in der früh|(?:zum )?(?:arbeits|dienst)beginn|als erstes)', 'morning'],
    ['(?:am späten|später) vormittag', 'late-morning'],
    [
      '(?:mittags|am mittag|zu mittag|zum mittagessen|mittag|(?:zur |in der |um die )?mittags(?:zeit|pause))',
      'midday',
    ],
    ['nach (?:dem mittagessen|dem mittag|der mittagspause)', 'early-afternoon'],
    ['(?:(?:am|des) )?nachmittags?', 'afternoon'],
    ['(?:am )?frühe[rnm]? nachmittag', 'early-afternoon'],
    ['(?:(?:am )?späte[rnm]?|spät am) nachmittag|spätnachmittags?', 'late-afternoon'],
    [
      '(?:(?:am |zum )?(?:ende des arbeitstages|feierabend|(?:arbeits|dienst|büro)schluss)|eod|cob|eob)',
      'late-afternoon',
    ],
    ['nach (?:feierabend|der arbeit|(?:arbeits|dienst)schluss)', 'evening'],
    ['(?:am )?frühe[rnm]? abend', 'early-evening'],
    [
      '(?:(?:am )?späte[rnm]? ?abend|spätabends?|spät abends|(?:(?:ganz|sehr|ziemlich|recht|möglichst) )?spät(?: am (?:abend|tag)|(?! am nachmittag))|so spät wie möglich)',
      'late-evening',
    ],
    ['(?:(?:am|des|zum) )?abends?', 'evening'],
    ['(?:nachts|in der nacht|zur nacht|nacht)', 'late-night'],
  ],
  partsOfToday: byMeaning({
    morning: ['(?:diese[nr] (?:morgen|vormittag))', 'heute (?:morgen|früh|vormittag|in der früh)'],
    afternoon: '(?:dieser|diesen) nachmittag',
    evening: '(?:dieser|diesen) abend',
    'late-night': 'heute (?:nacht|in der nacht)',
  }),
  partsOfWeekday: byMeaning({
    morning: '(?:morgens?|früh|vormittags?|vorm\\.?)',
    'early-morning': 'frühmorgens?',
    midday: 'mittags?',
    afternoon: '(?:nachmittags?|nachm\\.?)',
    'late-afternoon': 'spätnachmittags?',
    evening: 'abends?',
    'late-evening': 'spätabends?',
    'late-night': 'nachts?',
  }),
  dayEnd: '(?:(?:am |zum )?(?:ende des tages|tagesende))',
  sameTime: '(?:(?:zur |um die )?(?:gleichen?|selben?) (?:uhr)?zeit|um dieselbe (?:uhr)?zeit)',
  writes24Hours: true,
  hasWordAm: true,
  at: '(?:(?<=\\p{L} )so |so (?=ungefähr|etwa|circa|zirka|ca))?(?:um(?: die)?|gegen|gg\\.?|ab|zirka|circa|ca\\.?|etwa|ungefähr)(?: (?:um|circa|zirka|ca\\.?|etwa|ungefähr))?',
  hourUnit: '(?:uhr|h)',
  noon: 'zwölf uhr mittags',
  midnight: 'mitternachts?',
  minutesFirst: { past: 'nach', to: 'vor' },
  minutes: byMeaning({ 15: 'viertel' }),
  beforeHour: byMeaning({ 30: 'halb', 15: 'drei ?viertel' }),
  units: unitsIn(
    'sekunden?|sek, minuten?|min|mins, stunden?|std|stdn|h, tage?n?|tg, wochen?|wo, monate?n?, jahre?n?',
  ),
  counts: [
    ["(?:(?:eine?[mnrs]?|'?ner) )?halbe[nrs]?", 0.5],
    ['(?:einem |ein )?paar', 2],
    ['(?:anderthalb|ein(?:und)?einhalb|ein einhalb)', 1.5],
    ['zwei(?:und)?einhalb', 2.5],
    ['drei(?:und)?einhalb', 3.5],
  ],
  durations: [
    ['(?:einer? )?viertel ?stunde', 'PT15M'],
    ['(?:einer? )?drei ?viertel ?stunde', 'PT45M'],
  ],
  and: 'und|sowie|&|\\+',
  andHalf: 'und eine halbe',
  durationBefore: '(?:in|binnen|innerhalb(?: von)?)',
  durationAfter: '(?:später|danach|ab (?:jetzt|heute)|von (?:jetzt|heute) an)',
  durationFrom: '(?:nach|ab)',
  fillers:
    '(?:spätestens|frühestens|nachher|später|am|an|um|der|die|das|den|dem|des|im|in|ab|gegen|irgendwann|genau|pünktlich|punkt|etwa|zirka|circa|ca|ungefähr|bitte|danke|ok(?:ay)?|hallo|moin|vielleicht|eventuell|lieber|besser|passt|sagen wir|nehmen wir|machen wir|lass uns|nehmen|(?:können|könnten) wir|kannst du|(?:verschieb(?:en?)?|verleg(?:en?)?|änder[en])(?: (?:es|das))? auf|uhr|h|schon|gleich|direkt|rum|herum|dann|von|vom|zu|zum|für|kommt|posten?(?: es)?|senden?(?: es)?|schicken?(?: es)?|online (?:stellen|gehen)|raus|(?:ein)?planen|veröffentlichen|erinnere mich|(?:orts|lokale )?zeit|zeitzone)',
  now: '(?:(?:ab |gleich )?jetzt(?: gleich| sofort)?|(?:ab )?sofort(?: jetzt)?|gerade eben|umgehend|unverzüglich|so(?:bald| schnell| bald| früh) (?:wie möglich|(?:wie )?es geht)|schnellst ?möglich|baldmöglichst|möglichst (?:bald|schnell)|asap|zu dieser zeit)',
  over: `gestern|vorgestern|vor (?:\\d+|${'(?:ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn)\\p{L}*'}) (?:sek|min|stund|tag|woche|monat|jahr)\\p{L}*|vor kurzem|(?:letzte|vergangene|vorige)[nrsm]? (?:${PERIOD}|${DAY}|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)\\p{L}*|neulich|kürzlich`,
  repeats: `jede[nmrs]?|täglich|wöchentlich|monatlich|jährlich|stündlich|(?:sonn|mon|diens|donners|frei|sams)tags|mittwochs|sonnabends|werktags|wochentags|alle (?:\\d+|zwei|drei|vier|fünf|paar|halbe)(?= (?:sek|min|stund|tag|woche|monat|jahr))|alle (?:stunden|tage|wochen|monate)|immer|(?:ein|zwei|drei)mal (?:am|pro|die|im)`,
  range:
    'bis|zwischen|während|(?:für|lang) (?:\\d+|eine[nr]?|zwei|drei) (?:minut|stund|tag|woche)\\p{L}*|von \\S+ an',
  choice: 'oder',
  fromTo: ['von|vom|seit', 'bis|auf|zu'],
  dayWords: 'jeden heute morgen übermorgen mittag vormittag nachmittag abend mitternacht',
  wordsThemselves: 'leute beute häute heult sorgen borgen morden norden morsen montan angst reden jenen',
};

const THIS = '(?:diese[nmrs]?|aktuelle[nr]?|laufende[nrs]?)';
const NEXT = '(?:nächste[nmrs]?|nä\\.?|kommende[nmrs]?)';
const LAST = '(?:letzte[nmrs]?|vergangene[nmrs]?|vorige[nmrs]?)';

export const GERMAN_WORDS: EuropeanWords = {
  grammar: german,
  fillers: 'am|an|im|in|der|die|das|den|dem|während|für|gesamte[nr]?|ganze[nr]?',
  repeats: {
    every: '(?:(?:immer|jeweils) )?(?:(?:an )?(?:jede[nmrs]?|jd\\.)|alle|immer|am|wöchentlich am)',
    weekdayEnding: 's?',
    everyDay: '(?:jeden tag|täglich|alle tage|tagtäglich)',
    workdays: '(?:werktags?|werktage[ns]?|wochentags?|wochentage[ns]?|arbeitstage?n?|unter der woche)',
    determiners: 'eine?m?',
    weekends: '(?:wochenende[ns]?)',
    everyPart: '(?:jede[nr])',
    morning: ['morgen', 'morgens'],
    except: '(?:außer|nicht|ohne)(?: am)?',
    intervals: ['alle # §', '(?:an )?jede[nmrs]? (?:zweite[nmrs]?|2\\.) §'],
    fixedIntervals: [
      ['(?:wöchentlich|(?:jede|(?:ein|1 ?)(?:mal|x) (?:pro|die)) woche)', { unit: 'weeks', interval: 1 }],
      ['(?:zweiwöchentlich|2 wöchentlich|vierzehntägig|14 ?tägig)', { unit: 'weeks', interval: 2 }],
      ['(?:monatlich|(?:jede[ns]|(?:ein|1 ?)(?:mal|x) (?:pro|im)) monats?)', { unit: 'months', interval: 1 }],
      ['(?:jährlich|jedes jahr)', { unit: 'years', interval: 1 }],
    ],
    onDate: '(?:(?:am|zum|an|jede[nmrs]?) )?(?:jede[nmrs]? )?',
    ofMonth: ['(?:im|des|eines)', 'monats?'],
    count: ['# ?mal(?! (?:pro|im|in|die))'],
    lasting: ['für # §', '# § lang'],
    unsupported:
      '(?:stündlich|alle (?:\\p{L}+|\\d+) (?:stunden|minuten)|vierteljährlich|quartalsweise|halbjährlich|jedes quartal|jede stunde|(?:zwei|drei|(?!1(?!\\d))\\d+) ?(?:mal|x) (?:pro|am|im|die) \\p{L}+)',
  },
  copulas: 'ist|sind|wird',
  looseDays: 'so|do',
  stretches: {
    nouns: {
      week: '(?:woche|(?<=nächste[nr]? |diese[nr]? )wo\\.?)',
      weekend: 'wochenende',
      month: 'monats?',
      quarter: 'quartals?',
      year: 'jahr(?:es)?',
    },
    half: 'halbjahr(?:es|s)?',
    halves: [
      '(?:erste|1\\.)[nr]? (?:halfte (?:(?:im|des|der|vom) )?|(?=\\S+halfte$))§(?:-?halfte|s)?',
      '(?:zweite|2\\.)[nr]? (?:halfte (?:(?:im|des|der|vom) )?|(?=\\S+halfte$))§(?:-?halfte|s)?',
    ],
    ofCalendar: [
      [`${THIS} §`, 0],
      [`${NEXT} §`, 1],
      [`${LAST} §`, -1],
      ['übernächste[nmrs]? §', 2],
      ['vorletzte[nmrs]? §', -2],
    ],
    restOf: 'rest (?:der|des|dieser|dieses) §',
    next: [`${NEXT} # §`],
    last: [`${LAST} # §`],
    ago: ['vor # §'],
    pastDays: ['vorgestern', 'gestern', 'heute'],
    quarterLetter: 'q',
    calendarWeek: '(?:kw|kalenderwoche|woche) ?#',
    weekOf: 'woche (?:vom|ab)',
  },
  edges: {
    from: '(?:von|vom|ab|frühestens(?: ab| am)?|nicht vor(?: dem)?)',
    to: '(?:bis(?: zum?)?)',
    between: 'zwischen',
    onwards: 'an',
    onwardsAlone: '(?!)',
    since: '(?:seit(?: dem)?)',
    until: '(?:(?:bis )?spätestens(?: am)?|bis(?: (?:zum?|einschließlich))?)',
    endOf: '(?:(?:dem |das )?ende(?: (?:de[rs]|von))?|(?=monatsende|quartalsende|jahresende))',
    before: '(?:vor(?: dem)?)',
    after: '(?:nach(?: dem)?)',
  },
  examples: {
    moment: ['morgen um 9 Uhr', 'Fr 14:30', '1. Dezember um 10:15 Uhr'],
    moments: ['Mo, Mi und Fr um 9:00', 'morgen um 9:00 und 17:00', '9:00 in Berlin und Tokyo'],
    ranges: ['diese Woche', 'von Montag bis Freitag', '1.-5. Dezember'],
    recurrences: ['werktags 8:30', 'jeden Montag um 9:00', 'Mo, Mi und Fr 10:00'],
  },
};
