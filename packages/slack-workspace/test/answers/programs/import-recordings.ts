import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { getRecord, isRecord, type Json } from '../../../src/json.ts';
import { EVENT_RULES } from '../../../src/rules/event-rules.ts';
import { METHODS } from '../../../src/web-api/methods.ts';
import { namePayload } from '../../payload-shape.ts';
import { writeFacts } from '../../write-facts.ts';
import { addKeyPaths, type KeyPaths } from '../key-paths.ts';

/**
 * Writes recorded.json: which keys of which kinds Slack's answers and payloads have. The arguments are checkouts of
 * github.com/slack-ruby/slack-api-ref (the examples of docs.slack.dev), github.com/slackapi/java-slack-sdk (recorded
 * of Slack, in json-logs/samples) and github.com/vercel/chat (recorded of Slack, for its adapter), a list of the
 * payloads in the tests of github.com/slackapi/bolt-python, and the date of the newest:
 *
 *   node packages/slack-workspace/test/answers/programs/import-recordings.ts \
 *     ../slack-api-ref ../java-slack-sdk ../chat ../bolt-python.json 2026-08-20
 */
const [reference = '', javaSdk = '', chatSdk = '', boltPython = '', date = ''] = process.argv.slice(2);

function readJson(file: string): unknown {
  const text = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  return text === '' ? {} : JSON.parse(text);
}

function readObject(file: string): Json {
  const value = readJson(file);
  return isRecord(value) ? value : {};
}

function readFolder(folder: string): Json[] {
  return readdirSync(folder).map((file) => readObject(`${folder}/${file}`));
}

/** The same structure without its content, down to a depth. Of a list only its first entry. */
function emptyOut(value: unknown, key = '', depth = Infinity): unknown {
  if (Array.isArray(value))
    return value.slice(0, depth > 0 ? 1 : 0).map((entry) => emptyOut(entry, '', depth - 1));
  if (isRecord(value) && depth === 0) return {};
  if (isRecord(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, emptyOut(inner, name, depth - 1)]),
    );
  if (typeof value === 'string') return key === 'type' || key === 'subtype' ? value : '';
  return typeof value === 'number' ? 0 : value;
}

/** Payloads within other JSON: the objects with a verification token. */
function findPayloads(value: unknown): Json[] {
  if (Array.isArray(value)) return value.flatMap(findPayloads);
  if (!isRecord(value)) return [];
  if (typeof value._form === 'string') return [Object.fromEntries(new URLSearchParams(value._form))];
  return typeof value.token === 'string' ? [value] : Object.values(value).flatMap(findPayloads);
}

/** The bodies in a log of JavaScript objects, which quotes each as a string. */
function readLog(file: string): Json[] {
  const bodies = readFileSync(file, 'utf8').matchAll(/body: (['`])(.*)\1$/gm);
  return [...bodies].flatMap(([, , body = '']) => {
    const text = body.replaceAll(/\\(.)/g, '$1');
    const form = new URLSearchParams(text);
    const json = text.startsWith('{') ? text : form.get('payload');
    return findPayloads(json === null ? Object.fromEntries(form) : JSON.parse(json));
  });
}

const samples = `${javaSdk}/json-logs/samples`;
const methods = [...METHODS.keys()].toSorted();
const examples = methods.map((method): [string, Json] => {
  const page = readObject(`${reference}/docs.slack.dev/methods/${method}.json`);
  const example = getRecord(getRecord(page, 'examples') ?? {}, 'success')?.example;
  return [method, isRecord(example) ? example : {}];
});
const mixedEvents = readFolder(`${samples}/events`);
const replays = `${chatSdk}/packages/integration-tests/fixtures/replay`;
const slackReplays = readdirSync(replays, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /slack.*json$/.test(file),
);
/** The SDK for Java mixes the keys of all recordings of a payload. */
const mixedPayloads = [
  ...mixedEvents.map((payload) => ({ ...payload, type: 'event_callback' })),
  ...['interactive-components', 'slash-commands', 'views'].flatMap((folder) =>
    readFolder(`${samples}/app-backend/${folder}`),
  ),
];
const payloads = [
  ...slackReplays.flatMap((file) => findPayloads(readJson(`${replays}/${file}`))),
  ...readLog(`${chatSdk}/packages/adapter-slack/sample-messages.md`),
  ...findPayloads(readJson(boltPython)),
];

/** Recordings of messages mix the keys of all their kinds, so only other events are required. */
const events = mixedEvents
  .flatMap(({ event }) =>
    isRecord(event) && typeof event.type === 'string' ? [{ ...event, type: event.type }] : [],
  )
  .filter(({ type }) => EVENT_RULES[type] !== undefined)
  .map((event) => [event.type, emptyOut(event, '', 2)]);

/** The workspace's own kinds of payloads. */
const SENT_EVENTS = new Set(Object.keys(EVENT_RULES).map((name) => name.split('.')[0]));
const NOT_SENT =
  /^(?:interactive_message|dialog_|workflow_step|view_submission of workflow|url_verification)/;

function isSent(payload: Json): boolean {
  if (isRecord(payload.event)) return SENT_EVENTS.has(String(payload.event.type));
  return !NOT_SENT.test(namePayload(payload));
}

const paths: KeyPaths = new Map();
for (const [method, example] of examples) addKeyPaths(paths, method, example);
for (const method of methods) addKeyPaths(paths, method, readObject(`${samples}/api/${method}.json`));
for (const payload of payloads.filter(isSent)) addKeyPaths(paths, namePayload(payload), payload);
for (const payload of mixedPayloads.filter(isSent))
  addKeyPaths(paths, `mixed ${namePayload(payload)}`, payload);

const sortEntries = <T>(map: Map<string, T>) => [...map].toSorted(([one], [other]) => (one < other ? -1 : 1));
const facts = {
  source:
    'docs.slack.dev/reference/methods, from github.com/slack-ruby/slack-api-ref; json-logs of github.com/slackapi/java-slack-sdk; recordings in github.com/vercel/chat; payloads in the tests of github.com/slackapi/bolt-python',
  date,
  /** By method: the first documented answer. */
  answers: Object.fromEntries(examples.map(([method, example]) => [method, emptyOut(example)])),
  /** By type of event: every key that was recorded. */
  events: Object.fromEntries(events),
  /** By method, payload or part: each path that was recorded, with its kinds. */
  paths: Object.fromEntries(
    sortEntries(paths).map(([object, keys]) => [
      object,
      sortEntries(keys)
        .map(([path, kinds]) => `${path} ${[...kinds].toSorted().join('|')}`)
        .join('\n'),
    ]),
  ),
};
writeFacts(new URL('../recorded.json', import.meta.url), facts);
