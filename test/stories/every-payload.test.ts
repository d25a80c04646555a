import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BotDatabase, openBotDatabase, startBot } from '../support/bot.ts';
import { watchFunctions } from '../support/called-functions.ts';
import { Explorer, everyLine, formLines, watchHandling } from '../support/explorer.ts';
import { data, json, type ScriptedService } from '../support/scripted-service.ts';
import { watchSent } from '../support/sent-to-slack.ts';

/**
 * Whatever the service stores and people write, the emulated Slack, which validates strictly, accepts everything that
 * the bot sends. The explorer types every command, presses every button and sends every form, each at most twice. Every
 * function that renders a message or a view must have run, so that a new one without a case is noticed.
 */

const functions = watchFunctions();
let database: BotDatabase;
const used = new Set<string>();

beforeAll(async () => {
  await functions.start();
  watchHandling();
  database = await openBotDatabase();
});
afterAll(async () => {
  functions.stop();
  await database.close();
});

const STRANGE =
  '<!channel> &amp; *_`~ \u202eright to left\u202c עברית 🧑‍🔧 \ud800 \u0000 <@UEVIL> <http://evil|good> :x:';

/** A record with all fields of the service's records. */
const record = (id: string, text: string, more: object = {}) => ({
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

const records = (count: number, text: string) =>
  Array.from({ length: count }, (_, index) =>
    record(`id${index}`, text, index % 3 === 0 ? { Status: 'DRAFT' } : {}),
  );

const problems = Array.from({ length: 5_000 }, (_, index) => ({
  loc: ['body', ['Content', 'Email', 'Role', 'Title', 'Nobody knows'][index % 5] ?? ''],
  msg: `${STRANGE} ${index}`,
}));

/** The service's data, and the text that is typed. */
const CASES: Readonly<
  Record<string, { text: string; projects: readonly unknown[]; things: readonly unknown[] }>
> = {
  'short texts': { text: 'y', projects: [record('p1', 'x')], things: [record('id0', 'x')] },
  'no data': { text: ' ', projects: [], things: [] },
  'long texts and lists': {
    text: 'Wordy 🥐'.repeat(375),
    projects: records(1_000, 'P'.repeat(3_000)),
    things: records(100, 'W'.repeat(40_000)),
  },
  'strange texts and records': {
    text: STRANGE,
    projects: [record('p1', STRANGE), record('p2', STRANGE), { Id: {} }, 7],
    things: [
      7,
      null,
      'text',
      [],
      { Id: {} },
      {},
      { Content: ['x'] },
      record('id0', STRANGE, { Platforms: [STRANGE], Status: STRANGE, Timezone: STRANGE }),
      ...records(3, STRANGE),
    ],
  },
};

/** Serialized once: the longest lists are megabytes, and every command reads them. */
function serializedJson(status: number, body: unknown): ReturnType<typeof json> {
  const text = JSON.stringify(body);
  return (_call, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(text);
  };
}

const LISTS = ['projects', 'posts', 'templates', 'sources', 'logs'];

function setUpLists(
  service: ScriptedService,
  { projects, things }: { projects: readonly unknown[]; things: readonly unknown[] },
): void {
  const [allProjects, allThings] = [projects, things].map((all) =>
    serializedJson(200, { data: all, success: true }),
  );
  for (const list of LISTS) {
    const all = list === 'projects' ? allProjects : allThings;
    if (all) service.on(`GET /${list}`, all);
  }
  service.on('GET /upnext-post', data(things.at(-1) ?? null));
  for (const one of ['id0', 'id1', 'id2']) service.on(`GET /${one}`, data(things.at(-1) ?? null));
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
  { lines = everyLine, atHome = false } = {},
): Promise<string[]> {
  const running = await startBot({
    db: database.db,
    practice: true,
    allowFileDeletion: true,
    pace: { checkWaitsMs: [10, 20] },
  });
  prepare(running.service);
  const ana = new Explorer(running, text);
  const sent = watchSent({ onSent: (payload) => ana.record(payload) });
  await ana.explore(lines, { atHome });
  const alive = sent.stop();
  const failures = running.logged.filter((line) =>
    /^(request failed|could not deliver|could not notify|refresh after)/.test(line),
  );
  await running.close();
  for (const name of await functions.called()) used.add(name);
  return [...alive, ...failures.map((line) => line.slice(0, 20_000))];
}

test.each(Object.entries(CASES))(
  'Slack accepts every message and view with %s',
  { timeout: 240_000 },
  async (name, content) => {
    const prepare = (service: ScriptedService) => {
      setUpLists(service, content);
      for (const write of WRITES) service.on(write, data({ Id: 'made' }));
    };
    const faults = await explore(content.text, prepare, { atHome: name === 'strange texts and records' });
    expect(faults).toEqual([]);
  },
);

test('Slack accepts 5,000 errors, and text from the service that is markup in Slack', {
  timeout: 240_000,
}, async () => {
  const faults = await explore(
    'x',
    (service) => {
      setUpLists(service, { projects: [record('p1', 'One')], things: records(3, 'x') });
      const refused = serializedJson(422, {
        detail: problems.map((problem) => ({ ...problem, type: 'value_error' })),
      });
      for (const write of WRITES) service.on(write, refused);
    },
    { lines: formLines },
  );
  expect(faults).toEqual([]);
});

test('Slack accepts every message and view while the service refuses everything', {
  timeout: 240_000,
}, async () => {
  const faults = await explore('x', (service) => {
    for (const list of [...LISTS, 'upnext-post']) service.on(`GET /${list}`, json(500, { detail: STRANGE }));
    for (const write of WRITES) service.on(write, json(500, STRANGE));
  });
  expect(faults).toEqual([]);
});

const SRC = join(import.meta.dirname, '..', '..', 'src');
const ROOMS = ['features', 'forms', 'posts', 'submissions/text', 'slack'];
const MAKES = /export function (\w+)[^{;]*?\): (?:Message|ModalView|HomeView|KnownBlock\[\]|Confirmation)\b/g;

/** Functions that no command line reaches, with the test that runs them. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  slowListView: 'features/list-posts/strange-posts.test.ts',
  renderConfirmationRequest: 'features/projects/projects.test.ts',
  renderBindingMessage: 'features/projects/projects.test.ts',
  renderAmbiguousProject: 'features/projects/projects.test.ts',
  renderTimeQuestion: 'features/digests/digests.test.ts',
  renderFormOffer: 'features/digests/digests.test.ts',
  renderNoChannel: 'features/zone/zone.test.ts',
  renderZoneTooLong: 'features/zone/zone.test.ts',
  renderOutsiderRefusal: 'features/roles/matrix.test.ts',
  permissionUnknownMessage: 'features/roles/matrix.test.ts',
  renderOwnershipClaim: 'features/roles/roles.test.ts',
  outdatedView: 'features/schedule-post/tampered.test.ts',
  renderNoReadableProjects: 'features/projects/more-than-read.test.ts',
  unsavedView: 'submissions/sending.test.ts',
};

test('every function that renders a message or a view ran, here or in the test named for it', () => {
  const all = ROOMS.flatMap((room) =>
    readdirSync(join(SRC, room), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => {
        const path = `${room}/${file}`;
        const text = readFileSync(join(SRC, path), 'utf8');
        return [...text.matchAll(MAKES)].map(([, name = '']) => `src/${path}#${name}`);
      }),
  );
  expect(all.length).toBeGreaterThan(40);
  const nowhere = all.filter((name) => !used.has(name) && ELSEWHERE[name.replace(/.*#/, '')] === undefined);
  expect(nowhere).toEqual([]);
  const tests = join(import.meta.dirname, '..');
  for (const [name, file] of Object.entries(ELSEWHERE)) {
    expect(all.join(' ')).toContain(`#${name}`);
    expect(existsSync(join(tests, file)), file).toBe(true);
  }
});
