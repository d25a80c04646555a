/**
 * Records found in `data`. `unreadable` counts single records that couldn't be read. With shape `unreadable`, `data` as
 * a whole couldn't be read, so an empty `items` doesn't mean that there are none.
 */
export interface Records<T> {
  shape: 'read' | 'unreadable';
  items: readonly T[];
  unreadable: number;
  /** The service has more records that weren't read, so a missing record may still exist. */
  isTruncated: boolean;
  /** Number of records before filtering, if `items` contains only records that the person may see. */
  read?: number;
}

/** One record found in `data`. With shape `unreadable` there was a value, but it isn't a readable record. */
interface OneRecord<T> {
  shape: 'read' | 'unreadable';
  record: T | undefined;
}

/** Reads one record. Undefined if it is unreadable. */
type ReadRecord<T> = (value: unknown) => T | undefined;

/** Field names of envelopes inside `data`. The contract doesn't describe the shape of `data`. */
const CONTAINERS = ['Items', 'Data', 'Results', 'Records'];
/** Nested envelopes that are searched. */
const MAX_DEPTH = 3;

/** The values in `data` that may be records, unparsed. Undefined if `data` can't contain records. */
function candidates(data: unknown, noun: string, depth = MAX_DEPTH): readonly unknown[] | undefined {
  if (data === undefined || data === null) return [];
  if (Array.isArray(data)) return data;
  const fields = fieldsOf(data);
  if (!fields) return undefined;
  const names = [...CONTAINERS, noun, `${noun}s`];
  // A record may have a field with the name of an envelope: a source has a Source.
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
  // An object that is neither an envelope nor a record leaves the number of records open.
  const isUnknownObject = raw?.length === 1 && raw[0] === data && items.length === 0;
  if (!raw || isUnknownObject) return { shape: 'unreadable', items: [], unreadable: 0, isTruncated };
  return { shape: 'read', items, unreadable: raw.length - items.length, isTruncated };
}

/** Reads `data` as one record. `record` is undefined if `data` is null or an empty list. */
export function readRecord<T>(data: unknown, noun: string, read: ReadRecord<T>): OneRecord<T> {
  const { shape, items, unreadable } = readRecords(data, noun, read);
  const record = items[0];
  const isUnreadable = shape === 'unreadable' || (record === undefined && unreadable > 0);
  return { shape: isUnreadable ? 'unreadable' : 'read', record };
}

/** The fields of a record by the API's names, whatever case the response uses. */
interface RecordFields {
  /** Whether at least one of `names` is present, even if null. */
  has(...names: string[]): boolean;
  /** The value of the first of `names` that is present and not null. */
  value(...names: string[]): unknown;
  /** The same value, if it is a string that isn't empty. */
  text(...names: string[]): string | undefined;
  /** The same value as text, if it is a string or an integer below 2^53: JSON.parse rounds larger ones. */
  id(...names: string[]): string | undefined;
}

const cachedSpellings = new Map<string, readonly string[]>();

/** Cached by name: a list has thousands of records. */
function spellings(name: string): readonly string[] {
  const found = cachedSpellings.get(name) ?? makeSpellings(name);
  cachedSpellings.set(name, found);
  return found;
}

function makeSpellings(name: string): readonly string[] {
  const camel = name.charAt(0).toLowerCase() + name.slice(1);
  const snake = camel.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return [name, camel, snake, `_${snake}`];
}

/** An object that is neither an array nor null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of an object by names in PascalCase. Finds camelCase, snake_case and `_id` as well. */
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
