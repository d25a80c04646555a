import type { Vocabulary } from '../european/vocabulary.ts';
import { byMeaning, inOrder, numerals, patternsIn, unitsIn } from '../european/word-list.ts';
import { FRENCH_FEASTS } from './french-feasts.ts';

const PERIOD = '(?:jour|semaine|week end|mois|trimestre|an|année|matin|soir|nuit|fois)';
const DAY = '(?:dimanche|lundi|mardi|mercredi|jeudi|vendredi|samedi)';

const NUMBERS = numerals({
  small: patternsIn(`zéro, (?:une|un), deux, trois, quatre, cinq, six, sept, huit, neuf, dix, onze, douze,
    treize, quatorze, quinze, seize, dix sept, dix huit, dix neuf`),
  tens: { 20: 'vingt', 30: 'trente', 40: 'quarante', 50: 'cinquante' },
  compound: (ten, unit, value) => `${ten} ${value % 10 === 1 ? 'et ' : ''}${unit}`,
});

export const french: Vocabulary = {
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
    ['demain', { ahead: 1 }],
    ['(?:après|ap|apr) ?demain', { ahead: 2 }],
    ["(?:le )?(?:lendemain(?! d[eu]\\b)|jour (?:suivant|d'après))", { ahead: 1 }],
  ],
  feasts: FRENCH_FEASTS,
  weekdayBefore: byMeaning({ this: 'ce(?:tte)?', next: '(?:le )?prochain' }),
  weekdayAfter: byMeaning({ next: "(?:pro(?:ch(?:aine?)?)?|suivante?|d'après|qui vient)" }),
  weeks: [
    ['cette semaine', 'this-week'],
    ["(?:la )?sem(?:aine)? (?:pro(?:ch(?:aine?)?)?|suivante|d'après|qui vient)", 'next-week'],
  ],
  weekdayPlus: byMeaning({ P7D: 'en (?:huit|8)', P14D: 'en (?:quinze|15)' }),
  calendarWeek: '(?:(?:semaine|sem) (?:nº |n |numéro )?|s(?=\\d))',
  dayMarker: '(?:le|du|au|pour le|le jour du|sur la|sur)',
  ofMonthFigure: '',
  of: "(?:de la|de l'|du mois d[e']|du|de|d'|au mois d[e'])",
  ofMonths: byMeaning({
    0: '(?:(?:de |du )?ce mois(?: ci)?|(?:du )?mois(?! (?:prochain|suivant)))',
    1: '(?:du |de |le )?mois (?:prochain|suivant)',
  }),
  years: byMeaning({ 1: "(?:(?:de )?l'année prochaine|l'an prochain)" }),
  ends: byMeaning({
    month: '(?:à la |en )?fin (?:du|de ce|de) mois',
    year: "(?:à la |en )?fin (?:de l'année|d'année|de cette année)",
  }),
  edges: byMeaning({
    start: '(?:au |en )?début(?: de)?',
    middle: '(?:à la |au )?(?:mi|milieu)(?: de)?',
    end: '(?:à la |en |la )?fin(?: de)?',
  }),
  weekends: byMeaning({
    // In Quebec, "fin de semaine" is the weekend; elsewhere, its end is Friday.
    0: ['(?:ce |le |au |pour le )?(?:week ?end|we)(?! prochain)', '(?:en |cette )?fin de semaine'],
    1: '(?:le )?(?:week ?end|we) prochain',
  }),
  workingDay: 'jours? ouvr(?:és?|ables?)',
  dayAfter: 'après',
  dayBefore: 'avant',
  daysBeside: byMeaning({ P1D: '(?:le )?lendemain', P2D: '(?:le )?surlendemain', '-P1D': '(?:la )?veille' }),
  dayNoun: 'jour',
  last: 'dernier',
  writes24Hours: true,
  parts: [
    ['(?:très )?tôt(?: (?:le|dans la|en) (?:matin|matinée))?', 'start-of-morning'],
    ['(?:(?:en|au) )?début de (?:la )?matinée', 'start-of-morning'],
    ['(?:à la )?première heure', 'start-of-morning'],
    ['(?:(?:en|à la) )?fin de (?:la )?matinée', 'late-morning'],
    ['(?:le |du |au |dans le |dans la |en )?(?:matinée|matin|mat)', 'morning'],
    ['(?:(?:en|au) )?milieu de (?:la )?matinée', 'morning'],
    ['(?:en|au) début de (?:la )?journée', 'morning'],
    ["(?:(?:en|au) )?milieu (?:d'|de l')(?:après midi|aprem)", 'afternoon'],
    ['après (?:le )?(?:déjeuner|déj|repas)', 'early-afternoon'],
    ['avant (?:le )?(?:déjeuner|déj|midi)', 'late-morning'],
    ["(?:(?:à |pour )?l'heure du|au moment (?:du|de)|pendant le) (?:déjeuner|repas de midi)", 'midday'],
    ['(?:après le travail|après le boulot|(?:à )?la sortie du (?:travail|bureau))', 'late-afternoon'],
    ['(?:en|au) milieu de (?:la )?journée', 'midday'],
    ['(?:en |à la )?fin de journée', 'late-afternoon'],
    ['à la fin de la journée', 'late-afternoon'],
    ["(?:(?:en|au) )?début (?:d'|de l')(?:après midi|aprem)", 'early-afternoon'],
    ["(?:(?:en|à la) )?fin (?:d'|de l')(?:après midi|aprem)", 'late-afternoon'],
    ["(?:(?:dans )?(?:l'|d'|de l'))?(?:après midi|aprem|aprèm)", 'afternoon'],
    ['(?:(?:en|au) )?début de (?:la )?soirée', 'evening'],
    ['(?:(?:en|à la) )?fin de (?:la )?soirée', 'late-evening'],
    ['(?:le |du |au |dans la |en )?(?:soir|soirée)', 'evening'],
    ['(?:la |de la |dans la )?nuit', 'night'],
  ],
  partsOfToday: byMeaning({
    morning: 'ce(?:tte)? (?:matin|matinée)',
    afternoon: 'cet(?:te)? (?:après midi|aprem)',
    evening: 'ce(?:tte)? (?:soir|soirée)',
    night: 'cette nuit',
  }),
  late: '(?<!plus )(?:très )?tard',
  dayEnd: 'la fin(?: d[eu](?: la)? (?:jour|journée))?',
  sameTime: '(?:(?:à )?la |à )?même heure',
  at: '(?:(?:à|a|vers|dès|pour)(?: environ)?(?: les)?)',
  hourUnit: '(?:heures?|h)',
  noon: '(?:ce )?midi',
  midnight: 'minuit',
  hourFirst: { past: 'et', to: 'moins' },
  minutes: byMeaning({ 15: '(?:le |un )?quart', 30: 'demie?', 45: 'trois quarts' }),
  units: unitsIn(
    'secondes?|sec, minutes?|min|mins|mn, heures?|h, jours?|j, semaines?|sem, mois, ans?|années?',
  ),
  durations: [
    ["(?:un )?quart d'heure", 'PT15M'],
    ['(?:une )?demi heure', 'PT30M'],
    ["(?:trois )quarts? d'heure", 'PT45M'],
  ],
  and: 'et',
  andHalf: 'et demie?',
  durationBefore: "(?:dans|d'ici(?! \\d+ ?h ?\\d)|d'ici à|en)",
  durationAfter: '(?:plus tard|après|à partir de maintenant)',
  durationFrom: '(?:après|à partir d[eu])',
  fillers:
    "(?:(?:un peu )?plus tard|à|au|aux|le|la|les|l'|du|de|des|d'|en|dans|pour|vers|sur|environ|exactement|pile|précises?|s'il te plaît|s'il vous plaît|svp|stp|publie[rz]?|envoie|envoyer|poste[rz]?|programme[rz]?|planifie[rz]?|rappelle moi|heures?|h|tapantes?)",
  now: "(?:dès |à partir de )?(?:maintenant|tout de suite|immédiatement|en ce moment|à l'instant|sur le champ|(?:dès que|aussi vite que|le plus (?:tôt|vite|rapidement)|au plus vite) ?(?:possible)?|au plus tôt|dqp|asap)",
  over: `hier|avant hier|il y a|(?:${PERIOD}|${DAY}|janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre) (?:dernier|dernière|passée?|précédente?)|(?:dernière|passée) (?:semaine|année)|la veille(?! d[eu]\\b)|récemment|(?:\\d+|un|une|deux|trois) (?:jours?|heures?|semaines?|mois|ans?) (?:plus tôt|avant|auparavant)`,
  repeats: `tous les|toutes les|chaque|quotidien\\p{L}*|hebdomadaire\\p{L}*|mensuel\\p{L}*|annuel\\p{L}*|(?:une|deux|trois|\\d+) fois par|par ${PERIOD}|les ${DAY}s?|le ${DAY}s|le ${DAY}(?= (?:à|a|vers|matin|soir|après midi|midi)(?!\\p{L})|\\W*$)`,
  range: `jusqu'?|entre|pendant(?! le (?:déjeuner|repas))|durant|(?:de (?:\\d{1,2}(?:h\\d*| heures)?|${DAY}) à|du (?:\\d{1,2}|${DAY}) au) .*`,
  stretch:
    "(?:(?:cette|la) semaine(?: (?:prochaine|suivante))?|(?:ce|le)? ?(?:mois|trimestre)(?: (?:prochain|suivant))?|(?:cette|l')? ?année(?: prochaine)?|l'an prochain)",
  choice: 'ou',
  // "Fête des mères": without accents, "dès" is "des".
  fromTo: ['depuis|(?<!fête )dès', "au|à|jusqu'?"],
  dayWords: "demain aujourd'hui matin matinée soirée minuit",
  wordsThemselves: 'hardi martin latin satin marin malin mutin patin sapin landi',
  examples: ['demain à 9h', 'ven 14:30', '1er décembre à 10h15'],
};
