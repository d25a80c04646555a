import { expect, test } from 'vitest';
import { holdPost } from '../support/hold-posts.ts';
import { data, hang, listedPost, listProjects } from '../support/scripted-service.ts';
import { setUpBot } from '../support/set-up-bot.ts';
import { openLink, readText } from './open-link.ts';

const fixture = setUpBot({ takesFiles: true });
const { running } = fixture;

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
