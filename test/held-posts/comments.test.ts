import { expect, test } from 'vitest';
import { editHeldPost } from '../../src/held-posts/change.ts';
import { commentOnHeldPost } from '../../src/held-posts/decisions.ts';
import { approveHeldPost } from '../../src/held-posts/review/decide.ts';
import type { ProjectPolicy } from '../../src/preferences/project-policy.ts';
import { createPostAt } from '../support/post-submissions.ts';
import { POLICY, press, setUpTestHeldPosts } from '../support/start-held-posts.ts';
import { createStoredSlack } from '../support/stored-slack.ts';

/** Who reads a comment, and where. */

const fixture = await setUpTestHeldPosts();

const STEP = { approvers: [{ kind: 'group', id: 'S1' }], needs: 'any' } as const;

/** Holds a post of U1, which U2 approves if its project has reviews. */
async function holdOne(changes: Partial<ProjectPolicy>) {
  const policy = { ...POLICY, ...changes };
  await fixture.setPolicy({ ...POLICY, ...changes });
  fixture.people.groups.set('S1', ['U2']);
  const slack = createStoredSlack();
  const instance = fixture.createInstance({}, slack.client);
  const { id } = await fixture.holdOne('Hello', { policy });
  const key = { id, workspace: 'T1' };
  await fixture.runAt(600, instance);
  if (policy.review === 'required') {
    await approveHeldPost(instance.context, press(await fixture.readRow(key), 'U2'));
    await fixture.runAt(599, instance);
  }
  const sentBefore = slack.messages.length;
  const comment = async (actor: string, text: string) => {
    await commentOnHeldPost(instance.context, { ...key, actor }, text);
    await fixture.runAt(598, instance);
    return slack.messages
      .slice(sentBefore)
      .map(({ channel, text: sent, thread_ts }) => [channel, sent.includes(text), thread_ts]);
  };
  return { slack, instance, key, comment };
}

test('without a review, whoever edited the post reads comments in direct messages', async () => {
  const { instance, key, comment, slack } = await holdOne({});
  await editHeldPost(instance.context, { ...key, actor: 'U3', version: 1 }, createPostAt('Other', 0));
  await fixture.runAt(599, instance);
  slack.messages.length = 0;
  expect(await comment('U1', 'Is nine right?')).toEqual([['DU3', true, undefined]]);
  expect(slack.messages[0]?.text).toContain('New on a post you worked on');
});

test('reviewers who were asked in direct messages read comments in the thread of their request', async () => {
  const { comment } = await holdOne({ review: 'required', reviewSteps: [STEP] });
  expect(await comment('U4', 'Is nine right?')).toEqual([
    ['DU1', true, undefined],
    ['DU2', true, '1.1'],
  ]);
});

test('a comment that was told in a thread isn’t told again with the next one', async () => {
  const { comment, slack } = await holdOne({ review: 'required', reviewSteps: [STEP] });
  await comment('U4', 'Is nine right?');
  expect(await comment('U4', 'Or ten?')).toEqual([
    ['DU1', false, undefined],
    ['DU2', false, '1.1'],
    ['DU1', true, undefined],
    ['DU2', true, '1.1'],
  ]);
  for (const { text } of slack.messages.slice(-2)) expect(text).not.toContain('Is nine right?');
});

test('in a channel, one reply in the thread of the request mentions whoever took part', async () => {
  const { comment, slack } = await holdOne({ review: 'required', reviewSteps: [STEP], channel: 'C9' });
  expect(await comment('U4', 'Is nine right?')).toEqual([
    ['DU1', true, undefined],
    ['C9', true, '1.1'],
  ]);
  expect(slack.messages.at(-1)?.text).toBe('For <@U2>:\n<@U4> commented: “Is nine right?”');
});

test('whoever may no longer see the post reads no comment', async () => {
  const { comment } = await holdOne({ review: 'required', reviewSteps: [STEP] });
  fixture.permissions.set('U2', 'no');
  expect(await comment('U4', 'Is nine right?')).toEqual([['DU1', true, undefined]]);
});
