import { german } from '../../grammar/german/german.ts';
import type { ReadingWords } from './reading-words.ts';

const THIS = '(?:diese[nmrs]?|aktuelle[nr]?|laufende[nrs]?)';
const NEXT = '(?:nächste[nmrs]?|kommende[nmrs]?)';
const LAST = '(?:letzte[nmrs]?|vergangene[nmrs]?|vorige[nmrs]?)';

export const GERMAN_WORDS: ReadingWords = {
  grammar: german,
  fillers: 'am|an|im|in|der|die|das|den|dem|während|für|gesamte[nr]?|ganze[nr]?',
  and: '(?:und|&|\\+|sowie)',
  repeats: {
    every: '(?:immer )?(?:(?:an )?jede[nmrs]?|alle|immer|am|wöchentlich am)',
    weekdayEnding: 's?',
    everyDay: '(?:jeden tag|täglich|alle tage|tagtäglich)',
    workdays: '(?:werktags?|werktage[ns]?|wochentags?|wochentage[ns]?|arbeitstage?n?|unter der woche)',
    weekends: '(?:wochenende[ns]?)',
    everyPart: '(?:jede[nr])',
    except: '(?:außer|nicht|ohne)(?: am)?',
    intervals: ['alle # §', '(?:an )?jede[nmrs]? (?:zweite[nmrs]?|2\\.) §'],
    fixedIntervals: [
      ['(?:wöchentlich|jede woche)', { unit: 'weeks', interval: 1 }],
      ['(?:zweiwöchentlich|2 wöchentlich|vierzehntägig|14 ?tägig)', { unit: 'weeks', interval: 2 }],
      ['(?:monatlich|jede[ns] monats?)', { unit: 'months', interval: 1 }],
      ['(?:jährlich|jedes jahr)', { unit: 'years', interval: 1 }],
    ],
    ordinals: ['erste[nmrs]?', 'zweite[nmrs]?', 'dritte[nmrs]?', 'vierte[nmrs]?', 'letzte[nmrs]?'],
    onDate: '(?:(?:am|zum|an|jede[nmrs]?) )?(?:jede[nmrs]? )?',
    ofMonth: ['(?:im|des|eines)', 'monats?'],
    day: 'tag(?:es)?',
    count: ['# ?mal'],
    lasting: ['für # §', '# § lang'],
    unsupported:
      '(?:stündlich|alle (?:\\p{L}+|\\d+) (?:stunden|minuten)|vierteljährlich|quartalsweise|halbjährlich|jedes quartal|jede stunde|(?:zwei|drei|\\d+) ?mal (?:pro|am|im|die) \\p{L}+)',
  },
  stretches: {
    nouns: { week: 'woche', weekend: 'wochenende', month: 'monat', quarter: 'quartal', year: 'jahr' },
    ofCalendar: [
      [`${THIS} §`, 0],
      [`${NEXT} §`, 1],
      [`${LAST} §`, -1],
      ['übernächste[nmrs]? §', 2],
      ['vorletzte[nmrs]? §', -2],
    ],
    restOf: 'rest der §',
    next: [`${NEXT} # §`],
    last: [`${LAST} # §`],
    ago: ['vor # §'],
    pastDays: ['vorgestern', 'gestern', 'heute'],
    lastNamed: [`${LAST} §`],
    quarterLetter: 'q',
    calendarWeek: '(?:kw|kalenderwoche|woche) ?(?<week>[1-5]?\\d)',
    weekOf: 'woche (?:vom|ab)',
  },
  edges: {
    from: '(?:von|vom|ab)',
    to: '(?:bis(?: zum?)?)',
    between: 'zwischen',
    onwards: 'an',
    onwardsAlone: '(?!)',
    since: '(?:seit(?: dem)?)',
    until: '(?:bis(?: (?:zum?|einschließlich))?)',
    before: '(?:vor(?: dem)?)',
    after: '(?:nach(?: dem)?)',
  },
  examples: {
    moments: ['Mo, Mi und Fr um 9:00', 'morgen um 9:00 und 17:00', '9:00 in Berlin und Tokyo'],
    ranges: ['diese Woche', 'von Montag bis Freitag', '1.-5. Dezember'],
    recurrences: ['werktags 8:30', 'jeden Montag um 9:00', 'Mo, Mi und Fr 10:00'],
  },
};
