import { expect, test } from 'vitest';
import { addEvent } from '../../src/held-posts/sql/events.ts';
import { saveHeldPostMessages } from '../../src/held-posts/sql/messages.ts';
import { disableParsing } from '../../src/slack/message.ts';
import { NOW } from '../support/bot.ts';
import { holdPost, reviewedBy } from '../support/hold-posts.ts';
import { data, listedPost, listProjects } from '../support/scripted-service.ts';
import { setUpBot } from '../support/set-up-bot.ts';
import { grantBen } from '../support/two-projects.ts';
import { ANA, BEN, openLink, readText } from './open-link.ts';

const fixture = setUpBot({ takesFiles: true, membersDefaultRole: null, owners: { kind: 'slack' } });
const { running, database, setPolicy } = fixture;

const LONG = `${'We changed how we pay our growers. '.repeat(12)}See https://harbour.coffee/floor @mira #coffee`;

/** Finds the addresses of posts on a page. */
const listKeys = (html: string) => [...html.matchAll(/href="([ps]\.[\w.-]+)"/g)].map(([, key = '']) => key);

test('a post is shown as each platform shows it: its own text, cut, counted, with its links listed', async () => {
  running.service.on('GET /projects', listProjects('Harbour Coffee'));
  await holdPost(running, {
    text: LONG,
    ownTexts: { X: 'Short for X #coffee' },
    at: '2026-11-24T10:00:00Z',
    platforms: ['X', 'LINKEDIN'],
  });
  const link = await openLink(fixture);
  const [key = ''] = listKeys((await link.get('2026-11')).text);
  const page = await link.get(key);
  expect(page.status).toBe(200);
  const text = readText(page.text);
  expect(text).toContain('On X and LinkedIn');
  expect(text).toContain('19 of 280 characters');
  expect(text).toContain('Short for X #coffee');
  expect(page.text).toContain('<span class="cut">… more</span>');
  expect(page.text).toContain('<a href="https://harbour.coffee/floor" rel="noreferrer noopener nofollow">');
  expect(text).toContain('Tuesday, 24 Nov, 10:00');
  expect(text).toContain('Editable until');
});

test('who approves a post and what happened to it is on its page', async () => {
  running.service.on('GET /projects', listProjects('Harbour Coffee'));
  await grantBen(database.db, 'publisher', 'p1');
  await setPolicy(reviewedBy(BEN ?? ''));
  const row = await holdPost(running, {
    text: 'Please look',
    at: '2026-11-24T10:00:00Z',
    policy: reviewedBy(BEN ?? ''),
  });
  const { heldPosts } = running.bot;
  const content = heldPosts.submissions.context.encryption.encrypt(
    JSON.stringify('Nice <b>work</b>'),
    row.workspace,
  );
  await addEvent(database.db, row, { kind: 'commented', actor: BEN ?? '', at: NOW, content });
  const link = await openLink(fixture);
  const [key = ''] = listKeys((await link.get('2026-11')).text);
  const text = readText((await link.get(key)).text);
  expect(text).toContain('Step 1 Ben Okafor Waits for an answer');
  expect(text).toContain('Ben Okafor commented');
  expect(text).toContain('Nice <b>work</b>');
});

test('[Open in Slack] leads to the card that its person can read, and to nobody else’s', async () => {
  running.service.on('GET /projects', listProjects('Harbour Coffee'));
  const row = await holdPost(running, { text: 'Card', at: '2026-11-24T10:00:00Z' });
  const { channel, ts } = await postMessage();
  const link = await openLink(fixture);
  const [key = ''] = listKeys((await link.get('2026-11')).text);
  expect((await link.get(`slack.${key}`, { redirect: 'manual' })).status).toBe(404);
  expect(readText((await link.get(key)).text)).toContain('/upnext posts');
  await saveHeldPostMessages(database.db, {
    ...{
      workspace: 'T01HARBOUR',
      held_post: row.id,
      channel,
      ts,
      purpose: 'card',
      recipient: ANA ?? '',
      sent_at: NOW,
    },
  });
  expect((await link.get(key)).text).toContain(`href="slack.${key}"`);
  const answer = await link.get(`slack.${key}`, { redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')?.includes(ts.replace('.', ''))]).toEqual([303, true]);
  const client = await findClient();
  await client.chat.delete({ channel, ts });
  const gone = await link.get(`slack.${key}`, { redirect: 'manual' });
  expect(gone.status).toBe(410);
  expect(readText(gone.text)).toContain('Its card is no longer there');

  async function findClient() {
    const client = await running.bot.submissions.context.findSlackClient('T01HARBOUR');
    if (!client || client === 'unknown') throw new Error('no client');
    return client;
  }

  async function postMessage() {
    const client = await findClient();
    const sent = await client.chat.postMessage({ channel: ANA ?? '', ...disableParsing({ text: 'card' }) });
    return { channel: sent.channel ?? '', ts: sent.ts ?? '' };
  }
});

test('no address shows a post of a project that its person may not see, or of another workspace', async () => {
  running.service.on('GET /projects', listProjects('Harbour Coffee', 'Night Market Books'));
  running.service.on('GET /posts', data([listedPost('Secret at the service', '2026-11-25T09:00:00Z')]));
  await holdPost(running, {
    text: 'Secret and kept',
    at: '2026-11-24T10:00:00Z',
    project: { id: 'p2', name: 'Night Market Books' },
  });
  const owner = await openLink(fixture);
  const keys = listKeys((await owner.get('2026-11?project=p2')).text);
  expect(keys).toHaveLength(2);
  await grantBen(database.db, 'viewer', 'p1');
  const viewer = await openLink(fixture, { user: BEN });
  const gone = (await viewer.get('2026-13')).text;
  for (const key of keys) {
    expect((await owner.get(key)).status).toBe(200);
    for (const path of [key, `slack.${key}`]) {
      const answer = await viewer.get(path, { redirect: 'manual' });
      expect([path, answer.status, answer.text === gone]).toEqual([path, 404, true]);
    }
  }
  await database.db.updateTable('post').set({ workspace: 'T02OTHER' }).execute();
  expect((await owner.get(keys.find((key) => key.startsWith('p.')) ?? '')).status).toBe(404);
});

test.each([
  'p.',
  'p.%00',
  's.a.b.c',
  's..1.',
  's.cDE.99999999999999999.eA',
  'p.x.y.z',
  'slack.p.',
  `p.${'a'.repeat(5_000)}`,
])('the address %s of no post is not here', async (path) => {
  expect((await (await openLink(fixture)).get(path)).status).toBe(404);
});
