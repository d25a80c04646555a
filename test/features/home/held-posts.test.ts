import { beforeEach, expect, test } from 'vitest';
import { startSeries } from '../../support/filled-form.ts';
import { expectParts } from '../../support/form-steps.ts';
import { changeHeldPosts, copyHeldPost, holdPost, reviewedBy } from '../../support/hold-posts.ts';
import { data, json, listProjects } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask } from '../../support/steps.ts';
import { grantBen, startWithTwoProjects } from '../../support/two-projects.ts';

const { ana, running, setPolicy, startBot } = setUpBot();
beforeEach(async () => {
  await startBot();
  running.service.on('GET /upnext-post', data(null));
});

const MONDAY = '2026-11-23T09:00:00Z';

test('Home shows held posts in the week, and opens them', async () => {
  await holdPost(running, { text: 'We open at nine', at: MONDAY });
  await holdPost(running, { text: 'An idea', isDraft: true });
  const home = await running.workspace.as('Ana').home('Commands');
  const text = home.text();
  expect(text).toMatch(
    /Mon 23 Nov\n09:00 · ✏️ Editable until Mon 08:00 · Harbour Coffee · X\nWe open at nine/,
  );
  expect(text).toMatch(/1 draft.*Harbour Coffee: An idea/s);
  await home.press('Open');
  await running.workspace.as('Ana').sees('Editable until Mon 23 Nov, 08:00');
});

test('Home shows held posts with the present name of their project', async () => {
  await holdPost(running, { text: 'We open at nine', at: MONDAY });
  await holdPost(running, { text: 'An idea', isDraft: true });
  running.service.on('GET /projects', listProjects('Harbour Tea'));
  const text = (await running.workspace.as('Ana').home('Commands')).text();
  expectParts(text, '· Harbour Tea · X', 'Harbour Tea: An idea');
  expect(text).not.toContain('Harbour Coffee');
});

test('Home shows the next held post of a project without posts this week', async () => {
  await holdPost(running, { text: 'In December', at: '2026-12-14T09:00:00Z' });
  const home = await running.workspace.as('Ana').home('Commands');
  expect(home.text()).toMatch(/Later\nMon 14 Dec, 09:00.*In December/s);
});

test.each<[since: string, routes: readonly Parameters<typeof running.service.on>[0][]]>([
  ['isn’t answering', ['GET /posts']],
  ['hasn’t answered since the bot’s start', ['GET /projects', 'GET /posts', 'GET /upnext-post']],
])('Home shows held posts although the service %s, and says so', async (_since, routes) => {
  await holdPost(running, { text: 'We open at nine', at: MONDAY });
  for (const route of routes) running.service.on(route, json(500, 'oops'));
  const home = await running.workspace.as('Ana').home('Commands');
  expectParts(home.text(), 'We open at nine', 'I couldn’t read everything of: Harbour Coffee.');
});

test('Home counts what the outbox lists, and says what is a draft', async () => {
  await holdPost(running, { text: 'An idea', isDraft: true });
  const { id } = await holdPost(running, { text: 'We open at nine', at: MONDAY });
  await changeHeldPosts(running, { state: 'needs-person', reason: 'not-allowed', next_at: null }, id);
  await ask(ana, '/upnext outbox', 'Posts that wait for you');
  expect(ana.messages().at(-1)).toMatch(/We open at nine.*An idea/s);
  expect((await ana.home('Commands')).text()).toContain('1 post and 1 draft are waiting in your outbox.');
});

test('a series of the viewer that waits for them is pending', async () => {
  await setPolicy({ leadMinutes: 60 });
  await startSeries(ana, '/schedule-post every monday at 9 on x: Hello');
  await ana.sees('I make its posts 35 days ahead.');
  await running.db.updateTable('series').set({ state: 'paused', reason: 'other-service' }).execute();
  const home = await ana.home('Commands');
  expect(home.text()).toContain('1 submission is waiting in your outbox.');
  expect(home.text()).toContain('🔁 Series paused · every Monday at 09:00 (Lisbon), Harbour Coffee');
});

test('what nobody may schedule any more is pending for a manager, and not for an author who may not see it', async () => {
  await startWithTwoProjects(startBot, { membersDefaultRole: null });
  running.service.on('GET /upnext-post', data(null));
  await setPolicy({ leadMinutes: 60 });
  await grantBen(running.db, 'viewer', 'p2');
  await startSeries(ana, '/schedule-post every monday at 9 on x: Hello');
  await ana.sees('I make its posts 35 days ahead.');
  const { id } = await holdPost(running, { text: 'We open at nine', at: MONDAY });
  const question = { author: 'U02BENOKAF', reason: 'not-allowed', next_at: null } as const;
  await changeHeldPosts(running, { ...question, state: 'needs-person' }, id);
  await running.db
    .updateTable('series')
    .set({ ...question, state: 'paused' })
    .execute();
  const asked = (await ana.home('Commands')).text();
  expect(asked).toContain('2 submissions are waiting in your outbox.');
  expect(asked).toContain('🔁 Series paused · every Monday at 09:00 (Lisbon), Harbour Coffee');
  expect(asked).toContain('🙋 Nobody may schedule it · Post for Harbour Coffee, Mon 23 Nov, 09:00');
  const unasked = (await running.workspace.as('Ben').home('Commands')).text();
  expect(unasked).not.toContain('in your outbox');
  expect(unasked).not.toContain('Harbour Coffee');
});

test('drafts are shown although more posts are planned than Home reads', async () => {
  const row = await holdPost(running, { text: 'In December', at: '2026-12-14T09:00:00Z' });
  await copyHeldPost(running, row, 500);
  await holdPost(running, { text: 'An idea', isDraft: true });
  const text = (await running.workspace.as('Ana').home('Commands')).text();
  expect(text).toMatch(/📝 1 draft.*Harbour Coffee: An idea/s);
});

test('with more than ten projects, Home says which it shows, and counts what needs the viewer in all', async () => {
  const names = Array.from({ length: 11 }, (_, index) => `Project ${index + 1}`);
  running.service.on('GET /projects', listProjects(...names));
  const project = { id: 'p11', name: 'Project 11' };
  const { id } = await holdPost(running, { text: 'We open at nine', at: MONDAY, project });
  await changeHeldPosts(running, { state: 'needs-person', reason: 'overdue', next_at: null }, id);
  const text = (await running.workspace.as('Ana').home('Commands')).text();
  expectParts(text, 'Nothing is scheduled in the first 10 projects.', '1 post is waiting in your outbox.');
  expect(text).toContain('Post for Project 11, Mon 23 Nov, 09:00');
});

test('Home finds what waits for the viewer’s review behind many posts that others review', async () => {
  await startWithTwoProjects(startBot);
  running.service.on('GET /upnext-post', data(null));
  await setPolicy(reviewedBy('U03MIRAVOS'));
  await setPolicy(reviewedBy('U02BENOKAF'), 'p2');
  const row = await holdPost(running, { text: 'Check this', at: MONDAY, policy: reviewedBy('U03MIRAVOS') });
  await copyHeldPost(running, row, 30);
  const project = { id: 'p2', name: 'Night Market Books' };
  const policy = reviewedBy('U02BENOKAF');
  await holdPost(running, { text: 'New shelves', at: '2026-11-24T09:00:00Z', project, policy });
  const ofBen = (await running.workspace.as('Ben').home('Waiting for your review')).text();
  expect(ofBen).toContain('New shelves');
  const ofMira = (await running.workspace.as('Mira').home('Waiting for your review')).text();
  expect(ofMira).toContain('…and at least 25 more.');
});
