import { WebAPIPlatformError, WebAPIRequestError } from '@slack/web-api';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { editHeldPost } from '../../../src/held-posts/change.ts';
import { commentOnHeldPost, takeOver } from '../../../src/held-posts/decisions.ts';
import type { HeldPostRow } from '../../../src/held-posts/held-post.ts';
import { holdPosts } from '../../../src/held-posts/hold.ts';
import type { HeldPostPace } from '../../../src/held-posts/pace.ts';
import {
  approveForNewTime,
  approveHeldPost,
  explainUnasked,
  sendForReview,
  waitsForReviewOf,
} from '../../../src/held-posts/review/decide.ts';
import { listEvents } from '../../../src/held-posts/sql/events.ts';
import type { ProjectPolicy } from '../../../src/preferences/project-policy.ts';
import { createPostAt } from '../../support/post-submissions.ts';
import {
  MINUTE_MS,
  POLICY,
  PROJECT,
  person,
  press,
  REVIEWED,
  setUpTestHeldPosts,
  TWO_STEPS,
} from '../../support/start-held-posts.ts';
import { createStoredSlack } from '../../support/stored-slack.ts';

/** A post of a project with reviews goes over only with the approvals of its policy, for exactly its content. */

const fixture = await setUpTestHeldPosts();

beforeEach(() => fixture.setPolicy(REVIEWED));

const hold = (policy = REVIEWED) => fixture.holdOne('Hello', { policy });

const approve = (row: HeldPostRow, actor: string) => approveHeldPost(fixture.context, press(row, actor));

const edit = (row: HeldPostRow, text: string, actor = 'U1') =>
  editHeldPost(fixture.context, press(row, actor), createPostAt(text, 0));

const listKinds = async (row: HeldPostRow) =>
  (await listEvents(fixture.db, row)).map(({ kind, actor }) => `${kind} ${actor}`.trim()).toSorted();

describe('a post that has to be reviewed', () => {
  test('goes over at once if it is approved within the lead', async () => {
    fixture.setMinutesBefore(30);
    const row = await hold();
    await fixture.runAt(29);
    expect(await fixture.listStates()).toEqual(['awaiting-review']);
    await approve(row, 'U2');
    expect(await fixture.runAt(28)).toEqual(['Hello']);
  });

  test('that was written within the lead isn’t sent if nobody approves it until its time', async () => {
    fixture.setMinutesBefore(30);
    await hold();
    expect([await fixture.runAt(0), await fixture.listStates()]).toEqual([
      [],
      ['needs-person: not-approved'],
    ]);
  });
});

test('the reviewers of a new post are asked at once, without waiting for the next scan', async () => {
  const slack = createStoredSlack();
  const instance = fixture.createInstance({}, slack.client);
  instance.start();
  // The scan of the start finds nothing, and the next one comes in a week.
  await vi.waitFor(() => expect(instance.context.startup.isDue).toBe(false), 20_000);
  await instance.runOnce();
  await holdPosts(instance.context, {
    ...{ ...PROJECT, author: 'U1', origin: 'form', policy: REVIEWED },
    contents: [createPostAt('Hello', 0)],
  });
  await vi.waitFor(() => expect(slack.messages.map(({ channel }) => channel)).toContain('DU2'), 10_000);
  await instance.stop();
});

test('what is only added about its reviewers isn’t waited for if Slack doesn’t answer', async () => {
  const reviewSteps = [{ approvers: [{ kind: 'group', id: 'S1' }], needs: 'any' }] as const;
  await fixture.setPolicy({ ...REVIEWED, reviewSteps });
  const row = await hold({ ...REVIEWED, reviewSteps });
  fixture.people.groups.set('S1', ['U2']);
  expect(await waitsForReviewOf(fixture.context, row, 'U2')).toBe(true);
  const listGroupMembers = () => new Promise<undefined>(() => undefined);
  const waiting = { ...fixture.context, approvers: { ...fixture.context.approvers, listGroupMembers } };
  expect(await waitsForReviewOf(waiting, row, 'U2')).toBe(false);
  expect(await explainUnasked(waiting, row)).toEqual([]);
});

test('if everybody who may approve a step has approved an earlier one, people read that', async () => {
  const step = { approvers: [person('U2')], needs: 'any' } as const;
  const policy: ProjectPolicy = { ...REVIEWED, reviewSteps: [step, step] };
  await fixture.setPolicy(policy);
  const row = await hold(policy);
  const explain = async () => explainUnasked(fixture.context, await fixture.readRow(row));
  expect(await explain()).toEqual([]);
  await approve(row, 'U2');
  expect(await explain()).toEqual([
    expect.stringContaining('Nobody who may review it is left, because each step needs somebody else.'),
  ]);
});

describe('an edit', () => {
  test('voids the approval, and only the new version’s approval counts', async () => {
    const row = await hold();
    await approve(row, 'U2');
    await edit(row, 'Other');
    expect([await fixture.listStates(), await listKinds(row)]).toEqual([
      ['awaiting-review'],
      ['approval-voided', 'approved U2', 'edited U1', 'scheduled', 'sent-for-review U1'],
    ]);
    expect((await approve(row, 'U2')).kind).toBe('outdated');
    await approve(await fixture.readRow(row), 'U2');
    expect(await fixture.runAt(60)).toEqual(['Other']);
  });

  test('that changes nothing, or only the order of the platforms, leaves the approval and tells nobody', async () => {
    const onBoth = (platforms: string[]) => {
      const content = createPostAt('Hello', 0);
      return { ...content, values: { ...content.values, platforms } };
    };
    const row = await hold();
    const editTo = async (platforms: string[]) =>
      editHeldPost(fixture.context, press(await fixture.readRow(row), 'U1'), onBoth(platforms));
    await editTo(['LINKEDIN', 'X']);
    await approve(await fixture.readRow(row), 'U2');
    const before = await listKinds(row);
    expect((await editTo(['X', 'LINKEDIN'])).kind).toBe('changed');
    expect((await editTo(['LINKEDIN', 'X'])).kind).toBe('changed');
    expect([await fixture.listStates(), await listKinds(row)]).toEqual([['held'], before]);
  });

  test('that restores the approved content doesn’t restore the approval', async () => {
    const row = await hold();
    await approve(row, 'U2');
    await edit(row, 'Other');
    await edit(await fixture.readRow(row), 'Hello');
    expect([await fixture.runAt(60), await fixture.listStates()]).toEqual([
      [],
      ['needs-person: not-approved'],
    ]);
  });
});

describe('an approval has no effect', () => {
  const expectUnchanged = async () => expect(await fixture.listStates()).toEqual(['awaiting-review']);

  test('in another workspace, with another content, or from a button without the content', async () => {
    const row = await hold();
    const foreign = await approveHeldPost(fixture.context, { ...press(row, 'U2'), workspace: 'T2' });
    const other = await approveHeldPost(fixture.context, { ...press(row, 'U2'), hash: 'other' });
    const unseen = await approveHeldPost(fixture.context, { ...press(row, 'U2'), hash: '' });
    expect([foreign.kind, other.kind, unseen.kind]).toEqual(['not-found', 'outdated', 'outdated']);
    await expectUnchanged();
  });

  test('if it can’t be found out whether the person may approve', async () => {
    const row = await hold();
    fixture.permissions.set('U2', 'unknown');
    expect((await approve(row, 'U2')).kind).toBe('not-checked');
    await expectUnchanged();
  });
});

test('every member of a large user group may approve', async () => {
  const policy: ProjectPolicy = {
    ...REVIEWED,
    reviewSteps: [{ approvers: [{ kind: 'group', id: 'S1' }], needs: 'any' }],
  };
  await fixture.setPolicy(policy);
  fixture.people.groups.set('S1', [...Array.from({ length: 60 }, (_, index) => `UMEMBER${index}`), 'U2']);
  const row = await hold(policy);
  expect((await approve(row, 'U2')).kind).toBe('changed');
  expect(await fixture.listStates()).toEqual(['held']);
  await fixture.runAt(60);
  expect(await fixture.runAt(59)).toEqual(['Hello']);
});

describe('at the hand-over', () => {
  test('the approval of somebody who lost the role doesn’t count, and others may approve until the post’s time', async () => {
    const row = await hold();
    await approve(row, 'U2');
    fixture.permissions.set('U2', 'no');
    await fixture.runAt(60);
    expect([await fixture.runAt(10), await fixture.listStates()]).toEqual([[], ['awaiting-review']]);
    await approve(row, 'U3');
    expect(await fixture.runAt(9)).toEqual(['Hello']);
  });

  test('a user group that can’t be read waits, and its members’ approvals count afterwards', async () => {
    const policy: ProjectPolicy = {
      ...REVIEWED,
      reviewSteps: [{ approvers: [{ kind: 'group', id: 'S1' }], needs: 'all' }],
    };
    await fixture.setPolicy(policy);
    fixture.people.groups.set('S1', ['U1', 'U2', 'U3']);
    const row = await hold(policy);
    await approve(row, 'U2');
    await approve(row, 'U3');
    expect(await fixture.listStates()).toEqual(['held']);
    fixture.people.groups.delete('S1');
    await fixture.runAt(60);
    expect(await fixture.listStates()).toEqual(['held: not-checked']);
  });
});

test('a reviewer of a later step moves a missed post, and all steps are asked again', async () => {
  await fixture.setPolicy(TWO_STEPS);
  const row = await hold(TWO_STEPS);
  expect(await approve(row, 'U3')).toMatchObject({ kind: 'not-asked' });
  await approve(row, 'U2');
  await fixture.runAt(-5);
  const instant = new Date(fixture.publishAt.getTime() + 120 * MINUTE_MS);
  expect(await approve(row, 'U3')).toMatchObject({ kind: 'overdue' });
  await approveForNewTime(fixture.context, press(row, 'U3'), { instant });
  expect(await fixture.listStates()).toEqual(['awaiting-review']);
  await approve(await fixture.readRow(row), 'U2');
  await approve(await fixture.readRow(row), 'U3');
  expect(await fixture.listStates()).toEqual(['held']);
});

test('a late approval of the first step asks the second once, and announces nothing again', async () => {
  const slack = createStoredSlack();
  const instance = fixture.createInstance({}, slack.client);
  const policy = { ...TWO_STEPS, channel: 'C9' };
  await fixture.setPolicy(policy);
  const row = await hold(policy);
  await fixture.runAt(1_430, instance);
  await fixture.runAt(60, instance);
  await fixture.runAt(59, instance);
  expect(await fixture.listStates()).toEqual(['needs-person: not-approved']);
  const toldCount = slack.messages.length;
  await approveHeldPost(instance.context, press(await fixture.readRow(row), 'U2'));
  for (const minutes of [50, 40, 1]) await fixture.runAt(minutes, instance);
  expect(await fixture.listStates()).toEqual(['awaiting-review']);
  expect(slack.messages.slice(toldCount).map(({ channel, text }) => `${channel}: ${text}`)).toEqual([
    expect.stringMatching(
      /^C9: <@U3> The step before is approved, so it’s your turn .+ Without approval by .+, it isn’t sent\.$/u,
    ),
    expect.stringMatching(/^DU1: <@U2> approved it\./u),
  ]);
  expect(slack.messages[toldCount]?.text).toContain(`<!date^${fixture.publishAt.getTime() / 1000}^`);
  await approveHeldPost(instance.context, press(await fixture.readRow(row), 'U3'));
  expect(await fixture.runAt(0.5, instance)).toEqual(['Hello']);
});

test('a reminder is closed once, by the decision, also after a restart', async () => {
  const slack = createStoredSlack();
  const instance = fixture.createInstance({}, slack.client);
  await fixture.setPolicy({ ...REVIEWED, channel: 'C9' });
  const row = await hold();
  await fixture.runAt(1_439, instance);
  await fixture.runAt(170, instance);
  const reminder = slack.messages.at(-1);
  expect(reminder?.text).toContain('This post still waits for your review.');
  const restarted = fixture.createInstance({}, slack.client);
  await approve(row, 'U2');
  await fixture.runAt(160, restarted);
  expect(slack.shown.get(`C9 ${reminder?.ts}`)).toBe(
    'This is settled: the request above shows how it is now.',
  );
  const updateCount = slack.updates.filter((ts) => ts === reminder?.ts).length;
  await commentOnHeldPost(restarted.context, pressBy(row.id, 'U9'), 'Nice');
  await fixture.runAt(150, restarted);
  expect(slack.updates.filter((ts) => ts === reminder?.ts)).toHaveLength(updateCount);
});

test('an earlier reminder says that another one follows, as long as the review goes on', async () => {
  const slack = createStoredSlack();
  const instance = fixture.createInstance({}, slack.client);
  await fixture.setPolicy({ ...REVIEWED, channel: 'C9' });
  const row = await hold();
  await fixture.runAt(1_439, instance);
  await fixture.runAt(170, instance);
  const first = slack.messages.at(-1);
  await edit(row, 'Other');
  await fixture.runAt(160, instance);
  const last = slack.messages.at(-1);
  const getShown = (message = first) => slack.shown.get(`C9 ${message?.ts}`);
  expect([getShown(), getShown(last)]).toEqual(['I’ve asked again below.', undefined]);
  await approve(await fixture.readRow(row), 'U2');
  await fixture.runAt(150, instance);
  expect([getShown(), getShown(last)]).toEqual([
    'I’ve asked again below.',
    'This is settled: the request above shows how it is now.',
  ]);
});

test('a reviewer of a later step keeps reading that their approval doesn’t count, until their step comes', async () => {
  const slack = createStoredSlack();
  const instance = fixture.createInstance({}, slack.client);
  const policy: ProjectPolicy = {
    ...TWO_STEPS,
    reviewSteps: [...TWO_STEPS.reviewSteps, { approvers: [person('U4')], needs: 'any' }],
  };
  await fixture.setPolicy(policy);
  const row = await hold(policy);
  const approveNow = async (actor: string) => approve(await fixture.readRow(row), actor);
  let minutes = 1_430;
  const notify = async () => {
    minutes -= 1;
    await fixture.runAt(minutes, instance);
  };
  await notify();
  for (const actor of ['U2', 'U3']) {
    await approveNow(actor);
    await notify();
  }
  await edit(await fixture.readRow(row), 'Other');
  await notify();
  const nudge = slack.messages.findLast(({ channel }) => channel === 'DU3');
  expect(nudge?.text).toContain('That approval no longer counts');
  const getShown = () => slack.shown.get(`DU3 ${nudge?.ts}`);
  expect(getShown()).toBeUndefined();
  await approveNow('U2');
  await notify();
  expect(getShown()).toBe('I’ve asked again below.');
});

describe('sending for review', () => {
  const OPTIONAL: ProjectPolicy = { ...REVIEWED, review: 'optional' };
  const draft = () => {
    const content = createPostAt('Hello', 0);
    return { ...content, values: { ...content.values, status: 'DRAFT' as const } };
  };
  async function holdDraft(content: unknown = draft()) {
    await fixture.setPolicy(OPTIONAL);
    return fixture.holdOne('', { policy: OPTIONAL, contents: [content] });
  }

  test('a draft needs a time, a project with reviews, and somebody else who may approve it', async () => {
    const { moment: _, ...timeless } = draft();
    const send = ({ id }: HeldPostRow) =>
      sendForReview(fixture.context, { id, workspace: 'T1', actor: 'U1' });
    expect(await send(await holdDraft(timeless))).toMatchObject({ kind: 'no-time' });
    const row = await holdDraft();
    await fixture.setPolicy({ ...OPTIONAL, reviewSteps: [{ approvers: [person('U1')], needs: 'any' }] });
    expect(await send(row)).toMatchObject({ kind: 'nobody' });
    await fixture.setPolicy(POLICY);
    expect(await send(row)).toMatchObject({ kind: 'no-review' });
    expect(await fixture.listStates()).toEqual(['draft', 'draft']);
  });
});

test('an approver who takes a post over asks for another approval, because it’s their own now', async () => {
  const row = await hold();
  await approve(row, 'U2');
  await fixture.db.updateTable('held_post').set({ state: 'needs-person', reason: 'not-allowed' }).execute();
  await takeOver(fixture.context, press(await fixture.readRow(row), 'U2'));
  expect(await fixture.listStates()).toEqual(['awaiting-review']);
});

const broken = new WebAPIRequestError(new Error('connection lost'));

async function holdMany(count: number, pace: Partial<HeldPostPace> = {}, policy: ProjectPolicy = REVIEWED) {
  const slack = createStoredSlack();
  await fixture.setPolicy(policy);
  const texts = Array.from({ length: count }, (_, index) => `Post ${index}`);
  const posts = await fixture.hold(texts, { policy });
  return { slack, rows: posts.map(({ row }) => row), instance: fixture.createInstance(pace, slack.client) };
}

const pressBy = (id: string | undefined, actor: string) => ({ id: id ?? '', workspace: 'T1', actor });

const listPending = async () => (await fixture.listRows()).flatMap(({ notify_at }) => notify_at ?? []);

const MANY = '30 posts by name of U1 for Harbour Coffee: Waiting for review';

test('each of them is asked once, and again about each post when there is a reason', async () => {
  const { slack, rows, instance } = await holdMany(30);
  await fixture.runAt(1_430, instance);
  expect(slack.listRecipients()).toEqual(['DU2', 'DU3']);
  for (const { text } of slack.messages) expect(text).toContain(MANY);
  expect(await listPending()).toEqual([]);
  // A comment of somebody else tells the author, and asks nobody again.
  await commentOnHeldPost(instance.context, pressBy(rows[0]?.id, 'U9'), 'Nice');
  await fixture.runAt(1_429, instance);
  expect(slack.listRecipients().slice(2)).toEqual(['DU1']);
  await editHeldPost(instance.context, pressBy(rows[0]?.id, 'U1'), createPostAt('Other', 0));
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

test.each([
  [{}, ['DU1 5 of your posts for Harbour Coffee: Waiting for review']],
  [
    { channel: 'C9' },
    [
      'C9 5 posts by name of U1 for Harbour Coffee: Waiting for review',
      'DU1 5 of your posts for Harbour Coffee: Waiting for review',
    ],
  ],
])(
  'an author, and the channel, read once that nobody may approve many posts, with %j',
  async (where, told) => {
    for (const reviewer of ['U2', 'U3']) fixture.permissions.set(reviewer, 'no');
    const { slack, instance } = await holdMany(5, {}, { ...REVIEWED, ...where });
    for (const minutes of [1_430, 1_425]) await fixture.runAt(minutes, instance);
    expect(slack.messages.map(({ channel, text }) => `${channel} ${text.split('. ')[0]}`)).toEqual(told);
    for (const { text } of slack.messages) expect(text).toContain('I found nobody who may approve them');
    expect(await listPending()).toEqual([]);
  },
);

test.each([{}, { channel: 'C9' }])(
  'reviewers are asked once about many posts that nobody could approve before, with %j',
  async (where) => {
    for (const reviewer of ['U2', 'U3']) fixture.permissions.set(reviewer, 'no');
    const { slack, instance } = await holdMany(5, {}, { ...REVIEWED, ...where });
    await fixture.runAt(2_000, instance);
    const toldCount = slack.messages.length;
    for (const reviewer of ['U2', 'U3']) fixture.permissions.set(reviewer, 'yes');
    await instance.recheckAuthority('T1');
    // As the poll, which wakes up for each post that is due.
    for (let ms = 0; ms <= 300; ms += 20) await fixture.runAt(2_000 - ms / 60_000, instance);
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
