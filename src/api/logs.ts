import type { ApiClient } from './client.ts';
import { mapDone, type Outcome } from './outcome.ts';
import { readScheduleDate } from './posts.ts';
import { fieldsOf, isObject, type Records, readRecords } from './records.ts';

/** A line of a project's log. The contract doesn't describe its fields; they are found by common names. */
export interface LogEntry {
  id?: string | undefined;
  /** A date without an offset is read as UTC. */
  at?: Date | undefined;
  /** The line has a date that couldn't be read; it is in `details`. */
  isDateUnread?: true;
  kind?: string | undefined;
  /** The actor: a name, an email address or an id. */
  actor?: string | undefined;
  /** If the line has no message: all its fields, in the form of `details`. */
  message: string;
  /** All other fields: "PostId: 7, Level: info". */
  details?: string | undefined;
}

/** Field names in lower case without underscores, in order of preference. */
const MESSAGE = ['message', 'text', 'description', 'action', 'event'];
const MOMENT = ['createdat', 'timestamp', 'at', 'date', 'time'];
const KIND = ['kind', 'type', 'level', 'action', 'event'];
const WHO = ['user', 'username', 'actor', 'author', 'by', 'createdby', 'performedby', 'email', 'userid'];

/** Fields of one line that are shown. People couldn't make sense of more. */
const MAX_SHOWN_FIELDS = 50;

/** Dates in an unusual format that are parsed in one log. Each takes 0.2 ms. */
const MAX_UNUSUAL_DATES = 300;

type Line = Readonly<Record<string, unknown>>;
type ReadMoment = (value: unknown) => Date | undefined;

/**
 * Maps plain keys (lower case, no underscores) to the keys of the record that have a value. `plainKeys` caches plain
 * keys over all lines of a log, which has thousands.
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
  let unusualDates = 0;
  const readMoment: ReadMoment = (value) => {
    const moment = parseUsualMoment(value);
    if (moment !== 'unusual') return moment;
    unusualDates += 1;
    return unusualDates > MAX_UNUSUAL_DATES ? undefined : readScheduleDate(String(value), 'UTC');
  };
  return (value) => {
    if (typeof value === 'string') return value.trim() === '' ? undefined : { message: value };
    return isObject(value) ? readLine(value, indexKeys(value, plainKeys), readMoment) : undefined;
  };
}

function readLine(
  data: Line,
  keys: ReadonlyMap<string, string>,
  readMoment: ReadMoment,
): LogEntry | undefined {
  const first = (names: readonly string[]) => {
    const name = names.find((one) => keys.has(one));
    return name === undefined ? undefined : keys.get(name);
  };
  const fieldValue = (key: string | undefined) => (key === undefined ? undefined : data[key]);
  const [messageKey, moment, kind, actor] = [MESSAGE, MOMENT, KIND, WHO].map(first);
  const message = nonEmptyText(fieldValue(messageKey));
  const at = readMoment(fieldValue(moment));
  const hasMessage = message !== undefined;
  const used = [keys.get('id'), keys.get('projectid'), ...(at ? [moment] : [])];
  const shown = hasMessage ? [...used, messageKey, kind, actor] : used;
  const details = renderFields(Object.entries(data).filter(([key]) => !shown.includes(key)));
  const text = message ?? details;
  if (text === '') return undefined;
  const id = fieldValue(keys.get('id'));
  return {
    id: typeof id === 'number' ? String(id) : nonEmptyText(id),
    at,
    ...(moment !== undefined && at === undefined && { isDateUnread: true }),
    kind: hasMessage && kind !== messageKey ? nonEmptyText(fieldValue(kind)) : undefined,
    actor: hasMessage ? readPerson(fieldValue(actor)) : undefined,
    message: text,
    details: hasMessage && details !== '' ? details : undefined,
  };
}

function nonEmptyText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/**
 * The format of nearly all services. Python writes a space instead of the T, or leaves out the offset. Other formats
 * are left to luxon, which takes fifty times as long.
 */
const USUAL_MOMENT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:\d\d)?$/;

/** Parses the usual ISO 8601 format, or seconds or milliseconds since the epoch. `unusual`: text in another format. */
function parseUsualMoment(value: unknown): Date | 'unusual' | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const [, day, time, offset = 'Z'] = typeof value === 'string' ? (USUAL_MOMENT.exec(value) ?? []) : [];
  if (typeof value === 'string' && day === undefined) return 'unusual';
  // As seconds, this number is in the year 5138; as milliseconds, in 1973.
  const millis = typeof value === 'number' && value < 1e11 ? value * 1000 : value;
  const at = new Date(typeof millis === 'number' ? millis : `${day}T${time}${offset}`);
  return Number.isNaN(at.getTime()) ? undefined : at;
}

function readPerson(value: unknown): string | undefined {
  if (typeof value === 'string' && value !== '') return value;
  if (typeof value === 'number') return String(value);
  const fields = fieldsOf(value);
  return fields?.text('Name', 'FullName', 'UserName', 'Email') ?? fields?.id('Id');
}

/** "PostId: 7, Target: {"kind":"x"}" */
function renderFields(entries: readonly (readonly [string, unknown])[]): string {
  return entries
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .slice(0, MAX_SHOWN_FIELDS)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}

/** List Logs. */
export async function listLogs(client: ApiClient, projectId: string): Promise<Outcome<Records<LogEntry>>> {
  const outcome = await client.call('listLogs', (http, call) =>
    http.GET('/api/v1/projects/{project_id}/logs', { ...call, params: { path: { project_id: projectId } } }),
  );
  return mapDone(outcome, (data, at) => readRecords(data, 'Log', createLineReader(), at));
}
