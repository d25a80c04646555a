import { MONTH_NAMES, WEEKDAY_NAMES } from '../../grammar/english/calendar-words.ts';
import { anyOf } from '../../grammar/english/numbers.ts';
import type { ReadingWords } from './reading-words.ts';

const NEXT = '(?:next|coming|upcoming|following)';
const LAST = '(?:last|previous|past)';

const NUMBERS = 'an? one two three four five six seven eight nine ten eleven twelve'.split(' ');

export const ENGLISH_WORDS: ReadingWords = {
  grammar: {
    weekdays: WEEKDAY_NAMES.map(anyOf),
    months: MONTH_NAMES.map(anyOf),
    numbers: [
      ...NUMBERS.map((word, index) => [word, Math.max(1, index)] as const),
      ['twenty four', 24],
      ['couple(?: of)?', 2],
    ],
    units: [
      ['min(?:ute)?s?', 'minutes'],
      ['(?:hours?|hrs?|h)', 'hours'],
      ['(?:days?|d)', 'days'],
      ['(?:weeks?|wks?)', 'weeks'],
      ['months?', 'months'],
      ['(?:years?|yrs?)', 'years'],
    ],
  },
  fillers: 'on|in|during|for|the|of|at|all of|over|within|throughout',
  and: '(?:and|&|\\+|plus|as well as)',
  repeats: {
    every: '(?:(?:on|all) )?(?:eve?ry|each|all)(?: (?:week on|single))?|weekly on|on|the',
    weekdayEnding: "(?:'?s)?",
    everyDay:
      '(?:every ?day(?: of the week)?|each day|all days|daily|every single day|(?:7|seven) days a week)',
    workdays: '(?:week ?days?|business days?|work(?:ing)? ?days?|school days)',
    weekends: 'week ?ends?(?: days?)?',
    everyPart: '(?:every|each)',
    except: '(?:except|but(?: not)?|excluding|without|not)(?: (?:for|on))?',
    intervals: ['(?:once )?every # §', '(?:every|each) (?:other|alternate) §', 'alternat(?:e|ing) §'],
    fixedIntervals: [
      ['(?:weekly|(?:every|each|once a) week(?! ?days?))', { unit: 'weeks', interval: 1 }],
      [
        '(?:bi ?weekly|fortnightly|(?:every|each|once a) (?:fortnight|(?:second|2nd) week))',
        { unit: 'weeks', interval: 2 },
      ],
      ['(?:every|each) (?:second|2nd) day', { unit: 'days', interval: 2 }],
      ['(?:every|each) (?:second|2nd) month', { unit: 'months', interval: 2 }],
      ['(?:monthly|(?:every|each|once a) month)', { unit: 'months', interval: 1 }],
      ['(?:yearly|annually|(?:every|each|once a) year)', { unit: 'years', interval: 1 }],
    ],
    ordinals: ['first', 'second', 'third', 'fourth', 'last'],
    onDate: '(?:on )?(?:the )?(?:day )?',
    ofMonth: ['(?:of|in)', 'the month'],
    day: 'day',
    count: ['# times', '(?:for )?# (?:posts|occurrences)'],
    lasting: ['(?:for|over) (?:the next )?# §'],
    unsupported:
      '(?:hourly|quarterly|bi ?monthly|semi ?\\p{L}+|bi ?annual(?:ly)?|(?:every|each) (?:(?:\\p{L}+|\\d+) )?(?:hours?|minutes?|mins?|quarters?)|(?:once|twice|times) (?:a|per) (?:day|hour|quarter)|(?:twice|times) (?:a|per) \\p{L}+|every few \\p{L}+)',
  },
  stretches: {
    nouns: { week: 'week', weekend: 'week ?end', month: 'month', quarter: 'quarter', year: 'year' },
    ofCalendar: [
      ['(?:this|current|(?:this )?whole|all) §', 0],
      [`${NEXT} §`, 1],
      [`${LAST} §`, -1],
      ['§ after next', 2],
      ['§ before last', -2],
    ],
    restOf: '(?:(?:rest|remainder) of|later) (?:the|this) §',
    next: [`${NEXT} # §`, 'the (?:next|coming) §', 'within # §', '# § (?:ahead|to come)'],
    last: [`${LAST} # §`, 'the (?:last|past) §', 'past §'],
    ago: ['# § ago'],
    pastDays: ['(?:the )?day before yesterday', 'yesterday', 'today'],
    lastNamed: [`${LAST} §`],
    quarterLetter: 'q',
    calendarWeek: '(?:calendar )?(?:week|wk|cw|w) ?(?:no\\.? ?|number ?|#)?(?<week>[1-5]?\\d)',
    weekOf: '(?:the )?week (?:of|starting|beginning|from|commencing)',
  },
  edges: {
    from: '(?:from|starting(?: (?:from|on|at))?|beginning(?: on)?|as (?:of|from))',
    to: '(?:to|until|till?|through|thru|up to|ending(?: on)?)',
    between: 'between',
    onwards: '(?:on|onwards?|forward|and later|or later)',
    onwardsAlone: '(?:onwards?|forward|and later|or later)',
    since: '(?:ever )?since',
    until: '(?:until|till?|through|thru|by|up to(?: and including)?|(?:no|not) later than|ending(?: on)?)',
    before: '(?:before|prior to|earlier than|ahead of)',
    after: '(?:after|later than)',
  },
  examples: {
    moments: ['mon, wed and fri 9am', 'tomorrow 9am and 5pm', '9am in Berlin, New York and Tokyo'],
    ranges: ['this week', 'from Monday to Friday', '1-5 December'],
    recurrences: ['weekdays 8:30', 'every Monday 9am, Berlin', 'Mon, Wed and Fri 10:00'],
  },
};
