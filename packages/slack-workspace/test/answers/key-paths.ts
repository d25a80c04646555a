import { isRecord } from '../../src/json.ts';

/** The kind of a value: `string`, `null`, `list`, …; `nothing` if it is undefined. */
function getKind(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}

/**
 * Lists what a recorded value has and ours lacks or has of another kind: `event.ts: nothing instead of string`. A key
 * that is null in the recording may have any kind, and lists are compared if their entries are of one type.
 */
export function findMissing(recorded: unknown, ours: unknown, path = ''): string[] {
  const [expected, kind] = [getKind(recorded), getKind(ours)];
  const isFine = recorded === null ? ours !== undefined : kind === expected;
  if (!isFine) return [`${path}: ${kind} instead of ${expected}`];
  if (isRecord(recorded) && isRecord(ours)) {
    return Object.entries(recorded).flatMap(([key, value]) =>
      findMissing(value, ours[key], path === '' ? key : `${path}.${key}`),
    );
  }
  const [first] = Array.isArray(recorded) ? recorded : [];
  const entries = Array.isArray(ours) && isRecord(first) ? ours : [];
  const haveSameType = entries.every((entry) => isRecord(entry) && entry.type === first.type);
  return haveSameType
    ? entries.flatMap((entry, index) => findMissing(first, entry, `${path}[${index}]`))
    : [];
}

/** By object: the path of each key, with the kinds that its values have. */
export type KeyPaths = Map<string, Map<string, Set<string>>>;

/** Parts that many payloads share. Their keys are listed once for all payloads. */
const SHARED_PARTS: Readonly<Record<string, string>> = {
  attachments: 'attachment',
  bot_profile: 'bot_profile',
  file: 'file',
  files: 'file',
  message: 'message',
  messages: 'message',
  previous_message: 'message',
  root: 'message',
  view: 'view',
};
/** Objects whose keys are names or ids of the app's own. */
const OWN_CONTENT = new Set(['emoji', 'event_payload', 'inputs', 'unfurls']);
/** Parts of canvases, lists, calls and files’ comments, which the workspace hasn't. */
const UNUSED_PARTS = /^(?:list|list_metadata|list_records?|title_blocks|message_blocks|room|comment)$/;
/** Ids and names have capital letters or spaces, unlike Slack's own keys. */
const ID = /[A-Z ]/;

/** The object that the keys of this value belong to: itself, if it is a block or another shared part. */
function nameObject(value: Record<string, unknown>, key: string, isInBlocks: boolean): string | undefined {
  if (isInBlocks && typeof value.type === 'string') return `block ${value.type}`;
  return SHARED_PARTS[key];
}

interface Place {
  object: string;
  path: string;
  key: string;
  isInBlocks: boolean;
}

function addValue(paths: KeyPaths, value: unknown, place: Place): void {
  if (Array.isArray(value)) {
    const path = `${place.path}[]`;
    for (const entry of value) addEntry(paths, entry, { ...place, path });
  } else if (isRecord(value)) {
    const object = nameObject(value, place.key, place.isInBlocks);
    const start = object === undefined ? place : { ...place, object, path: '' };
    for (const [key, inner] of Object.entries(value)) addKey(paths, inner, key, start);
  }
}

/** An entry of a list has a kind too: a list of texts is another than a list of objects. */
function addEntry(paths: KeyPaths, entry: unknown, place: Place): void {
  if (SHARED_PARTS[place.key] === undefined && !place.isInBlocks) addKind(paths, entry, place);
  addValue(paths, entry, place);
}

function addKind(paths: KeyPaths, value: unknown, { object, path }: Place): void {
  const keys = paths.get(object) ?? new Map<string, Set<string>>();
  paths.set(object, keys);
  keys.set(path, (keys.get(path) ?? new Set()).add(getKind(value)));
}

function addKey(paths: KeyPaths, value: unknown, key: string, around: Place): void {
  const name = ID.test(key) ? '*' : key;
  const path = around.path === '' ? name : `${around.path}.${name}`;
  const isInBlocks = around.isInBlocks || key === 'blocks';
  const place = { object: around.object, path, key, isInBlocks };
  addKind(paths, value, place);
  if (key === 'values') addStates(paths, value);
  else if (!OWN_CONTENT.has(key) && !UNUSED_PARTS.test(key)) addValue(paths, value, place);
}

/** `state.values` has the app's own ids, and below them the state of each element. */
function addStates(paths: KeyPaths, values: unknown): void {
  const states = isRecord(values) ? Object.values(values).filter(isRecord).flatMap(Object.values) : [];
  for (const state of states.filter(isRecord)) {
    const place = { object: `state of ${String(state.type)}`, path: '', key: '', isInBlocks: false };
    addValue(paths, state, place);
  }
}

/** Adds the paths of all keys in a payload or an answer, which is called by `object`. */
export function addKeyPaths(paths: KeyPaths, object: string, value: unknown): void {
  addValue(paths, value, { object, path: '', key: '', isInBlocks: false });
}
