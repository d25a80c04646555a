import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type BotDatabase, openBotDatabase, type Running, startBot } from '../../support/bot.ts';
import { data } from '../../support/scripted-service.ts';

let database: BotDatabase;
let running: Running;

beforeAll(async () => {
  database = await openBotDatabase();
});
beforeEach(async () => {
  running = await startBot({ db: database.db, membersDefaultRole: 'manager' });
  running.service.on('GET /projects', data([{ Id: 'p1', Name: 'Harbour Coffee' }]));
  running.workspace.admin.share('#harbour-coffee', 'T02ROASTER');
});
afterEach(() => running.close());
afterAll(() => database.close());

const bound = () => database.db.selectFrom('channel_project').select('project').execute();
const as = (name: string) => running.workspace.as(name).in('#harbour-coffee');

test('a channel that another organisation reads is chosen for by an owner, after a second look', async () => {
  await as('Ana').type('/upnext use Harbour Coffee');
  await as('Ana').sees('its people are members too');
  expect(await bound()).toEqual([]);
  await as('Ana').press('Choose all the same');
  await as('Ana').sees('This channel is now about Harbour Coffee.');
  expect(await bound()).toEqual([{ project: 'p1' }]);
});

test('who runs the project is told that an owner has to', async () => {
  await as('Ben').type('/upnext use Harbour Coffee');
  await as('Ben').sees('This channel is shared with Roastery North, so its project is chosen by an owner.');
  expect(await bound()).toEqual([]);
});

test('in the form as well', async () => {
  await as('Ben').type('/upnext use');
  const form = await as('Ben').modal("This channel's projects");
  await form.choose('Projects', ['Harbour Coffee']);
  const { view } = await form.submit();
  await view?.submit();
  await as('Ben').sees('so its project is chosen by an owner');
  expect(await bound()).toEqual([]);
});

test('an owner confirms in the form', async () => {
  await as('Ana').type('/upnext use');
  const form = await as('Ana').modal("This channel's projects");
  await form.choose('Projects', ['Harbour Coffee']);
  const { view } = await form.submit();
  expect(view?.text()).toContain('its people are members too');
  await view?.submit();
  expect(await bound()).toEqual([{ project: 'p1' }]);
});
