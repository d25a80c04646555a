import { french } from '../../grammar/french/french.ts';
import type { ReadingWords } from './reading-words.ts';

const NEXT = '(?:prochaine?s?|suivante?s?|à venir)';
const LAST = '(?:dernièr?e?r?s?|passée?s?|précédente?s?)';

export const FRENCH_WORDS: ReadingWords = {
  weekdays: french.weekdays,
  months: french.months,
  numbers: french.numbers,
  units: [
    ['minutes?', 'minutes'],
    ['heures?', 'hours'],
    ['jours?', 'days'],
    ['semaines?', 'weeks'],
    ['mois', 'months'],
    ['(?:ans?|années?)', 'years'],
  ],
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
    tooRare:
      'tou(?:s|tes) les (?:\\d+|deux|trois|quatre|mois|ans|heures|trimestres|15|quinze)|chaque (?:mois|année|heure|trimestre)|une? \\p{L}+ sur deux|mensuel\\p{L}*|annuel\\p{L}*|trimestriel\\p{L}*|(?:du|par) (?:mois|an|trimestre)|bimensuel\\p{L}*',
  },
  stretches: {
    periods: [
      ['cette semaine', { unit: 'week', ahead: 0 }],
      [`semaine ${NEXT}`, { unit: 'week', ahead: 1 }],
      [`semaine ${LAST}`, { unit: 'week', ahead: -1 }],
      ['(?:ce )?(?:week ?end|fin de semaine)', { unit: 'weekend', ahead: 0 }],
      [`week ?end ${NEXT}`, { unit: 'weekend', ahead: 1 }],
      [`week ?end ${LAST}`, { unit: 'weekend', ahead: -1 }],
      ['ce mois(?: ci)?', { unit: 'month', ahead: 0 }],
      [`mois ${NEXT}`, { unit: 'month', ahead: 1 }],
      [`mois ${LAST}`, { unit: 'month', ahead: -1 }],
      ['ce trimestre', { unit: 'quarter', ahead: 0 }],
      [`trimestre ${NEXT}`, { unit: 'quarter', ahead: 1 }],
      [`trimestre ${LAST}`, { unit: 'quarter', ahead: -1 }],
      ['cette année', { unit: 'year', ahead: 0 }],
      [`(?:année|an) ${NEXT}`, { unit: 'year', ahead: 1 }],
      [`(?:année|an) ${LAST}`, { unit: 'year', ahead: -1 }],
    ],
    next: [`(?:les )?# ${NEXT} §`, `(?:les )?${NEXT} # §`],
    last: [`(?:les )?# ${LAST} §`, `(?:les )?${LAST} # §`],
    ago: ['il y a # §'],
    pastDays: [
      ['avant hier', -2],
      ['hier', -1],
      ["aujourd'?hui", 0],
    ],
    lastNamed: [`§ ${LAST}`],
    quarters: { letter: '[qt]', noun: 'trimestre', names: ['premier', 'deuxième', 'troisième', 'quatrième'] },
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
    until: "(?:jusqu'?(?:à|au| à| au)?(?: le)?)",
    before: '(?:avant(?: le)?)',
    after: '(?:après(?: le)?)',
  },
  examples: {
    moments: ['lun, mer et ven à 9h30', 'demain à 9h30 et 17h30', '9h30 à Paris, Tokyo'],
    ranges: ['cette semaine', 'de lundi à vendredi', 'du 1 au 5 décembre'],
    recurrences: ['tous les jours à 8h30', 'chaque lundi à 9h30', 'lun, mer et ven 10:00'],
  },
};
