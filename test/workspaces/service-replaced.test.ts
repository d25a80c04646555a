import { randomUUID } from 'node:crypto';
import { WAIT_MS } from 'slack-workspace-emulator/test-support/workspace';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Role, saveGrant } from '../../src/access/access.ts';
import { type ApiClient, createApiClient } from '../../src/api/client.ts';
import { type Bot, createBot } from '../../src/app/app.ts';
import { pauseDigests } from '../../src/digests/sql/digests.ts';
import { createSeries } from '../../src/held-posts/series/change-series.ts';
import { setZone } from '../../src/preferences/zones.ts';
import { NOW } from '../support/bot.ts';
import { buildSeries, holdPost } from '../support/hold-posts.ts';
import {
  data,
  listedPost,
  listProjects,
  type ScriptedService,
  startScriptedService,
} from '../support/scripted-service.ts';
import { setUpBot } from '../support/set-up-bot.ts';
import { ask, confirmAndSee, pressAndSee } from '../support/steps.ts';

/** The setting of the service changes: another service has a project with the same id. */

const { database, running, ana, startBot, setPolicy } = setUpBot();
const WORKSPACE = 'T01HARBOUR';
const [ANA, MIRA] = ['U01ANAFERR', 'U03MIRAVOS'];
const SECRET = 'Secret of the rival';
const WAIT = { timeout: WAIT_MS, interval: 50 };
const LATER = '2099-12-01T09:00:00Z';

let rival: ScriptedService;
let bot: Bot;
let apis: ApiClient[];

beforeEach(async () => {
  await startBot({ membersDefaultRole: null, limits: false, scanIntervalMs: 200 });
  ({ bot } = running);
  running.service.on('GET /projects', listProjects('Harbour Coffee', 'Night Market Books'));
  rival = await startScriptedService();
  rival.on('GET /projects', listProjects('Rival Bakery', 'Rival Books'));
  rival.on('GET /posts', data([listedPost(SECRET, '2026-11-21T09:00:00Z')]));
  rival.on('GET /upnext-post', data(listedPost(SECRET, '2026-11-21T09:00:00Z')));
  apis = [];
});
afterEach(async () => {
  await bot.stop();
  await rival.stop();
  for (const api of apis) await api.close();
});

/** Starts the bot again with this service in its settings. */
async function useService({ url }: ScriptedService) {
  await bot.stop();
  const api = createApiClient({ baseUrl: url, token: 'service-token' });
  apis.push(api);
  bot = createBot({ ...running.settings, api });
  await bot.start();
}

const mira = () => running.workspace.as('Mira').in('#harbour-coffee');

const grantMira = (role: Role, project = 'p1') =>
  saveGrant(database.db, {
    ...{ workspace: WORKSPACE, subjectKind: 'person', subject: MIRA, project },
    ...{ role, reason: 'given', grantedBy: ANA, grantedAt: NOW },
  });

/** The requests that the rival got about one of its projects. */
const listRivalCalls = () => rival.calls.filter(({ path }) => path.includes('/projects/'));

describe('after another service with the same ids', () => {
  test('a Viewer of a project reads nothing of the other one, and theirs again when it is back', async () => {
    await grantMira('viewer');
    await ask(mira(), '/upnext projects', 'Harbour Coffee');
    await useService(rival);
    await ask(mira(), '/upnext projects', 'I found none of your projects');
    await ask(mira(), '/upnext posts', 'I found none of your projects');
    await ask(mira(), '/upnext', 'I found none of your projects');
    expect(listRivalCalls()).toEqual([]);
    await useService(running.service);
    await ask(mira(), '/upnext projects', 'One project');
  });

  test('a Publisher’s form doesn’t offer the other project', async () => {
    await grantMira('publisher');
    await ask(mira(), '/upnext projects', 'Harbour Coffee');
    await useService(rival);
    await ask(mira(), '/schedule-post', 'I found none of your projects');
    expect(mira().read()).not.toContain('Rival');
  });

  test('a role in another project of that service is for that one alone', async () => {
    await grantMira('viewer');
    await ask(mira(), '/upnext projects', 'Harbour Coffee');
    await useService(rival);
    await grantMira('viewer', '~2~p2');
    await ask(mira(), '/upnext projects', 'Rival Books');
    expect(mira().read()).not.toContain('Rival Bakery');
    await useService(running.service);
    await ask(mira(), '/upnext projects', 'Harbour Coffee');
  });

  test('the channel doesn’t follow the other project, which has no policy and no zone', async () => {
    const channel = ana.channel.id;
    const binding = { workspace: WORKSPACE, channel, project: 'p1', bound_at: NOW };
    await database.db.insertInto('channel_project').values(binding).execute();
    await setPolicy({ leadMinutes: 60, review: 'required', postingTimes: [] });
    await setZone(database.db, { workspace: WORKSPACE, scope: 'project', subject: 'p1', zone: 'Asia/Tokyo' });
    await ask(ana, '/upnext projects', 'Harbour Coffee  — followed here · editable until');
    await ask(ana, '/upnext zone', 'Tokyo');
    await useService(rival);
    await ask(ana, '/upnext projects', '• Rival Bakery\n');
    await ask(
      ana,
      '/upnext policy Rival Bakery',
      'Policy of Rival Bakery',
      'go to the scheduling service right away',
    );
    await useService(running.service);
    await ask(ana, '/upnext projects', 'Harbour Coffee  — followed here · editable until');
  });

  test('a digest of a project reads nothing of the other one', async () => {
    await ask(
      ana,
      '/upnext digest me weekdays 8:30 in Berlin for Harbour Coffee',
      'The first digest comes on',
    );
    await useService(rival);
    await ana.choose('More options', 'Preview for me');
    await ana.sees('A project of this digest isn’t at the scheduling service any more.');
    expect(ana.read()).not.toContain(SECRET);
    expect(listRivalCalls()).toEqual([]);
  });

  test('a digest that was paused because its project was gone goes on when its service is back', async () => {
    await ask(
      ana,
      '/upnext digest me weekdays 8:30 in Berlin for Harbour Coffee',
      'The first digest comes on',
    );
    await pauseDigests(database.db, { workspace: WORKSPACE }, { reason: 'project-gone', now: NOW });
    const readStates = () => database.db.selectFrom('digest').select(['state', 'pause_reason']).execute();
    await useService(rival);
    const direct = await running.workspace.as('Ana').inDirectMessage();
    await direct.sees('one of its projects isn’t at the scheduling service any more');
    expect(await readStates()).toEqual([{ state: 'paused', pause_reason: 'project-gone' }]);
    await useService(running.service);
    await vi.waitUntil(async () => (await readStates())[0]?.state === 'on', WAIT);
  });

  test('posts and series wait, and go on when their service is back', async () => {
    await setPolicy({ leadMinutes: 60 });
    await holdPost(running, { text: 'We open at nine', at: LATER });
    await createSeries(bot.heldPosts, {
      ...{ workspace: WORKSPACE, author: ANA, project: 'p1', origin: randomUUID(), channel: undefined },
      content: buildSeries('Soup of the day'),
    });
    const readStates = async () => {
      const posts = await database.db
        .selectFrom('held_post')
        .select(['state', 'reason'])
        .where('series', 'is', null)
        .execute();
      const series = await database.db.selectFrom('series').select(['state', 'reason']).execute();
      return [...posts, ...series].map(({ state, reason }) => `${state}: ${reason}`);
    };
    await useService(rival);
    await bot.heldPosts.recheckAuthority(WORKSPACE);
    await vi.waitUntil(
      async () => (await readStates()).join() === 'needs-person: other-service,paused: other-service',
      WAIT,
    );
    const message = await running.workspace.as('Ana').inDirectMessage();
    await message.sees('Its project isn’t at the scheduling service that’s connected now.');
    expect(rival.created()).toEqual([]);
    await useService(running.service);
    await vi.waitUntil(async () => (await readStates()).join() === 'held: null,running: null', WAIT);
  });

  test('a button of an earlier message does nothing to the other project', async () => {
    await ask(ana, '/upnext policy Harbour Coffee', 'Policy of Harbour Coffee');
    await useService(rival);
    await ana.press('Change policy');
    const form = await ana.modal('Policy');
    expect(form.text()).not.toContain('Rival Bakery');
  });

  test('an id that the service made up like another service’s is no other project', async () => {
    await useService(rival);
    await ask(ana, '/upnext projects', 'Rival Bakery');
    await grantMira('viewer', '~2~p1');
    await useService(running.service);
    running.service.on('GET /projects', data([{ Id: '~2~p1', Name: 'Impostor' }]));
    await ask(mira(), '/upnext projects', 'I found none of your projects');
  });
});

describe('a project that was gone and is listed again', () => {
  const BOTH = listProjects('Harbour Coffee', 'Night Market Books');
  const message = () => running.workspace.as('Ana').inDirectMessage();

  beforeEach(async () => {
    await grantMira('viewer');
    await ask(ana, '/upnext projects', 'Harbour Coffee');
    running.service.on('GET /projects', data([{ Id: 'p2', Name: 'Night Market Books' }]));
    await ask(ana, '/upnext projects', 'One project');
    running.service.on('GET /projects', BOTH);
    await ask(ana, '/upnext projects', 'One project');
    await (await message()).sees(
      'Harbour Coffee was gone from the scheduling service, or was made again there.',
    );
  });

  test('nobody uses it before an owner has answered', async () => {
    running.service.calls.length = 0;
    await ask(mira(), '/upnext projects', 'I found none of your projects');
    await ask(mira(), '/upnext posts', 'I found none of your projects');
    expect(running.service.calls.filter(({ path }) => path.includes('/p1/'))).toEqual([]);
  });

  test('the same project has what it had', async () => {
    await ask(ana, '/upnext connect', 'p1 was gone from the scheduling service');
    await pressAndSee(await message(), 'Same project', 'It’s the same project');
    await ask(mira(), '/upnext projects', 'One project');
    await ask(ana, '/upnext audit', 'confirmed that a project is the same as before');
  });

  test('a new project starts with nothing, and the service gets its own id', async () => {
    await confirmAndSee(await message(), 'New project', 'It’s a new project.');
    await ask(ana, '/upnext projects', '2 projects');
    await ask(mira(), '/upnext projects', 'I found none of your projects');
    running.service.calls.length = 0;
    await ana.type('/upnext posts Harbour Coffee');
    await vi.waitUntil(
      () => running.service.calls.some(({ path }) => path === '/api/v1/projects/p1/posts'),
      WAIT,
    );
  });
});

test('an empty list alone says nothing about the projects', async () => {
  await ask(ana, '/upnext projects', '2 projects');
  running.service.on('GET /projects', data([]));
  await ask(ana, '/upnext projects', 'There’s no project yet');
  running.service.on('GET /projects', listProjects('Harbour Coffee', 'Night Market Books'));
  await ask(ana, '/upnext projects', '2 projects');
});

test('an owner answers in one press that several projects are the same', async () => {
  const all = ['p1', 'p2', 'p3', 'p4', 'p5'].map((Id) => ({ Id, Name: `Name of ${Id}` }));
  const list = (items: object[]) => running.service.on('GET /projects', data(items));
  list(all);
  await ask(ana, '/upnext projects', '5 projects');
  list(all.slice(4));
  await ask(ana, '/upnext projects', 'One project');
  list(all);
  await ask(ana, '/upnext projects', 'One project');
  const message = await running.workspace.as('Ana').inDirectMessage();
  await message.sees('Name of p4 was gone from the scheduling service, or was made again there.');
  await ask(ana, '/upnext connect', 'And 1 more, which');
  await pressAndSee(message, 'All are the same', 'They’re the same projects');
  await ask(ana, '/upnext projects', '5 projects');
  // A project that came back later is another question.
  const askLater = { missing_since: NOW, asked_at: new Date(NOW.getTime() + 1) };
  await database.db.updateTable('known_project').set(askLater).where('project', '=', 'p5').execute();
  await useService(running.service);
  await ask(ana, '/upnext connect', 'p5 was gone from the scheduling service');
  await pressAndSee(message, 'All are the same', 'Somebody has answered that already');
  expect(
    await database.db
      .selectFrom('known_project')
      .select('project')
      .where('missing_since', 'is not', null)
      .execute(),
  ).toEqual([{ project: 'p5' }]);
});
