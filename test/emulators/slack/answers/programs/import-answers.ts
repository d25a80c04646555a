import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isRecord, type Json, recordIn } from '../../../../../src/emulators/slack/json.ts';
import { EVENT_RULES } from '../../../../../src/emulators/slack/rules/event-rules.ts';
import { METHODS } from '../../../../../src/emulators/slack/web-api/methods.ts';

/**
 * Writes recorded.json: which keys of which kinds Slack's answers and events have. The arguments are checkouts of
 * github.com/slack-ruby/slack-api-ref (the examples of docs.slack.dev) and github.com/slackapi/java-slack-sdk (what was
 * recorded of Slack, in json-logs/samples), and the date of the newer one:
 *
 *   node test/emulators/slack/answers/programs/import-answers.ts ../slack-api-ref ../java-slack-sdk 2026-08-20
 */
const [reference = '', sdk = '', date = ''] = process.argv.slice(2);

function readJson(file: string): Json {
  const text = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  const value: unknown = text === '' ? {} : JSON.parse(text);
  return isRecord(value) ? value : {};
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

function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  return isRecord(value) ? Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)]) : [];
}

const methods = [...METHODS.keys()].toSorted();
const samples = `${sdk}/json-logs/samples`;
const examples = methods.map((method): [string, unknown] => {
  const { example } =
    recordIn(
      recordIn(readJson(`${reference}/docs.slack.dev/methods/${method}.json`), 'examples') ?? {},
      'success',
    ) ?? {};
  return [method, emptyOut(example ?? {})];
});
const payloads = readdirSync(`${samples}/events`).map((file) => readJson(`${samples}/events/${file}`));
/** Recordings of messages mix the keys of all their kinds, so only other events are kept. */
const events = payloads
  .flatMap(({ event }) =>
    isRecord(event) && typeof event.type === 'string' ? [{ ...event, type: event.type }] : [],
  )
  .filter(({ type }) => EVENT_RULES[type] !== undefined)
  .map((event) => [event.type, emptyOut(event, '', 2)]);
const recorded = methods.map((method) => readJson(`${samples}/api/${method}.json`));
const known = [...recorded, ...payloads, ...examples.map(([, example]) => example)].flatMap(namesIn);
const facts = {
  source:
    'docs.slack.dev/reference/methods, from github.com/slack-ruby/slack-api-ref; json-logs of github.com/slackapi/java-slack-sdk',
  date,
  /** By method: the first documented answer. */
  answers: Object.fromEntries(examples),
  /** By type of event: every key that was recorded. */
  events: Object.fromEntries(events),
  /** All names of keys in the recordings. */
  names: [...new Set(known)]
    .filter((name) => /^[a-z_0-9]+$/.test(name))
    .toSorted()
    .join(' '),
};
writeFileSync(new URL('../recorded.json', import.meta.url), `${JSON.stringify(facts, undefined, 1)}\n`);
