import { isRecord } from '../json.ts';

/** Longer values are truncated in reports. */
const MAX_VALUE_LENGTH = 80;

/**
 * Values that differ with each run, and their replacements: times, addresses, and ids that an app generates. A word of at
 * least 12 characters with a digit and a letter counts as an id.
 */
const VOLATILE_VALUES: readonly [RegExp, string][] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g, '(time)'],
  [/\b\d{10}(?:\.\d{6}|\d{3})?\b/g, '(time)'],
  [/\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{12,}/g, '(id)'],
  [/\bhttp:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?/g, '(address)'],
];

/** Larger numbers count as times. */
const MIN_EPOCH_SECONDS = 1e9;

function maskVolatileValues(value: unknown): unknown {
  if (typeof value === 'string') {
    return VOLATILE_VALUES.reduce(
      (text, [pattern, replacement]) => text.replace(pattern, replacement),
      value,
    );
  }
  if (typeof value === 'number') return value >= MIN_EPOCH_SECONDS ? '(time)' : value;
  if (Array.isArray(value)) return value.map(maskVolatileValues);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [maskVolatileValues(name), maskVolatileValues(each)]),
  );
}

/** Lists differences, such as `text: "Hello" is now "Goodbye"`. Values that differ with each run are ignored. */
export function findDifferences(recorded: unknown, replayed: unknown): string[] {
  return compareAt('', maskVolatileValues(recorded), maskVolatileValues(replayed));
}

function compareAt(path: string, recorded: unknown, replayed: unknown): string[] {
  if (Array.isArray(recorded) && Array.isArray(replayed)) {
    const length = Math.max(recorded.length, replayed.length);
    return Array.from({ length }, (_, index) =>
      compareAt(`${path}[${index}]`, recorded[index], replayed[index]),
    ).flat();
  }
  if (isRecord(recorded) && isRecord(replayed)) {
    const names = new Set([...Object.keys(recorded), ...Object.keys(replayed)]);
    return [...names].flatMap((name) =>
      compareAt(path === '' ? name : `${path}.${name}`, recorded[name], replayed[name]),
    );
  }
  if (Object.is(recorded, replayed)) return [];
  return [`${path === '' ? 'the value' : path}: ${describe(recorded)} is now ${describe(replayed)}`];
}

function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}
