import { expect, test } from 'vitest';
import { editHeldPost } from '../../../src/held-posts/change.ts';
import { type ProjectPolicy, savePolicy } from '../../../src/preferences/project-policy.ts';
import { createPostAt } from '../../support/post-submissions.ts';
import { POLICY, setUpTestHeldPosts } from '../../support/start-held-posts.ts';
import { createStoredSlack } from '../../support/stored-slack.ts';

/** Reviewers are asked once for each reason, whatever fails in between. */

const fixture = await setUpTestHeldPosts();

const GROUP = { approvers: [{ kind: 'group', id: 'S1' }], needs: 'any' } as const;

async function holdReviewed(changes: Partial<ProjectPolicy>) {
  const policy: ProjectPolicy = { ...POLICY, review: 'required', reviewSteps: [GROUP], ...changes };
  const changedAt = fixture.context.clock.now();
  const project = { workspace: 'T1', project: 'p1' };
  await savePolicy(fixture.db, project, policy, { changedBy: 'U9', changedAt });
  const slack = createStoredSlack();
  const [post] = await fixture.hold(['Hello'], { policy });
  if (!post) throw new Error('nothing was stored');
  const press = { id: post.row.id, workspace: 'T1', actor: 'U1' };
  return { slack, press, instance: fixture.createInstance({}, slack.client) };
}

test('a user group that Slack couldn’t list is asked in direct messages as soon as it can be', async () => {
  const { slack, instance } = await holdReviewed({});
  await fixture.runAt(600, instance);
  expect(slack.listRecipients()).toEqual([]);
  fixture.people.groups.set('S1', ['U2', 'U3']);
  await fixture.runAt(598, instance);
  await fixture.runAt(590, instance);
  expect(slack.listRecipients()).toEqual(['DU2', 'DU3']);
});

test('an approver whose role Slack couldn’t check is asked later, and the others at once', async () => {
  fixture.people.groups.set('S1', ['U2', 'U3']);
  fixture.permissions.set('U3', 'unknown');
  const { slack, instance } = await holdReviewed({});
  await fixture.runAt(600, instance);
  expect(slack.listRecipients()).toEqual(['DU2']);
  fixture.permissions.clear();
  await fixture.runAt(598, instance);
  expect(slack.listRecipients()).toEqual(['DU2', 'DU3']);
});

test('the channel is asked again about a new version, even if the clock was set back meanwhile', async () => {
  fixture.people.groups.set('S1', ['U2']);
  const { slack, press, instance } = await holdReviewed({ channel: 'C9' });
  fixture.setMinutesBefore(600);
  await fixture.runAt(600, instance);
  fixture.setMinutesBefore(700);
  await editHeldPost(instance.context, press, createPostAt('Other', 0));
  await fixture.runAt(700, instance);
  await fixture.runAt(600, instance);
  expect(slack.messages.map(({ text, thread_ts }) => [text, thread_ts])).toEqual([
    [expect.stringContaining('Please review this post'), undefined],
    ['<@U2> There’s a new version of this post. Please review it.', '1.1'],
  ]);
});
