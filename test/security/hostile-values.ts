import type { Luck } from '../support/luck.ts';

/** Words that the reading of moments knows, in several languages: together they mean many things at once. */
const WHEN = [
  ...[
    'tomorrow',
    'next',
    'friday',
    '9am',
    '9',
    '9:30',
    '-',
    'to',
    'until',
    'and',
    'every',
    'in',
    'at',
    'noon',
  ],
  ...['2 days', 'the 3rd', 'of', 'may', '3/4', '2026', 'UTC', 'Berlin', 'EST', 'half past', 'week', ','],
  ...[
    'morgen',
    'um',
    'Uhr',
    'bis',
    'nächsten',
    'mañana',
    'a las',
    'demain',
    'à',
    '明日',
    '9時',
    'domani',
    'alle',
  ],
];

const MAX_LENGTH = 100_000;
const LONG = [200, 3_000, 30_000];

/** What no client of Slack's own sends in that place. */
export function hostileValue(before: unknown, luck: Luck): unknown {
  return luck.pick(WAYS)(before, luck);
}

const WAYS: readonly ((before: unknown, luck: Luck) => unknown)[] = [
  (_, luck) => luck.pick([null, true, 0, -1, 1e308, '', ' ', [], {}, [[]], [null]]),
  () => undefined,
  (_, luck) =>
    luck.pick(['\0', '\ud800', '\u202e', '<!channel>', '&lt;!here&gt;', '../../x', "' OR 1=1 --", '{{x}}']),
  (_, luck) => luck.pick(['x', '9', 'é', '\u0301', '<', '&', '\n', ' ', '(']).repeat(luck.pick(LONG)),
  (_, luck) => moments(luck, luck.pick([40, 200, 600])),
  (_, luck) => Array.from({ length: 20 }, () => moments(luck, 40)).join('\n'),
  (_, luck) => deep(luck.pick([50, 1_000])),
  (before, luck) => repeated(before, luck.pick([2, 200, 2_000])),
  (before) => ({ constructor: before, toString: before, hasOwnProperty: before }),
  () => JSON.parse('{"__proto__":{"isAdmin":true,"length":1000000}}'),
  (before) => `${typeof before === 'string' ? before : JSON.stringify(before)}x`,
  (before) => (typeof before === 'string' ? before.slice(0, -1) : (JSON.stringify(before) ?? '')),
  (_, luck) =>
    luck.pick(['U000NOBODY', 'T000NOBODY', 'C000NOBODY', 'p9', 'USLACKBOT', '0', '99999999999999999999']),
  (_, luck) =>
    luck.pick([8.64e15, -8.64e15, 1_790_000_000, 253_402_300_800, '2026-02-30', '25:61', 'Mars/Olympus']),
];

function moments(luck: Luck, words: number): string {
  return Array.from({ length: words }, () => luck.pick(WHEN)).join(luck.pick([' ', ' ', '', '\n']));
}

/** As often as told, in no more than a payload of Slack's could hold. */
function repeated(value: unknown, times: number): unknown[] {
  const length = JSON.stringify(value)?.length ?? 1;
  return Array.from({ length: Math.min(times, 1 + Math.floor(MAX_LENGTH / length)) }, () =>
    structuredClone(value),
  );
}

function deep(levels: number): unknown {
  let value: unknown = 'x';
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { value };
  return value;
}
