import type { Random } from '../support/random.ts';

/** Words of dates and times in several languages. Combinations of them have many readings. */
const DATE_WORDS = [
  ...'tomorrow next friday 9am 9 9:30 - to until and every in at noon'.split(' '),
  ...['2 days', 'the 3rd', 'of', 'may', '3/4', '2026', 'UTC', 'Berlin', 'EST', 'half past', 'week', ','],
  ...[
    ...['morgen', 'um', 'Uhr', 'bis', 'nächsten', 'mañana', 'a las', 'demain', 'à', '明日', '9時', 'domani'],
    'alle',
  ],
];

const MAX_LENGTH = 100_000;
const LENGTHS = [200, 3_000, 30_000];

/** Draws a replacement for a field's value that Slack's clients would never send. */
export function drawHostileValue(before: unknown, random: Random): unknown {
  return random.pick(REPLACEMENTS)(before, random);
}

const REPLACEMENTS: readonly ((before: unknown, random: Random) => unknown)[] = [
  (_, random) => random.pick([null, true, 0, -1, 1e308, '', ' ', [], {}, [[]], [null]]),
  () => undefined,
  (_, random) =>
    random.pick(['\0', '\ud800', '\u202e', '<!channel>', '&lt;!here&gt;', '../../x', "' OR 1=1 --", '{{x}}']),
  (_, random) =>
    random.pick(['x', '9', 'é', '\u0301', '<', '&', '\n', ' ', '(']).repeat(random.pick(LENGTHS)),
  (_, random) => joinDateWords(random, random.pick([40, 200, 600])),
  (_, random) => Array.from({ length: 20 }, () => joinDateWords(random, 40)).join('\n'),
  (_, random) => nest(random.pick([50, 1_000])),
  (before, random) => repeat(before, random.pick([2, 200, 2_000])),
  (before) => ({ constructor: before, toString: before, hasOwnProperty: before }),
  () => JSON.parse('{"__proto__":{"isAdmin":true,"length":1000000}}'),
  (before) => `${typeof before === 'string' ? before : JSON.stringify(before)}x`,
  (before) => (typeof before === 'string' ? before.slice(0, -1) : (JSON.stringify(before) ?? '')),
  (_, random) =>
    random.pick(['U000NOBODY', 'T000NOBODY', 'C000NOBODY', 'p9', 'USLACKBOT', '0', '99999999999999999999']),
  (_, random) =>
    random.pick([8.64e15, -8.64e15, 1_790_000_000, 253_402_300_800, '2026-02-30', '25:61', 'Mars/Olympus']),
];

function joinDateWords(random: Random, count: number): string {
  return Array.from({ length: count }, () => random.pick(DATE_WORDS)).join(random.pick([' ', ' ', '', '\n']));
}

/** Repeats the value `times` times, but in at most MAX_LENGTH characters of JSON. */
function repeat(value: unknown, times: number): unknown[] {
  const length = JSON.stringify(value)?.length ?? 1;
  return Array.from({ length: Math.min(times, 1 + Math.floor(MAX_LENGTH / length)) }, () =>
    structuredClone(value),
  );
}

function nest(levels: number): unknown {
  let value: unknown = 'x';
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { value };
  return value;
}
