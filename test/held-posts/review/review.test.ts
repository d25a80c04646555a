import { beforeEach, describe, expect, test } from 'vitest';
import { CAPABILITIES } from '../../../src/app/capabilities.ts';
import { resumeSending, stopSending } from '../../../src/engine/sending-stop.ts';
import { cancelHeldPost, editHeldPost } from '../../../src/held-posts/change.ts';
import { takeOver } from '../../../src/held-posts/decisions.ts';
import type { HeldPostRow } from '../../../src/held-posts/held-post.ts';
import { approveForNewTime, approveHeldPost, sendForReview } from '../../../src/held-posts/review/decide.ts';
import { listEvents } from '../../../src/held-posts/sql/events.ts';
import type { ProjectPolicy } from '../../../src/preferences/project-policy.ts';
import { createPostAt } from '../../support/post-submissions.ts';
import {
  MINUTE_MS,
  POLICY,
  person,
  press,
  REVIEWED,
  setUpTestHeldPosts,
  TWO_STEPS,
} from '../../support/start-held-posts.ts';

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

  test('needs each step, in order', async () => {
    await fixture.setPolicy(TWO_STEPS);
    const row = await hold(TWO_STEPS);
    expect(await approve(row, 'U3')).toMatchObject({ kind: 'may-not', reason: 'not-asked' });
    await approve(row, 'U2');
    expect(await fixture.listStates()).toEqual(['awaiting-review']);
    await approve(row, 'U3');
    expect([await fixture.listStates(), await listKinds(row)]).toEqual([
      ['held'],
      ['approved U2', 'approved U3', 'scheduled', 'sent-for-review U1'],
    ]);
  });
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

  test('twice', async () => {
    const row = await hold();
    const results = await Promise.all([approve(row, 'U2'), approve(row, 'U2')]);
    expect(results.filter(({ kind }) => kind === 'changed')).toHaveLength(1);
    expect((await listKinds(row)).filter((kind) => kind === 'approved U2')).toHaveLength(1);
  });

  test('after the post was cancelled, or handed over', async () => {
    const row = await hold();
    await cancelHeldPost(fixture.context, press(row, 'U1'));
    expect((await approve(row, 'U2')).kind).toBe('too-late');
  });

  test('while the project is stopped', async () => {
    const row = await hold();
    const project = { workspace: 'T1', project: 'p1' };
    await stopSending(fixture.db, { reason: '', since: fixture.context.clock.now() }, project);
    expect(await approve(row, 'U2')).toMatchObject({ kind: 'may-not', reason: 'stopped' });
    await resumeSending(fixture.db, CAPABILITIES, fixture.context.clock.readShared(), project);
    await expectUnchanged();
  });

  test('if it can’t be found out whether the person may approve', async () => {
    const row = await hold();
    fixture.permissions.set('U2', 'unknown');
    expect((await approve(row, 'U2')).kind).toBe('not-checked');
    await expectUnchanged();
  });
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

  test('an edit that comes during the hand-over voids the approval', async () => {
    const row = await hold();
    await approve(row, 'U2');
    const instance = fixture.createInstance({
      onCrashPoint: async (point) => {
        if (point === 'before-hand-over') await edit(await fixture.readRow(row), 'Other');
      },
    });
    await fixture.runAt(60, instance);
    expect([await fixture.runAt(59), await fixture.listStates()]).toEqual([[], ['awaiting-review']]);
  });
});

test('a reviewer of a later step moves a missed post, and all steps are asked again', async () => {
  await fixture.setPolicy(TWO_STEPS);
  const row = await hold(TWO_STEPS);
  await approve(row, 'U2');
  await fixture.runAt(-5);
  const instant = new Date(fixture.publishAt.getTime() + 120 * MINUTE_MS);
  expect(await approve(row, 'U3')).toMatchObject({ kind: 'may-not', reason: 'overdue' });
  await approveForNewTime(fixture.context, press(row, 'U3'), { instant });
  expect(await fixture.listStates()).toEqual(['awaiting-review']);
  await approve(await fixture.readRow(row), 'U2');
  await approve(await fixture.readRow(row), 'U3');
  expect(await fixture.listStates()).toEqual(['held']);
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

  test('a draft goes over once it was approved, on the approver’s role', async () => {
    const row = await holdDraft();
    fixture.permissions.set('U1', 'no');
    await sendForReview(fixture.context, { id: row.id, workspace: 'T1', actor: 'U1' });
    expect(await fixture.listStates()).toEqual(['awaiting-review']);
    await approve(await fixture.readRow(row), 'U2');
    expect(await fixture.runAt(60)).toEqual(['Hello']);
    expect(fixture.service.created()[0]).toMatchObject({ Status: 'SCHEDULED' });
  });

  test('a draft without a time stays a draft', async () => {
    const { moment: _, ...content } = draft();
    const row = await holdDraft(content);
    const result = await sendForReview(fixture.context, { id: row.id, workspace: 'T1', actor: 'U1' });
    expect([result, await fixture.listStates()]).toMatchObject([{ reason: 'no-time' }, ['draft']]);
  });

  test('a project without reviews has nobody to ask', async () => {
    const row = await holdDraft();
    await fixture.setPolicy(POLICY);
    const result = await sendForReview(fixture.context, { id: row.id, workspace: 'T1', actor: 'U1' });
    expect(result).toMatchObject({ kind: 'may-not', reason: 'no-review' });
  });

  test('a post that only its author could approve isn’t sent for review', async () => {
    const row = await holdDraft();
    await fixture.setPolicy({ ...OPTIONAL, reviewSteps: [{ approvers: [person('U1')], needs: 'any' }] });
    const result = await sendForReview(fixture.context, { id: row.id, workspace: 'T1', actor: 'U1' });
    expect([result, await fixture.listStates()]).toMatchObject([{ reason: 'nobody' }, ['draft']]);
  });
});

test('an approver who takes a post over asks for another approval, because it’s their own now', async () => {
  const row = await hold();
  await approve(row, 'U2');
  await fixture.db.updateTable('held_post').set({ state: 'needs-person', reason: 'not-allowed' }).execute();
  await takeOver(fixture.context, press(await fixture.readRow(row), 'U2'));
  expect(await fixture.listStates()).toEqual(['awaiting-review']);
});
