import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cancelHeldPost } from '../../../src/held-posts/change.ts';
import { restoreCancelledPost, takeOver } from '../../../src/held-posts/decisions.ts';
import type { HeldPostRow } from '../../../src/held-posts/held-post.ts';
import {
  approveForNewTime,
  approveHeldPost,
  returnForChanges,
  sendForReview,
} from '../../../src/held-posts/review/decide.ts';
import { findHeldPost } from '../../../src/held-posts/sql/held-posts.ts';
import { getHashPrefix } from '../../../src/held-posts/text/held-post-buttons.ts';
import { type ProjectPolicy, savePolicy } from '../../../src/preferences/project-policy.ts';
import { createPostAt } from '../../support/post-submissions.ts';
import {
  MINUTE_MS,
  POLICY,
  person,
  REVIEWED,
  startTestHeldPosts,
  TWO_STEPS,
} from '../../support/start-held-posts.ts';

/** Posts are sent for review, returned to their authors, and approved for a new time. */

let fixture: Awaited<ReturnType<typeof startTestHeldPosts>>;
beforeAll(async () => {
  fixture = await startTestHeldPosts();
});
beforeEach(async () => {
  await fixture.reset();
  await setPolicy(REVIEWED);
});
afterAll(() => fixture.close());

async function setPolicy(policy: ProjectPolicy): Promise<void> {
  const now = fixture.context.clock.now();
  await savePolicy(fixture.db, { workspace: 'T1', project: 'p1' }, policy, {
    changedBy: 'U9',
    changedAt: now,
  });
}
async function hold(policy = REVIEWED, text = 'Hello') {
  const [post] = await fixture.hold([text], { policy });
  if (!post) throw new Error('nothing was stored');
  return post.row;
}
async function readRow({ id }: HeldPostRow): Promise<HeldPostRow> {
  const row = await findHeldPost(fixture.db, { id, workspace: 'T1' });
  if (!row) throw new Error('the post is gone');
  return row;
}
const press = (row: HeldPostRow, actor: string) => ({
  ...{ id: row.id, workspace: 'T1', actor, version: row.version, hash: getHashPrefix(row) },
});
const approve = (row: HeldPostRow, actor: string) => approveHeldPost(fixture.context, press(row, actor));

describe('a reviewer', () => {
  test('returns the post to its author as a draft, with the reason', async () => {
    const row = await hold();
    const decision = { decision: 'changes-requested', text: 'Too long' } as const;
    await returnForChanges(fixture.context, press(row, 'U3'), decision);
    expect(await fixture.listStates()).toEqual(['draft: changes-requested']);
    await fixture.runAt(0);
    expect(fixture.listSentTexts()).toEqual([]);
  });

  test('can’t return their own post', async () => {
    const row = await hold();
    const decision = { decision: 'rejected', text: '' } as const;
    expect((await returnForChanges(fixture.context, press(row, 'U1'), decision)).kind).toBe('may-not');
    expect(await fixture.listStates()).toEqual(['awaiting-review']);
  });

  test('approves a missed post for a new time', async () => {
    const row = await hold();
    await fixture.runAt(-5);
    const instant = new Date(fixture.publishAt.getTime() + 120 * MINUTE_MS);
    expect(await approve(row, 'U2')).toMatchObject({ kind: 'may-not', reason: 'overdue' });
    const result = await approveForNewTime(fixture.context, press(row, 'U2'), { instant });
    expect([result.kind, await fixture.listStates()]).toEqual(['changed', ['held']]);
    await fixture.runAt(-60);
    expect(fixture.listSentTexts()).toEqual(['Hello']);
  });

  test('of a later step moves a missed post, and all steps are asked again', async () => {
    await setPolicy(TWO_STEPS);
    const row = await hold(TWO_STEPS);
    await approve(row, 'U2');
    await fixture.runAt(-5);
    const instant = new Date(fixture.publishAt.getTime() + 120 * MINUTE_MS);
    await approveForNewTime(fixture.context, press(row, 'U3'), { instant });
    expect(await fixture.listStates()).toEqual(['awaiting-review']);
    await approve(await readRow(row), 'U2');
    await approve(await readRow(row), 'U3');
    expect(await fixture.listStates()).toEqual(['held']);
  });
});

describe('sending for review', () => {
  const OPTIONAL: ProjectPolicy = { ...REVIEWED, review: 'optional' };
  const draft = () => {
    const content = createPostAt('Hello', 0);
    return { ...content, values: { ...content.values, status: 'DRAFT' as const } };
  };
  async function holdDraft(content: unknown = draft()) {
    await setPolicy(OPTIONAL);
    const [post] = await fixture.hold([''], { policy: OPTIONAL, contents: [content] });
    if (!post) throw new Error('nothing was stored');
    return post.row;
  }

  test('a draft goes over once it was approved, on the approver’s role', async () => {
    const row = await holdDraft();
    fixture.permissions.set('U1', 'no');
    await sendForReview(fixture.context, { id: row.id, workspace: 'T1', actor: 'U1' });
    expect(await fixture.listStates()).toEqual(['awaiting-review']);
    await approve(await readRow(row), 'U2');
    await fixture.runAt(60);
    expect(fixture.listSentTexts()).toEqual(['Hello']);
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
    await setPolicy(POLICY);
    const result = await sendForReview(fixture.context, { id: row.id, workspace: 'T1', actor: 'U1' });
    expect(result).toMatchObject({ kind: 'may-not', reason: 'no-review' });
  });

  test('a post that only its author could approve isn’t sent for review', async () => {
    const row = await holdDraft();
    await setPolicy({ ...OPTIONAL, reviewSteps: [{ approvers: [person('U1')], needs: 'any' }] });
    const result = await sendForReview(fixture.context, { id: row.id, workspace: 'T1', actor: 'U1' });
    expect([result, await fixture.listStates()]).toMatchObject([{ reason: 'nobody' }, ['draft']]);
  });

  test('an approved post that was cancelled and restored is still approved', async () => {
    const row = await hold();
    await approve(row, 'U2');
    await cancelHeldPost(fixture.context, press(row, 'U1'));
    await restoreCancelledPost(fixture.context, press(row, 'U1'));
    expect(await fixture.listStates()).toEqual(['held']);
    await fixture.runAt(60);
    expect(fixture.listSentTexts()).toEqual(['Hello']);
  });
});

test('an approver who takes a post over asks for another approval, because it’s their own now', async () => {
  const row = await hold();
  await approve(row, 'U2');
  await fixture.db.updateTable('held_post').set({ state: 'needs-person', reason: 'not-allowed' }).execute();
  await takeOver(fixture.context, press(await readRow(row), 'U2'));
  expect(await fixture.listStates()).toEqual(['awaiting-review']);
});
