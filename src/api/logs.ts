import { type LimitedField, limitText } from '../text-limits.ts';
import type { ApiClient } from './client.ts';
import { mapDone, type Outcome } from './outcome.ts';
import { readScheduleDate } from './posts.ts';
import { getFields, isObject, type Records, readRecords } from './records.ts';

/** A line of a project's log. The contract doesn't describe the fields, so they are found by common names. */
export interface LogEntry {
  id?: string | undefined;
  /** The timestamp. A date without an offset is read as UTC. */
  at?: Date | undefined;
  /** True if the line has a date that couldn't be parsed. This date is part of `details`. */
  hasUnparsedDate?: true;
  kind?: string | undefined;
  /** The actor: a name, an email address or an id. */
  actor?: string | undefined;
  /** The message, or all fields in the format of `details` if the line has no message. */
  message: string;
  /** The fields that have no property above: "PostId: 7, Level: info". */
  details?: string | undefined;
  /** What the fields of a line about one post say: the names of its event, and its status, result or level. */
  post?: { id: string; events: readonly string[]; outcomes: readonly string[] };
}

/** Names of the fields for each property, in lower case, without underscores, in order of preference. */
const MESSAGE_FIELDS = ['message', 'text', 'description', 'action', 'event'];
const TIMESTAMP_FIELDS = ['createdat', 'timestamp', 'at', 'date', 'time'];
const KIND_FIELDS = ['kind', 'type', 'level', 'action', 'event'];
const ACTOR_FIELDS = [
  'user',
  'username',
  'actor',
  'author',
  'by',
  'createdby',
  'performedby',
  'email',
  'userid',
];
const POST_FIELDS = ['postid', 'post'];
const EVENT_FIELDS = ['kind', 'type', 'action', 'event'];
const OUTCOME_FIELDS = ['status', 'outcome', 'result', 'state', 'level', 'severity'];

/** Maximum number of shown fields of one line. People can't read more. */
const MAX_SHOWN_FIELDS = 50;

/** Maximum number of dates in an unusual format that are parsed in one log. Parsing one date takes 0.2 ms. */
const MAX_UNUSUAL_DATES = 300;

type Line = Readonly<Record<string, unknown>>;
type ParseTimestamp = (value: unknown) => Date | undefined;

/**
 * Maps plain keys (lower case, no underscores) to the keys of the record. Omits keys without a value. `plainKeys`
 * caches the plain keys for all lines of a log, which may have thousands.
 */
function indexKeys(data: Line, plainKeys: Map<string, string>): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(data)) {
    const plain = plainKeys.get(key) ?? key.replaceAll('_', '').toLowerCase();
    plainKeys.set(key, plain);
    if (value !== null && value !== undefined && !found.has(plain)) found.set(plain, key);
  }
  return found;
}

function createLineReader(): (value: unknown) => LogEntry | undefined {
  const plainKeys = new Map<string, string>();
  let unusualDateCount = 0;
  const parseTimestamp: ParseTimestamp = (value) => {
    const timestamp = parseUsualTimestamp(value);
    if (timestamp !== 'unusual') return timestamp;
    unusualDateCount += 1;
    return unusualDateCount > MAX_UNUSUAL_DATES ? undefined : readScheduleDate(String(value), 'UTC');
  };
  return (value) => {
    if (typeof value === 'string') return value.trim() === '' ? undefined : { message: limitLogText(value) };
    return isObject(value) ? readLine(value, indexKeys(value, plainKeys), parseTimestamp) : undefined;
  };
}

function readLine(
  data: Line,
  keys: ReadonlyMap<string, string>,
  parseTimestamp: ParseTimestamp,
): LogEntry | undefined {
  const findKey = (names: readonly string[]) => {
    const name = names.find((one) => keys.has(one));
    return name === undefined ? undefined : keys.get(name);
  };
  const getValue = (key: string | undefined) => (key === undefined ? undefined : data[key]);
  const [messageKey, timestampKey, kindKey, actorKey] = [
    MESSAGE_FIELDS,
    TIMESTAMP_FIELDS,
    KIND_FIELDS,
    ACTOR_FIELDS,
  ].map(findKey);
  const message = toNonEmptyText(getValue(messageKey), 'logText');
  const at = parseTimestamp(getValue(timestampKey));
  const hasMessage = message !== undefined;
  const usedKeys = [keys.get('id'), keys.get('projectid'), ...(at ? [timestampKey] : [])];
  const excludedKeys = hasMessage ? [...usedKeys, messageKey, kindKey, actorKey] : usedKeys;
  const details = Object.entries(data)
    .filter(([key]) => !excludedKeys.includes(key))
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .slice(0, MAX_SHOWN_FIELDS)
    .map(([key, value]) =>
      limitLogText(`${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`),
    )
    .join(', ');
  const text = message ?? limitLogText(details);
  if (text === '') return undefined;
  const listTexts = (names: readonly string[]) =>
    names.flatMap((name) => toNonEmptyText(getValue(keys.get(name))) ?? []);
  const postId = readRecordId(getValue(findKey(POST_FIELDS)));
  return {
    id: readRecordId(getValue(keys.get('id'))),
    at,
    ...(timestampKey !== undefined && at === undefined && { hasUnparsedDate: true }),
    kind: hasMessage && kindKey !== messageKey ? toNonEmptyText(getValue(kindKey)) : undefined,
    actor: hasMessage ? readPerson(getValue(actorKey)) : undefined,
    message: text,
    details: hasMessage && details !== '' ? limitLogText(details) : undefined,
    ...(postId !== undefined && {
      post: { id: postId, events: listTexts(EVENT_FIELDS), outcomes: listTexts(OUTCOME_FIELDS) },
    }),
  };
}

/** Reads an id, which is a value or in a record. */
function readRecordId(value: unknown): string | undefined {
  return getFields(isObject(value) ? value : { Id: value })?.getId('Id');
}

function toNonEmptyText(value: unknown, field: LimitedField = 'name'): string | undefined {
  return typeof value === 'string' && value !== '' ? limitText(value, field) : undefined;
}

function limitLogText(text: string): string {
  return limitText(text, 'logText') ?? '';
}

/**
 * The usual format: ISO 8601, or the format of Python, which may have a space instead of the T and no offset. Dates in
 * other formats are parsed with luxon, which takes fifty times as long.
 */
const USUAL_TIMESTAMP = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:\d\d)?$/;

/** Parses the usual format, or seconds or milliseconds since the epoch. `unusual`: the text has another format. */
function parseUsualTimestamp(value: unknown): Date | 'unusual' | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const [, day, time, offset = 'Z'] = typeof value === 'string' ? (USUAL_TIMESTAMP.exec(value) ?? []) : [];
  if (typeof value === 'string' && day === undefined) return 'unusual';
  // As seconds, 1e11 is in the year 5138; as milliseconds, in 1973. So a smaller number must be in seconds.
  const at =
    typeof value === 'number'
      ? new Date(value < 1e11 ? value * 1000 : value)
      : new Date(`${day}T${time}${offset}`);
  return Number.isNaN(at.getTime()) ? undefined : at;
}

function readPerson(value: unknown): string | undefined {
  if (typeof value === 'string') return toNonEmptyText(value);
  if (typeof value === 'number') return String(value);
  const fields = getFields(value);
  return fields?.getText('name', 'Name', 'FullName', 'UserName', 'Email') ?? fields?.getId('Id');
}

export async function listLogs(client: ApiClient, projectId: string): Promise<Outcome<Records<LogEntry>>> {
  const path = { project_id: projectId };
  const outcome = await client.call('listLogs', (http, requestOptions) =>
    http.GET('/api/v1/projects/{project_id}/logs', { ...requestOptions, params: { path } }),
  );
  return mapDone(outcome, (data, meta) => readRecords(data, 'Log', createLineReader(), meta));
}
