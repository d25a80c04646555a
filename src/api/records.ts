import { type LimitedField, limitText } from '../text-limits.ts';

/** The records in the field `data` of a response. */
export interface Records<T> {
  /** False if `data` as a whole couldn't be read. Records may then exist although `items` is empty. */
  isReadable: boolean;
  items: readonly T[];
  /** Number of single records that couldn't be read. */
  unreadableCount: number;
  /** True if the service has more records, which weren't read. A record that isn't in `items` may still exist. */
  isTruncated: boolean;
  /** Whether the service says that it has more records. Absent if it says nothing about that. */
  hasMore?: boolean;
  /** Number of records before filtering. Present if `items` contains only the records that the actor may see. */
  unfilteredCount?: number;
}

/** The only record in the field `data` of a response. */
interface OneRecord<T> {
  /** False if `data` has a value that isn't a readable record. */
  isReadable: boolean;
  record: T | undefined;
}

/** Reads one record. Undefined if it is unreadable. */
type ReadRecord<T> = (value: unknown) => T | undefined;

/** Names of the fields in which an envelope has the records: common ones, as the contract doesn't describe `data`. */
const ENVELOPE_FIELDS = ['Items', 'Data', 'Results', 'Records'];
/** Maximum number of nested envelopes that are searched. */
const MAX_DEPTH = 3;

/** What a response says about the records that it doesn't contain. */
export interface Paging {
  /** Number of records in the whole list. */
  total?: number;
  hasMore?: boolean;
}

const TOTAL_FIELDS = ['Total', 'TotalCount', 'TotalItems', 'TotalRecords', 'TotalResults'];
const MORE_FIELDS = ['HasMore', 'HasNext', 'HasNextPage'];
const NEXT_FIELDS = ['Next', 'NextPage', 'NextCursor', 'NextToken', 'NextPageToken', 'NextLink'];
/**
 * Objects in which an envelope has such fields. JSON:API has `links` and `meta`:
 * https://jsonapi.org/format/#fetching-pagination
 */
const PAGING_OBJECTS = ['Meta', 'Links', 'Pagination', 'Paging', 'PageInfo'];

/** Reads what an envelope says about further records, in the common spellings: the contract has none. */
export function readPaging(envelope: unknown): Paging {
  const fields = getFields(envelope);
  if (!fields) return {};
  const sources = [fields, ...PAGING_OBJECTS.map((name) => getFields(fields.getValue(name)))];
  const total = sources.map((source) => source?.getValue(...TOTAL_FIELDS)).find(Number.isSafeInteger);
  const flags = sources.flatMap((source) => {
    const flag = source?.getValue(...MORE_FIELDS);
    // An empty text, `false` and `null` mean that there is no next page.
    const next = source?.has(...NEXT_FIELDS) ? [Boolean(source.getValue(...NEXT_FIELDS))] : [];
    return [...(typeof flag === 'boolean' ? [flag] : []), ...next];
  });
  return {
    ...(typeof total === 'number' && { total }),
    ...(flags.length > 0 && { hasMore: flags.includes(true) }),
  };
}

/** Returns the fields of a JSON:API resource as one record. https://jsonapi.org/format/#document-resource-objects */
function flattenResource(value: unknown): unknown {
  return isObject(value) && isObject(value.attributes) ? { ...value, ...value.attributes } : value;
}

/** Finds the values in `data` that may be records. Undefined if `data` can't contain records. */
function findRecordValues(data: unknown, noun: string, depth = MAX_DEPTH): readonly unknown[] | undefined {
  if (data === undefined || data === null) return [];
  if (Array.isArray(data)) return data;
  const fields = getFields(data);
  if (!fields) return undefined;
  const names = [...ENVELOPE_FIELDS, noun, `${noun}s`];
  // A record may itself have a field named like an envelope field: a source has the field `Source`.
  const isRecord = fields.getId('Id') !== undefined || !fields.has(...names);
  if (isRecord) return [data];
  return depth > 0 ? findRecordValues(fields.getValue(...names), noun, depth - 1) : undefined;
}

/**
 * Reads the records in `data`, which may be null, a record, a list, or an envelope such as `{items}`, `{data}` or the
 * plural of `noun` (`{posts}` for `Post`).
 */
export function readRecords<T>(
  data: unknown,
  noun: string,
  read: ReadRecord<T>,
  {
    isTruncated: isCut = false,
    paging = {},
    skip = 0,
  }: { isTruncated?: boolean; paging?: Paging; skip?: number } = {},
): Records<T> {
  const recordValues = findRecordValues(data, noun);
  const items =
    recordValues?.map((value) => read(flattenResource(value))).filter((item) => item !== undefined) ?? [];
  const hasMore = findMore([readPaging(data), paging], { skip, count: recordValues?.length ?? 0 });
  const isTruncated = isCut || hasMore === true;
  // If `data` is an object that is neither an envelope nor a record, the number of records is unknown.
  const isUnknownObject = recordValues?.length === 1 && recordValues[0] === data && items.length === 0;
  if (!recordValues || isUnknownObject)
    return { isReadable: false, items: [], unreadableCount: 0, isTruncated };
  return {
    isReadable: true,
    items,
    unreadableCount: recordValues.length - items.length,
    isTruncated,
    ...(hasMore !== undefined && { hasMore }),
  };
}

/**
 * Whether a list goes on after a page of `count` records. Undefined if the service says nothing about that. One sign
 * that it does outweighs all others. A total that equals the first page proves nothing: some services count only that
 * page.
 */
function findMore(
  pagings: readonly Paging[],
  { skip, count }: { skip: number; count: number },
): boolean | undefined {
  const totals = pagings.flatMap(({ total }) => total ?? []);
  const flags = pagings.flatMap(({ hasMore }) => hasMore ?? []);
  if (flags.includes(true) || totals.some((total) => total > skip + count)) return true;
  const isProved = flags.length > 0 || totals.some((total) => skip > 0 && total >= skip);
  return isProved ? false : undefined;
}

/** Reads the first record in `data`. `record` is undefined if `data` is null, an empty list or unreadable. */
export function readRecord<T>(data: unknown, noun: string, read: ReadRecord<T>): OneRecord<T> {
  const { isReadable, items, unreadableCount } = readRecords(data, noun, read);
  const record = items[0];
  const isRecordReadable = record !== undefined || unreadableCount === 0;
  return { isReadable: isReadable && isRecordReadable, record };
}

/**
 * Reads the id of the record that a request has created. Undefined if the service returned no record, or one without an
 * id. `fields`: other fields of such a record.
 */
export function readCreatedId(data: unknown, noun: string, fields: readonly string[]): string | undefined {
  const read = (value: unknown) => {
    const record = getFields(value);
    return record?.has('Id', ...fields) ? { id: record.getId('Id') } : undefined;
  };
  return readRecord(data, noun, read).record?.id;
}

/** Cached, because a list has thousands of records. */
const spellingsByName = new Map<string, readonly string[]>();

/** Returns the spellings of a field name in PascalCase, camelCase and snake_case. */
function getSpellings(name: string): readonly string[] {
  const found = spellingsByName.get(name) ?? buildSpellings(name);
  spellingsByName.set(name, found);
  return found;
}

function buildSpellings(name: string): readonly string[] {
  const camel = name.charAt(0).toLowerCase() + name.slice(1);
  const snake = camel.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return [name, camel, snake, `_${snake}`];
}

/** True if the value is an object, but not an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the fields of an object. Finds PascalCase names in camelCase and snake_case too, and `Id` as `_id`. */
export function getFields(record: unknown) {
  if (!isObject(record)) return undefined;
  const listPresentNames = (names: string[]) =>
    names.flatMap(getSpellings).filter((name) => Object.hasOwn(record, name));
  /** True if at least one of `names` is present, even with the value null. */
  const has = (...names: string[]) => listPresentNames(names).length > 0;
  /** Returns the value of the first of `names` that is present and not null. */
  const getValue = (...names: string[]): unknown =>
    listPresentNames(names)
      .map((name) => record[name])
      .find((found) => found !== undefined && found !== null);
  /** Returns the result of `getValue`, limited as `field`, if it is a string that isn't empty. */
  const getText = (field: LimitedField, ...names: string[]) => {
    const found = getValue(...names);
    return typeof found === 'string' && found !== '' ? limitText(found, field) : undefined;
  };
  /** Returns a text, or an integer below 2^53, as text. JSON.parse rounds larger integers. */
  const getId = (...names: string[]) => {
    const found = getValue(...names);
    return typeof found === 'number' && Number.isSafeInteger(found) ? String(found) : getText('id', ...names);
  };
  /** True if the result of `getValue` is a text that is longer than its field permits and can't be cut. */
  const isTooLong = (field: LimitedField, ...names: string[]) => {
    const found = getValue(...names);
    return typeof found === 'string' && limitText(found, field) === undefined;
  };
  return { has, getValue, getText, getId, isTooLong };
}
