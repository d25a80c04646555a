import { expect, test } from 'vitest';
import { expectParts, submitWith } from '../../support/form-steps.ts';
import { data, json, later, listedPost, type ServiceCall } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask, pressAndSee, pressForForm } from '../../support/steps.ts';

const { ana, running } = setUpBot({ pace: { slowNoticeDelayMs: 200 } });

const createDate = (day: number) => `2026-11-${String(day).padStart(2, '0')}T09:00:00+01:00`;
const createPost = (id: number, changes: object = {}) =>
  listedPost(`Post number ${id}.`, createDate(21), {
    Id: `post-${id}`,
    Timezone: 'Europe/Berlin',
    ...changes,
  });
const getLastMessage = (person: { messages(): string[] }) => person.messages().at(-1) ?? '';
/** Responds to requests for dated posts with these posts, and to requests for drafts with an empty list. */
const answerDatedPosts =
  (posts: readonly unknown[]) => (call: ServiceCall, response: Parameters<ReturnType<typeof data>>[1]) =>
    data(call.query.getAll('status').includes('DRAFT') ? [] : posts)(call, response);

test('unreadable records are counted, and unreadable fields are named', async () => {
  const unusualRecords = [
    7,
    'text',
    null,
    [],
    { Name: 'a template' },
    createPost(1),
    createPost(2, { ScheduleDate: 'soon', Platforms: [7] }),
    { Content: 'No id' },
    createPost(3, { Status: 'PAUSED', Timezone: 'Mars/Base' }),
  ];
  running.service.on('GET /posts', answerDatedPosts(unusualRecords));
  await ask(ana, '/upnext posts all', 'Harbour Coffee: 4 posts', '5 more couldn’t be read.');
  expectParts(
    getLastMessage(ana),
    'With an unreadable date',
    'Unreadable: ScheduleDate, Platforms',
    'PAUSED',
    'Without a date (1)',
  );
  await pressAndSee(ana, 'Export as CSV', '4 posts of Harbour Coffee, as CSV. 5 more couldn’t be read.');
});

test('the posts to change aren’t said to be none if some couldn’t be read', async () => {
  running.service.on('GET /posts', answerDatedPosts([7]));
  await ask(ana, '/upnext edit', 'Harbour Coffee has no scheduled posts, among those I can read.');
});

test('a post with an unknown time zone can be copied to another time', async () => {
  running.service.on('GET /posts', answerDatedPosts([createPost(1, { Timezone: 'Mars/Base' })]));
  await ask(ana, '/upnext move post a day later', 'Which Harbour Coffee post?');
  await pressForForm(ana, 'Duplicate', 'Schedule a post');
});

test('if the service ignores the filter, the list still has only matching posts', async () => {
  const posts = [
    createPost(1),
    createPost(2, { Platforms: ['LINKEDIN'] }),
    createPost(3, { Status: 'DRAFT' }),
    createPost(4, { ScheduleDate: createDate(1) }),
  ];
  running.service.on('GET /posts', data(posts));
  await ask(ana, '/upnext posts scheduled x this week', 'Harbour Coffee: 1 scheduled post on X');
  expect(getLastMessage(ana)).toContain('Post number 1.');
});

test('posts are listed even if the service returns everything at once, or the same page forever', async () => {
  const thousandPosts = Array.from({ length: 1_000 }, (_, index) => createPost(index));
  running.service.on('GET /posts', data(thousandPosts));
  await ask(ana, '/upnext posts all', 'Harbour Coffee: more than 500 posts, 1 to 10');
  expect(running.service.calls.filter(({ path }) => path.endsWith('/posts'))).toHaveLength(2);
  running.service.on('GET /posts', data(thousandPosts.slice(0, 100)));
  await ask(ana, '/upnext posts all', 'Harbour Coffee: 100 posts, 1 to 10, among those I can read');
  await ana.sees('There may be more posts than I could read.');
});

test('very long and unusual texts are listed, and shown completely when opened', async () => {
  const unusualRecords = [
    createPost(1, { Content: `\u202e<!channel> *bold* <http://evil|good> ${'🥐'.repeat(20_000)}` }),
    createPost(2, { Content: 'é'.repeat(40_000), Media: 'm'.repeat(5_000), TemplateId: 't'.repeat(5_000) }),
    createPost(3, {
      Content: '\u0001'.repeat(40_000),
      Platforms: Array(50).fill('<!here>'.repeat(50)),
      Status: 's'.repeat(5_000),
    }),
    ...Array.from({ length: 10 }, (_, index) =>
      createPost(30 + index, {
        Content: `שלום ${'漢'.repeat(40_000)}`,
        Timezone: 'America/Argentina/ComodRivadavia',
      }),
    ),
  ];
  running.service.on('GET /projects', data([{ Id: 'p1', Name: '<!channel>'.repeat(500) }]));
  running.service.on('GET /posts', answerDatedPosts(unusualRecords));
  await ask(ana, '/upnext posts all', ': 13 posts, 1 to 10');
  expect(getLastMessage(ana)).toContain('<!channel> ∗bold∗ <http://evil|good>');
  const view = await pressForForm(ana, `Open: ${'é'.repeat(68)}…`, 'Post');
  expect(view.text().match(/é/g)).toHaveLength(40_000);
  await view.close();
  await pressForForm(ana, 'Open: No text', 'Post');
  await ask(ana, '/upnext edit', 'Which ');
  expect(running.logged.join()).not.toContain('漢');
});

test('a slow service is reported before the list is shown, and a button press replaces the list', async () => {
  running.service.on('GET /posts', later(600, answerDatedPosts([createPost(1)])));
  await ask(ana, '/upnext posts', 'longer than usual', 'Post number 1.');
  const messageCount = ana.messages().length;
  await pressAndSee(ana, 'Next week', 'Mon 23 Nov to Sun 29 Nov');
  expect(ana.messages()).toHaveLength(messageCount);
  await submitWith(await pressForForm(ana, 'Filter', 'Filter posts'), { Days: 'this week' });
  await expect.poll(async () => (await ana.modal('Posts')).text()).toContain('Post number 1.');
});

test.each([
  ['a refused token', json(403, {}), 'My access token isn’t allowed to do this'],
  ['an unknown project', json(404, {}), 'doesn’t know this project'],
  ['too many calls', json(429, {}), 'asks me to wait'],
  [
    'a refused filter',
    json(422, { detail: [{ loc: ['query', 'status', 0], msg: 'no', type: 'enum' }] }),
    'didn’t accept this',
  ],
  ['an error with HTML', json(500, '<html>'), 'didn’t answer properly'],
  ['an answer that is no list', data('posts'), 'I can’t read its answer'],
])('%s is explained, with a button to try again', async (_failure, respond, expected) => {
  running.service.on('GET /posts', respond);
  await ask(ana, '/upnext posts this week', 'I couldn’t load the posts of Harbour Coffee.', expected);
  running.service.on('GET /posts', answerDatedPosts([createPost(1)]));
  const messageCount = ana.messages().length;
  await pressAndSee(ana, 'Try again', 'Post number 1.');
  expect(ana.messages()).toHaveLength(messageCount);
});

test('a service that is down is reported, even to somebody who wants to edit a post', async () => {
  running.service.on('GET /posts', json(503, {}));
  await ask(ana, '/upnext edit', 'I couldn’t load the posts of Harbour Coffee.');
  await running.service.stop();
  for (const command of ['posts', 'drafts', 'posts failed', 'posts mine']) {
    await ana.type(`/upnext ${command}`);
    await ana.sees('I couldn’t load the posts of Harbour Coffee.\nThe scheduling service isn’t answering.');
    expect(getLastMessage(ana)).not.toMatch(/Nothing was changed|no .*posts/);
  }
  await pressAndSee(ana, 'Try again', 'The scheduling service isn’t answering.');
});
