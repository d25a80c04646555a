import { WebAPIRequestError } from '@slack/web-api';
import { expect, test } from 'vitest';
import { approveHeldPost } from '../../../src/held-posts/review/decide.ts';
import {
  cancelSeries,
  createSeries,
  editSeries,
  pauseSeries,
  resumeSeries,
} from '../../../src/held-posts/series/change-series.ts';
import { createPostAt } from '../../support/post-submissions.ts';
import { REVIEWED, setUpTestHeldPosts } from '../../support/start-held-posts.ts';
import { createStoredSlack } from '../../support/stored-slack.ts';

/** The people of a series hear once of what others, or Upnext, did with it. */

const fixture = await setUpTestHeldPosts();

/** Starts a series of Ana's (U1) for every day, and makes its posts. */
async function start() {
  const slack = createStoredSlack();
  const instance = fixture.createInstance({}, slack.client);
  const { moment: _, ...post } = createPostAt('Hello', 0);
  const recurrence = {
    on: { unit: 'day' },
    interval: 1,
    times: [{ hour: 9, minute: 0 }],
    zone: 'UTC',
  } as const;
  const content = { recurrence, contents: [post], gapDays: 0 };
  const { row } = await createSeries(instance.context, {
    ...{ workspace: 'T1', author: 'U1', project: 'p1', origin: 'form', channel: undefined },
    content,
  });
  await fixture.runAt(24 * 60, instance);
  return { slack, instance, row, content };
}

test('nobody is told of a series that they start', async () => {
  const { slack } = await start();
  expect([slack.messages.length, (await fixture.listRows()).length]).toEqual([0, 35]);
});

test('whoever is told of a series reads its times on their own clock', async () => {
  const { slack, instance, row } = await start();
  slack.people.locale = 'en-US';
  await pauseSeries(instance.context, { id: row.id, workspace: 'T1', actor: 'U2', version: 1 });
  await fixture.runAt(24 * 60 - 2, instance);
  const message = JSON.stringify(slack.messages.at(-1));
  expect(message).toContain('every day at 9:00 AM');
  expect(message).not.toContain('09:00');
});

test('managers are asked once if its author may no longer schedule posts, and not about each post', async () => {
  const { slack, instance } = await start();
  fixture.people.holders.set('manager', { people: ['U8', 'U9'], isComplete: true });
  fixture.permissions.set('U1', 'no');
  await instance.recheckAuthority('T1');
  for (const minutes of [24 * 60 - 2, 24 * 60 - 5]) await fixture.runAt(minutes, instance);
  expect(slack.listRecipients()).toEqual(['DU8', 'DU9', 'DU1']);
  expect(slack.messages[0]?.text).toContain('I paused a series');
  // The author has no role any more, so they can't take it over, and may not read it.
  const [first, second, toAuthor] = slack.messages;
  for (const message of [first, second])
    expect(JSON.stringify(message)).toContain('A Publisher can take it over');
  expect(toAuthor?.text).toMatch(
    /^A series that you worked on has changed\. I can’t show it to you, because/,
  );
});

test('a manager whom Slack couldn’t reach at that moment is asked later, and nobody twice', async () => {
  const { slack, instance } = await start();
  fixture.people.holders.set('manager', { people: ['U8', 'U9'], isComplete: true });
  fixture.permissions.set('U1', 'no');
  slack.faults.post.set('U8', new WebAPIRequestError(new Error('connection lost')));
  await instance.recheckAuthority('T1');
  for (const minutes of [24 * 60 - 2, 24 * 60 - 5]) await fixture.runAt(minutes, instance);
  expect(slack.listRecipients()).toEqual(['DU9', 'DU1']);
  slack.faults.post.clear();
  await fixture.runAt(24 * 60 - 30, instance);
  expect(slack.listRecipients()).toEqual(['DU9', 'DU1', 'DU8']);
});

test('managers are asked once there is access to Slack, and waiting for it isn’t an attempt', async () => {
  const { slack, instance, row } = await start();
  fixture.permissions.set('U1', 'no');
  fixture.people.holders.set('manager', { people: [], isComplete: false });
  await instance.recheckAuthority('T1');
  const withoutAccess = fixture.createInstance();
  const { db } = fixture;
  const read = () => db.selectFrom('series').selectAll().where('id', '=', row.id).executeTakeFirstOrThrow();
  for (const minutes of [24 * 60 - 2, 24 * 60 - 70]) await fixture.runAt(minutes, withoutAccess);
  const { reason, notify_attempts: attempts, notify_at: notifyAt } = await read();
  expect([reason, attempts, notifyAt === null]).toEqual(['not-allowed', 0, false]);
  fixture.people.holders.set('manager', { people: ['U8'], isComplete: true });
  await fixture.runAt(24 * 60 - 150, instance);
  expect([slack.listRecipients(), (await read()).notify_at]).toEqual([['DU8', 'DU1'], null]);
});

test('its author is told what others do with it, and not of their own press', async () => {
  const { slack, instance, row, content } = await start();
  const press = { id: row.id, workspace: 'T1', actor: 'U2', version: 1 };
  const presses = [
    (actor: string) => pauseSeries(instance.context, { ...press, actor }),
    (actor: string) => resumeSeries(instance.context, { ...press, actor }),
    (actor: string) => cancelSeries(instance.context, { ...press, actor }),
    (actor: string) => resumeSeries(instance.context, { ...press, actor }),
  ];
  const edit = (actor: string, version: number) =>
    editSeries(instance.context, { ...press, actor, version }, content);
  let minutes = 24 * 60;
  for (const act of [...presses, (actor: string) => edit(actor, 1)]) {
    expect(await act('U2')).toMatchObject({ kind: 'changed' });
    minutes -= 1;
    await fixture.runAt(minutes, instance);
  }
  const verbs = ['paused', 'changed', 'cancelled', 'changed', 'changed'];
  const notes = slack.messages.map(({ text }) => /^<@U2> \w+ your series\./.exec(text ?? '')?.[0]);
  expect(notes).toEqual(verbs.map((verb) => `<@U2> ${verb} your series.`));
  await edit('U1', 2);
  await fixture.runAt(minutes - 1, instance);
  expect(slack.listRecipients()).toEqual(verbs.map(() => 'DU1'));
});

test('its author reads once that somebody cancelled its later posts, and not that it ends after the others', async () => {
  const { slack, instance, row } = await start();
  const { db } = fixture;
  const posts = await db.selectFrom('held_post').select('item').orderBy('item').execute();
  const press = { id: row.id, workspace: 'T1', actor: 'U2', version: 1, from: posts[2]?.item ?? 0 };
  expect(await cancelSeries(instance.context, press)).toMatchObject({ row: { state: 'running' } });
  await fixture.runAt(24 * 60 - 1, instance);
  const readState = () => db.selectFrom('series').select('state').executeTakeFirstOrThrow();
  for (let day = 0; day < 3; day += 1) await fixture.runAt(day * -24 * 60, instance);
  expect(await readState()).toEqual({ state: 'cancelled' });
  const texts = slack.messages.map(({ text }) => text ?? '');
  expect(texts.filter((text) => text.includes('your series'))).toEqual([
    expect.stringContaining('<@U2> changed your series.'),
  ]);
});

test('reviewers are asked once about the posts of the next week, and then about one at a time', async () => {
  await fixture.setPolicy(REVIEWED);
  const { slack, instance } = await start();
  const countRequests = () => slack.listRecipients().filter((recipient) => recipient === 'DU2').length;
  expect([(await fixture.listRows()).length, countRequests()]).toEqual([35, 1]);
  expect(slack.messages[0]?.text).toContain('7 posts');
  await instance.recheckAuthority('T1');
  await fixture.runAt(24 * 60 - 3, instance);
  expect(countRequests()).toBe(1);
});

test('the author is told of an approval before the reviewers were asked', async () => {
  await fixture.setPolicy(REVIEWED);
  const { slack, instance } = await start();
  const row = (await fixture.listRows()).toSorted((one, other) => one.item - other.item).at(-1);
  if (!row) throw new Error('the post is missing');
  const { id, version, content_hash: hash } = row;
  await approveHeldPost(instance.context, { id, workspace: 'T1', actor: 'U2', version, hash });
  for (const minutes of [24 * 60 - 1, 24 * 60 - 2]) await fixture.runAt(minutes, instance);
  expect(slack.listRecipients().filter((recipient) => recipient === 'DU1')).toHaveLength(1);
});
