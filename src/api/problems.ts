import { z } from 'zod';
import { limitText } from '../text-limits.ts';
import { isObject } from './records.ts';

/** A problem that the service found in a call's input. `message` is its text, so callers must escape it. */
export interface FieldProblem {
  /** Name of the top-level field in the body, the query or the path (`Content`). Undefined if `loc` has none. */
  field: string | undefined;
  loc: readonly (string | number)[];
  message: string;
  type: string;
}

/** Maximum number of problems to parse. No form has that many fields, and nobody reads that many messages. */
const MAX_PROBLEMS = 100;
/** Maximum number of characters. A form shows the message in a section, which may have 3,000 characters. */
const MAX_MESSAGE_LENGTH = 1_000;
/** Maximum number of names in a location. */
const MAX_LOC_LENGTH = 20;
/** Maximum number of pieces to look at for them. Some pieces are empty. */
const MAX_LOC_PIECES = 100;
/** Maximum depth of objects in a body. Services nest an error in at most three. */
const MAX_DEPTH = 6;

/**
 * Names at the beginning of a location that stand for the whole input: where FastAPI found it, and what services call it
 * (`body`, `post`). Plain names, see `toPlainName`.
 */
const WHOLE_INPUT: ReadonlySet<string> = new Set([
  ...['body', 'query', 'path', 'header', 'cookie'],
  ...['post', 'prompt', 'user', 'invitation', 'data', 'attributes', 'payload', 'request'],
]);
const LOCATION_FIELDS = ['loc', 'location', 'pointer', 'field', 'path', 'param', 'property'];
/** In order of preference. As a text, `error` is often only the name of the status: "Bad Request". */
const MESSAGE_FIELDS = ['msg', 'message', 'detail', 'reason', 'description', 'title', 'error'];
/** Fields that contain problems: those of FastAPI, JSON:API and RFC 9457, and other common ones. */
const CONTAINER_FIELDS = [
  ...['errors', 'details', 'detail', 'error', 'problems', 'message'],
  ...['issues', 'violations', 'validation'],
];
/** Fields in which a problem repeats the request. FastAPI has the first two. */
const ECHO_FIELDS = ['input', 'ctx', 'body'];

/** Returns a name in lower case without separators. Services write `ScheduleDate` also as `schedule_date`. */
export function toPlainName(name: string): string {
  return name.replaceAll(/[\s_-]/g, '').toLowerCase();
}

const locItems = z.array(z.union([z.string(), z.number()]));

/** Reads a location: a list, a JSON pointer (`/body/Content`), or a path with dots. */
function readLoc(value: unknown): readonly (string | number)[] {
  const pieces =
    typeof value === 'string' ? value.replace(/^[#$]/, '').split(/[/.[\]]+/, MAX_LOC_PIECES) : value;
  const items = Array.isArray(pieces) ? pieces.slice(0, MAX_LOC_PIECES) : pieces;
  return (locItems.safeParse(items).data ?? [])
    .filter((item) => item !== '')
    .slice(0, MAX_LOC_LENGTH)
    .map((item) => (typeof item === 'string' ? (limitText(item, 'name') ?? item) : item));
}

/** Finds the first name that doesn't stand for the whole input. Undefined for a position in the JSON text. */
function findField(loc: readonly (string | number)[]): string | undefined {
  const name = loc.find((item) => typeof item === 'number' || !WHOLE_INPUT.has(toPlainName(item)));
  return typeof name === 'string' ? name : undefined;
}

function readText(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' ? undefined : text;
}

function createProblem(loc: readonly (string | number)[], message: string, type: unknown = ''): FieldProblem {
  return {
    field: findField(loc),
    loc,
    message: message.slice(0, MAX_MESSAGE_LENGTH).toWellFormed(),
    type: typeof type === 'string' ? (limitText(type, 'name') ?? '') : '',
  };
}

/** Reads the first of the fields that contain problems. A text in `error` isn't one of them. */
function readContainers(data: Readonly<Record<string, unknown>>, depth: number): FieldProblem[] {
  const lists = CONTAINER_FIELDS.map((name) =>
    isFilled(data[name]) && !(name === 'error' && typeof data.error === 'string')
      ? readEntries(data[name], depth - 1)
      : [],
  );
  return lists.find((problems) => problems.length > 0) ?? [];
}

/** Reads a text, a problem, a list of these, or an object that has the texts by field: `{"Content": ["is too long"]}`. */
function readEntries(value: unknown, depth: number): FieldProblem[] {
  const text = readText(value);
  if (text !== undefined) return [createProblem([], text)];
  if (depth < 0) return [];
  if (Array.isArray(value))
    return value.slice(0, MAX_PROBLEMS).flatMap((entry) => readEntries(entry, depth - 1));
  if (!isObject(value)) return [];
  // JSON:API has the pointer in an object, and express-validator has the location in two fields.
  const source = isObject(value.source) ? [value.source.pointer, value.source.parameter] : [];
  const loc = [...LOCATION_FIELDS.map((name) => value[name]), ...source].flatMap(readLoc);
  const message = MESSAGE_FIELDS.map((name) => readText(value[name])).find((found) => found !== undefined);
  if (message !== undefined || loc.length > 0 || 'loc' in value)
    return [createProblem(loc, message ?? 'Not valid.', value.type)];
  const problems = readContainers(value, depth);
  if (problems.length > 0) return problems;
  return Object.entries(value).flatMap(([field, messages]) =>
    (Array.isArray(messages) ? messages : [messages]).flatMap((entry: unknown) => {
      const entryText = readText(entry);
      return entryText === undefined ? [] : [createProblem(readLoc([field]), entryText)];
    }),
  );
}

/** Reads the body of a refusal: at most MAX_PROBLEMS problems, or its text. No problems if it is unreadable. */
export function readProblems(body: unknown): readonly FieldProblem[] {
  // A whole body in HTML or XML is the page of a proxy.
  if (typeof body === 'string' && body.trim().startsWith('<')) return [];
  if (!isObject(body)) return readEntries(body, MAX_DEPTH).slice(0, MAX_PROBLEMS);
  const problems = readContainers(body, MAX_DEPTH);
  if (problems.length > 0) return problems.slice(0, MAX_PROBLEMS);
  const text = [...MESSAGE_FIELDS, 'data']
    .map((name) => readText(body[name]))
    .find((found) => found !== undefined);
  return text === undefined ? readContainers({ detail: body.data }, MAX_DEPTH) : [createProblem([], text)];
}

function isFilled(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== '' && value !== false;
}

const FAILED_STATUS = /^(?:error|fail|failed|failure|rejected)$/i;
const DONE_STATUS =
  /^(?:ok|success\w*|accepted|done|draft|pending|process\w+|partial\w*|(?:creat|sav|schedul|stor|publish|queu|post)ed)$/i;

/** Whether the JSON of a response with the status 200 clearly says that the request failed, and has no record. */
export function isRefusalBody(body: unknown): boolean {
  if (!isObject(body)) return false;
  const { success, ok, error, errors } = body;
  const flags = [success, ok].filter((flag) => flag !== undefined);
  const status = typeof body.status === 'string' ? body.status : '';
  // A number may count errors.
  const hasErrors = [error, errors].some((value) => typeof value !== 'number' && isFilled(value));
  const saysFailed = flags.includes(false) || FAILED_STATUS.test(status) || hasErrors;
  const isContradictory = flags.some((flag) => flag !== false) || DONE_STATUS.test(status);
  return saysFailed && !isContradictory && !mayHaveRecord(body);
}

const FLAG_FIELDS = ['success', 'ok', 'status', 'code', 'type'];

/**
 * Whether the body of a failure has anything but problems. In `data`, also a single value may belong to a record, and a
 * word without a space may be an id.
 */
function carriesRecord({ data, ...fields }: Readonly<Record<string, unknown>>): boolean {
  const problemFields = [...FLAG_FIELDS, ...MESSAGE_FIELDS, ...CONTAINER_FIELDS];
  const isRecord = (value: unknown) =>
    isObject(value)
      ? Object.keys(value).some((name) => !problemFields.includes(name))
      : typeof value !== 'string' || !/\s/.test(value.trim());
  // Django names the field of a problem in this way: `{"content": ["This field is required."]}`.
  const isTexts = (value: unknown) =>
    Array.isArray(value) && value.every((item) => typeof item === 'string' && /\s/.test(item.trim()));
  return (
    (isFilled(data) && isRecord(data)) ||
    Object.entries(fields).some(
      ([name, value]) =>
        !problemFields.includes(name) && typeof value === 'object' && isFilled(value) && !isTexts(value),
    )
  );
}

/** Words that say that a record exists, also within an error code. "Already" may also be about a limit or a time. */
const EXISTS =
  /already(?![ _]?(?:in the past|(?:been )?(?:reach|exceed|exhaust|expir|end|pass|archiv|delet)))|(?<!\bno (?:\w+ ){1,2})exists|duplicat|unique|partial/i;
/** Before a participle: nothing was done. "Will be" or "should be" may leave it open, unlike "must be" or "can be". */
const NOT_DONE = [
  String.raw`(?:\b(?:not|never|cannot|\w+n['’]t)(?: (?:yet|be|been))*`,
  String.raw`(?<!\b(?:will|may|might|could|should) )\bbe`,
  String.raw`\b(?:no(?: \w+){1,2}|nothing|none) (?:was|were|is|are|could be|(?:has|have) been))(?: \w+ly)? `,
].join('|');
/** After a participle that names a field or a limit: "Scheduled time", "10 scheduled posts". */
const FIELD_NAME = String.raw`(?:[-_]| (?:date|day|time|datetime|(?:at|for) (?:must|is|should|can)|posts|post (?:limit|quota))\b)`;
/**
 * A participle that says that something was done: "The post was created, but the webhook failed." The first lookahead
 * keeps the time linear in the length of the text.
 */
const DONE_TEXT = new RegExp(
  `\\b(?=(?:creat|sav|(?:re)?schedul|stor|publish|(?:en)?queu|post)ed\\b(?!${FIELD_NAME}))(?<!${NOT_DONE})`,
  'i',
);
const RECORD_ID = /(?:^|_)(?:[Uu]{2})?[Ii][Dd]$|[a-z]I[Dd]$/;
const REQUEST_ID = /^_?(?:request|trace|correlation|error)/i;

/** Whether a value names a record by an id, or says that one exists. */
function namesRecord(value: unknown, depth = MAX_DEPTH): boolean {
  if (typeof value === 'string') return EXISTS.test(value) || DONE_TEXT.test(value);
  if (typeof value !== 'object' || value === null) return false;
  if (depth < 0) return true;
  return Object.entries(value).some(
    ([name, child]) =>
      !ECHO_FIELDS.includes(name) &&
      ((RECORD_ID.test(name) && !REQUEST_ID.test(name) && isFilled(child)) || namesRecord(child, depth - 1)),
  );
}

/** Whether a failure's body has or names a record, or says that one exists: the request may have been applied. */
export function mayHaveRecord(body: unknown): boolean {
  return (isObject(body) && carriesRecord(body)) || namesRecord(body);
}
