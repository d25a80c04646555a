import { beforeEach, expect, test } from 'vitest';
import { bindProjects } from '../../../src/preferences/bindings.ts';
import { holdPost } from '../../support/hold-posts.ts';
import { data, json, listedPost } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask } from '../../support/steps.ts';

const { ana, running, startBot } = setUpBot();
beforeEach(async () => {
  await startBot();
  running.service.on('GET /upnext-post', data(null));
});

/** Types `/upnext` as Ana, and returns the card. */
async function showNext(text: string): Promise<string> {
  await ask(ana, '/upnext', text);
  return ana.messages().at(-1) ?? '';
}

const atTen = listedPost('At ten', '2026-11-24T10:00:00Z', { Id: 'a', Timezone: 'Europe/Lisbon' });

test('the next post may be one that Upnext keeps, which is edited and not duplicated', async () => {
  await holdPost(running, { text: 'We open at nine', at: '2026-11-24T09:00:00Z' });
  const card = await showNext('We open at nine');
  expect(card).toContain('✏️ Editable until Tue 08:00');
  expect(card).toContain('Scheduled by you');
  expect(card).toContain('[Edit]');
  expect(card).not.toContain('[Duplicate]');
});

test('the service’s post comes first if it is earlier', async () => {
  await holdPost(running, { text: 'We open at nine', at: '2026-11-25T09:00:00Z' });
  running.service.on('GET /upnext-post', data(atTen));
  running.service.on('GET /posts', data([atTen]));
  expect(await showNext('At ten')).not.toContain('We open at nine');
});

test('a service that ignores the filter lists an earlier post, which isn’t the next one', async () => {
  const late = { ...atTen, Id: 'late', Content: 'Never published', ScheduleDate: '2026-11-10T10:00:00Z' };
  running.service.on('GET /upnext-post', data(atTen));
  running.service.on('GET /posts', data([late, atTen]));
  expect(await showNext('At ten')).not.toContain('Never published');
});

test('posts of both at the same time are counted', async () => {
  await holdPost(running, { text: 'We open at ten', at: '2026-11-24T10:00:00Z' });
  running.service.on('GET /upnext-post', data(atTen));
  running.service.on('GET /posts', data([atTen]));
  await showNext('+1 at the same time');
});

test('a kept post is shown although the service isn’t answering, and the card says so', async () => {
  await holdPost(running, { text: 'We open at nine', at: '2026-11-24T09:00:00Z' });
  running.service.on('GET /upnext-post', json(500, 'oops'));
  const card = await showNext('We open at nine');
  expect(card).toContain('I couldn’t load the service’s posts, so another one may be sooner.');
});

test('drafts, cancelled posts and posts that need a decision aren’t next', async () => {
  await holdPost(running, { text: 'A draft', at: '2026-11-24T09:00:00Z', isDraft: true });
  await showNext('Nothing is scheduled for Harbour Coffee.');
});

test('a kept post is shown although the service hasn’t answered since the bot’s start', async () => {
  await bindProjects(running.db, {
    ...{ workspace: 'T01HARBOUR', channel: 'C02HARBOUR', projects: ['p1'] },
    ...{ boundAt: new Date() },
  });
  await holdPost(running, { text: 'We open at nine', at: '2026-11-24T09:00:00Z' });
  for (const route of ['GET /projects', 'GET /posts', 'GET /upnext-post'] as const)
    running.service.on(route, json(500, 'oops'));
  const card = await showNext('We open at nine');
  expect(card).toContain('I couldn’t load the service’s posts, so another one may be sooner.');
});
