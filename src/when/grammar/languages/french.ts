import {
  byMeaning,
  type EuropeanWords,
  inOrder,
  numerals,
  patternsIn,
  unitsIn,
} from '../european/vocabulary.ts';
import { namedDays } from '../feasts.ts';

const FRENCH_FEASTS = [
  ...namedDays(`01-01 (?:le )?(?:jour de l'an|nouvel an|premier de l'an); 01-06 (?:l')?épiphanie;
    02-02 (?:la )?chandeleur; 02-14 (?:la )?(?:saint|st) valentin;
    03-08 (?:la )?journée (?:internationale )?(?:des droits )?(?:de la femme|des femmes); 05-01 (?:la )?fête du travail;
    06-21 (?:la )?fête de la musique; 06-24 (?:la )?(?:saint|st) jean; 08-15 (?:l')?assomption;
    10-31 (?:d')?halloween; 11-01 (?:(?:le jour|la journée) de )?(?:la )?toussaint;
    11-02 (?:le )?jour des morts; 12-06 (?:la )?(?:saint|st) nicolas; 12-08 (?:l')?immaculée conception;
    12-24 (?:(?:la )?veille|(?:le )?réveillon) de noël; 12-24/12-31 (?:le )?réveillon; 12-25 (?:le )?(?:jour de )?noël;
    12-31 (?:la )?(?:saint|st) sylvestre;
    12-31 (?:(?:la )?veille|(?:le )?réveillon) (?:du nouvel an|du jour de l'an|de la (?:saint|st) sylvestre)`),
  // The evening before the day, or the day's.
  ...namedDays('12-24/12-25 (?:le |la )?(?:soir|soirée|nuit) de noël'),
  // Code du travail, L3133-1: France.
  ...namedDays(`05-08 (?:la )?(?:fête de la )?victoire 1945; 07-14 (?:la )?fête nationale;
    11-11 (?:le jour de )?(?:l')?armistice`),
  // The churches' calendar, and days of shopping.
  ...namedDays(`shroveTuesday/carnivalSunday (?:le )?carnaval; shroveTuesday (?:le )?mardi gras; ashWednesday (?:le )?mercredi des cendres;
    palmSunday (?:(?:le )?dimanche )?des rameaux; maundyThursday (?:le )?jeudi saint;
    goodFriday (?:le )?vendredi saint; holySaturday (?:le )?samedi saint;
    easter (?:(?:le )?(?:dimanche|jour) de )?pâques; easterMonday (?:le )?lundi de pâques;
    ascension (?:(?:le )?jeudi de )?(?:l')?ascension; whitSunday (?:(?:le )?dimanche de )?(?:la )?pentecôte;
    whitMonday (?:le )?lundi de (?:la )?pentecôte; blackFriday (?:le )?(?:black friday|vendredi fou);
    cyberMonday (?:le )?cyber (?:monday|lundi)`),
  // Customs: mothers have their day earlier in Belgium, Switzerland and Canada.
  ...namedDays(`frenchMothersDay/05-second-sunday (?:la )?fête des mères;
    06-third-sunday (?:la )?fête des pères`),
];

const PERIOD = '(?:jour|semaine|week end|mois|trimestre|an|année|matin|soir|nuit|fois)';
const DAY = '(?:dimanche|lundi|mardi|mercredi|jeudi|vendredi|samedi)';

const NUMBERS = numerals({
  small: patternsIn(`zéro, (?:une|un), deux, trois, quatre, cinq, six, sept, huit, neuf, dix, onze, douze,
    treize, quatorze, quinze, seize, dix sept, dix huit, dix neuf`),
  tens: { 20: 'vingt', 30: 'trente', 40: 'quarante', 50: 'cinquante' },
  compound: (ten, unit, value) => `${ten} ${value % 10 === 1 ? 'et ' : ''}${unit}`,
});

const french: EuropeanWords['grammar'] = {
  weekdays: patternsIn(
    'dimanche|dim, lundi|lun, mardi|mar, mercredi|merc|mer, jeudi|jeu, vendredi|vend|ven, samedi|sam',
  ),
  months: patternsIn(`janvier|janv|jan, février|févr|fév, mars, avril|avr, mai, juin, juillet|juill?|jul,
    août|aou, septembre|sept|sep, octobre|oct, novembre|nov, décembre|déc`),
  numbers: NUMBERS,
  ordinals: inOrder(patternsIn('premi(?:er|ère), deuxième|seconde?, troisième, quatrième, cinquième'), 1),
  twoThousand: 'deux mille',
  ordinalEnding: '(?:er|ère|re|nd|nde|e|ème|ieme|ième)',
  days: [
    ["(?:aujourd'?hui|auj|ajd|ce jour(?: même)?|(?:plus tard )?dans la journée)", { ahead: 0 }],
    ['(?:demain|dem|dmn|2main)', { ahead: 1 }],
    ['(?:après|ap|apr) ?demain', { ahead: 2 }],
    ["(?:le )?(?:lendemain(?! d[eu]\\b)|jour (?:suivant|d'après))", { ahead: 1 }],
  ],
  feasts: FRENCH_FEASTS,
  weekdayBefore: byMeaning({ this: 'ce(?:tte)?', coming: "d'ici(?: à)?", next: '(?:le )?prochain' }),
  weekdayAfter: byMeaning({ next: "(?:pro(?:ch(?:aine?)?)?|suivante?|d'après|qui vient)" }),
  weeksMayBeginOnSunday: true,
  weekdayPlus: byMeaning({ P7D: 'en (?:huit|8)', P14D: 'en (?:quinze|15)' }),
  dayMarker: '(?:le|du|au|pour le|le jour du|sur la|sur)',
  ofMonthFigure: '',
  of: "(?:de la|de l'|du mois d[e']|du|de|d'|au mois d[e'])",
  edges: byMeaning({
    start: '(?:au |en )?début(?: de)?',
    middle: '(?:à la |au )?(?:mi|milieu)(?: de)?',
    end: "(?:(?:d'ici(?: à)?|à|en) )?(?:la )?fin(?: de)?",
  }),
  weekends: byMeaning({
    // In Quebec, "fin de semaine" is the weekend; elsewhere, its end is Friday.
    0: ['(?:ce |le |au |pour le )?(?:week ?end|we)(?! prochain)', '(?:en |la |cette )?fin de semaine'],
    1: '(?:le )?(?:week ?end|we) prochain',
  }),
  workingDay: 'jours? ouvr(?:és?|ables?)',
  dayAfter: 'après',
  dayBefore: 'avant',
  daysBeside: byMeaning({ P1D: '(?:le )?lendemain', P2D: '(?:le )?surlendemain', '-P1D': '(?:la )?veille' }),
  dayNoun: 'jour',
  last: 'derni(?:er|ère)',
  writes24Hours: true,
  parts: [
    ['(?:très )?tôt(?: (?:le|dans la|en) (?:matin|matinée))?', 'start-of-morning'],
    ['(?:(?:en|au) )?début de (?:la )?matinée', 'start-of-morning'],
    ['(?:à la )?première heure', 'start-of-morning'],
    ['(?:(?:en|à la) )?fin de (?:la )?matinée', 'late-morning'],
    ['(?:le |du |au |dans le |dans la |en )?(?:matinée|matins?|mat)', 'morning'],
    ['(?:(?:en|au) )?milieu de (?:la )?matinée', 'mid-morning'],
    ['(?:en|au) début de (?:la )?journée', 'morning'],
    ["(?:(?:en|au) )?milieu (?:d'|de l')(?:après midi|apr[eè]?m)", 'afternoon'],
    ['après (?:le )?(?:déjeuner|déj|repas)', 'early-afternoon'],
    ['avant (?:le )?(?:déjeuner|déj)', 'late-morning'],
    ['avant midi', 'morning'],
    ["(?:(?:à |pour )?l'heure du|au moment (?:du|de)|pendant le) (?:déjeuner|repas de midi)", 'midday'],
    ['(?:après le travail|après le boulot|(?:à )?la sortie du (?:travail|bureau))', 'late-afternoon'],
    ['(?:en|au) milieu de (?:la )?journée', 'midday'],
    ['(?:en |à la )?fin de journée', 'late-afternoon'],
    ['à la fin de la journée', 'late-afternoon'],
    ["(?:(?:en|au) )?début (?:d'|de l')(?:après midi|apr[eè]?m)", 'early-afternoon'],
    ["(?:(?:en|à la) )?fin (?:d'|de l')(?:après midi|apr[eè]?m)", 'late-afternoon'],
    ["(?:(?:dans )?(?:l'|d'|de l'))?(?:après midi|apr[eè]?m)", 'afternoon'],
    ['(?:(?:en|au) )?début de (?:la )?soirée', 'evening'],
    ['(?:(?:en|à la) )?fin de (?:la )?soirée', 'late-evening'],
    ['(?:le |du |au |dans la |en )?(?:soirs?|soirée)', 'evening'],
    ['(?:la |de la |dans la )?nuit', 'late-night'],
  ],
  partsOfToday: byMeaning({
    morning: 'ce(?:tte)? (?:matin|matinée)',
    afternoon: 'cet(?:te)? (?:après midi|apr[eè]?m)',
    evening: 'ce(?:tte)? (?:soir|soirée)',
    'late-night': 'cette nuit',
  }),
  late: '(?<!plus )(?:très )?tard',
  dayEnd: 'la fin(?: d[eu](?: la)? (?:jour|journée))?',
  sameTime: '(?:(?:à )?la |à )?même heure',
  at: '(?:(?:à|a|vers|dès|pour)(?: environ)?(?: les)?)',
  hourUnit: '(?:heures?|h)',
  countsHoursTo: 6,
  noon: '(?:ce )?midi',
  midnight: 'minuit',
  hourFirst: { past: 'et', to: 'moins' },
  minutes: byMeaning({ 15: '(?:le |un )?quart', 30: 'demie?', 45: 'trois quarts' }),
  units: unitsIn(
    'secondes?|sec, minutes?|min|mins|mn, heures?|h, jours?|j, semaines?|sem, mois, ans?|années?',
  ),
  durations: [
    ["(?:(?:un )?quart|1/4) d'heure", 'PT15M'],
    ['(?:une )?demi heure', 'PT30M'],
    ["(?:trois quarts?|3/4) d'heure", 'PT45M'],
    ['(?:une )?dizaine de jours', 'P10D'],
    ['(?:une )?quinzaine(?: de jours)?', 'P15D'],
  ],
  and: 'et|&|\\+',
  andHalf: 'et demie?',
  durationBefore: "(?:dans|d'ici(?: à)?(?! (?:\\d+ ?h ?\\d|(?:1\\d|2[0-3]) ?h\\b))|en)",
  durationAfter: '(?:plus tard|après|à partir de maintenant)',
  durationFrom: '(?:après|à partir d[eu])',
  fillers:
    "(?:(?:un peu )?plus tard|tout à l'heure|tantôt|au plus tard|à partir d[eu]|à|au|aux|le|la|les|l'|du|de|des|d'|en|dans|pour|vers|sur|environ|exactement|juste|pile|précises?|ok|okay|merci|peut être|plutôt|disons|on dit|on peut|tu peux|ça|(?:décale[rz]?|déplace[rz]?|reporte[rz]?|repousse[rz]?)(?: ça)? (?:à|au|pour)|s'il te plaît|s'il vous plaît|svp|stp|publie[rz]?|envoie|envoyer|poste[rz]?|(?:on )?(?:poste|publie) ça|programme[rz]?|planifie[rz]?|rappelle moi|heure locale|heures?|h|tapantes?)",
  now: "(?:dès |à partir de )?(?:maintenant|tout de suite|immédiatement|en ce moment|à l'instant|sur le champ|(?:dès que|aussi vite que|le plus (?:tôt|vite|rapidement)|au plus vite) ?(?:possible)?|au plus tôt|dqp|asap)",
  over: `hier|avant hier|il y a|(?:${PERIOD}|${DAY}|janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre) (?:dernier|dernière|passée?|précédente?)|(?:dernière|passée) (?:semaine|année)|la veille(?! d[eu]\\b)|récemment|(?:\\d+|un|une|deux|trois) (?:jours?|heures?|semaines?|mois|ans?) (?:plus tôt|avant(?! \\S)|auparavant)`,
  repeats: `tous les|toutes les|chaque|quotidien\\p{L}*|hebdomadaire\\p{L}*|mensuel\\p{L}*|annuel\\p{L}*|(?:une|deux|trois|\\d+) fois par|par ${PERIOD}|les ${DAY}s?|le ${DAY}s|le ${DAY}(?= (?:à|a|vers|matin|soir|après midi|midi)(?!\\p{L})|\\W*$)`,
  range: `jusqu'?|entre|pendant(?! le (?:déjeuner|repas))|durant|(?:de (?:\\d{1,2}(?:h\\d*| heures)?|${DAY}) à|du (?:\\d{1,2}|${DAY}) au) .*`,
  choice: 'ou',
  // "Fête des mères": without accents, "dès" is "des".
  fromTo: ['depuis|(?<!fête )dès', "au|à|jusqu'?"],
  dayWords: "demain aujourd'hui matin matinée soirée minuit",
  wordsThemselves: 'hardi martin latin satin marin malin mutin patin sapin landi',
};

const NEXT = "(?:pro(?:ch(?:aine?s?)?)?|suivante?s?|d'après|qui vient|à venir)";
const LAST = '(?:dernièr?e?r?s?|passée?s?|précédente?s?)';

export const FRENCH_WORDS: EuropeanWords = {
  grammar: french,
  fillers: "en|au|le|la|les|l'|du|de|pendant|durant|dans|pour|toute?",
  repeats: {
    every: '(?:tous|ts|toutes|ttes|chaque|chq|les|le|du)(?: les)?',
    weekdayEnding: 's?',
    everyDay: '(?:(?:tous|ts) les jours|chaque jour|quotidien(?:nement)?)',
    workdays: '(?:en semaine|jours? (?:ouvrés?|ouvrables?|de (?:la )?semaine)|jour (?:ouvré|ouvrable))',
    determiners: 'une?',
    weekends: '(?:week ?ends?|fins? de semaine)',
    everyPart: '(?:tous les|chaque)',
    except: '(?:sauf|excepté|hors)(?: les?)?',
    intervals: ['tou(?:s|tes) les # §', '(?:une?|le|la) § sur deux'],
    fixedIntervals: [
      ['(?:hebdomadaire|(?:toutes les|chaque|(?:une|1) fois par) semaines?)', { unit: 'weeks', interval: 1 }],
      ['tous les (?:15|quinze) jours', { unit: 'weeks', interval: 2 }],
      ['(?:mensuel(?:lement)?|(?:tous les|chaque|(?:une|1) fois par) mois)', { unit: 'months', interval: 1 }],
      ['(?:annuel(?:lement)?|tous les ans|chaque année)', { unit: 'years', interval: 1 }],
    ],
    onDate: '(?:(?:le|les|tous les) )?',
    ofMonth: ['(?:de|du)', 'mois'],
    count: ['# fois(?! par)'],
    lasting: ['(?:pendant|durant) # §'],
    unsupported:
      '(?:toutes les (?:(?:\\p{L}+|\\d+) )?(?:heures|minutes)|chaque (?:heure|trimestre)|trimestriel\\p{L}*|bimensuel\\p{L}*|(?:une|deux|trois|\\d+) fois par (?!(?<=(?:une|1) fois par )(?:semaine|mois))\\p{L}+)',
  },
  copulas: 'est|sont|sera',
  looseDays: 'we',
  stretches: {
    nouns: {
      week: 'sem(?:aine)?',
      weekend: '(?:week ?end|fin de semaine(?! [pds]))',
      month: 'mois',
      quarter: 'trimestre',
      year: "(?:l')?(?:année|an)",
    },
    half: 'semestre',
    halves: [
      '(?:premiere|1ere?) (?:moitie|quinzaine) (?:de |du |d.)§',
      '(?:deuxieme|seconde|2e|2eme) (?:moitie|quinzaine) (?:de |du |d.)§',
    ],
    ofCalendar: [
      ['(?:cette|ce) §(?: ci)?', 0],
      ['§ en cours', 0],
      [`§ ${NEXT}`, 1],
      [`${NEXT} §`, 1],
      [`§ ${LAST}`, -1],
    ],
    restOf: 'reste (?:du|de|de la|de ce|de cette) §',
    next: [`# ${NEXT} §`, `${NEXT} # §`, "d'ici(?: a)? (?!(?:1\\d|2[0-3]) h)# (?!h\\b)§"],
    last: [`# ${LAST} §`, `${LAST} # §`],
    ago: ['il y a # §'],
    pastDays: ['avant hier', 'hier', "aujourd'?hui"],
    quarterLetter: '[qt]',
    calendarWeek: '(?:(?:semaine|sem) ?(?:nº |n |numéro )?|s(?=\\d))#',
    weekOf: 'semaine du',
  },
  edges: {
    from: "(?:de|du|d'|à partir d[eu']|dès|pas avant)(?: le)?",
    to: "(?:à|au|jusqu'?(?:à|au)?)",
    between: 'entre(?: le)?',
    onwards: '(?:et après|inclus)',
    onwardsAlone: 'et après',
    since: '(?:depuis(?: le)?)',
    until: "(?:au plus tard(?: le)?|d'ici(?: (?:à|au))?|jusqu'?(?:à|au|en| à| au| en)?(?: le)?)",
    endOf: "(?:la )?fin(?: (?:de la|de l'|du|de|d'))?",
    before: '(?:avant(?: le)?)',
    after: '(?:après(?: le)?)',
  },
  examples: {
    moment: ['demain à 9h', 'ven 14:30', '1er décembre à 10h15'],
    moments: ['lun, mer et ven à 9h30', 'demain à 9h30 et 17h30', '9h30 à Paris, Tokyo'],
    ranges: ['cette semaine', 'de lundi à vendredi', 'du 1 au 5 décembre'],
    recurrences: ['tous les jours à 8h30', 'chaque lundi à 9h30', 'lun, mer et ven 10:00'],
  },
};
