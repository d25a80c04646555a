import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type BotDatabase, openBotDatabase, type Running, startBot } from '../../support/bot.ts';
import { data, json } from '../../support/scripted-service.ts';

let database: BotDatabase;
let running: Running;

beforeAll(async () => {
  database = await openBotDatabase();
});
beforeEach(async () => {
  running = await startBot({ db: database.db });
  running.service.on(
    'GET /projects',
    data([
      { Id: 'p1', Name: 'Harbour Coffee' },
      { Id: 'p2', Name: 'Harbour <Books>' },
    ]),
  );
});
afterEach(() => running.close());
afterAll(() => database.close());

const upnextPaths = () =>
  running.service.calls.map(({ path }) => path).filter((path) => path.endsWith('upnext-post'));

describe('several projects and a channel about none', () => {
  test('/upnext asks which, and what is chosen holds for this channel alone', async () => {
    const ana = running.workspace.as('Ana').in('#harbour-coffee');
    await ana.type('/upnext');
    await ana.sees('Which project is this channel about?');
    expect(upnextPaths()).toEqual([]);
    await ana.choose('Choose a project', 'Harbour <Books>');
    await ana.sees('Nothing is scheduled for Harbour <Books>.');
    await ana.type('/upnext');
    await ana.sees('Nothing is scheduled for Harbour <Books>.');
    const asked = '/api/v1/projects/p2/dashboard/upnext-post';
    expect(upnextPaths()).toEqual([asked, asked]);
    const ben = running.workspace.as('Ben').in('#general');
    await ben.type('/upnext');
    await ben.sees('Which project is this channel about?');
  });

  test('the form preselects nothing, and asks for one', async () => {
    const ana = running.workspace.as('Ana').in('#general');
    await ana.type('/schedule-post');
    const form = await ana.modal('Schedule a post');
    expect(form.value('Project')).toBe('');
    await form.fill('Text', 'Hello');
    await form.choose('Save as', 'Draft');
    expect((await form.submit()).errors).toEqual({ Project: expect.any(String) });
    await form.choose('Project', 'Harbour <Books>');
    const { view } = await form.submit();
    expect(view?.text()).toContain('Project: Harbour <Books>');
    expect(running.service.calls.at(-1)?.path).toBe('/api/v1/projects/p2/posts');
  });

  test('the form of a channel that is about one begins with it', async () => {
    const ana = running.workspace.as('Ana').in('#harbour-coffee');
    await ana.type('/upnext use “Harbour  coffee”');
    await ana.sees('This channel is now about Harbour Coffee.');
    await ana.type('/schedule-post');
    expect((await ana.modal('Schedule a post')).value('Project')).toBe('Harbour Coffee');
  });
});

describe('/upnext use', () => {
  test.each([
    ['harbour', 'fits Harbour Coffee'],
    ['nothing like it', 'I know no project “nothing like it”'],
    ['<!channel>', 'I know no project “<!channel>”'],
    ['../p2', 'I know no project “../p2”'],
    ['__proto__', 'I know no project “__proto__”'],
    ['', 'Which project is this channel about?'],
  ])('"%s" changes nothing and says why', async (words, answer) => {
    const ana = running.workspace.as('Ana').in('#harbour-coffee');
    await ana.type(`/upnext use ${words}`);
    await ana.sees(answer);
    expect(await database.db.selectFrom('channel_project').selectAll().execute()).toEqual([]);
  });
});

test('/upnext projects lists them and marks the channel’s', async () => {
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  await ana.type('/upnext use p1');
  await ana.type('/upnext projects');
  await ana.sees('Harbour Coffee  — this channel');
  await ana.sees('Harbour <Books>');
});

test('a service that refuses the token is told with a reference that is in the log', async () => {
  running.service.on('GET /projects', json(401, {}));
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  await ana.type('/upnext projects');
  await ana.sees('refused our access token');
  await ana.sees('Reference: ');
});
