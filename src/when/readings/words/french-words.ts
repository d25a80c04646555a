import { french } from '../../grammar/french/french.ts';
import type { ReadingWords } from './reading-words.ts';

const NEXT = '(?:prochaine?s?|suivante?s?|à venir)';
const LAST = '(?:dernièr?e?r?s?|passée?s?|précédente?s?)';

export const FRENCH_WORDS: ReadingWords = {
  grammar: french,
  fillers: "en|au|le|la|les|l'|du|de|pendant|durant|dans|pour|toute?",
  and: '(?:et|&|\\+)',
  repeats: {
    every: '(?:tous|toutes|chaque|les|le|du)(?: les)?',
    weekdayEnding: 's?',
    everyDay: '(?:tous les jours|chaque jour|quotidien(?:nement)?)',
    workdays: '(?:en semaine|jours? (?:ouvrés?|ouvrables?|de (?:la )?semaine)|jour (?:ouvré|ouvrable))',
    weekends: '(?:week ?ends?|fins? de semaine)',
    everyPart: '(?:tous les|chaque)',
    except: '(?:sauf|excepté|hors)(?: les?)?',
    intervals: ['tou(?:s|tes) les # §', '(?:une?|le|la) § sur deux'],
    fixedIntervals: [
      ['(?:hebdomadaire|toutes les semaines|chaque semaine)', { unit: 'weeks', interval: 1 }],
      ['tous les (?:15|quinze) jours', { unit: 'weeks', interval: 2 }],
      ['(?:mensuel(?:lement)?|tous les mois|chaque mois)', { unit: 'months', interval: 1 }],
      ['(?:annuel(?:lement)?|tous les ans|chaque année)', { unit: 'years', interval: 1 }],
    ],
    ordinals: ['premi(?:er|ère)', '(?:deuxième|second)', 'troisième', 'quatrième', 'derni(?:er|ère)'],
    onDate: '(?:(?:le|les|tous les) )?',
    ofMonth: ['(?:de|du)', 'mois'],
    day: 'jour',
    count: ['# fois'],
    lasting: ['(?:pendant|durant) # §'],
    unsupported:
      '(?:toutes les (?:(?:\\p{L}+|\\d+) )?(?:heures|minutes)|chaque (?:heure|trimestre)|trimestriel\\p{L}*|bimensuel\\p{L}*|(?:une|deux|trois|\\d+) fois par \\p{L}+)',
  },
  stretches: {
    nouns: {
      week: 'semaine',
      weekend: '(?:week ?end|fin de semaine(?! [pds]))',
      month: 'mois',
      quarter: 'trimestre',
      year: '(?:année|an)',
    },
    ofCalendar: [
      ['(?:cette|ce) §(?: ci)?', 0],
      [`§ ${NEXT}`, 1],
      [`§ ${LAST}`, -1],
    ],
    next: [`# ${NEXT} §`, `${NEXT} # §`],
    last: [`# ${LAST} §`, `${LAST} # §`],
    ago: ['il y a # §'],
    pastDays: ['avant hier', 'hier', "aujourd'?hui"],
    lastNamed: [`§ ${LAST}`],
    quarterLetter: '[qt]',
    calendarWeek: 'semaine ?(?<week>[1-5]?\\d)',
    weekOf: 'semaine du',
  },
  edges: {
    from: "(?:de|du|d'|à partir d[eu']|dès)(?: le)?",
    to: "(?:à|au|jusqu'?(?:à|au)?)",
    between: 'entre(?: le)?',
    onwards: '(?:et après|inclus)',
    onwardsAlone: 'et après',
    since: '(?:depuis(?: le)?)',
    until: "(?:jusqu'?(?:à|au|en| à| au| en)?(?: le)?)",
    before: '(?:avant(?: le)?)',
    after: '(?:après(?: le)?)',
  },
  examples: {
    moments: ['lun, mer et ven à 9h30', 'demain à 9h30 et 17h30', '9h30 à Paris, Tokyo'],
    ranges: ['cette semaine', 'de lundi à vendredi', 'du 1 au 5 décembre'],
    recurrences: ['tous les jours à 8h30', 'chaque lundi à 9h30', 'lun, mer et ven 10:00'],
  },
};
