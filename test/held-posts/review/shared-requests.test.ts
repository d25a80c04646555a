import { WebAPIPlatformError, WebAPIRequestError } from '@slack/web-api';
import { beforeEach, expect, test } from 'vitest';
import { editHeldPost } from '../../../src/held-posts/change.ts';
import { commentOnHeldPost } from '../../../src/held-posts/decisions.ts';
import type { HeldPostPace } from '../../../src/held-posts/pace.ts';
import type { ProjectPolicy } from '../../../src/preferences/project-policy.ts';
import { createPostAt } from '../../support/post-submissions.ts';
import { REVIEWED, setUpTestHeldPosts } from '../../support/start-held-posts.ts';
import { createStoredSlack } from '../../support/stored-slack.ts';

/** Reviewers read one message about many posts that an author sends for review at once, such as those of an import. */

const fixture = await setUpTestHeldPosts();
beforeEach(() => fixture.setPolicy(REVIEWED));
const broken = new WebAPIRequestError(new Error('connection lost'));

async function holdMany(count: number, pace: Partial<HeldPostPace> = {}, policy: ProjectPolicy = REVIEWED) {
  const slack = createStoredSlack();
  await fixture.setPolicy(policy);
  const texts = Array.from({ length: count }, (_, index) => `Post ${index}`);
  const posts = await fixture.hold(texts, { policy });
  return { slack, rows: posts.map(({ row }) => row), instance: fixture.createInstance(pace, slack.client) };
}

const press = (id: string | undefined, actor: string) => ({ id: id ?? '', workspace: 'T1', actor });
const listPending = async () => (await fixture.listRows()).flatMap(({ notify_at }) => notify_at ?? []);
const MANY = '30 posts by name of U1 for Harbour Coffee: Waiting for review';

test('each of them is asked once, and again about each post when there is a reason', async () => {
  const { slack, rows, instance } = await holdMany(30);
  await fixture.runAt(1_430, instance);
  expect(slack.listRecipients()).toEqual(['DU2', 'DU3']);
  for (const { text } of slack.messages) expect(text).toContain(MANY);
  expect(await listPending()).toEqual([]);
  // A comment of somebody else tells the author, and asks nobody again.
  await commentOnHeldPost(instance.context, press(rows[0]?.id, 'U9'), 'Nice');
  await fixture.runAt(1_429, instance);
  expect(slack.listRecipients().slice(2)).toEqual(['DU1']);
  await editHeldPost(instance.context, press(rows[0]?.id, 'U1'), createPostAt('Other', 0));
  await fixture.runAt(1_428, instance);
  expect(slack.listRecipients().slice(3)).toEqual(['DU2', 'DU3']);
  expect(slack.messages.slice(3).map(({ text }) => text)).toEqual([
    expect.stringContaining('Other'),
    expect.stringContaining('Other'),
  ]);
  // The others come with their reminder. The edited post has a request, whose thread has the reminder.
  await fixture.runAt(170, instance);
  const reminded = slack.messages.slice(5);
  expect(reminded.filter(({ thread_ts }) => thread_ts !== undefined)).toHaveLength(2);
  expect(reminded.filter(({ thread_ts }) => thread_ts === undefined)).toHaveLength(58);
});

test('an author reads once that nobody may approve many posts', async () => {
  for (const reviewer of ['U2', 'U3']) fixture.permissions.set(reviewer, 'no');
  const { slack, instance } = await holdMany(5);
  await fixture.runAt(1_430, instance);
  await fixture.runAt(1_425, instance);
  expect(slack.listRecipients()).toEqual(['DU1']);
  expect(JSON.stringify(slack.messages)).toContain('5 of your posts for Harbour Coffee: Waiting for review');
  expect(JSON.stringify(slack.messages)).toContain('I found nobody who may approve them');
  expect(await listPending()).toEqual([]);
});

test('a channel reads once that nobody may approve many posts, and so does their author', async () => {
  for (const reviewer of ['U2', 'U3']) fixture.permissions.set(reviewer, 'no');
  const { slack, instance } = await holdMany(5, {}, { ...REVIEWED, channel: 'C9' });
  await fixture.runAt(1_430, instance);
  await fixture.runAt(1_425, instance);
  expect(slack.messages.map(({ channel, text }) => [channel, text?.split('. ')[0]])).toEqual([
    ['C9', '5 posts by name of U1 for Harbour Coffee: Waiting for review'],
    ['DU1', '5 of your posts for Harbour Coffee: Waiting for review'],
  ]);
  for (const { text } of slack.messages) expect(text).toContain('I found nobody who may approve them');
  expect(await listPending()).toEqual([]);
});

test.each([{}, { channel: 'C9' }])(
  'reviewers are asked once about many posts that nobody could approve before, with %j',
  async (where) => {
    for (const reviewer of ['U2', 'U3']) fixture.permissions.set(reviewer, 'no');
    const { slack, instance } = await holdMany(5, {}, { ...REVIEWED, ...where });
    await fixture.runAt(1_430, instance);
    const toldCount = slack.messages.length;
    for (const reviewer of ['U2', 'U3']) fixture.permissions.set(reviewer, 'yes');
    await instance.recheckAuthority('T1');
    for (const minutes of [1_425, 1_420]) await fixture.runAt(minutes, instance);
    const texts = slack.messages.slice(toldCount).map(({ channel, text }) => `${channel} ${text}`);
    expect(texts).toEqual(
      (where.channel ? ['C9'] : ['DU2', 'DU3']).map((to) =>
        expect.stringContaining(`${to} 5 posts by name of U1 for Harbour Coffee: Waiting for review`),
      ),
    );
    expect(await listPending()).toEqual([]);
  },
);

test('a channel and the author read that nobody may approve a post', async () => {
  for (const reviewer of ['U2', 'U3']) fixture.permissions.set(reviewer, 'no');
  const { slack, instance } = await holdMany(1, {}, { ...REVIEWED, channel: 'C9' });
  await fixture.runAt(1_430, instance);
  await fixture.runAt(1_425, instance);
  expect(slack.listRecipients()).toEqual(['C9', 'DU1']);
});

test('an author reads once that a post was missed, although nobody may approve it any more', async () => {
  const { slack, instance } = await holdMany(1, {}, { ...REVIEWED, channel: 'C9' });
  await fixture.runAt(1_430, instance);
  for (const reviewer of ['U2', 'U3']) fixture.permissions.set(reviewer, 'no');
  await fixture.runAt(-1, instance);
  expect(await fixture.listStates()).toEqual(['needs-person: not-approved']);
  expect(slack.listRecipients().filter((channel) => channel === 'DU1')).toHaveLength(1);
});

test('a channel is asked once', async () => {
  const { slack, instance } = await holdMany(5, {}, { ...REVIEWED, channel: 'C9' });
  await fixture.runAt(1_430, instance);
  await fixture.runAt(1_425, instance);
  expect(slack.listRecipients()).toEqual(['C9']);
});

test('each of them is asked once if the channel can’t get the message', async () => {
  const { slack, instance } = await holdMany(5, {}, { ...REVIEWED, channel: 'C9' });
  slack.faults.post.set('C9', new WebAPIPlatformError({ ok: false, error: 'restricted_action' }));
  await fixture.runAt(1_430, instance);
  await fixture.runAt(1_425, instance);
  expect(slack.listRecipients()).toEqual(['DU2', 'DU3']);
  expect(await listPending()).toEqual([]);
});

test('a channel that can’t be looked up for a moment is asked later', async () => {
  const { slack, instance } = await holdMany(5, {}, { ...REVIEWED, channel: 'C9' });
  const { conversations } = slack.client;
  const { info } = conversations;
  let failures = 1;
  conversations.info = (async (...args: Parameters<typeof info>) => {
    if (failures-- > 0) throw new WebAPIRequestError(new Error('connection lost'));
    return info(...args);
  }) as typeof info;
  await fixture.runAt(1_430, instance);
  expect(slack.listRecipients()).toEqual([]);
  await fixture.runAt(1_420, instance);
  expect(slack.listRecipients()).toEqual(['C9']);
});

test('each of them is asked about missed posts, also while their author can’t be told', async () => {
  const { slack, instance } = await holdMany(5);
  await fixture.runAt(1_430, instance);
  slack.faults.post.set('U1', broken);
  await fixture.runAt(1, instance);
  await fixture.runAt(-1, instance);
  expect(await fixture.listStates()).toEqual(Array.from({ length: 5 }, () => 'needs-person: not-approved'));
  const asked = slack.messages.slice(2).map(({ channel }) => channel);
  expect(new Set(asked)).toEqual(new Set(['DU2', 'DU3']));
  expect(asked).toHaveLength(10);
});

test('up to three are a request each', async () => {
  const { slack, instance } = await holdMany(3);
  await fixture.runAt(1_430, instance);
  expect(slack.listRecipients().toSorted()).toEqual(['DU2', 'DU2', 'DU2', 'DU3', 'DU3', 'DU3']);
});

test.each(['before-message', 'after-message'] as const)(
  'nobody is asked twice, or not at all, if the instance ends at %s',
  async (crashPoint) => {
    let crashes = 0;
    const { slack, instance } = await holdMany(5, {
      onCrashPoint: (point) => {
        if (point !== crashPoint || crashes > 0) return;
        crashes += 1;
        throw broken;
      },
    });
    for (const minutes of [1_430, 1_425, 1_420]) await fixture.runAt(minutes, instance);
    expect([crashes, slack.listRecipients().toSorted()]).toEqual([1, ['DU2', 'DU3']]);
    expect(await listPending()).toEqual([]);
  },
);

test('two instances ask once', async () => {
  const { slack, instance } = await holdMany(20);
  const other = fixture.createInstance({}, slack.client);
  fixture.setMinutesBefore(1_430);
  await Promise.all([instance.runOnce(), other.runOnce()]);
  await fixture.runAt(1_425, other);
  expect(slack.listRecipients().toSorted()).toEqual(['DU2', 'DU3']);
});
