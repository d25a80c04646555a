import { WebClient } from '@slack/web-api';
import type { Kysely } from 'kysely';
import { RespondingApp } from '../../src/slack/bolt/bolt.ts';
import type { BotSchema } from '../../src/store/schema.ts';
import { type Running, startBot, WITHOUT_LIMITS } from '../support/bot.ts';
import { Explorer, waitUntilIdle, watchHandling } from '../support/explorer.ts';
import { type Luck, luckOf } from '../support/luck.ts';
import { data } from '../support/scripted-service.ts';
import { sendSigned } from '../support/send-signed.ts';
import { watchSent } from '../support/sent-to-slack.ts';
import { hostileValue } from './hostile-values.ts';

type Json = Record<string, unknown>;
type Path = readonly (string | number)[];

/** Of each shape (which form, which element, which command) so many are kept. */
const MAX_PER_SHAPE = 3;
/** What is slow once may be slow for the first time, or for what else the computer does: it is tried again. */
const TRIES = 3;
/** Encoded as a form: the app takes a mebibyte, and cuts the connection of who sends more. */
const MAX_LENGTH = 1_000_000;
/** The addresses to answer at were recorded too, and each takes five answers. */
const USED_UP = /ResponseRefused/;
/** Characters of a hostile value that a fault is reported with. */
const MAX_SHOWN = 300;
/** ms of CPU time that no request may take. */
export const MAX_CPU_MS = 250;

/** What a modified client can set: the rest is Slack's own. */
const SET_BY_PEOPLE = new Set(['values', 'actions', 'text', 'value', 'private_metadata', 'state', 'message']);

const record = (id: string, more: object = {}) => ({
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
  ...more,
});

function hold({ service }: Running): void {
  service.on('GET /projects', data([record('p1'), record('p2')]));
  for (const list of ['posts', 'templates', 'sources', 'logs'])
    service.on(`GET /${list}`, data([record('id0'), record('id1', { Status: 'DRAFT' })]));
  service.on('GET /upnext-post', data(record('id0')));
  for (const id of ['id0', 'id1']) service.on(`GET /${id}`, data(record(id)));
  for (const write of ['POST /posts', 'POST /invite', 'POST /prompts', 'PUT /id0', 'DELETE /webhook'])
    service.on(write, data({ Id: 'made' }));
}

/** What the app is sent while somebody types these lines, presses everything and fills in every form. */
async function recordPayloads(running: Running, lines: readonly string[]): Promise<Json[]> {
  const shapes = new Map<string, Json[]>();
  const { processEvent } = RespondingApp.prototype;
  RespondingApp.prototype.processEvent = function (event) {
    const body = event.body as Json;
    const shape = shapeOf(body);
    const alike = shapes.get(shape) ?? [];
    shapes.set(shape, alike);
    if (alike.length < MAX_PER_SHAPE) alike.push(structuredClone(body));
    return processEvent.call(this, event);
  };
  const ana = new Explorer(running, 'Wordy');
  const sent = watchSent({ onSent: (payload) => ana.record(payload) });
  await ana.explore(lines, { atHome: true });
  sent.stop();
  RespondingApp.prototype.processEvent = processEvent;
  return [...shapes.values()].flat();
}

/**
 * Slack takes every view while `isTaking`: recorded triggers are used up and recorded forms closed, and what the app
 * does then is not what this is about. Before the bot is made, whose client keeps the method that it finds.
 */
function takeViews() {
  const taken = { isTaking: false };
  const { apiCall } = WebClient.prototype;
  WebClient.prototype.apiCall = async function (method, options) {
    if (!taken.isTaking || !method.startsWith('views.')) return apiCall.call(this, method, options);
    return { ok: true, view: { ...(options?.view as object), id: 'V01TAKEN', hash: '1' } };
  };
  return taken;
}

function shapeOf(body: Json): string {
  const { type, command, callback_id, view, actions, action_id, event } = body as {
    view?: { callback_id?: string };
    actions?: { action_id?: string }[];
    event?: { type?: string };
  } & Json;
  const words = typeof body.text === 'string' ? body.text.split(' ', 1)[0] : undefined;
  return JSON.stringify([
    ...[type, command, words, callback_id, action_id],
    ...[view?.callback_id, actions?.[0]?.action_id, event?.type],
  ]);
}

/** Every place in it, with whether somebody in a modified client can change it. */
function placesIn(value: unknown, path: Path = [], isTheirs = false): { path: Path; isTheirs: boolean }[] {
  if (typeof value !== 'object' || value === null) return [{ path, isTheirs }];
  const inside = Object.entries(value).flatMap(([key, each]) =>
    placesIn(each, [...path, Array.isArray(value) ? Number(key) : key], isTheirs || SET_BY_PEOPLE.has(key)),
  );
  return path.length === 0 ? inside : [{ path, isTheirs }, ...inside];
}

function set(body: Json, path: Path, make: (before: unknown) => unknown): void {
  const last = path.at(-1);
  let holder: unknown = body;
  for (const key of path.slice(0, -1))
    holder = (holder as Record<string | number, unknown> | undefined)?.[key];
  if (typeof holder !== 'object' || holder === null || last === undefined) return;
  const fields = holder as Record<string | number, unknown>;
  const made = make(fields[last]);
  if (made === undefined) delete fields[last];
  else
    Object.defineProperty(fields, last, {
      value: made,
      enumerable: true,
      configurable: true,
      writable: true,
    });
}

/** One of what was recorded with one to four places changed, mostly of those that people set. */
function hostile(recorded: readonly Json[], luck: Luck): { body: Json; name: string } {
  const body = structuredClone(luck.pick(recorded));
  const names = [shapeOf(body)];
  for (let left = 1 + luck.below(4); left > 0; left -= 1) {
    const places = placesIn(body);
    const theirs = places.filter(({ isTheirs }) => isTheirs);
    const { path } = luck.pick(theirs.length > 0 && luck.chance(0.8) ? theirs : places);
    set(body, path, (before) => {
      const value = hostileValue(before, luck);
      names.push(`${path.join('.')} = ${JSON.stringify(value)?.slice(0, MAX_SHOWN)}`);
      return value;
    });
  }
  // A command comes as a form, which holds texts.
  const sent = body.command === undefined ? body : Object.fromEntries(Object.entries(body).map(asText));
  return { body: sent, name: names.join('\n      ') };
}

function asText([key, value]: [string, unknown]): [string, string] {
  return [key, typeof value === 'string' ? value : JSON.stringify(value)];
}

interface Fuzzed {
  payloads: number;
  shapes: number;
  /** Answered with 500 or more, or not at all. */
  failed: readonly string[];
  /** Took more than MOST_CPU_MS of CPU time, each time that it was tried. */
  slow: readonly string[];
  /** Handled so badly that all a person was told is a reference. */
  unhandled: readonly string[];
  /** ms of CPU time of the slowest. */
  slowest: number;
  /** What would have come alive in Slack. */
  alive: readonly string[];
}

/** Sends signed payloads with hostile fields, one after the other, until `isEnough`. The same for the same seed. */
export async function sendHostilePayloads(
  db: Kysely<BotSchema>,
  options: { seed: number; lines: readonly string[]; isEnough: (sent: number) => boolean },
): Promise<Fuzzed> {
  const luck = luckOf(options.seed);
  watchHandling();
  const views = takeViews();
  const running = await startBot({ db, mode: 'http', allowFileDeletion: true, rates: WITHOUT_LIMITS });
  hold(running);
  const recorded = await recordPayloads(running, options.lines);
  const watch = watchSent();
  views.isTaking = true;
  const failed: string[] = [];
  const slow: string[] = [];
  const unhandled = new Set<string>();
  let [payloads, slowest] = [0, 0];
  while (!options.isEnough(payloads)) {
    const { body, name } = hostile(recorded, luck);
    // Longer ones are refused before anything reads them.
    if (new URLSearchParams({ payload: JSON.stringify(body) }).toString().length > MAX_LENGTH) continue;
    payloads += 1;
    let least = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < TRIES && least > MAX_CPU_MS; tries += 1) {
      const { status, ms } = await send(running, body, payloads + tries);
      if (typeof status === 'string' || status >= 500) failed.push(`${status} for ${name}`);
      least = Math.min(least, ms);
    }
    slowest = Math.max(slowest, least);
    if (least > MAX_CPU_MS) slow.push(`${least.toFixed(0)} ms for ${name}`);
    for (const line of running.logged.splice(0))
      if (line.startsWith('request failed ') && !USED_UP.test(line)) unhandled.add(line.slice(0, 1_500));
  }
  views.isTaking = false;
  await running.close();
  const alive = watch.stop();
  return { payloads, shapes: recorded.length, failed, slow, unhandled: [...unhandled], slowest, alive };
}

/** Until everything that it set off is over; ms of this thread's own, with Slack's and the service's stand-ins in it. */
async function send({ url = '', workspace }: Running, body: Json, count: number) {
  const before = process.threadCpuUsage();
  const to = { url, signingSecret: workspace.signingSecret };
  const { status } = await sendSigned(to, body, count % 50).catch((error: Error) => ({
    status: `no answer, ${error.cause ?? error}`,
  }));
  await waitUntilIdle();
  const { user, system } = process.threadCpuUsage(before);
  return { status, ms: (user + system) / 1000 };
}
