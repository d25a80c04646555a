import { WebClient } from '@slack/web-api';
import type { Kysely } from 'kysely';
import { RespondingApp } from '../../src/handlers/bolt/bolt.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { type Running, startBot, WITHOUT_LIMITS } from '../support/bot.ts';
import { countRequestsInFlight, Explorer, waitUntilIdle } from '../support/explorer.ts';
import { createRandom, type Random } from '../support/random.ts';
import { data } from '../support/scripted-service.ts';
import { sendSigned } from '../support/send-signed.ts';
import { watchSent } from '../support/sent-to-slack.ts';
import { drawHostileValue } from './hostile-values.ts';

type Json = Record<string, unknown>;
type Path = readonly (string | number)[];

/** Number of recorded payloads per shape, which is a form, element or command. */
const MAX_PER_SHAPE = 3;
/** Attempts for a slow request, because one-time work or other programs may have slowed it down. */
const MAX_ATTEMPTS = 3;
/** Maximum length of a form-encoded payload. The app accepts 1 MiB and closes the connection of larger requests. */
const MAX_LENGTH = 1_000_000;
/** Matches an error that isn't a fault: a recorded `response_url` accepts only five responses. */
const USED_UP_URL = /ResponseRefused/;
/** Maximum number of characters of a hostile value in a report. */
const MAX_SHOWN_LENGTH = 300;
/** Maximum CPU time of a request. */
export const MAX_CPU_MS = 250;

/** Fields that a modified client can set. Slack sets all others. */
const CLIENT_FIELDS = new Set(['values', 'actions', 'text', 'value', 'private_metadata', 'state', 'message']);

const makeRecord = (id: string, fields: object = {}) => ({
  Id: id,
  Name: id,
  Content: 'Opening hours',
  Description: 'x',
  Message: 'x',
  Source: { Source: 'x' },
  User: 'x',
  CreatedAt: '2026-11-19T09:00:00Z',
  ScheduleDate: '2026-11-21T09:00:00+01:00',
  Timezone: 'Europe/Berlin',
  Platforms: ['X'],
  Status: 'SCHEDULED',
  ...fields,
});

function scriptService({ service }: Running): void {
  service.on('GET /projects', data([makeRecord('p1'), makeRecord('p2')]));
  for (const list of ['posts', 'templates', 'sources', 'logs'])
    service.on(`GET /${list}`, data([makeRecord('id0'), makeRecord('id1', { Status: 'DRAFT' })]));
  service.on('GET /upnext-post', data(makeRecord('id0')));
  for (const id of ['id0', 'id1']) service.on(`GET /${id}`, data(makeRecord(id)));
  for (const operation of ['POST /posts', 'POST /invite', 'POST /prompts', 'PUT /id0', 'DELETE /webhook'])
    service.on(operation, data({ Id: 'made' }));
}

/** Records the payloads that the app receives while the explorer types these lines, presses buttons and sends forms. */
async function recordPayloads(startedBot: Running, lines: readonly string[]): Promise<Json[]> {
  const shapes = new Map<string, Json[]>();
  const { processEvent } = RespondingApp.prototype;
  RespondingApp.prototype.processEvent = function (event) {
    const body = event.body as Json;
    const shape = getShape(body);
    const recordedPayloads = shapes.get(shape) ?? [];
    shapes.set(shape, recordedPayloads);
    if (recordedPayloads.length < MAX_PER_SHAPE) recordedPayloads.push(structuredClone(body));
    return processEvent.call(this, event);
  };
  const ana = new Explorer(startedBot, 'Wordy');
  const payloadCheck = watchSent({ onSent: (payload) => ana.record(payload) });
  await ana.explore(lines, { usesHome: true });
  payloadCheck.stop();
  RespondingApp.prototype.processEvent = processEvent;
  return [...shapes.values()].flat();
}

/**
 * Makes Slack accept every view while `isAccepting`, because recorded triggers are used up and recorded forms are
 * closed. Must be called before the bot is created, because its client stores the method.
 */
function stubViews() {
  const stub = { isAccepting: false };
  const { apiCall } = WebClient.prototype;
  WebClient.prototype.apiCall = async function (method, options) {
    if (!stub.isAccepting || !method.startsWith('views.')) return apiCall.call(this, method, options);
    return { ok: true, view: { ...(options?.view as object), id: 'V01TAKEN', hash: '1' } };
  };
  return stub;
}

function getShape(body: Json): string {
  const { type, command, callback_id, view, actions, action_id, event } = body as {
    view?: { callback_id?: string };
    actions?: { action_id?: string }[];
    event?: { type?: string };
  } & Json;
  const subcommand = typeof body.text === 'string' ? body.text.split(' ', 1)[0] : undefined;
  return JSON.stringify([
    ...[type, command, subcommand, callback_id, action_id],
    ...[view?.callback_id, actions?.[0]?.action_id, event?.type],
  ]);
}

/** Lists the paths of all values, and whether a modified client can set each. */
function listFields(
  value: unknown,
  path: Path = [],
  isFromClient = false,
): { path: Path; isFromClient: boolean }[] {
  if (typeof value !== 'object' || value === null) return [{ path, isFromClient }];
  const inner = Object.entries(value).flatMap(([key, entry]) =>
    listFields(
      entry,
      [...path, Array.isArray(value) ? Number(key) : key],
      isFromClient || CLIENT_FIELDS.has(key),
    ),
  );
  return path.length === 0 ? inner : [{ path, isFromClient }, ...inner];
}

function replaceField(body: Json, path: Path, replace: (oldValue: unknown) => unknown): void {
  const lastKey = path.at(-1);
  let parent: unknown = body;
  for (const key of path.slice(0, -1))
    parent = (parent as Record<string | number, unknown> | undefined)?.[key];
  if (typeof parent !== 'object' || parent === null || lastKey === undefined) return;
  const fields = parent as Record<string | number, unknown>;
  const replacement = replace(fields[lastKey]);
  if (replacement === undefined) delete fields[lastKey];
  else
    Object.defineProperty(fields, lastKey, {
      value: replacement,
      enumerable: true,
      configurable: true,
      writable: true,
    });
}

/** Picks a recorded payload and replaces one to four of its fields, mostly fields that a modified client can set. */
function createHostilePayload(
  recordedPayloads: readonly Json[],
  random: Random,
): { body: Json; name: string } {
  const body = structuredClone(random.pick(recordedPayloads));
  const names = [getShape(body)];
  for (let remaining = 1 + random.drawInteger(4); remaining > 0; remaining -= 1) {
    const fields = listFields(body);
    const clientFields = fields.filter(({ isFromClient }) => isFromClient);
    const { path } = random.pick(clientFields.length > 0 && random.drawBoolean(0.8) ? clientFields : fields);
    replaceField(body, path, (oldValue) => {
      const value = drawHostileValue(oldValue, random);
      names.push(`${path.join('.')} = ${JSON.stringify(value)?.slice(0, MAX_SHOWN_LENGTH)}`);
      return value;
    });
  }
  // Commands are sent form-encoded, so their values are texts.
  const sentPayload =
    body.command === undefined ? body : Object.fromEntries(Object.entries(body).map(toText));
  return { body: sentPayload, name: names.join('\n      ') };
}

function toText([key, value]: [string, unknown]): [string, string] {
  return [key, typeof value === 'string' ? value : JSON.stringify(value)];
}

interface FuzzResult {
  payloads: number;
  shapes: number;
  /** Payloads with a response of 500 or more, or without any. */
  failedPayloads: readonly string[];
  /** Payloads that took more than MAX_CPU_MS of CPU time at each attempt. */
  slowPayloads: readonly string[];
  /** Failures that people saw only as an error reference. */
  unhandledFailures: readonly string[];
  /** CPU time of the slowest payload. */
  slowestMs: number;
  /** Markup from hostile text that would have taken effect in Slack. */
  liveMarkup: readonly string[];
}

/**
 * Sends signed payloads with hostile fields one after the other until `isEnough`. A seed always gives the same
 * payloads.
 */
export async function sendHostilePayloads(
  db: Kysely<BotSchema>,
  options: { seed: number; lines: readonly string[]; isEnough: (sent: number) => boolean },
): Promise<FuzzResult> {
  const random = createRandom(options.seed);
  countRequestsInFlight();
  const views = stubViews();
  const startedBot = await startBot({ db, mode: 'http', allowFileDeletion: true, rates: WITHOUT_LIMITS });
  scriptService(startedBot);
  const recordedPayloads = await recordPayloads(startedBot, options.lines);
  const payloadCheck = watchSent();
  views.isAccepting = true;
  const failedPayloads: string[] = [];
  const slowPayloads: string[] = [];
  const unhandledFailures = new Set<string>();
  let [payloads, slowestMs] = [0, 0];
  while (!options.isEnough(payloads)) {
    const { body, name } = createHostilePayload(recordedPayloads, random);
    // Longer payloads are refused before any code parses them.
    if (new URLSearchParams({ payload: JSON.stringify(body) }).toString().length > MAX_LENGTH) continue;
    payloads += 1;
    let fastestMs = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < MAX_ATTEMPTS && fastestMs > MAX_CPU_MS; attempt += 1) {
      const { status, ms } = await send(startedBot, body, payloads + attempt);
      if (typeof status === 'string' || status >= 500) failedPayloads.push(`${status} for ${name}`);
      fastestMs = Math.min(fastestMs, ms);
    }
    slowestMs = Math.max(slowestMs, fastestMs);
    if (fastestMs > MAX_CPU_MS) slowPayloads.push(`${fastestMs.toFixed(0)} ms for ${name}`);
    for (const line of startedBot.logged.splice(0))
      if (line.startsWith('request failed ') && !USED_UP_URL.test(line))
        unhandledFailures.add(line.slice(0, 1_500));
  }
  views.isAccepting = false;
  await startedBot.close();
  const liveMarkup = payloadCheck.stop();
  return {
    payloads,
    shapes: recordedPayloads.length,
    failedPayloads,
    slowPayloads,
    unhandledFailures: [...unhandledFailures],
    slowestMs,
    liveMarkup,
  };
}

/**
 * Sends a payload and waits until the bot is idle. `ms` is this thread's CPU time, including the Slack and service
 * emulators.
 */
async function send({ url = '', workspace }: Running, body: Json, count: number) {
  const usageBefore = process.threadCpuUsage();
  const target = { url, signingSecret: workspace.signingSecret };
  const { status } = await sendSigned(target, body, count % 50).catch((error: Error) => ({
    status: `no answer, ${error.cause ?? error}`,
  }));
  await waitUntilIdle();
  const { user, system } = process.threadCpuUsage(usageBefore);
  return { status, ms: (user + system) / 1000 };
}
