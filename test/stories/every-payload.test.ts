import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBot } from '../support/bot.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot-database.ts';
import { createCallRecorder } from '../support/called-functions.ts';
import { countRequestsInFlight, EVERY_LINE, Explorer, FORM_LINES } from '../support/explorer.ts';
import { data, json, type ScriptedService } from '../support/scripted-service.ts';
import { watchSent } from '../support/sent-to-slack.ts';
import { findWordingFaults, listTexts } from '../support/wording.ts';
import { TESTED_ELSEWHERE } from './tested-elsewhere.ts';

/**
 * Checks that the emulated Slack accepts all payloads of the bot for any stored data and typed text. The emulated Slack
 * validates strictly. The explorer types every command, presses every button and sends every form, each at most twice.
 * A function that renders a message or a view must run here or have another test.
 */

/** A test presses hundreds of buttons, which takes minutes if other programs use the processor. */
const TIMEOUT_MS = 600_000;

const functions = createCallRecorder();
let database: BotDatabase;
const usedFunctions = new Set<string>();
/** The texts of all payloads whose data and typed text are short, so that they contain no text of people. */
const ownTexts = new Set<string>();

beforeAll(async () => {
  await functions.start();
  countRequestsInFlight();
  database = await openBotDatabase();
});
afterAll(async () => {
  functions.stop();
  await database.close();
});

const STRANGE_TEXT =
  '<!channel> &amp; *_`~ \u202eright to left\u202c עברית 🧑‍🔧 \ud800 \u0000 <@UEVIL> <http://evil|good> :x:';

/** Creates a record with every field that any kind of record has. */
const createRecord = (id: string, text: string, more: object = {}) => ({
  Id: id,
  Name: text,
  Description: text,
  Content: text,
  Message: text,
  Source: { Source: text },
  User: text,
  CreatedAt: '2026-11-19T09:00:00Z',
  ScheduleDate: '2026-11-21T09:00:00+01:00',
  Timezone: 'Europe/Berlin',
  Platforms: ['X'],
  Status: 'SCHEDULED',
  ...more,
});

const createRecords = (count: number, text: string) =>
  Array.from({ length: count }, (_, index) =>
    createRecord(`id${index}`, text, index % 3 === 0 ? { Status: 'DRAFT' } : {}),
  );

const problems = Array.from({ length: 5_000 }, (_, index) => ({
  loc: ['body', ['Content', 'Email', 'Role', 'Title', 'Nobody knows'][index % 5] ?? ''],
  msg: `${STRANGE_TEXT} ${index}`,
}));

/** The service's data, and the text that is typed. */
const CASES: Readonly<
  Record<string, { text: string; projects: readonly unknown[]; otherRecords: readonly unknown[] }>
> = {
  'short texts': { text: 'y', projects: [createRecord('p1', 'x')], otherRecords: [createRecord('id0', 'x')] },
  'no data': { text: ' ', projects: [], otherRecords: [] },
  'long texts and lists': {
    text: 'Wordy 🥐'.repeat(375),
    projects: createRecords(1_000, 'P'.repeat(3_000)),
    otherRecords: createRecords(100, 'W'.repeat(40_000)),
  },
  'strange texts and records': {
    text: STRANGE_TEXT,
    projects: [createRecord('p1', STRANGE_TEXT), createRecord('p2', STRANGE_TEXT), { Id: {} }, 7],
    otherRecords: [
      7,
      null,
      'text',
      [],
      { Id: {} },
      {},
      { Content: ['x'] },
      createRecord('id0', STRANGE_TEXT, {
        Platforms: [STRANGE_TEXT],
        Status: STRANGE_TEXT,
        Timezone: STRANGE_TEXT,
      }),
      ...createRecords(3, STRANGE_TEXT),
    ],
  },
};

/**
 * Creates a response that is serialized once, because the longest lists have megabytes and every command reads them.
 */
function createResponse(status: number, body: unknown): ReturnType<typeof json> {
  const text = JSON.stringify(body);
  return (_call, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(text);
  };
}

const LISTS = ['projects', 'posts', 'templates', 'sources', 'logs'];

function setUpLists(
  service: ScriptedService,
  { projects, otherRecords }: { projects: readonly unknown[]; otherRecords: readonly unknown[] },
): void {
  const [allProjects, allOtherRecords] = [projects, otherRecords].map((all) =>
    createResponse(200, { data: all, success: true }),
  );
  for (const list of LISTS) {
    const all = list === 'projects' ? allProjects : allOtherRecords;
    if (all) service.on(`GET /${list}`, all);
  }
  service.on('GET /upnext-post', data(otherRecords.at(-1) ?? null));
  for (const id of ['id0', 'id1', 'id2']) service.on(`GET /${id}`, data(otherRecords.at(-1) ?? null));
}

const WRITES = [
  'POST /posts',
  'POST /invite',
  'POST /prompts',
  'PUT /id0',
  'PUT /id1',
  'DELETE /webhook',
  'DELETE /file',
];

async function explore(
  text: string,
  prepare: (service: ScriptedService) => void,
  {
    signal,
    lines = EVERY_LINE,
    usesHome = false,
  }: { signal: AbortSignal; lines?: readonly string[]; usesHome?: boolean },
): Promise<string[]> {
  const running = await startBot({
    limits: false,
    db: database.db,
    isEmulated: true,
    allowFileDeletion: true,
    // Each action waits until Home is refreshed.
    pace: { reconcileDelaysMs: [10, 20], homeRefreshDelayMs: 10 },
  });
  prepare(running.service);
  const ana = new Explorer(running, text);
  const watcher = watchSent({
    onSent(payload) {
      ana.record(payload);
      if (text.length <= 1) for (const read of listTexts(payload.payload)) ownTexts.add(read);
    },
  });
  await ana.explore(lines, { usesHome, signal });
  const markupFaults = watcher.stop();
  const failures = running.logged.filter((line) =>
    /^(request failed|could not deliver|could not notify|refresh after)/.test(line),
  );
  await running.close();
  for (const name of await functions.takeCalledFunctions()) usedFunctions.add(name);
  return [...markupFaults, ...failures.map((line) => line.slice(0, 20_000))];
}

test.for(Object.entries(CASES))(
  'Slack accepts every message and view with %s',
  { timeout: TIMEOUT_MS },
  async ([name, content], { signal }) => {
    const prepareService = (service: ScriptedService) => {
      setUpLists(service, content);
      for (const write of WRITES) service.on(write, data({ Id: 'made' }));
    };
    const faults = await explore(content.text, prepareService, {
      signal,
      usesHome: name === 'strange texts and records',
    });
    expect(faults).toEqual([]);
  },
);

test('Slack accepts messages and views with 5,000 errors and with text that is markup in Slack', {
  timeout: TIMEOUT_MS,
}, async ({ signal }) => {
  const faults = await explore(
    'x',
    (service) => {
      setUpLists(service, { projects: [createRecord('p1', 'One')], otherRecords: createRecords(3, 'x') });
      const refusal = createResponse(422, {
        detail: problems.map((problem) => ({ ...problem, type: 'value_error' })),
      });
      for (const write of WRITES) service.on(write, refusal);
    },
    { signal, lines: FORM_LINES },
  );
  expect(faults).toEqual([]);
});

test('Slack accepts every message and view while every call to the service fails', {
  timeout: TIMEOUT_MS,
}, async ({ signal }) => {
  const faults = await explore(
    'x',
    (service) => {
      for (const list of [...LISTS, 'upnext-post'])
        service.on(`GET /${list}`, json(500, { detail: STRANGE_TEXT }));
      for (const write of WRITES) service.on(write, json(500, STRANGE_TEXT));
    },
    { signal },
  );
  expect(faults).toEqual([]);
});

test('texts have no ids, no terms of earlier versions, and at most two sentences each', () => {
  expect(ownTexts.size).toBeGreaterThan(200);
  const faults = [...ownTexts].filter((text) => !text.includes(STRANGE_TEXT)).flatMap(findWordingFaults);
  expect(faults.sort()).toEqual([]);
});

const SRC = join(import.meta.dirname, '..', '..', 'src');
/**
 * Functions that return a message, a view or blocks. Parameters may be destructured, and their types may be object types
 * with nested objects.
 */
const RENDER_FUNCTIONS =
  /\bfunction (\w+)(?:(?!\n\n)(?:[^{};]|\{(?:[^{}]|\{[^{}]*\})*\}))*?\): (?:Message|ModalView|HomeView|KnownBlock\[\]|Confirmation)\b/g;

test('every function that renders a message or a view is called here or has another test', () => {
  const all = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('emulators'))
    .flatMap((file) => {
      const text = readFileSync(join(SRC, file), 'utf8');
      return [...text.matchAll(RENDER_FUNCTIONS)].map(([, name = '']) => `src/${file}#${name}`);
    });
  expect(all.length).toBeGreaterThan(90);
  const untestedFunctions = all.filter(
    (name) => !usedFunctions.has(name) && TESTED_ELSEWHERE[name.replace(/.*#/, '')] === undefined,
  );
  expect(untestedFunctions).toEqual([]);
  const tests = join(import.meta.dirname, '..');
  for (const [name, file] of Object.entries(TESTED_ELSEWHERE)) {
    expect(all.join(' ')).toContain(`#${name}`);
    expect(existsSync(join(tests, file)), file).toBe(true);
  }
});
