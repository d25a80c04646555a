import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createApiClient } from '../../src/api/client.ts';
import { findHeldContents, readHoldFacts } from '../../src/features/schedule-post/hold/hold-posts.ts';
import { continueAtService } from '../../src/held-posts/bulk.ts';
import { cancelHeldPost, editHeldPost } from '../../src/held-posts/change.ts';
import { restoreCancelledPost } from '../../src/held-posts/decisions.ts';
import { takeBack } from '../../src/held-posts/hand-over/outcome.ts';
import { recheckAuthority, rescheduleHandOver } from '../../src/held-posts/policy-change.ts';
import { returnForChanges } from '../../src/held-posts/review/decide.ts';
import { listEvents } from '../../src/held-posts/sql/events.ts';
import { DEFAULT_POLICY } from '../../src/preferences/project-policy.ts';
import { findSubmission } from '../../src/submissions/sql/submissions.ts';
import { createPostAt, sendPost } from '../support/post-submissions.ts';
import { json } from '../support/scripted-service.ts';
import { POLICY, press, setUpTestHeldPosts } from '../support/start-held-posts.ts';

/** What people change after a post was stored, handed over or returned. */

const fixture = await setUpTestHeldPosts();

const PROJECT = { workspace: 'T1', project: 'p1' };
const REVIEWED = {
  ...POLICY,
  review: 'required',
  reviewSteps: [{ approvers: [{ kind: 'person', id: 'U2' }], needs: 'any' }],
} as const;

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
    } as unknown as Parameters<typeof findHeldContents>[0];
    const isHeld = async (origin: string) => {
      const facts = await readHoldFacts(call, origin);
      return (await findHeldContents(call, [createPostAt('Hello', 0)], origin, facts)) !== undefined;
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

describe('a handed-over post that the service doesn’t have', () => {
  test('is taken back before it is edited, and goes over again with the edit', async () => {
    const row = await fixture.holdOne();
    fixture.service.on('POST /posts', json(429, {}));
    await fixture.runAt(60);
    const { submission } = await fixture.readRow(row);
    const sent = await findSubmission(fixture.db, { id: submission ?? '', workspace: 'T1' });
    if (!sent) throw new Error('there is no submission');
    expect(await takeBack(fixture.context, sent)).toEqual({ kind: 'held', id: row.id });
    expect(await fixture.listStates()).toEqual(['needs-person: taken-back']);
    fixture.recover();
    await editHeldPost(fixture.context, press(await fixture.readRow(row)), createPostAt('Better', 0));
    expect([await fixture.runAt(50), await fixture.listStates()]).toEqual([['Better'], ['delivered']]);
  });

  test('is not taken back once the service has it', async () => {
    const row = await fixture.holdOne();
    await fixture.runAt(60);
    const { submission } = await fixture.readRow(row);
    const sent = await findSubmission(fixture.db, { id: submission ?? '', workspace: 'T1' });
    expect(sent && (await takeBack(fixture.context, sent))).toEqual({ kind: 'not-now' });
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
    fixture.connection.api = createApiClient({ baseUrl: 'http://127.0.0.1:9', token: 't' });
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
    const { api } = fixture.connection;
    const rows = [await fixture.holdOne('One'), await fixture.holdOne('Two')];
    await connectOther();
    const owner = { workspace: 'T1', user: 'U9' };
    await continueAtService(fixture.context, owner);
    expect(new Set(await fixture.listStates())).toEqual(new Set(['needs-person: other-service']));
    fixture.connection.api = api;
    await continueAtService(fixture.context, owner);
    expect(new Set(await fixture.listStates())).toEqual(new Set(['held']));
    const [row] = rows;
    const events = row ? await listEvents(fixture.db, row) : [];
    expect(events.at(-1)).toMatchObject({ kind: 'restored', actor: 'U9' });
    await fixture.runAt(60);
    expect(fixture.listSentTexts().toSorted()).toEqual(['One', 'Two']);
  });

  test('a post whose time has passed meanwhile keeps its question when its own service is connected again', async () => {
    const { api } = fixture.connection;
    await fixture.holdOne('One');
    await fixture.holdOne('Two');
    await connectOther();
    fixture.setMinutesBefore(-1);
    fixture.connection.api = api;
    await continueAtService(fixture.context, { workspace: 'T1', user: 'U9' });
    expect(new Set(await fixture.listStates())).toEqual(new Set(['needs-person: other-service']));
  });

  test('a post that was written while the service was unknown is bound to the first one that is found', async () => {
    const { api } = fixture.connection;
    fixture.connection.api = undefined;
    await fixture.holdOne();
    fixture.connection.api = api;
    await recheckAuthority(fixture.context, 'T1');
    await fixture.runAt(20 * 60);
    fixture.connection.api = createApiClient({ baseUrl: 'http://127.0.0.1:9', token: 't' });
    await fixture.runAt(60);
    expect(await fixture.listStates()).toEqual(['needs-person: other-service']);
  });
});

describe('a draft that a reviewer returned', () => {
  async function returnOne() {
    await fixture.setPolicy(REVIEWED);
    const row = await fixture.holdOne('Hello', { policy: REVIEWED });
    const decision = { decision: 'rejected', text: 'Not now' } as const;
    const result = await returnForChanges(fixture.context, press(row, 'U2'), decision);
    expect([result.kind, await fixture.listStates()]).toEqual(['changed', ['draft: rejected']]);
    return row;
  }

  test('isn’t sent for review again by a move', async () => {
    const row = await returnOne();
    await editHeldPost(fixture.context, press(row), createPostAt('Hello', 5), 'moved');
    expect(await fixture.listStates()).toEqual(['draft: rejected']);
  });

  test('isn’t sent for review again by undoing its cancellation', async () => {
    const row = await returnOne();
    await cancelHeldPost(fixture.context, press(row));
    await restoreCancelledPost(fixture.context, press(row));
    expect(await fixture.listStates()).toEqual(['draft: rejected']);
  });
});

test('a longer lead leaves a post in review with its reviewers', async () => {
  await fixture.setPolicy(REVIEWED);
  await fixture.holdOne('Hello', { policy: REVIEWED });
  fixture.setMinutesBefore(90);
  await fixture.db.transaction().execute((trx) => rescheduleHandOver(fixture.context, trx, PROJECT, 24 * 60));
  await fixture.runAt(89);
  expect(await fixture.listStates()).toEqual(['awaiting-review']);
});
