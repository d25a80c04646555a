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
    tooRare:
      'elke (?:\\d+|twee|drie|vier|tweede|derde|maand|uur|kwartaal)|elk (?:jaar|uur|kwartaal)|om de|maandelijks\\p{L}*|jaarlijks\\p{L}*|tweewekelijks\\p{L}*|(?:per|van de) (?:maand|jaar|kwartaal)|(?:eerste|tweede|derde|vierde|laatste) \\p{L}+ van',
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
