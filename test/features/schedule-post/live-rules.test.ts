import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { PLATFORM_RULES } from '../../../src/posts/platform-rules/rules.ts';
import { giveXOwnText, openFilledForm, showMoreOptions } from '../../support/filled-form.ts';
import { expectParts, fillIn, NOTE_BELOW, submitWith } from '../../support/form-steps.ts';
import { changeHeldPosts, holdPost } from '../../support/hold-posts.ts';
import { countRequestsInFlight, waitUntilIdle } from '../../support/requests-in-flight.ts';
import { data, hang, json } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { askForForm } from '../../support/steps.ts';

const { ana, running, setPolicy, startBot } = setUpBot();
beforeEach(() => {
  countRequestsInFlight();
  return startBot();
});

test('the form shows the length, errors and warnings for each platform', async () => {
  const { ana, form } = await openFilledForm(running, { text: 'Grand opening' });
  await form.choose('Platforms', ['X', 'Threads', 'Reddit']);
  expect(form.text()).not.toContain('of 280');
  await form.fill('Text', 'a'.repeat(224));
  await ana.sees('X: 224 of 280');
  expect(form.text()).not.toContain('of 500');
  await ana.sees('Reddit needs a title and a subreddit, which Slack can’t send.');
  await form.fill('Text', 'a'.repeat(300));
  await ana.sees('⛔ X: 20 characters too long. Shorten the text or remove X.');
  expect(form.text()).not.toContain('of 280');
  expect((await form.submit()).errors).toEqual({ Text: NOTE_BELOW });
  expect(running.service.created()).toEqual([]);
  expect(form.text()).toContain('[Schedule]');
  await showMoreOptions(ana, form);
  await form.choose('When you submit', 'Save as draft');
  await ana.sees('⚠️ X: 20 characters too long. Shorten the text or remove X.');
  expect(form.text()).toContain('[Save draft]');
  expect((await form.submit()).closed).toBe(true);
});

test('a long text is taken for X if a manager has said that the project’s account pays', async () => {
  await setPolicy({ xAccount: 'paid' });
  const { ana, form } = await openFilledForm(running, { text: 'a'.repeat(300) });
  await form.choose('Platforms', ['X']);
  await ana.seesNoLonger('too long');
  expect((await form.submit()).closed).toBe(true);
  expect(running.service.created()).toMatchObject([{ Content: 'a'.repeat(300) }]);
});

test('missing media blocks a post, and unsuitable media causes a warning', async () => {
  const { ana, form } = await openFilledForm(running);
  await form.choose('Platforms', ['YouTube']);
  await ana.sees('⛔ YouTube needs one video.');
  expect((await form.submit()).errors.Media).toBe(NOTE_BELOW);
  await form.fill('Media', 'https://example.com/a.png');
  await ana.sees('⚠️ YouTube takes exactly one video. This looks like a picture.');
  expect((await form.submit()).closed).toBe(true);
});

test('a template can supply the text and media, and its id can be typed', async () => {
  const { ana, form } = await openFilledForm(running, { text: '' });
  await fillIn(form, { Platforms: ['Instagram'], Text: ' ' });
  await waitUntilIdle();
  expect(Object.keys((await form.submit()).errors).sort()).toEqual(['Media', 'Text']);
  await showMoreOptions(ana, form);
  await form.choose('Template', 'opening-hours');
  await ana.sees('⚠️ Instagram needs media. The template or prompt must add it.');
  expect((await form.submit()).closed).toBe(true);
  expect(running.service.created()).toMatchObject([
    { TemplateId: 'opening-hours', Platforms: ['INSTAGRAM'] },
  ]);
  expect(running.service.created()[0]).not.toHaveProperty('Content');
});

test('several emoji codes, even with a skin tone, are sent as characters', async () => {
  const { ana, form } = await openFilledForm(running, {
    text: 'Open :tada: at 10:30:45 :wave::skin-tone-3:',
  });
  await ana.sees('go out as emoji');
  await form.submit();
  await ana.sees('Open 🎉 at 10:30:45 👋🏼');
  expect(running.service.created()[0]?.Content).toBe('Open 🎉 at 10:30:45 👋🏼');
});

test('custom emoji are named and block the post, but text that only looks like an emoji code is sent', async () => {
  running.workspace.admin.addEmoji('harbour', 'https://example.com/harbour.png');
  const { ana, form } = await openFilledForm(running, { text: 'Open :harbour: and :nonsense:' });
  await ana.sees('Only this workspace has this emoji: :harbour:.');
  expect((await form.submit()).errors.Text).toBe(NOTE_BELOW);
  expect((await submitWith(form, { Text: 'Open :nonsense:' })).closed).toBe(true);
  expect(running.service.created()[0]?.Content).toBe('Open :nonsense:');
});

test('custom emoji of a message that becomes a post are named once', async () => {
  running.workspace.admin.addEmoji('harbour', 'https://example.com/harbour.png');
  const ana = running.workspace.as('Ana').in('#general');
  await ana.type('We *open* :harbour:');
  await ana.shortcut('Schedule this message', 'We ');
  const form = await ana.modal('Schedule a post');
  await form.choose('Platforms', ['X']);
  await ana.sees('Only this workspace has this emoji: :harbour:.');
  expect(form.text().match(/Only this workspace has/g)).toHaveLength(1);
});

test('if Upnext may not list custom emoji, text that looks like an emoji code blocks the post', async () => {
  await startBot({ declinedScopes: ['emoji:read'] });
  const { ana, form } = await openFilledForm(running, { text: 'Open :harbour:' });
  await ana.sees(
    'Slack didn’t tell me which emoji only this workspace has, so this may go out as written: :harbour:.',
  );
  expect((await form.submit()).errors.Text).toBe(NOTE_BELOW);
});

const LINKEDIN_LENGTH = PLATFORM_RULES.LINKEDIN.fold?.length ?? 0;
const OPENING = 'We open a new coffee bar at the harbour. '.repeat(4).trim();
const TEXT = `${OPENING} Read more at https://example.com/harbour`;

test('[Preview] in the form shows each feed on top of the form, which keeps its values', async () => {
  const { ana, form } = await openFilledForm(running, { text: '' });
  await fillIn(form, { Text: TEXT, Platforms: ['X', 'LinkedIn', 'Instagram'] });
  await ana.sees('[Preview]');
  await form.press('Preview');
  const preview = (await ana.modal('Preview')).text();
  expectParts(preview, 'Each link counts as 23', 'Phones show about 125 characters · links aren’t clickable');
  expect(preview.split(OPENING)).toHaveLength(2);
  expect(preview).toMatch(/LinkedIn · \d+ of 3,000/);
  const ends = [...preview.matchAll(/“…(.*)…see more”/g)].map(([, end = '']) => end);
  expect(ends).toHaveLength(2);
  for (const end of ends) {
    const shownText = TEXT.slice(0, TEXT.indexOf(end) + end.length);
    expect(shownText.length).toBeLessThanOrEqual(LINKEDIN_LENGTH);
    // Cut after a whole word.
    expect(TEXT.charAt(shownText.length)).toBe(' ');
  }
  expect(preview).toMatch(/⚠️ Instagram needs/);
  await (await ana.modal('Preview')).close();
  expect(form.value('Text')).toBe(TEXT);
});

const createPost = (time: string, platforms: string[], status = 'SCHEDULED') => ({
  Id: `${time} ${status}`,
  Content: 'Earlier',
  Platforms: platforms,
  Status: status,
  ScheduleDate: `2026-12-01T${time}:00Z`,
  Timezone: 'Europe/Lisbon',
});

const WARNING =
  '⚠️ Another X post goes out 20 minutes later (Tue 1 Dec, 09:20). Enter another time to keep them apart.';

test('the form warns of a post within 30 minutes on the same platform, and the post can still be scheduled', async () => {
  running.service.on(
    'GET /posts',
    data([
      createPost('09:20', ['X', 'THREADS']),
      createPost('09:30', ['X']),
      createPost('09:10', ['X'], 'DRAFT'),
      createPost('08:50', ['LINKEDIN']),
    ]),
  );
  const { ana, form } = await openFilledForm(running, { when: '1 Dec 9am' });
  await ana.sees(WARNING);
  expect(form.text().match(/Another X post/g)).toHaveLength(1);
  await form.choose('Platforms', ['Instagram']);
  await expect.poll(() => form.text()).not.toContain('Another X post');
  await form.choose('Platforms', ['X']);
  await ana.sees(WARNING);
  await form.fill('When', '1 Dec 8:30');
  await expect.poll(() => form.text()).not.toContain('Another X post');
  await form.fill('When', '1 Dec 9am');
  await ana.sees(WARNING);
  expect((await form.submit()).errors).toEqual({});
  expect(running.service.created()).toHaveLength(1);
});

test('a post at the same time is named in one sentence', async () => {
  running.service.on('GET /posts', data([createPost('09:00', ['X'])]));
  const { ana } = await openFilledForm(running, { when: '1 Dec 9am' });
  await ana.sees('⚠️ Another X post goes out at the same time. Enter another time to keep them apart.');
});

test('the form warns of the same text in another form for as long as in one, where the platform may refuse it', async () => {
  const repeat = { ...createPost('19:00', ['X', 'THREADS']), Content: ' We open at nine\r\n' };
  running.service.on('GET /posts', data([repeat, { ...createPost('14:00', ['X']), Content: 'Other' }]));
  const { ana, form } = await openFilledForm(running, { when: '1 Dec 9am' });
  await ana.sees('⚠️ The same text goes out 10 hours later (Tue 1 Dec, 19:00). X may refuse it, so vary it.');
  await form.choose('Platforms', ['Threads']);
  await expect.poll(() => form.text()).not.toContain('The same text');
  await form.choose('Platforms', ['X']);
  await ana.sees('The same text goes out 10 hours later');
  await form.fill('When', '30 Nov 1pm');
  await ana.sees('The same text goes out 1 day 6 hours later');
  await form.fill('When', '30 Nov 12:30');
  await expect.poll(() => form.text()).not.toContain('The same text');
});

test.each([
  ['30 Nov 23:45', '19 hours 15 minutes later'],
  ['30 Nov 20:00', '23 hours later'],
  ['2 Dec 02:00', '7 hours earlier'],
])('the form at %s warns of the same text on the next or previous day', async (when, distance) => {
  running.service.on('GET /posts', data([{ ...createPost('19:00', ['X']), Content: 'We open at nine' }]));
  const { ana } = await openFilledForm(running, { when });
  await ana.sees(`⚠️ The same text goes out ${distance} (Tue 1 Dec, 19:00).`);
});

test('the form warns of the same text on a platform that gets another one than the others', async () => {
  const repeat = { ...createPost('19:00', ['X']), Content: 'At nine!' };
  running.service.on('GET /posts', data([repeat, { ...repeat, Content: 'We open at nine' }]));
  await holdPost(running, { text: 'Other', at: '2026-12-01T17:00Z', ownTexts: { X: 'At nine!' } });
  const { ana, form } = await openFilledForm(running, { when: '1 Dec 9am' });
  await ana.sees('The same text goes out 10 hours later');
  await giveXOwnText(ana, form, 'At noon!');
  await expect.poll(() => form.text()).not.toContain('The same text');
  await form.fill('Text for X', 'At nine!');
  await ana.sees('The same text goes out 8 hours later (Tue 1 Dec, 17:00). X may refuse it, so vary it.');
});

test('what one post is near to is said once', async () => {
  const repeat = { ...createPost('09:10', ['X']), Content: 'We open at nine' };
  const other = createPost('09:00', ['X']);
  running.service.on('GET /posts', data([repeat, other, { ...other, Id: 'another' }]));
  const { ana, form } = await openFilledForm(running, { when: '1 Dec 9am' });
  await ana.sees('The same text goes out 10 minutes later');
  expect(form.text().match(/⚠️/g)).toHaveLength(2);
  expect(form.text().match(/Another X post goes out/g)).toHaveLength(1);
});

test('a near post with the same text is named for the platforms that accept it, too, and so is a second one', async () => {
  const text = { Content: 'We open at nine' };
  const first = { ...createPost('08:50', ['X', 'THREADS']), ...text };
  running.service.on('GET /posts', data([first, { ...createPost('09:20', ['X']), ...text }]));
  const { ana, form } = await openFilledForm(running, { when: '1 Dec 9am' });
  await form.choose('Platforms', ['X', 'Threads']);
  await ana.sees('The same text goes out 10 minutes earlier (Tue 1 Dec, 08:50). X may refuse it');
  await ana.sees('Another Threads post goes out 10 minutes earlier (Tue 1 Dec, 08:50).');
  await ana.sees('Another X post goes out 20 minutes later (Tue 1 Dec, 09:20).');
});

test('the form of a post in one line also warns of nearby posts', async () => {
  running.service.on('GET /posts', data([createPost('09:20', ['X'])]));
  await askForForm(ana, '/schedule-post 1 dec 9am on x: We are live!', 'Schedule a post');
  await ana.sees(WARNING);
});

test.each([
  ['fails', json(500, {})],
  ['doesn’t answer', hang],
  ['may have more posts than I read', data([createPost('12:00', ['X']), { Id: 'x', Platforms: 5 }])],
])(
  'if the service %s, the form says that it couldn’t check for posts that are too close',
  async (_case, answer) => {
    running.service.on('GET /posts', answer);
    await ana.type('/schedule-post 1 dec 9am on x: We are live!');
    await ana.modal('Schedule a post');
    await ana.sees('⚠️ I couldn’t check the scheduling service’s posts, so others may be close.');
  },
);

test.each([
  ['a moment', 0],
  ['an hour', 1],
])(
  'the form warns of a post that the service has just taken and lists later, %s after its press',
  async (_case, hours) => {
    running.service.on('GET /posts', data([]));
    const first = await openFilledForm(running, { when: '1 Dec 9am' });
    await expect.poll(() => first.form.text()).not.toContain('⚠️');
    expect((await first.form.submit()).closed).toBe(true);
    const pressed = sql<Date>`created_at - make_interval(hours => ${hours})`;
    await running.db.updateTable('submission').set({ created_at: pressed }).execute();
    const { form } = await openFilledForm(running, { when: '1 Dec 11am' });
    await expect
      .poll(() => form.text())
      .toContain('The same text goes out 2 hours earlier (Tue 1 Dec, 09:00).');
    await form.fill('When', '1 Dec 9:10');
    await fillIn(form, { Text: 'Another text' });
    await expect.poll(() => form.text()).toContain('Another X post goes out 10 minutes earlier');
  },
);

test('the form warns if two of its own times are too close', async () => {
  const { ana, form } = await openFilledForm(running, { when: '1 Dec 9am, 1 Dec 9:10' });
  await ana.sees('⚠️ Two of these times are only 10 minutes apart. Enter another one to keep them apart.');
  await form.fill('When', '1 Dec 9am, 1 Dec 9:30');
  await expect.poll(() => form.text()).not.toContain('Two of these times');
});

test('the form warns of a held post although the service isn’t answering', async () => {
  await holdPost(running, { text: 'Earlier', at: '2026-12-01T09:20:00Z' });
  running.service.on('GET /posts', json(500, 'oops'));
  const { form } = await openFilledForm(running);
  await expect.poll(() => form.text()).toContain('Another X post goes out 20 minutes later');
});

test('the form doesn’t warn of drafts and of other projects', async () => {
  const at = '2026-12-01T09:20:00Z';
  await holdPost(running, { text: 'A draft', at, isDraft: true });
  await holdPost(running, { text: 'Elsewhere', at, project: { id: 'p2', name: 'Books' } });
  await holdPost(running, { text: 'Just before', at: '2026-12-01T08:50:00Z' });
  const { form } = await openFilledForm(running);
  await expect.poll(() => form.text()).toContain('Another X post goes out 10 minutes earlier');
  expect(form.text()).not.toContain('20 minutes later');
});

test('a held post one that was handed over in parts is named once for each platform', async () => {
  const at = '2026-12-01T09:20:00Z';
  const platforms = ['X', 'LINKEDIN'];
  await holdPost(running, { text: 'Earlier', at, platforms, ownTexts: { X: 'Short' } });
  await changeHeldPosts(running, { state: 'handed-over', sent_to: 'X,LINKEDIN' });
  running.service.on('GET /posts', data([createPost('09:20', ['X'])]));
  const { form } = await openFilledForm(running);
  await form.choose('Platforms', ['X', 'LinkedIn']);
  await expect.poll(() => form.text()).toContain('Another LinkedIn post goes out 20 minutes later');
  expect(form.text().match(/Another/g)).toHaveLength(2);
});
