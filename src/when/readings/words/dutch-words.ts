import { dutch } from '../../grammar/dutch/dutch.ts';
import type { ReadingWords } from './reading-words.ts';

const THIS = '(?:deze|dit|huidige)';
const NEXT = '(?:volgende?|komende?|aankomende?)';
const LAST = '(?:vorige?|afgelopen|laatste)';
const UNITS = {
  week: 'week',
  weekend: 'weekend',
  maand: 'month',
  kwartaal: 'quarter',
  jaar: 'year',
} as const;

export const DUTCH_WORDS: ReadingWords = {
  weekdays: dutch.weekdays,
  months: dutch.months,
  numbers: dutch.numbers,
  units: [
    ['(?:minuut|minuten)', 'minutes'],
    ['(?:uur|uren)', 'hours'],
    ['(?:dag|dagen)', 'days'],
    ['(?:week|weken)', 'weeks'],
    ['(?:maand|maanden)', 'months'],
    ['(?:jaar|jaren)', 'years'],
  ],
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
    periods: [
      ...(['week', 'weekend', 'maand', 'kwartaal', 'jaar'] as const).flatMap((word) => [
        [`${THIS} ${word}`, { unit: UNITS[word], ahead: 0 }] as const,
        [`${NEXT} ${word}`, { unit: UNITS[word], ahead: 1 }] as const,
        [`${LAST} ${word}`, { unit: UNITS[word], ahead: -1 }] as const,
      ]),
      ['weekend', { unit: 'weekend', ahead: 0 }],
    ],
    next: [`(?:de )?${NEXT} # §`],
    last: [`(?:de )?${LAST} # §`],
    ago: ['# § geleden'],
    pastDays: [
      ['eergisteren', -2],
      ['gisteren', -1],
      ['vandaag', 0],
    ],
    lastNamed: [`${LAST} §`],
    quarters: { letter: '[kq]', noun: 'kwartaal', names: ['eerste', 'tweede', 'derde', 'vierde'] },
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
