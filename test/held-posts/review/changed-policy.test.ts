import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { cancelHeldPost, editHeldPost } from '../../../src/held-posts/change.ts';
import { makeHandOverDue, restoreCancelledPost, scheduleAgain } from '../../../src/held-posts/decisions.ts';
import type { HeldPostRow } from '../../../src/held-posts/held-post.ts';
import { approveHeldPost } from '../../../src/held-posts/review/decide.ts';
import { loadReview } from '../../../src/held-posts/review/load-review.ts';
import { readShownReview } from '../../../src/held-posts/review/review-request.ts';
import type { ProjectPolicy } from '../../../src/preferences/project-policy.ts';
import { applyDecision } from '../../../src/submissions/press.ts';
import { createPostAt, sendPost } from '../../support/post-submissions.ts';
import { data, invalid, json } from '../../support/scripted-service.ts';
import { POLICY, person, press, REVIEWED, setUpTestHeldPosts } from '../../support/start-held-posts.ts';
import { createStoredSlack } from '../../support/stored-slack.ts';

/** When a policy, a role or a user group changes, posts that need other approvals wait for them, and people are asked. */

const fixture = await setUpTestHeldPosts();

const HOUR = 60;
const BOTH_REVIEW: ProjectPolicy = {
  ...REVIEWED,
  reviewSteps: [{ approvers: [person('U2'), person('U3')], needs: 'all' }],
};

async function setPolicy(policy: ProjectPolicy): Promise<void> {
  await fixture.setPolicy(policy);
  await fixture.heldPosts.recheckAuthority('T1');
}
const hold = (policy: ProjectPolicy = POLICY) => fixture.holdOne('Hello', { policy });
/** A post that one of its reviewers has approved. */
async function holdApproved(policy = REVIEWED) {
  await setPolicy(policy);
  const row = await hold(policy);
  await approve(row, 'U2');
  return row;
}
async function approve(row: HeldPostRow, actor: string) {
  return approveHeldPost(fixture.context, press(await fixture.readRow(row), actor));
}

/** An instance whose messages are stored, and the recipients and texts of those messages. */
function startWithSlack() {
  const slack = createStoredSlack();
  const instance = fixture.createInstance({}, slack.client);
  const listMessages = () =>
    slack.messages.map(({ channel, text = '' }) => `${channel}: ${text.split(' (')[0]?.split('.')[0]}`);
  return { instance, listMessages, slack };
}

describe('when reviews become required', () => {
  test('a few posts are checked within a second, so that nobody reads for long that nothing has changed', async () => {
    for (let i = 0; i < 5; i += 1) await hold();
    const now = fixture.context.clock.readShared().getTime();
    await setPolicy(REVIEWED);
    const rows = await fixture.db.selectFrom('held_post').select('next_at').execute();
    for (const { next_at: at } of rows) expect((at?.getTime() ?? Infinity) - now).toBeLessThan(1_000);
  });

  test('a post that was scheduled before waits for its review, and its reviewers and author hear of it', async () => {
    const { instance, listMessages } = startWithSlack();
    await hold();
    await setPolicy(REVIEWED);
    await fixture.runAt(20 * HOUR, instance);
    await instance.runOnce();
    expect(await fixture.listStates()).toEqual(['awaiting-review']);
    expect(listMessages().toSorted()).toEqual([
      'DU1: It needs an approval before it goes out, so I sent it for review',
      expect.stringContaining('DU2: Please review this post'),
      expect.stringContaining('DU3: Please review this post'),
    ]);
    expect([await fixture.runAt(59, instance), await fixture.listStates()]).toEqual([
      [],
      ['needs-person: not-approved'],
    ]);
  });

  test('many posts that were scheduled before are one message for their author, and one for each reviewer', async () => {
    const { slack } = startWithSlack();
    const instance = fixture.createInstance({ groupMs: 5_000 }, slack.client);
    await fixture.hold(['Post 1', 'Post 2', 'Post 3', 'Post 4', 'Post 5']);
    await setPolicy(REVIEWED);
    await fixture.runAt(20 * HOUR, instance);
    await fixture.runAt(20 * HOUR - 1, instance);
    expect(await fixture.listStates()).toEqual(Array(5).fill('awaiting-review'));
    expect(slack.listRecipients().toSorted()).toEqual(['DU1', 'DU2', 'DU3']);
    const text = slack.messages.find(({ channel }) => channel === 'DU1')?.text;
    expect(text).toContain('5 of your posts for Harbour Coffee: Waiting for review');
    expect(text).toContain('They need an approval before they go out, so I sent them for review.');
  });

  test('a cancelled post that somebody else had edited isn’t scheduled by [Undo]', async () => {
    const row = await hold();
    const edited = await editHeldPost(fixture.context, press(row, 'U4'), createPostAt('Hello', 1));
    if (edited.kind !== 'changed') throw new Error('not edited');
    await cancelHeldPost(fixture.context, press(edited.row));
    await setPolicy(REVIEWED);
    await restoreCancelledPost(fixture.context, press(edited.row));
    const [restored] = await fixture.listRows();
    expect(restored).toMatchObject({ state: 'awaiting-review', in_review: true, approver: null });
    await approve(row, 'U2');
    expect(await fixture.listStates()).toEqual(['held']);
  });

  test('a post that came back isn’t handed over by [Schedule again] or [Hand over now]', async () => {
    const row = await hold();
    await fixture.db.updateTable('held_post').set({ state: 'needs-person', reason: 'gave-up' }).execute();
    await setPolicy(REVIEWED);
    await scheduleAgain(fixture.context, press(row));
    expect(await fixture.listStates()).toEqual(['awaiting-review']);
    await fixture.db.updateTable('held_post').set({ state: 'held', in_review: false }).execute();
    await makeHandOverDue(fixture.context, press(row));
    expect([await fixture.runAt(20 * HOUR), await fixture.listStates()]).toEqual([[], ['awaiting-review']]);
  });

  test('between the check and the hand-over, a post isn’t handed over', async () => {
    await hold();
    const instance = fixture.createInstance({
      onCrashPoint: (point) => (point === 'before-hand-over' ? setPolicy(REVIEWED) : undefined),
    });
    expect(await fixture.runAt(60, instance)).toEqual([]);
    expect([await fixture.runAt(59), await fixture.listStates()]).toEqual([[], ['awaiting-review']]);
  });
});

describe('an approval that doesn’t count any more', () => {
  test('is missed when the policy changes, not at the hand-over', async () => {
    const { instance, listMessages } = startWithSlack();
    await setPolicy(REVIEWED);
    const row = await hold(REVIEWED);
    await fixture.runAt(23 * HOUR, instance);
    await approve(row, 'U2');
    await setPolicy(BOTH_REVIEW);
    await fixture.runAt(22 * HOUR, instance);
    await instance.runOnce();
    expect(await fixture.listStates()).toEqual(['awaiting-review']);
    expect(listMessages()).toContainEqual('DU3: This post needs a review again');
    await approve(row, 'U3');
    expect(await fixture.listStates()).toEqual(['held']);
  });

  test('is missed when the reviewer has left, at the next check', async () => {
    await holdApproved();
    fixture.permissions.set('U2', 'no');
    await fixture.runAt(11 * HOUR);
    expect(await fixture.listStates()).toEqual(['awaiting-review']);
  });

  test('isn’t missed while that can’t be found out', async () => {
    await holdApproved();
    fixture.permissions.set('U2', 'unknown');
    await fixture.runAt(11 * HOUR);
    expect(await fixture.listStates()).toEqual(['held']);
  });
});

test('an approval that can’t be checked at [Undo] or [Schedule again] counts until it can', async () => {
  const row = await holdApproved();
  fixture.permissions.set('U2', 'unknown');
  await cancelHeldPost(fixture.context, press(row));
  await restoreCancelledPost(fixture.context, press(row));
  expect(await fixture.listRows()).toMatchObject([{ state: 'held', approver: 'U2' }]);
  await fixture.db.updateTable('held_post').set({ state: 'needs-person', reason: 'gave-up' }).execute();
  await scheduleAgain(fixture.context, press(row));
  expect(await fixture.listRows()).toMatchObject([{ state: 'held', approver: 'U2' }]);
  expect([await fixture.runAt(60), await fixture.listStates()]).toEqual([[], ['held: not-checked']]);
  fixture.permissions.delete('U2');
  expect(await fixture.runAt(59)).toEqual(['Hello']);
});

test('within the lead, an approval that can’t be checked is checked again soon', async () => {
  await setPolicy(BOTH_REVIEW);
  fixture.setMinutesBefore(30);
  const row = await hold(BOTH_REVIEW);
  await approve(row, 'U2');
  await setPolicy(REVIEWED);
  fixture.permissions.set('U2', 'unknown');
  await fixture.runAt(28);
  expect(await fixture.listStates()).toEqual(['awaiting-review']);
  fixture.permissions.delete('U2');
  await fixture.runAt(26);
  expect(await fixture.runAt(25)).toEqual(['Hello']);
});

test('an instance that is checking a post with the old policy leaves it to the next check', async () => {
  await holdApproved();
  const claimed = { lease_until: fixture.context.clock.readShared(), fence: 7 };
  await fixture.db.updateTable('held_post').set(claimed).execute();
  await setPolicy(BOTH_REVIEW);
  const [released] = await fixture.listRows();
  expect(released).toMatchObject({ fence: 8, lease_until: null });
});

test('an approval that is enough under the new policy schedules the post, and its author hears of it', async () => {
  const { instance, listMessages } = startWithSlack();
  await holdApproved(BOTH_REVIEW);
  await fixture.runAt(23 * HOUR, instance);
  await setPolicy(REVIEWED);
  await fixture.runAt(20 * HOUR, instance);
  await instance.runOnce();
  expect(await fixture.listStates()).toEqual(['held']);
  expect(listMessages()).toContainEqual('DU1: Its approvals are enough, so I scheduled it');
});

test('approved posts of a project that has switched its reviews off go out as planned', async () => {
  await holdApproved();
  await setPolicy({ ...REVIEWED, review: 'off' });
  fixture.permissions.set('U2', 'no');
  expect([await fixture.runAt(60), await fixture.listStates()]).toEqual([['Hello'], ['delivered']]);
});

test('a reviewer who joins is asked about a post that waits', async () => {
  const { instance, listMessages } = startWithSlack();
  await setPolicy({ ...REVIEWED, reviewSteps: [{ approvers: [{ kind: 'group', id: 'S1' }], needs: 'any' }] });
  fixture.people.groups.set('S1', ['U2']);
  await hold(REVIEWED);
  await fixture.runAt(23 * HOUR, instance);
  fixture.people.groups.set('S1', ['U3']);
  await fixture.heldPosts.recheckAuthority('T1');
  await fixture.runAt(22 * HOUR, instance);
  expect(listMessages().map((message) => message.split(':')[0])).toEqual(['DU2', 'DU3']);
});

test('a reviewer who replaces another is mentioned in the thread of the request in the channel', async () => {
  const { instance, slack } = startWithSlack();
  const channel = { ...REVIEWED, channel: 'C1' };
  await setPolicy({ ...channel, reviewSteps: [{ approvers: [person('U2')], needs: 'any' }] });
  await hold(REVIEWED);
  await fixture.runAt(23 * HOUR, instance);
  await setPolicy({ ...channel, reviewSteps: [{ approvers: [person('U3')], needs: 'any' }] });
  await fixture.runAt(22 * HOUR, instance);
  await fixture.runAt(21 * HOUR, instance);
  const replies = slack.messages.filter((message) => message.thread_ts !== undefined);
  expect(replies.map(({ text }) => text)).toEqual(['<@U3> This post waits for your review.']);
});

test('a request says of whom an approval counts no more, unless they still approve a step, or may', async () => {
  const step = (...approvers: ProjectPolicy['reviewSteps'][number]['approvers']) =>
    ({ approvers, needs: 'all' }) as const;
  const people = [person('U3'), person('U4')];
  await setPolicy({ ...REVIEWED, reviewSteps: [step(person('U2')), step(...people)] });
  const row = await hold(REVIEWED);
  for (const actor of ['U2', 'U3']) await approve(row, actor);
  const { client } = createStoredSlack();
  const listVoid = async (...reviewSteps: ProjectPolicy['reviewSteps']) => {
    await setPolicy({ ...REVIEWED, reviewSteps });
    const review = await loadReview(fixture.context, await fixture.readRow(row), { listsEverybody: true });
    const { decisions } = await readShownReview(fixture.context, client, review);
    return decisions.filter(({ isVoid }) => isVoid).map(({ actor }) => actor);
  };
  expect(await listVoid(step(person('U2')), step(...people))).toEqual([]);
  expect(await listVoid(step(...people))).toEqual(['U2']);
  expect(await listVoid(step(person('U4')))).toEqual(['U2', 'U3']);
  // Slack doesn't answer who is in the group.
  expect(await listVoid(step(person('U4')), step({ kind: 'group', id: 'S1' }))).toEqual([]);
});

describe('a post that waits in the outbox', () => {
  const BUSY = json(429, {});

  test('waits for its review if it was refused, and its author corrects the form', async () => {
    fixture.service.on('POST /posts', invalid({ loc: ['body', 'Content'], msg: 'Too short' }));
    const formId = randomUUID();
    await sendPost(fixture.submissions, createPostAt('Hi', 0), { formId });
    expect(await listSubmissions()).toEqual(['refused']);
    await setPolicy(REVIEWED);
    fixture.recover();
    await sendPost(fixture.submissions, createPostAt('Hello', 0), { formId });
    expect([fixture.listSentTexts(), await fixture.listStates()]).toEqual([[], ['awaiting-review']]);
  });

  test('waits for its review once that is required, and goes out after it', async () => {
    const { instance, listMessages } = startWithSlack();
    fixture.service.on('POST /posts', BUSY);
    await sendDirectly();
    await setPolicy(REVIEWED);
    fixture.recover();
    expect([await fixture.runAt(20 * HOUR, instance), await fixture.listStates()]).toEqual([
      [],
      ['awaiting-review'],
    ]);
    expect(await listSubmissions()).toEqual(['discarded: returned']);
    await instance.runOnce();
    expect(
      listMessages()
        .map((message) => message.split(':')[0])
        .toSorted(),
    ).toEqual(['DU1', 'DU2', 'DU3']);
    const [row] = await fixture.listRows();
    if (row) await approve(row, 'U1');
    expect(await fixture.listStates()).toEqual(['awaiting-review']);
    if (row) await approve(row, 'U2');
    expect(await fixture.runAt(60)).toEqual(['Hello']);
  });

  test('doesn’t wait for a review if it is a draft, which nobody publishes', async () => {
    fixture.service.on('POST /posts', BUSY);
    const post = createPostAt('Idea', 0);
    await sendPost(fixture.submissions, { ...post, values: { ...post.values, status: 'DRAFT' } });
    await setPolicy(REVIEWED);
    fixture.service.on('POST /posts', data({ Id: 'post_7' }));
    await fixture.runAt(20 * HOUR);
    expect([await listSubmissions(), await fixture.listStates()]).toEqual([['confirmed'], []]);
  });

  test('also if the service may have it, which is found out before it is sent', async () => {
    fixture.service.on('POST /posts', BUSY);
    await sendDirectly();
    await fixture.db.updateTable('submission').set({ maybe_sent: true }).execute();
    await setPolicy(REVIEWED);
    fixture.service.calls.length = 0;
    expect(await fixture.runAt(20 * HOUR)).toEqual([]);
    expect(await fixture.listRows()).toMatchObject([{ state: 'awaiting-review', maybe_sent: true }]);
  });

  test('with other times of its form that the service has: those aren’t held, or sent again, when the form comes again', async () => {
    const formId = randomUUID();
    fixture.service.on('POST /posts', BUSY);
    await sendPost(fixture.submissions, createPostAt('Hello', 0), { formId });
    // The second time of the same form was sent.
    const { id: _id, ...first } = await fixture.db
      .selectFrom('submission')
      .selectAll()
      .executeTakeFirstOrThrow();
    const sent = { ...first, id: randomUUID(), item: 1, state: 'confirmed', next_at: null } as const;
    await fixture.db.insertInto('submission').values(sent).execute();
    await setPolicy(REVIEWED);
    await fixture.runAt(20 * HOUR);
    expect(await fixture.listStates()).toEqual(['awaiting-review']);
    const contents = [createPostAt('Hello', 0), createPostAt('Hello', 1)];
    await fixture.hold([], { origin: formId, contents, policy: REVIEWED });
    expect(await fixture.listRows()).toMatchObject([{ item: 0, state: 'awaiting-review' }]);
  });

  test('also if its author presses [Retry now]', async () => {
    fixture.service.on('POST /posts', BUSY);
    const id = await sendDirectly();
    await setPolicy(REVIEWED);
    fixture.service.calls.length = 0;
    const actor = { workspace: 'T1', user: 'U1', managesProject: () => false };
    await applyDecision(fixture.submissions.context, actor, id, 'retry');
    expect([fixture.listSentTexts(), await fixture.listStates()]).toEqual([[], ['awaiting-review']]);
  });

  test('and that was approved before is taken back if the approval doesn’t count any more', async () => {
    const row = await holdApproved();
    fixture.service.on('POST /posts', BUSY);
    await fixture.runAt(60);
    expect(await fixture.listStates()).toEqual(['handed-over']);
    fixture.permissions.set('U2', 'unknown');
    await fixture.runAt(50);
    expect(await fixture.listStates()).toEqual(['handed-over']);
    fixture.permissions.set('U2', 'no');
    fixture.recover();
    expect([await fixture.runAt(40), await fixture.listStates()]).toEqual([[], ['awaiting-review']]);
    await approve(row, 'U3');
    expect([await fixture.runAt(30), await fixture.listStates()]).toEqual([['Hello'], ['delivered']]);
  });
});

/** Submits a post whose project holds no posts at present. Resolves with the id of its submission. */
async function sendDirectly(): Promise<string> {
  await sendPost(fixture.submissions, createPostAt('Hello', 0));
  const row = await fixture.db.selectFrom('submission').selectAll().executeTakeFirstOrThrow();
  expect(row).toMatchObject({ state: 'retryable', author: 'U1' });
  return row.id;
}

async function listSubmissions(): Promise<string[]> {
  const rows = await fixture.db.selectFrom('submission').select(['state', 'reason']).execute();
  return rows.map(({ state, reason }) => (reason === null ? state : `${state}: ${reason}`));
}

const GROUP = { approvers: [{ kind: 'group', id: 'S1' }], needs: 'any' } as const;

async function holdReviewed(changes: Partial<ProjectPolicy>) {
  const policy: ProjectPolicy = { ...POLICY, review: 'required', reviewSteps: [GROUP], ...changes };
  await fixture.setPolicy(policy);
  const slack = createStoredSlack();
  const row = await fixture.holdOne('Hello', { policy });
  return { slack, press: press(row), instance: fixture.createInstance({}, slack.client) };
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

const buildMembers = (count: number) => Array.from({ length: count }, (_, index) => `UMEMBER${index}`);

test('nobody outside a large user group may approve, also who was in it when they approved', async () => {
  fixture.people.groups.set('S1', [...buildMembers(60), 'U2']);
  const { press } = await holdReviewed({});
  expect(await approveHeldPost(fixture.context, { ...press, actor: 'U9' })).toMatchObject({
    kind: 'not-asked',
  });
  await approveHeldPost(fixture.context, { ...press, actor: 'U2' });
  expect(await fixture.listStates()).toEqual(['held']);
  fixture.people.groups.set('S1', buildMembers(60));
  expect([await fixture.runAt(60), await fixture.listStates()]).toEqual([[], ['awaiting-review']]);
});

test('everybody who was asked to review a post hears of its new version, whoever approved it before', async () => {
  fixture.people.groups.set('S1', buildMembers(60));
  const { slack, press, instance } = await holdReviewed({});
  await fixture.runAt(600, instance);
  const asked = slack.listRecipients();
  expect(asked).toHaveLength(20);
  await approveHeldPost(instance.context, { ...press, actor: 'UMEMBER55' });
  await editHeldPost(instance.context, press, createPostAt('Other', 0));
  await fixture.runAt(590, instance);
  await fixture.runAt(580, instance);
  const replies = slack.messages.filter((message) => message.thread_ts !== undefined);
  const channels = new Set(replies.map(({ channel }) => channel));
  expect(asked.filter((channel) => !channels.has(channel))).toEqual([]);
});
