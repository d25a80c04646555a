import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type BotDatabase, openBotDatabase, type Running, startBot } from '../../support/bot.ts';
import { data, json } from '../../support/scripted-service.ts';

let database: BotDatabase;
let running: Running;

beforeAll(async () => {
  database = await openBotDatabase();
});
beforeEach(async () => {
  running = await startBot({ db: database.db, practice: true });
});
afterEach(() => running.close());
afterAll(() => database.close());

const post = {
  Id: 'a',
  Content: 'New roast <!channel> today',
  ScheduleDate: '2026-12-01T09:00:00+01:00',
  Timezone: 'Europe/Berlin',
  Platforms: ['X', 'MYSPACE'],
  Status: 'SCHEDULED',
};

test('the next post is shown with its moment, zone, platforms, text and project', async () => {
  running.service.on('GET /upnext-post', data(post));
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  await ana.type('/upnext');
  await ana.sees('Tue 1 Dec, 09:00 (Berlin)');
  const card = ana.messages().at(-1) ?? '';
  for (const part of ['X and MYSPACE', 'New roast <!channel> today', 'Harbour Coffee', 'Practice service']) {
    expect(card).toContain(part);
  }
  expect(card).toMatch(/Your time: 1 Dec( 2026)?, 8:00/);
  const others = running.workspace.as('Ben').in('#harbour-coffee').messages();
  expect(others.join()).not.toContain('New roast');
});

test('the id of a template is shown only where there is no text to read', async () => {
  running.service.on('GET /upnext-post', data({ ...post, TemplateId: 'template_7' }));
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  await ana.type('/upnext');
  await ana.sees('New roast');
  expect(ana.messages().join()).not.toContain('template_7');
  running.service.on('GET /upnext-post', data({ ...post, Content: '', TemplateId: 'template_7' }));
  await ana.type('/upnext');
  await ana.sees('Template: template_7');
});

test('with nothing scheduled it says what to do, and the button opens the form', async () => {
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  await ana.type('/upnext next');
  await ana.sees('Nothing is scheduled for Harbour Coffee.');
  await ana.press('Schedule a post');
  expect((await ana.modal('Schedule a post')).text()).toContain('Project: Harbour Coffee');
});

test.each([
  ['a refused token', 'GET /upnext-post', json(403, {}), 'does not let our access token do this'],
  ['an unknown project', 'GET /upnext-post', json(404, {}), 'does not know this project'],
  [
    'a record that cannot be read',
    'GET /upnext-post',
    data('tomorrow'),
    'I cannot read the next post of Harbour Coffee',
  ],
  ['projects that cannot be read', 'GET /projects', data(7), 'I cannot read its projects'],
  ['no projects', 'GET /projects', data([]), 'There is no project yet'],
  ['an error with HTML', 'GET /upnext-post', json(500, '<html>'), 'did not answer properly'],
])('%s is said in words', async (_what, call, answer, words) => {
  running.service.on(call, answer);
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  await ana.type('/upnext');
  await ana.sees(words);
});

test('a service that is down is said in words', async () => {
  await running.service.stop();
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  await ana.type('/upnext');
  await ana.sees('cannot be reached');
});
