/**
 * Records found in `data`. `unreadable` counts those that could not be read; with shape `unreadable` it was `data`
 * as a whole, so an empty `items` does not mean that there are none.
 */
export interface Records<T> {
  shape: 'read' | 'unreadable';
  items: readonly T[];
  unreadable: number;
  /** The service has others, which were not read: what is missing here may be there. */
  isTruncated: boolean;
  /** How many records were read, where `items` holds only those that a person may see. */
  read?: number;
}

/** One record found in `data`; with shape `unreadable` there was something, but not a record. */
interface OneRecord<T> {
  shape: 'read' | 'unreadable';
  record: T | undefined;
}

/** Reads one record; undefined when it cannot be read. */
type ReadRecord<T> = (value: unknown) => T | undefined;

/** Names under which an envelope inside `data` may hold its records; `data` itself is not described. */
const CONTAINERS = ['Items', 'Data', 'Results', 'Records'];
/** Envelopes inside envelopes that are looked into. */
const MAX_DEPTH = 3;

/** The values in `data` that may be records, as they came; undefined when there can be none. */
function candidates(data: unknown, noun: string, depth = MAX_DEPTH): readonly unknown[] | undefined {
  if (data === undefined || data === null) return [];
  if (Array.isArray(data)) return data;
  const fields = fieldsOf(data);
  if (!fields) return undefined;
  const names = [...CONTAINERS, noun, `${noun}s`];
  // A record may have a field called like a container: a source has a Source.
  const isRecord = fields.id('Id') !== undefined || !fields.has(...names);
  if (isRecord) return [data];
  return depth > 0 ? candidates(fields.value(...names), noun, depth - 1) : undefined;
}

/** Reads `data` as records: a list, an object, `{items}`, `{posts}` (by `noun`, `Post`), `{data}` or null. */
export function readRecords<T>(
  data: unknown,
  noun: string,
  read: ReadRecord<T>,
  { isTruncated = false }: { isTruncated?: boolean } = {},
): Records<T> {
  const raw = candidates(data, noun);
  const items = raw?.map((value) => read(value)).filter((item) => item !== undefined) ?? [];
  // An object that is neither an envelope nor a record says nothing of how many there are.
  const isOddObject = raw?.length === 1 && raw[0] === data && items.length === 0;
  if (!raw || isOddObject) return { shape: 'unreadable', items: [], unreadable: 0, isTruncated };
  return { shape: 'read', items, unreadable: raw.length - items.length, isTruncated };
}

/** Reads `data` as one record, or none where it is null or an empty list. */
export function readOne<T>(data: unknown, noun: string, read: ReadRecord<T>): OneRecord<T> {
  const { shape, items, unreadable } = readRecords(data, noun, read);
  const record = items[0];
  const isUnreadable = shape === 'unreadable' || (record === undefined && unreadable > 0);
  return { shape: isUnreadable ? 'unreadable' : 'read', record };
}

/** A record's fields under the API's own names, however the answer spells them. */
interface RecordFields {
  /** Whether one of `names` is there, be it null. */
  has(...names: string[]): boolean;
  /** The first of `names` that is there and not null. */
  value(...names: string[]): unknown;
  /** That, when it is text that is not empty. */
  text(...names: string[]): string | undefined;
  /** That, when it is text or a whole number; one beyond 2^53 that came rounded is no id. */
  id(...names: string[]): string | undefined;
}

const known = new Map<string, readonly string[]>();

/** Found out once for each of our own names: a list has thousands of records. */
function spellings(name: string): readonly string[] {
  const found = known.get(name) ?? spelled(name);
  known.set(name, found);
  return found;
}

function spelled(name: string): readonly string[] {
  const camel = name.charAt(0).toLowerCase() + name.slice(1);
  const snake = camel.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return [name, camel, snake, `_${snake}`];
}

/** Neither a list nor null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of a record (names in PascalCase; camelCase, snake_case and `_id` are found too), if it is an object. */
export function fieldsOf(record: unknown): RecordFields | undefined {
  if (!isObject(record)) return undefined;
  const present = (names: string[]) => names.flatMap(spellings).filter((name) => Object.hasOwn(record, name));
  const has = (...names: string[]) => present(names).length > 0;
  const value = (...names: string[]) =>
    present(names)
      .map((name) => record[name])
      .find((found) => found !== undefined && found !== null);
  const text = (...names: string[]) => {
    const found = value(...names);
    return typeof found === 'string' && found !== '' ? found : undefined;
  };
  const id = (...names: string[]) => {
    const found = value(...names);
    return typeof found === 'number' && Number.isSafeInteger(found) ? String(found) : text(...names);
  };
  return { has, value, text, id };
}
