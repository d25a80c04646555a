import { expect, test } from 'vitest';
import { NOW } from '../support/bot.ts';
import { changeHeldPosts, holdPost } from '../support/hold-posts.ts';
import { insertPost } from '../support/post-submissions.ts';
import { data, hang, listedPost, listProjects } from '../support/scripted-service.ts';
import { setUpBot } from '../support/set-up-bot.ts';
import { openLink, readText } from './open-link.ts';

const fixture = setUpBot({ takesFiles: true });
const { running, database } = fixture;

test('the month shows what the service has and what I keep, each with its state', async () => {
  running.service.on('GET /projects', listProjects('Harbour Coffee'));
  running.service.on('GET /posts', data([listedPost('From the service', '2026-11-25T09:00:00Z')]));
  await holdPost(running, { text: 'Kept here', at: '2026-11-24T10:00:00Z' });
  const link = await openLink(fixture);
  const month = await link.get('2026-11');

  expect(month.status).toBe(200);
  expect(readText(month.text)).toContain('10:00 Editable Kept here X');
});

test('while the service never answers, a page comes in time and says what it lacks', async () => {
  running.service.on('GET /projects', listProjects('Harbour Coffee'));
  running.service.on('GET /posts', hang);
  await holdPost(running, { text: 'Kept here', at: '2026-11-24T10:00:00Z' });
  const month = await (await openLink(fixture)).get('2026-11', { signal: AbortSignal.timeout(20_000) });
  expect(month.status).toBe(200);
  const text = readText(month.text);
  expect(text).toContain('I couldn’t read the posts that the scheduling service has for Harbour Coffee');
  expect(text).toContain('Kept here');
});

test('with more projects than a page has room for, it says how many it shows, and no gaps', async () => {
  running.service.on(
    'GET /projects',
    listProjects(...Array.from({ length: 23 }, (_, index) => `P ${index}`)),
  );
  running.service.on('GET /posts', data([]));
  const link = await openLink(fixture);
  const text = readText((await link.get('2027-01?project=all')).text);
  expect(text).toContain('I show 20 of 23 projects. Choose one above');
  expect(text).not.toContain('nothing planned');
  expect(readText((await link.get('2027-01?project=p23')).text)).toContain('nothing planned for 31 days');
});

test('a post keeps its history and its page after it was handed over', async () => {
  running.service.on('GET /projects', listProjects('Harbour Coffee'));
  const { id } = await holdPost(running, { text: 'Handed over', at: '2026-11-24T10:00:00Z' });
  running.service.on('GET /posts', data([listedPost('Handed over', '2026-11-24T10:00:00Z', { Id: 's1' })]));
  await insertPost(
    database.db,
    { id: 'sent', author: 'U01ANAFERR', createdAt: NOW },
    { state: 'confirmed', service_id: 's1', origin: id },
  );
  const changed_at = new Date('2026-11-01T10:00:00Z');
  await changeHeldPosts(running, { state: 'delivered', submission: 'sent', changed_at }, id);
  const link = await openLink(fixture);
  const { text } = await link.get('2026-11');
  const [, key = ''] = /href="(p\.[\w-]+)"/.exec(text) ?? [];
  expect(readText((await link.get(key)).text)).toContain('History');
});

test('a filter stays chosen in a month without a post that it matches', async () => {
  running.service.on('GET /projects', listProjects('Harbour Coffee'));
  running.service.on('GET /posts', data([]));
  const { text } = await (await openLink(fixture)).get('2027-01?platform=REDDIT&author=U02BENOKAF');
  expect(text).toMatch(/<option value="REDDIT" selected[^>]*>Reddit/);
  expect(text).toMatch(/<option value="U02BENOKAF" selected[^>]*>Ben Okafor/);
});
