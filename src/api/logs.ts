import type { ApiClient } from './client.ts';
import { mapDone, type Outcome } from './outcome.ts';
import { readScheduleDate } from './posts.ts';
import { fieldsOf, isObject, type Records, readRecords } from './records.ts';

/** A line of a project's log; its fields are not described, these are the names such lines usually have. */
export interface LogEntry {
  id?: string | undefined;
  /** A moment without an offset is read as UTC. */
  at?: Date | undefined;
  /** It has a date that couldn't be read, which stands in `details`. */
  isDateUnread?: true;
  kind?: string | undefined;
  /** A name, an address or an id. */
  who?: string | undefined;
  /** Where there is none, everything that the line holds, as `details`. */
  message: string;
  /** What the line holds besides: "PostId: 7, Level: info". */
  details?: string | undefined;
}

/** In the order in which they are looked for; without case and underscores. */
const MESSAGE = ['message', 'text', 'description', 'action', 'event'];
const MOMENT = ['createdat', 'timestamp', 'at', 'date', 'time'];
const KIND = ['kind', 'type', 'level', 'action', 'event'];
const WHO = ['user', 'username', 'actor', 'author', 'by', 'createdby', 'performedby', 'email', 'userid'];

/** Keys of one line that are read; a record of more has no shape that a person would follow. */
const MOST_KEYS = 50;

/** Dates of one log that are read although they aren't written as nearly all services do: each takes 0.2 ms. */
const MAX_UNUSUAL_DATES = 300;

type Line = Readonly<Record<string, unknown>>;
type ReadMoment = (value: unknown) => Date | undefined;

/** A record by its keys without case and underscores, of those that hold anything: a log has thousands of lines. */
function byPlainKey(data: Line, plainKeys: Map<string, string>): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, held] of Object.entries(data)) {
    const plain = plainKeys.get(key) ?? key.replaceAll('_', '').toLowerCase();
    plainKeys.set(key, plain);
    if (held !== null && held !== undefined && !found.has(plain)) found.set(plain, key);
  }
  return found;
}

function createLineReader(): (value: unknown) => LogEntry | undefined {
  const plainKeys = new Map<string, string>();
  let odd = 0;
  const readMoment: ReadMoment = (value) => {
    const moment = momentIn(value);
    if (moment !== 'odd') return moment;
    odd += 1;
    return odd > MAX_UNUSUAL_DATES ? undefined : readScheduleDate(String(value), 'UTC');
  };
  return (value) => {
    if (typeof value === 'string') return value.trim() === '' ? undefined : { message: value };
    return isObject(value) ? readLine(value, byPlainKey(value, plainKeys), readMoment) : undefined;
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
  const held = (key: string | undefined) => (key === undefined ? undefined : data[key]);
  const [said, moment, kind, who] = [MESSAGE, MOMENT, KIND, WHO].map(first);
  const message = textIn(held(said));
  const at = readMoment(held(moment));
  const isSaid = message !== undefined;
  const used = [keys.get('id'), keys.get('projectid'), ...(at ? [moment] : [])];
  const shown = isSaid ? [...used, said, kind, who] : used;
  const details = inWords(Object.entries(data).filter(([key]) => !shown.includes(key)));
  const text = message ?? details;
  if (text === '') return undefined;
  const id = held(keys.get('id'));
  return {
    id: typeof id === 'number' ? String(id) : textIn(id),
    at,
    ...(moment !== undefined && at === undefined && { isDateUnread: true }),
    kind: isSaid && kind !== said ? textIn(held(kind)) : undefined,
    who: isSaid ? readPerson(held(who)) : undefined,
    message: text,
    details: isSaid && details !== '' ? details : undefined,
  };
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/**
 * As nearly all services write them, Python's with a blank for the T or without an offset; luxon, which reads the
 * others, takes fifty times as long.
 */
const USUAL_MOMENT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:\d\d)?$/;

/** ISO 8601, or seconds or milliseconds since the epoch. */
function momentIn(value: unknown): Date | 'odd' | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const [, day, time, offset = 'Z'] = typeof value === 'string' ? (USUAL_MOMENT.exec(value) ?? []) : [];
  if (typeof value === 'string' && day === undefined) return 'odd';
  // Seconds reach this number in the year 5138, milliseconds had it in 1973.
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
function inWords(entries: readonly (readonly [string, unknown])[]): string {
  return entries
    .filter(([, held]) => held !== null && held !== undefined && held !== '')
    .slice(0, MOST_KEYS)
    .map(([key, held]) => `${key}: ${typeof held === 'string' ? held : JSON.stringify(held)}`)
    .join(', ');
}

/** List Logs. */
export async function listLogs(client: ApiClient, projectId: string): Promise<Outcome<Records<LogEntry>>> {
  const outcome = await client.call('listLogs', (http, call) =>
    http.GET('/api/v1/projects/{project_id}/logs', { ...call, params: { path: { project_id: projectId } } }),
  );
  return mapDone(outcome, (data, at) => readRecords(data, 'Log', createLineReader(), at));
}
