import { byMeaning, type EuropeanWords, numerals, patternsIn, unitsIn } from '../european/vocabulary.ts';
import { namedDays } from '../feasts.ts';

const DUTCH_NUMBERS = numerals({
  small: patternsIn(`nul, (?:één|een), twee, drie, vier, vijf, zes, zeven, acht, negen, tien, elf, twaalf,
    dertien, veertien, vijftien, zestien, zeventien, achttien, negentien`),
  tens: { 20: 'twintig', 30: 'dertig', 40: 'veertig', 50: 'vijftig' },
  compound: (ten, unit) => `${unit}en${ten}`,
});

const IRREGULAR: Readonly<Record<number, string>> = { 1: 'eerste', 3: 'derde', 8: 'achtste' };

/** "tweede", "twintigste", "eenendertigste": to 19 with -de, from 20 with -ste. */
const DUTCH_ORDINALS = DUTCH_NUMBERS.filter(([, value]) => value >= 1 && value <= 31).map(
  ([word, value]) => [IRREGULAR[value] ?? `${word}${value < 20 ? 'de' : 'ste'}`, value] as const,
);

const FEASTS = [
  ...namedDays(`01-01 nieuwjaar(?:sdag)?; 01-06 driekoningen; 02-14 valentijn(?:sdag)?; 05-01 dag van de arbeid;
    10-04 dierendag; 10-31 halloween; 11-01 allerheiligen; 11-02 allerzielen;
    11-11 (?:sint|sinter|st\\.?) ?maarten; 12-05 (?:sinterklaasavond|pakjesavond)`),
  // His eve in the Netherlands, his day in Belgium.
  ...namedDays(`12-05/12-06 sinterklaas; 12-24 kerst ?avond; 12-25 (?:(?:eerste|1e) kerst ?dag|kerst(?:mis|dag)?);
    12-26 (?:tweede|2e) kerst ?dag;
    12-31 (?:oud ?jaar(?:savond|sdag)?|oudejaars ?(?:avond|dag|nacht)|oud en nieuw)`),
  // rijksoverheid.nl: the Netherlands. Belgium's national day: the law of 27 May 1890.
  ...namedDays(`kingsDay koningsdag; 05-04 dodenherdenking; 05-05 bevrijdingsdag;
    09-third-tuesday prinsjesdag; 07-21 nationale feestdag`),
  // The churches' calendar, and days of shopping.
  ...namedDays(`carnivalSunday/shroveTuesday carnaval; carnivalSunday carnavalszondag; roseMonday carnavalsmaandag;
    shroveTuesday (?:carnavalsdinsdag|vastenavond); ashWednesday aswoensdag; palmSunday palmzondag;
    maundyThursday witte donderdag; goodFriday goede vrijdag; holySaturday (?:stille|paas) ?zaterdag;
    easter (?:pasen|paas ?zondag|(?:eerste|1e) paas ?dag);
    easterMonday (?:paas ?maandag|(?:tweede|2e) paas ?dag); ascension hemelvaart(?:sdag)?;
    whitSunday (?:pinksteren|pinkster ?zondag|(?:eerste|1e) pinkster ?dag);
    whitMonday (?:pinkster ?maandag|(?:tweede|2e) pinkster ?dag); blackFriday black friday;
    cyberMonday cyber monday`),
  // Customs: fathers have their day a week earlier in Belgium.
  ...namedDays('05-second-sunday moederdag; 06-third-sunday/06-second-sunday vaderdag'),
];

/** "Met kerst": a feast's own word for "on". */
const DUTCH_FEASTS = FEASTS.map(([name, feast]) => [`(?:met )?${name}`, feast] as const);

const PERIOD = '(?:dag|week|weekend|maand|kwartaal|jaar|ochtend|avond|nacht|keer)';
const DAY = '(?:zondag|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag)';

const dutch: EuropeanWords['grammar'] = {
  weekdays: patternsIn(`zondag|zon|zo(?! meteen), maandag|maa|ma, dinsdag|dins|din|di, woensdag|woens|woe|wo,
    donderdag|dond|don|do, vrijdag|vrij|vri|vr, zaterdag|zat|za`),
  months: patternsIn(`januari|jan, februari|feb, maart|mrt|mar, april|apr, mei, juni|jun, juli|jul,
    augustus|aug, september|sept|sep, oktober|okt|oct, november|nov, december|dec`),
  numbers: DUTCH_NUMBERS,
  ordinals: DUTCH_ORDINALS,
  twoThousand: 'tweeduizend',
  ordinalEnding: '(?:ste|de|e)',
  days: [
    ['(?:vandaag|deze dag)', { ahead: 0 }],
    ['(?:morgen|mrgn)', { ahead: 1 }],
    ['over(?:morgen|mrgn)', { ahead: 2 }],
    ['(?:de )?(?:volgende dag|dag erna|dag erop)', { ahead: 1 }],
    ['morgen ?(?:ochtend|vroeg|voormiddag)', { ahead: 1, part: 'morning' }],
    ['morgen ?(?:na)?middag', { ahead: 1, part: 'afternoon' }],
    ['morgen ?avond', { ahead: 1, part: 'evening' }],
    ['morgen ?nacht', { ahead: 1, part: 'late-night' }],
    ['overmorgen ?(?:ochtend|vroeg|voormiddag)', { ahead: 2, part: 'morning' }],
    ['overmorgen ?(?:na)?middag', { ahead: 2, part: 'afternoon' }],
    ['overmorgen ?avond', { ahead: 2, part: 'evening' }],
  ],
  feasts: DUTCH_FEASTS,
  weekdayBefore: byMeaning({
    this: 'deze',
    coming: '(?:deze )?(?:aanstaande|aankomende|komende|eerst(?:vol|ko)[a-z]*|a\\.?s\\.?)',
    next: '(?:volgende|vlgd?\\.?)',
  }),
  weekdayAfter: byMeaning({ coming: '(?:aanstaande|eerst(?:vol|ko)[a-z]*|a\\.?s\\.?)' }),
  weekdayPlus: byMeaning({
    P7D: 'over (?:een|1) week',
    P14D: 'over (?:(?:twee|2) weken|(?:veertien|14) dagen)',
    P21D: 'over (?:drie|3) weken',
  }),
  dayMarker: '(?:op de|op|de|den)',
  of: '(?:van de maand|van (?:de|het)|van|vd|in|op)',
  edges: byMeaning({
    start: '(?:aan het |het )?begin(?: (?:de|het))?',
    middle: '(?:half(?! (?:week|maand|kwartaal|jaar))|(?:medio|midden|halverwege)(?: (?:de|het))?)',
    end: '(?:aan het |het |op het )?einde?(?: (?:de|het))?',
  }),
  weekends: byMeaning({
    0: '(?:(?:in |dit |het |in het )?(?:komende? )?weekend)',
    1: '(?:het )?volgende? weekend',
  }),
  workingDay: '(?:werkdag(?:en)?)',
  dayAfter: 'na',
  dayBefore: 'voor',
  daysBeside: byMeaning({ P1D: '(?:op )?de dag na', '-P1D': '(?:op )?de dag voor' }),
  dayNoun: 'dag',
  last: 'laatste',
  hourAfterWeekday: true,
  dashedDates: true,
  writes24Hours: true,
  parts: [
    ['(?:heel )?vroeg', 'early-morning'],
    ['halverwege de (?:ochtend|morgen)', 'mid-morning'],
    ["(?:'s ochtends vroeg|'s morgens vroeg|vroeg in de (?:ochtend|morgen))", 'early-morning'],
    [
      "(?:'s (?:ochtends|morgens|voormiddags)|(?:in )?de (?:ochtend|morgen|voormiddag)|ochtend|voormiddag|als eerste)",
      'morning',
    ],
    ["(?:'s (?:middags|namiddags)|(?:in )?de (?:middag|namiddag)|namiddag|middag)", 'afternoon'],
    [
      '(?:(?:(?:rond|met|tijdens) (?:de )?)?lunch(?:tijd|pauze)?|(?:tussen|rond|tegen) (?:de middag|het middaguur))',
      'midday',
    ],
    ['(?:na de lunch|(?:aan het )?begin van de (?:na)?middag|vroeg in de (?:na)?middag)', 'early-afternoon'],
    ['(?:aan het )?einde? van de (?:ochtend|morgen)', 'late-morning'],
    [
      '(?:(?:aan het |het |op het )?einde? van de (?:werkdag|(?:na)?middag)|einde? werkdag|laat in de (?:na)?middag|eod|cob)',
      'late-afternoon',
    ],
    ["(?:'s avonds|(?:in )?de avond|avond|na (?:het werk|werktijd))", 'evening'],
    ["(?:'s avonds laat|laat (?:op|in) de avond|laat op de dag)", 'late-evening'],
    ["(?:'s nachts|(?:in )?de nacht|nacht)", 'late-night'],
  ],
  dayEnd: '(?:(?:aan het |het |op het )?einde? (?:van(?: de)?(?: dag)?|dag))',
  sameTime: '(?:(?:op )?(?:dezelfde tijd|hetzelfde tijdstip)|zelfde tijd)',
  partsOfToday: byMeaning({
    morning: '(?:vanmorgen|vanochtend|deze (?:ochtend|morgen))',
    afternoon: '(?:vanmiddag|deze (?:na)?middag)',
    evening: '(?:vanavond(?! laat)|deze avond)',
    'late-night': '(?:vannacht|deze nacht)',
    'late-evening': 'vanavond laat',
  }),
  partsOfWeekday: byMeaning({
    morning: '(?:ochtend|morgen|voormiddag)',
    afternoon: '(?:na)?middag',
    evening: 'avond',
    'late-night': 'nacht',
  }),
  at: '(?:(?:stipt|klokslag) )?(?:om(?: klokslag)?|klokslag|rond|tegen|vanaf|omstreeks)(?: (?:ongeveer|circa|ca\\.?|rond))?',
  hourUnit: '(?:uur|u|h)',
  hourLetter: '[uh]',
  noon: "twaalf uur 's middags",
  midnight: 'middernacht',
  minutesFirst: { past: 'over', to: 'voor' },
  minutes: byMeaning({ 15: '(?:een )?kwart(?:ier)?' }),
  beforeHour: byMeaning({ 30: 'half' }),
  units: unitsIn(
    'seconden?|sec, minuut|minuten|min, uur|uren|uurtjes?|u, dag|dagen, week|weken|wkn|wk, maand|maanden|mnd, jaar|jaren',
  ),
  counts: [
    ['(?:een )?paar', 2],
    ['anderhal(?:f|ve)', 1.5],
    ['twee ?en een hal(?:f|ve)|tweeënhal(?:f|ve)', 2.5],
    ['drie ?en een hal(?:f|ve)|drieënhal(?:f|ve)', 3.5],
  ],
  durations: [
    ['(?:een )?kwartier(?:tje)?', 'PT15M'],
    ['(?:een )?half ?uur(?:tje)?', 'PT30M'],
    ['drie kwartier', 'PT45M'],
  ],
  and: 'en|&|\\+',
  andHalf: 'en een half',
  durationBefore: '(?:over|in|binnen)',
  durationAfter: '(?:later|vanaf (?:nu|vandaag)|na vandaag)',
  durationFrom: '(?:na|vanaf)',
  fillers:
    '(?:straks|zo ?meteen|dadelijk|later|uiterlijk|vanaf|ergens|om|op|de|het|den|van|in|aan|te|rond|tegen|ongeveer|circa|ca|precies|direct|meteen|exact|stipt|klokslag|graag|alsjeblieft|oké|ok|bedankt|misschien|liever|doe maar|zeg(?: maar)?|laten we|doen|kunnen we|kun je|kan dit|(?:post )?dit|(?:verplaats(?:en)?|verzet(?:ten)?|verschuif|verschuiven)(?: (?:het|dit))? naar|aub|a u b|even|svp|plaatsen|plaats|zet(?:ten)?|online(?: zetten)?|posten|publiceren|(?:in)?plannen|verstuur|versturen|stuur|herinner me|uur|u|h|(?:lokale |plaatselijke )?tijd|tijdzone)',
  now: '(?:nu(?: meteen| direct| gelijk)?|(?:per )?direct|meteen|gelijk|onmiddellijk|zo (?:snel|spoedig|vroeg) mogelijk|z\\.?s\\.?m\\.?|asap|op (?:het|dit) moment)',
  over: `gisteren|gisteravond|eergisteren|(?:\\d+|een|twee|drie|vier|vijf) (?:seconden?|minu\\p{L}+|uur|uren|dag\\p{L}*|week|weken|maand\\p{L}*|jaar|jaren) (?:geleden|terug|eerder)|geleden|(?:vorige?|afgelopen|voorbije) (?:${PERIOD}|${DAY}|januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december)|onlangs|zojuist`,
  repeats: `elke?|ieder[e]?|dagelijks\\p{L}*|wekelijks\\p{L}*|maandelijks\\p{L}*|jaarlijks\\p{L}*|(?:een|twee|drie|\\d+) ?(?:keer|maal) per|per ${PERIOD}|${DAY}en|om de (?:dag|week|\\d+|twee)|doordeweeks`,
  range: 'tot|tussen|gedurende|t/m|tot en met|van \\d{1,2}(?::\\d\\d)? (?:tot|naar) .*',
  choice: 'of',
  fromTo: ['van|vanaf|sinds', 'tot|naar|t/m'],
  dayWords:
    'vandaag morgen overmorgen middag ochtend avond vanavond vanmiddag vanmorgen vanochtend middernacht',
  wordsThemselves:
    'maar kaart vaart baart taart staart zwaart maarten zondig zorgen borgen morden zonder midden vandaan',
};

const THIS = '(?:deze|dit|huidige)';
const NEXT = '(?:volgende?|vlgd?\\.?|komende?|aankomende?)';
const LAST = '(?:vorige?|afgelopen|laatste)';

export const DUTCH_WORDS: EuropeanWords = {
  grammar: dutch,
  fillers: 'op|in|de|het|tijdens|gedurende|voor|hele?|van',
  repeats: {
    every: '(?:elke?|iedere?|alle|op|wekelijks op)',
    weekdayEnding: '(?:en|s)?',
    everyDay: '(?:elke dag|iedere dag|dagelijks|alle dagen)',
    workdays: '(?:werkdag(?:en)?|weekdag(?:en)?|doordeweeks|door de week)',
    determiners: 'een',
    weekends: '(?:(?:in het )?weekend(?:en|s)?)',
    everyPart: '(?:elke|iedere)',
    morning: ['morgen', 'ochtend'],
    except: '(?:behalve|uitgezonderd)(?: op)?',
    intervals: ['(?:elke|iedere|om de) # §', 'om de §', '(?:elke|iedere) (?:andere|tweede|2e) §'],
    fixedIntervals: [
      ['(?:wekelijks|(?:elke|iedere|(?:een|1) ?(?:x|keer|maal) per) week)', { unit: 'weeks', interval: 1 }],
      ['(?:tweewekelijks|veertiendaags|om de week)', { unit: 'weeks', interval: 2 }],
      ['(?:maandelijks|(?:elke|iedere|(?:een|1) ?(?:x|keer) per) maand)', { unit: 'months', interval: 1 }],
      ['(?:jaarlijks|elk jaar|ieder jaar)', { unit: 'years', interval: 1 }],
    ],
    onDate: '(?:(?:op|elke|iedere) )?(?:de )?',
    ofMonth: ['van', 'de maand'],
    count: ['# ?(?:keer|maal|x)(?! per)'],
    lasting: ['(?:voor|gedurende) # §', '# § lang'],
    unsupported:
      '(?:elk (?:uur|kwartaal)|om het uur|(?:elke|om de) (?:\\p{L}+|\\d+) (?:uur|uren|minuten)|(?:per|van het) kwartaal|(?:een|twee|drie|\\d+) ?(?:keer|maal|x) per (?!(?<=(?:een|1) ?(?:keer|maal|x) per )(?:week|maand))\\p{L}+)',
  },
  copulas: 'zijn|wordt',
  looseDays: 'zo|do',
  stretches: {
    nouns: { week: '(?:week|wk)', weekend: 'weekend', month: 'maand', quarter: 'kwartaal', year: 'jaar' },
    half: '(?:halfjaar|jaarhelft)',
    halves: ['(?:eerste|1e) helft (?:van )?§', '(?:tweede|2e) helft (?:van )?§'],
    ofCalendar: [
      [`${THIS} §`, 0],
      [`${NEXT} §`, 1],
      [`${LAST} §`, -1],
    ],
    restOf: 'rest van (?:de|het|deze|dit) §',
    next: [`${NEXT} # §`],
    last: [`${LAST} # §`],
    ago: ['# § geleden'],
    pastDays: ['eergisteren', 'gisteren', 'vandaag'],
    quarterLetter: '[kq]',
    calendarWeek: '(?:weeknummer|week|wk) ?#',
    weekOf: 'week van',
  },
  edges: {
    from: '(?:van|vanaf|niet voor)',
    to: '(?:tot(?: en met)?|t/m|t\\.?e\\.?m\\.?|naar)',
    between: 'tussen',
    onwards: 'af',
    onwardsAlone: '(?!)',
    since: 'sinds',
    until: '(?:uiterlijk(?: op)?|tot(?: en met)?|t/m)',
    endOf: '(?:het )?einde?(?: van(?: de)?)?',
    before: `(?:voor(?! (?:${THIS} (?:week|weekend|maand|kwartaal|jaar)|(?:eer)?gisteren|vandaag)$)|eerder dan)`,
    after: 'na',
  },
  examples: {
    moment: ['morgen om 9:00', 'vr 14:30', '1 december om 10:15'],
    moments: ['ma, wo en vr om 9:30', 'morgen om 9:30 en 17:30', '9:30 in Amsterdam en Tokyo'],
    ranges: ['deze week', 'van maandag tot vrijdag', '1-5 december'],
    recurrences: ['elke werkdag om 8:30', 'elke maandag om 9:30', 'ma, wo en vr 10:00'],
  },
};
