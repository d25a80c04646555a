import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { findHeldPosts, readHoldFacts } from '../../src/features/schedule-post/hold/hold-posts.ts';
import { continueAtService } from '../../src/held-posts/bulk.ts';
import { cancelHeldPost, changeHeldPost, editHeldPost } from '../../src/held-posts/change.ts';
import {
  makeHandOverDue,
  moveHeldPost,
  restoreCancelledPost,
  scheduleAgain,
  scheduleDraft,
  takeOver,
  waitForOutcome,
} from '../../src/held-posts/decisions.ts';
import { HELD_POSTS } from '../../src/held-posts/held-post.ts';
import {
  countWaitingPosts,
  makeHandOversDue,
  recheckAuthority,
  rescheduleHandOver,
} from '../../src/held-posts/policy-change.ts';
import { returnForChanges } from '../../src/held-posts/review/decide.ts';
import { listEvents } from '../../src/held-posts/sql/events.ts';
import { findHeldPost } from '../../src/held-posts/sql/held-posts.ts';
import { DEFAULT_POLICY } from '../../src/preferences/project-policy.ts';
import { createPostAt, sendPost } from '../support/post-submissions.ts';
import { json } from '../support/scripted-service.ts';
import {
  MINUTE_MS,
  POLICY,
  PROJECT,
  press,
  REVIEWED,
  setUpTestHeldPosts,
} from '../support/start-held-posts.ts';

/** What people decide about a held post. */

const fixture = await setUpTestHeldPosts();

async function holdOne(contents = [createPostAt('Hello', 0)]) {
  const { id } = await fixture.holdOne('', { contents });
  return (actor: string, version = 1) => ({ id, workspace: 'T1', actor, version });
}
const createDraft = () => {
  const content = createPostAt('Hello', 0);
  return { ...content, values: { ...content.values, status: 'DRAFT' as const } };
};
const [listSent, listStates] = [() => fixture.listSentTexts(), () => fixture.listStates()];

test('a press on a post that others keep changing changes nothing', async () => {
  const press = await holdOne();
  const result = await changeHeldPost(fixture.context, press('U2'), async ({ fence }) => {
    await fixture.db
      .updateTable('held_post')
      .set({ fence: fence + 1 })
      .execute();
    return { to: 'cancelled', event: 'cancelled' };
  });
  expect([result.kind, await listStates()]).toEqual(['kept-changing', ['held']]);
});

describe('[Hand over now]', () => {
  test('twice is one request, and somebody else’s is enough if the author may no longer schedule', async () => {
    const press = await holdOne();
    fixture.permissions.set('U1', 'no');
    const results = [
      await makeHandOverDue(fixture.context, press('U2')),
      await makeHandOverDue(fixture.context, press('U3')),
    ];
    const kinds = (await listEvents(fixture.db, press('U1'))).map(({ kind, actor }) => `${kind} ${actor}`);
    expect([results.map(({ kind }) => kind), kinds]).toEqual([
      ['changed', 'too-late'],
      ['created U1', 'hurried U2'],
    ]);
    expect(await fixture.runAt(600)).toEqual(['Hello']);
  });

  test('is waited for no longer than its limit, however slow the database is', async () => {
    const press = await holdOne();
    const result = await makeHandOverDue(fixture.context, press('U1'));
    if (result.kind !== 'changed') throw new Error('nothing was handed over');
    const hangingDb = fixture.context.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: () => new Promise(() => undefined),
    });
    const row = await waitForOutcome({ ...fixture.context, db: hangingDb }, result.row, 300);
    expect(row.state).toBe('held');
  });

  test('has no effect on a draft, which is never sent', async () => {
    const press = await holdOne([createDraft()]);
    expect((await makeHandOverDue(fixture.context, press('U1'))).kind).toBe('too-late');
    expect([await fixture.runAt(0), await listStates()]).toEqual([[], ['draft']]);
  });
});

test('[Schedule] of a publisher carries the draft of a contributor', async () => {
  const press = await holdOne([createDraft()]);
  fixture.permissions.set('U1', 'no');
  await scheduleDraft(fixture.context, press('U2'));
  await fixture.runAt(60);
  expect(listSent()).toEqual(['Hello']);
});

describe('an edit', () => {
  test('by a person who loses the role isn’t handed over, if its author can’t schedule either', async () => {
    const press = await holdOne();
    await editHeldPost(fixture.context, press('U2'), createPostAt('Hello!', 0));
    for (const user of ['U1', 'U2']) fixture.permissions.set(user, 'no');
    await fixture.runAt(60);
    expect([listSent(), await listStates()]).toEqual([[], ['needs-person: not-allowed']]);
  });

  test('to a time within the lead goes over at once', async () => {
    const press = await holdOne();
    const soon = new Date(fixture.context.clock.now().getTime() + 10 * 60_000);
    await moveHeldPost(fixture.context, press('U1'), { instant: soon, isScheduled: false });
    await fixture.runAt(24 * 60);
    expect(listSent()).toEqual(['Hello']);
  });
});

describe('[Take over]', () => {
  test('makes the person the author, whose role is then enough', async () => {
    const press = await holdOne();
    fixture.permissions.set('U1', 'no');
    await fixture.runAt(70);
    expect(await listStates()).toEqual(['needs-person: not-allowed']);
    const results = [
      await takeOver(fixture.context, press('U7')),
      await takeOver(fixture.context, press('U8')),
    ];
    await fixture.runAt(60);
    expect([results.map(({ kind }) => kind), listSent()]).toEqual([['changed', 'too-late'], ['Hello']]);
    expect((await findHeldPost(fixture.db, press('U7')))?.author).toBe('U7');
  });

  test('after its time asks for another one', async () => {
    const press = await holdOne();
    fixture.permissions.set('U1', 'no');
    await fixture.runAt(60);
    fixture.setMinutesBefore(-1);
    await takeOver(fixture.context, press('U7'));
    expect(await listStates()).toEqual(['needs-person: overdue']);
  });
});

describe('[Schedule again]', () => {
  test('doesn’t send a post whose project is at another service', async () => {
    const press = await holdOne();
    fixture.connection.isElsewhere = true;
    await fixture.runAt(60);
    expect(await listStates()).toEqual(['needs-person: other-service']);
    expect((await scheduleAgain(fixture.context, press('U1'))).kind).toBe('not-connected');
    expect(await listStates()).toEqual(['needs-person: other-service']);
  });

  test('never says that a post wasn’t sent that may have gone out before a backup was restored, even without a service', async () => {
    const press = await holdOne();
    const { api } = fixture.connection;
    await HELD_POSTS.restore(fixture.db, fixture.context.clock.readShared());
    fixture.connection.api = undefined;
    expect((await scheduleAgain(fixture.context, press('U1'))).kind).toBe('not-connected');
    expect(await listStates()).toEqual(['needs-person: restored']);
    fixture.connection.api = api;
    await scheduleAgain(fixture.context, press('U1'));
    await fixture.runAt(-10);
    expect(await listStates()).toEqual(['needs-person: restored']);
    await scheduleAgain(fixture.context, press('U1'));
    expect(await listStates()).toEqual(['needs-person: restored']);
  });
});

const reschedule = (leadMinutes: number) =>
  fixture.db.transaction().execute((trx) => rescheduleHandOver(fixture.context, trx, PROJECT, leadMinutes));
const handOver = () =>
  fixture.db.transaction().execute((trx) => makeHandOversDue(fixture.context, trx, PROJECT));
const listHandOvers = async () =>
  (await fixture.listRows()).map(
    ({ hand_over_at: handOverAt, publish_at: publishAt }) =>
      ((publishAt?.getTime() ?? 0) - (handOverAt?.getTime() ?? 0)) / MINUTE_MS,
  );

test('a post whose new hand-over has passed is due at once', async () => {
  await fixture.hold(['one']);
  fixture.setMinutesBefore(90);
  await reschedule(120);
  fixture.context.verbs.wake();
  expect(await fixture.runAt(90)).toEqual(['one']);
});

test('held posts go over now, and posts in review and posts of other projects stay', async () => {
  await fixture.hold(['one', 'two']);
  await fixture.hold(['three'], { policy: { ...POLICY, review: 'required' } });
  await fixture.hold(['four'], { project: 'p2' });
  const waiting = { held: 2, inReview: 1, inOutbox: 0, inFlight: 0, series: 0 };
  expect(await countWaitingPosts(fixture.db, PROJECT, new Date(0))).toEqual(waiting);
  expect(await handOver()).toBe(2);
  await fixture.runAt(24 * 60 - 1);
  expect(fixture.listSentTexts().toSorted()).toEqual(['one', 'two']);
  expect(await countWaitingPosts(fixture.db, PROJECT, new Date(0))).toEqual({ ...waiting, held: 0 });
});

test('a new lead moves the end of a review, and doesn’t remind its reviewers again', async () => {
  await fixture.hold(['one'], { policy: { ...POLICY, review: 'required' } });
  await reschedule(15);
  expect(await listHandOvers()).toEqual([15]);
  const [row] = await fixture.listRows();
  expect(row).toMatchObject({ state: 'awaiting-review', checks: 0 });
  await fixture.runAt(30);
  expect(await fixture.listStates()).toEqual(['awaiting-review']);
  await fixture.runAt(14);
  expect(await fixture.listStates()).toEqual(['needs-person: not-approved']);
});

test('an instance that is handing a post over loses its claim to a new lead', async () => {
  await fixture.hold(['one']);
  const instance = fixture.createInstance({
    onCrashPoint: (point) => (point === 'before-hand-over' ? reschedule(15) : undefined),
  });
  expect(await fixture.runAt(59, instance)).toEqual([]);
  expect(await fixture.listStates()).toEqual(['held']);
  expect(await fixture.runAt(14)).toEqual(['one']);
});

describe('a form that is sent again', () => {
  test('late, after its author has corrected it, changes nothing', async () => {
    const origin = randomUUID();
    fixture.setMinutesBefore(100);
    const sentAt = fixture.context.clock.readShared();
    fixture.setMinutesBefore(99);
    await fixture.hold(['Hello'], { origin });
    await expect(fixture.hold(['Helo'], { origin, sentAt })).rejects.toThrow('sent-late');
    const [corrected] = await fixture.hold(['Hello!'], {
      origin,
      sentAt: fixture.context.clock.readShared(),
    });
    expect(corrected && fixture.readText(corrected.row)).toBe('Hello!');
    // A copy of an earlier request is answered with what became of it.
    expect(await fixture.hold(['Hello'], { origin, sentAt })).toMatchObject([{ row: { version: 2 } }]);
  });

  test('changes nothing after a colleague has edited the post', async () => {
    const origin = randomUUID();
    const [first] = await fixture.hold(['Mine'], { origin });
    await fixture.hold(['Mine, corrected'], { origin });
    if (!first) throw new Error('nothing was stored');
    const row = await fixture.readRow(first.row);
    await editHeldPost(fixture.context, press(row, 'U2'), createPostAt('Theirs', 0));
    for (const text of ['Mine', 'Mine, corrected'])
      expect(await fixture.hold([text], { origin })).toMatchObject([{ row: { id: row.id, version: 3 } }]);
    await expect(fixture.hold(['Mine, once more', 'New'], { origin })).rejects.toThrow('changed-elsewhere');
    expect(await fixture.listRows()).toHaveLength(1);
    expect(await fixture.runAt(60)).toEqual(['Theirs']);
  });

  test('with another text after the hand-over is refused, and the first text is sent once', async () => {
    const origin = randomUUID();
    await fixture.hold(['First'], { origin });
    await fixture.runAt(60);
    expect(await fixture.hold(['First'], { origin })).toMatchObject([{ row: { state: 'delivered' } }]);
    await expect(fixture.hold(['Second'], { origin })).rejects.toThrow('sent-meanwhile');
    expect(fixture.listSentTexts()).toEqual(['First']);
  });

  test('goes where it went the first time, although the policy has changed', async () => {
    const call = {
      context: { db: fixture.db, heldPosts: fixture.context },
      actor: { workspace: 'T1', user: 'U1' },
    } as unknown as Parameters<typeof findHeldPosts>[0];
    const isHeld = async (origin: string) => {
      const facts = await readHoldFacts(call, origin);
      return (
        (await findHeldPosts(
          call,
          [createPostAt('Hello', 0)],
          { formId: origin, channel: undefined },
          facts,
        )) !== undefined
      );
    };
    const [held, sent] = [randomUUID(), randomUUID()];
    await fixture.hold(['Hello'], { origin: held });
    await sendPost(fixture.submissions, createPostAt('Sent', 0), { formId: sent });
    await fixture.db.updateTable('submission').set({ workspace: 'T1' }).execute();
    expect([await isHeld(held), await isHeld(sent), await isHeld(randomUUID())]).toEqual([true, false, true]);
    // A late copy of a form whose post somebody has edited in another form since.
    await fixture.db.updateTable('submission').set({ state: 'discarded', reason: 'replaced' }).execute();
    expect(await isHeld(sent)).toBe(false);
    await fixture.setPolicy(DEFAULT_POLICY);
    expect([await isHeld(held), await isHeld(sent), await isHeld(randomUUID())]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('three times at once, or the same post in three forms at once, is stored once', async () => {
    const origin = randomUUID();
    await Promise.all([1, 2, 3].map(() => fixture.hold(['One', 'Two'], { origin })));
    await Promise.all(['a', 'b', 'c'].map(() => fixture.hold(['Three'])));
    expect((await fixture.listRows()).map(({ item }) => item).toSorted()).toEqual([0, 0, 1]);
  });
});

test('an edit that was saved, but whose answer was lost, is saved once', async () => {
  const row = await fixture.holdOne();
  const edit = () => editHeldPost(fixture.context, press(row), createPostAt('Edited', 0));
  expect([await edit(), await edit()]).toMatchObject([
    { kind: 'changed', row: { version: 2 } },
    { kind: 'changed', row: { version: 2 } },
  ]);
});

test('an edit that lost every race wasn’t saved, even if it has the content of the post', async () => {
  const row = await fixture.holdOne();
  await fixture.db.updateTable('held_post').set({ state: 'needs-person', reason: 'overdue' }).execute();
  const verbs = { ...fixture.context.verbs, byPerson: async () => undefined };
  const edit = editHeldPost({ ...fixture.context, verbs }, press(row), createPostAt('Hello', 0));
  expect(await edit).toMatchObject({ kind: 'kept-changing', row: { state: 'needs-person' } });
});

describe('an edit of a submission that waits for the service', () => {
  async function submitDuringOutage() {
    fixture.service.on('POST /posts', json(429, {}));
    await sendPost(fixture.submissions, createPostAt('Old', 0), { formId: randomUUID() });
    const row = await fixture.db.selectFrom('submission').selectAll().executeTakeFirstOrThrow();
    expect(row.state).toBe('retryable');
    return row;
  }

  test('that is held replaces the submission, so that only the new text is sent', async () => {
    const submission = await submitDuringOutage();
    await fixture.hold(['New'], {
      origin: submission.id,
      author: submission.author,
      workspace: submission.workspace,
    });
    fixture.recover();
    await fixture.runAt(60);
    expect(await fixture.runAt(50)).toEqual(['New']);
  });

  test('is refused if the service may have it', async () => {
    await sendPost(fixture.submissions, createPostAt('Old', 0));
    const row = await fixture.db.selectFrom('submission').selectAll().executeTakeFirstOrThrow();
    const holding = fixture.hold(['New'], { origin: row.id, author: row.author, workspace: row.workspace });
    await expect(holding).rejects.toThrow('sent-meanwhile');
    expect(await fixture.listRows()).toEqual([]);
  });
});

test('an edited post of a project that no longer holds posts goes over at once', async () => {
  const row = await fixture.holdOne();
  await fixture.setPolicy(DEFAULT_POLICY);
  await editHeldPost(fixture.context, press(row), createPostAt('Now', 0));
  expect(await fixture.runAt(600)).toEqual(['Now']);
});

test('somebody is asked about a post with unreadable content when its time has passed', async () => {
  const row = await fixture.holdOne();
  await fixture.db.updateTable('held_post').set({ content: 'broken' }).where('id', '=', row.id).execute();
  await fixture.runAt(-1);
  expect(await fixture.listStates()).toEqual(['needs-person: overdue']);
});

describe('after another service was connected', () => {
  async function connectOther() {
    fixture.connection.isElsewhere = true;
    await recheckAuthority(fixture.context, 'T1');
    await fixture.runAt(20 * 60);
  }

  test('somebody is asked long before the hand-over, and an edit doesn’t decide for them', async () => {
    const row = await fixture.holdOne();
    await connectOther();
    expect(await fixture.listStates()).toEqual(['needs-person: other-service']);
    await editHeldPost(fixture.context, press(await fixture.readRow(row)), createPostAt('Edited', 0));
    expect(await fixture.listStates()).toEqual(['needs-person: other-service']);
  });

  test('a post goes on as before when its own service is connected again, whose owner the author hears of', async () => {
    const rows = [await fixture.holdOne('One'), await fixture.holdOne('Two')];
    await connectOther();
    const owner = { workspace: 'T1', actor: 'U9' };
    await continueAtService(fixture.context, owner);
    expect(new Set(await fixture.listStates())).toEqual(new Set(['needs-person: other-service']));
    fixture.connection.isElsewhere = false;
    await continueAtService(fixture.context, owner);
    expect(new Set(await fixture.listStates())).toEqual(new Set(['held']));
    const [row] = rows;
    const events = row ? await listEvents(fixture.db, row) : [];
    expect(events.at(-1)).toMatchObject({ kind: 'restored', actor: 'U9' });
    await fixture.runAt(60);
    expect(fixture.listSentTexts().toSorted()).toEqual(['One', 'Two']);
  });

  test('a post whose time has passed meanwhile keeps its question when its own service is connected again', async () => {
    await fixture.holdOne('One');
    await fixture.holdOne('Two');
    await connectOther();
    fixture.setMinutesBefore(-1);
    fixture.connection.isElsewhere = false;
    await continueAtService(fixture.context, { workspace: 'T1', actor: 'U9' });
    expect(new Set(await fixture.listStates())).toEqual(new Set(['needs-person: other-service']));
  });

  test('posts go on after a start, because the settings may name their service again', async () => {
    await fixture.holdOne('One');
    await connectOther();
    await fixture.createInstance().runOnce();
    expect(await fixture.listStates()).toEqual(['needs-person: other-service']);
    fixture.connection.isElsewhere = false;
    await fixture.createInstance().runOnce();
    expect(await fixture.listStates()).toEqual(['held']);
    const [row] = await fixture.listRows();
    expect((row ? await listEvents(fixture.db, row) : []).at(-1)).toMatchObject({
      kind: 'restored',
      actor: '',
    });
  });
});

test('a draft that a reviewer returned isn’t sent for review again by undoing its cancellation, or by a move', async () => {
  await fixture.setPolicy(REVIEWED);
  const row = await fixture.holdOne('Hello', { policy: REVIEWED });
  const decision = { decision: 'rejected', text: 'Not now' } as const;
  const result = await returnForChanges(fixture.context, press(row, 'U2'), decision);
  expect([result.kind, await fixture.listStates()]).toEqual(['changed', ['draft: rejected']]);
  await cancelHeldPost(fixture.context, press(row));
  await restoreCancelledPost(fixture.context, press(row));
  expect(await fixture.listStates()).toEqual(['draft: rejected']);
  await editHeldPost(fixture.context, press(row), createPostAt('Hello', 5), 'moved');
  expect(await fixture.listStates()).toEqual(['draft: rejected']);
  const movedRow = { ...row, version: 2 };
  for (let times = 0; times < 2; times += 1) {
    await cancelHeldPost(fixture.context, press(movedRow));
    await restoreCancelledPost(fixture.context, press(movedRow));
    expect(await fixture.listStates()).toEqual(['draft: rejected']);
  }
});

test('a longer lead leaves a post in review with its reviewers', async () => {
  await fixture.setPolicy(REVIEWED);
  await fixture.holdOne('Hello', { policy: REVIEWED });
  fixture.setMinutesBefore(90);
  await fixture.db.transaction().execute((trx) => rescheduleHandOver(fixture.context, trx, PROJECT, 24 * 60));
  await fixture.runAt(89);
  expect(await fixture.listStates()).toEqual(['awaiting-review']);
});
