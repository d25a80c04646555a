import { isRecord } from '../json.ts';

/** Longer values are cut in a report. */
const MAX_VALUE_LENGTH = 80;

/**
 * What differs from run to run, and what it is replaced by: times, and ids that an app made. A word with digits and 12
 * or more characters counts as an id.
 */
const BY_NATURE: readonly [RegExp, string][] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g, '(time)'],
  [/\b\d{10}(?:\.\d{6}|\d{3})?\b/g, '(time)'],
  [/\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{12,}/g, '(id)'],
  [/\bhttp:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?/g, '(address)'],
];

const MIN_EPOCH_SECONDS = 1e9;

function withoutNature(value: unknown): unknown {
  if (typeof value === 'string') {
    return BY_NATURE.reduce((text, [pattern, by]) => text.replace(pattern, by), value);
  }
  if (typeof value === 'number') return value >= MIN_EPOCH_SECONDS ? '(time)' : value;
  if (Array.isArray(value)) return value.map(withoutNature);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [withoutNature(name), withoutNature(each)]),
  );
}

/** Where two values differ, such as `text: "Hello" is now "Goodbye"`. Times and ids that an app made don't count. */
export function findDifferences(recorded: unknown, replayed: unknown): string[] {
  return differencesAt('', withoutNature(recorded), withoutNature(replayed));
}

function differencesAt(path: string, recorded: unknown, replayed: unknown): string[] {
  if (Array.isArray(recorded) && Array.isArray(replayed)) {
    const length = Math.max(recorded.length, replayed.length);
    return Array.from({ length }, (_, index) =>
      differencesAt(`${path}[${index}]`, recorded[index], replayed[index]),
    ).flat();
  }
  if (isRecord(recorded) && isRecord(replayed)) {
    const names = new Set([...Object.keys(recorded), ...Object.keys(replayed)]);
    return [...names].flatMap((name) =>
      differencesAt(path === '' ? name : `${path}.${name}`, recorded[name], replayed[name]),
    );
  }
  if (Object.is(recorded, replayed)) return [];
  return [`${path === '' ? 'it' : path}: ${describe(recorded)} is now ${describe(replayed)}`];
}

function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}
