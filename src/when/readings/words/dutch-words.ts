import { dutch } from '../../grammar/dutch/dutch.ts';
import type { ReadingWords } from './reading-words.ts';

const THIS = '(?:deze|dit|huidige)';
const NEXT = '(?:volgende?|komende?|aankomende?)';
const LAST = '(?:vorige?|afgelopen|laatste)';

export const DUTCH_WORDS: ReadingWords = {
  grammar: dutch,
  fillers: 'op|in|de|het|tijdens|gedurende|voor|hele?|van',
  and: '(?:en|&|\\+)',
  repeats: {
    every: '(?:elke?|iedere?|alle|op|wekelijks op)',
    weekdayEnding: '(?:en|s)?',
    everyDay: '(?:elke dag|iedere dag|dagelijks|alle dagen)',
    workdays: '(?:werkdag(?:en)?|weekdag(?:en)?|doordeweeks|door de week)',
    weekends: '(?:(?:in het )?weekend(?:en|s)?)',
    everyPart: '(?:elke|iedere)',
    except: '(?:behalve|uitgezonderd)(?: op)?',
    intervals: ['(?:elke|iedere|om de) # §', 'om de §', '(?:elke|iedere) (?:andere|tweede|2e) §'],
    fixedIntervals: [
      ['(?:wekelijks|elke week|iedere week)', { unit: 'weeks', interval: 1 }],
      ['(?:tweewekelijks|veertiendaags|om de week)', { unit: 'weeks', interval: 2 }],
      ['(?:maandelijks|elke maand|iedere maand)', { unit: 'months', interval: 1 }],
      ['(?:jaarlijks|elk jaar|ieder jaar)', { unit: 'years', interval: 1 }],
    ],
    ordinals: ['eerste', 'tweede', 'derde', 'vierde', 'laatste'],
    onDate: '(?:(?:op|elke|iedere) )?(?:de )?',
    ofMonth: ['van', 'de maand'],
    day: 'dag',
    count: ['# ?(?:keer|maal|x)'],
    lasting: ['(?:voor|gedurende) # §', '# § lang'],
    unsupported:
      '(?:elk (?:uur|kwartaal)|om het uur|(?:elke|om de) (?:\\p{L}+|\\d+) (?:uur|uren|minuten)|(?:per|van het) kwartaal|(?:een|twee|drie|\\d+) ?(?:keer|maal|x) per \\p{L}+)',
  },
  stretches: {
    nouns: { week: 'week', weekend: 'weekend', month: 'maand', quarter: 'kwartaal', year: 'jaar' },
    ofCalendar: [
      [`${THIS} §`, 0],
      [`${NEXT} §`, 1],
      [`${LAST} §`, -1],
    ],
    next: [`${NEXT} # §`],
    last: [`${LAST} # §`],
    ago: ['# § geleden'],
    pastDays: ['eergisteren', 'gisteren', 'vandaag'],
    lastNamed: [`${LAST} §`],
    quarterLetter: '[kq]',
    calendarWeek: 'week ?(?<week>[1-5]?\\d)',
    weekOf: 'week van',
  },
  edges: {
    from: '(?:van|vanaf)',
    to: '(?:tot(?: en met)?|t/m|t\\.?e\\.?m\\.?|naar)',
    between: 'tussen',
    onwards: 'af',
    onwardsAlone: '(?!)',
    since: 'sinds',
    until: '(?:tot(?: en met)?|t/m)',
    before: 'voor',
    after: 'na',
  },
  examples: {
    moments: ['ma, wo en vr om 9:30', 'morgen om 9:30 en 17:30', '9:30 in Amsterdam en Tokyo'],
    ranges: ['deze week', 'van maandag tot vrijdag', '1-5 december'],
    recurrences: ['elke werkdag om 8:30', 'elke maandag om 9:30', 'ma, wo en vr 10:00'],
  },
};
