import { describe, expect, test } from 'vitest';
import { CAPABILITIES, endDeliveries } from '../../../src/app/capabilities.ts';
import { resumeSending, stopSending } from '../../../src/engine/sending-stop.ts';
import { cancelHeldPost, editHeldPost } from '../../../src/held-posts/change.ts';
import { commentOnHeldPost } from '../../../src/held-posts/decisions.ts';
import { makeHandOversDueUntil } from '../../../src/held-posts/hand-over/hand-over.ts';
import { checkOutcome, takeBack } from '../../../src/held-posts/hand-over/outcome.ts';
import { listEvents } from '../../../src/held-posts/sql/events.ts';
import type { ProjectPolicy } from '../../../src/preferences/project-policy.ts';
import { createPostAt } from '../../support/post-submissions.ts';
import { MINUTE_MS, POLICY, PROJECT, press, setUpTestHeldPosts } from '../../support/start-held-posts.ts';
import { createStoredSlack } from '../../support/stored-slack.ts';

/** Posts are handed over an hour before their time, once, with their last version, or not at all. */

const fixture = await setUpTestHeldPosts();

test('a held post goes over once, at its lead before its time, with its last version, and can’t be edited after that', async () => {
  const row = await fixture.holdOne('Helo');
  await editHeldPost(fixture.context, press(row), createPostAt('Hello', 0));
  expect([await fixture.runAt(61), await fixture.listStates()]).toEqual([[], ['held']]);
  expect([await fixture.runAt(60), await fixture.listStates()]).toEqual([['Hello'], ['delivered']]);
  const late = await editHeldPost(
    fixture.context,
    press(await fixture.readRow(row)),
    createPostAt('Other', 0),
  );
  expect([late.kind, await fixture.runAt(1)]).toEqual(['too-late', ['Hello']]);
  const sent = await fixture.db.selectFrom('submission').selectAll().executeTakeFirstOrThrow();
  expect(await takeBack(fixture.context, sent)).toEqual({ kind: 'not-now' });
  const events = await listEvents(fixture.db, row);
  expect(events.map(({ kind, version, actor }) => [kind, version, actor])).toEqual([
    ['created', 1, 'U1'],
    ['edited', 2, 'U1'],
    ['handed-over', 2, ''],
  ]);
});

test('a held post is stored once if its form waited minutes for a frozen instance', async () => {
  await fixture.hold(['Hello']);
  const sentAt = new Date(fixture.context.clock.readShared().getTime() - 3 * 60_000);
  await fixture.db.updateTable('held_post').set({ created_at: sentAt }).execute();
  const [again] = await fixture.hold(['Hello'], { sentAt });
  expect([again?.wasSavedBefore, await fixture.listStates()]).toEqual([true, ['held']]);
});

describe('while a post is being handed over', () => {
  async function runWith(onCrashPoint: () => Promise<unknown>) {
    const instance = fixture.createInstance({
      onCrashPoint: async (point) => {
        if (point === 'before-hand-over') await onCrashPoint();
      },
    });
    await fixture.runAt(60, instance);
  }

  test('an edit wins, and the new version goes over', async () => {
    const row = await fixture.holdOne('Helo');
    let edits = 0;
    await runWith(async () => {
      edits += 1;
      if (edits === 1) await editHeldPost(fixture.context, press(row), createPostAt('Hello', 0));
    });
    expect(await fixture.runAt(59)).toEqual(['Hello']);
  });

  test('a cancellation wins', async () => {
    const row = await fixture.holdOne();
    await runWith(() => cancelHeldPost(fixture.context, press(row)));
    expect([await fixture.runAt(59), await fixture.listStates()]).toEqual([[], ['cancelled']]);
  });

  test('a stop of the project wins, and the post goes over after it', async () => {
    await fixture.holdOne();
    const project = { workspace: 'T1', project: 'p1' };
    await runWith(() => stopSending(fixture.db, { reason: '', since: fixture.context.clock.now() }, project));
    expect([await fixture.runAt(50), await fixture.listStates()]).toEqual([[], ['held: stopped']]);
    await resumeSending(fixture.db, CAPABILITIES, fixture.context.clock.readShared(), project);
    expect(await fixture.runAt(49)).toEqual(['Hello']);
  });
});

describe('the service', () => {
  test('a refused post comes back once if two checks meet at it', async () => {
    await fixture.holdOne();
    const killed = fixture.createInstance({
      onCrashPoint: (point) => {
        if (point === 'after-hand-over') throw new Error('killed');
      },
    });
    fixture.setMinutesBefore(60);
    await killed.runOnce();
    await fixture.db.updateTable('submission').set({ state: 'refused' }).execute();
    const [row] = await fixture.listRows();
    if (!row) throw new Error('nothing was stored');
    // The claim of another instance.
    await fixture.db
      .updateTable('held_post')
      .set({ fence: row.fence + 1 })
      .execute();
    await checkOutcome(fixture.context, row);
    expect(await fixture.listStates()).toEqual(['handed-over']);
    expect([await fixture.runAt(50), await fixture.listStates()]).toEqual([[], ['needs-person: refused']]);
  });

  test('a post whose author has to decide is checked ever less often, down to once an hour', async () => {
    await fixture.holdOne();
    fixture.service.on('POST /posts', (_call, response) => void response.destroy());
    await fixture.runAt(60);
    await fixture.db
      .updateTable('submission')
      .set({ state: 'unsure', next_at: null, notify_at: null })
      .execute();
    const waits: number[] = [];
    for (let minutes = 59; waits.length < 8; minutes -= waits.at(-1) ?? 0) {
      await fixture.runAt(minutes);
      const [row] = await fixture.listRows();
      const waitMs = (row?.next_at?.getTime() ?? 0) - fixture.context.clock.readShared().getTime();
      waits.push(waitMs / MINUTE_MS);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    expect(await fixture.listStates()).toEqual(['handed-over']);
  });

  test('without a connected service the post waits', async () => {
    await fixture.holdOne();
    fixture.connection.api = undefined;
    await fixture.runAt(60);
    expect(await fixture.listStates()).toEqual(['held: not-checked']);
  });
});

test('an author’s role that couldn’t be found out waits, and is asked again', async () => {
  await fixture.holdOne();
  fixture.permissions.set('U1', 'unknown');
  await fixture.runAt(60);
  expect(await fixture.listStates()).toEqual(['held: not-checked']);
  fixture.permissions.set('U1', 'yes');
  expect(await fixture.runAt(59)).toEqual(['Hello']);
});

test('after the app was uninstalled, nothing of a held post is left but its state', async () => {
  const row = await fixture.holdOne();
  await fixture.db
    .transaction()
    .execute((trx) => endDeliveries(trx, { workspace: 'T1', now: fixture.context.clock.readShared() }));
  const [stored] = await fixture.listRows();
  expect([stored?.state, stored?.content, await listEvents(fixture.db, row)]).toEqual(['dropped', null, []]);
  expect(await fixture.runAt(60)).toEqual([]);
});

/** Runs the operator's command four hours before the publishing time. Posts go over an hour before it. */
async function handOverFor(minutes: number) {
  fixture.setMinutesBefore(240);
  const now = fixture.context.clock.now();
  const counts = await makeHandOversDueUntil(fixture.db, {
    until: new Date(now.getTime() + minutes * 60_000),
    now,
  });
  // The clock of the tests is ahead of the database's.
  await fixture.runAt(240);
  return counts;
}

test.each([
  ['that are due until the end of a downtime go over at once', 200, 'off', { handedOver: 1, inReview: 0 }],
  ['that are due later stay', 100, 'off', { handedOver: 0, inReview: 0 }],
  ['in review are counted, and still need their approval', 200, 'required', { handedOver: 0, inReview: 1 }],
] as const)('posts %s', async (_what, minutes, review, counts) => {
  await fixture.hold(['We open at nine'], { policy: { ...POLICY, review } });
  expect(await handOverFor(minutes)).toEqual(counts);
  expect(fixture.listSentTexts()).toHaveLength(counts.handedOver);
});

async function holdStopped(stop: 'project' | 'all', changes: Partial<ProjectPolicy> = {}) {
  const policy = { ...POLICY, ...changes };
  await fixture.setPolicy(policy);
  const slack = createStoredSlack();
  const instance = fixture.createInstance({}, slack.client);
  await fixture.hold(['Hello'], { policy });
  const stopRow = { reason: 'wrong copy', since: fixture.context.clock.now() };
  if (stop === 'all') await stopSending(fixture.db, stopRow);
  else await stopSending(fixture.db, { ...stopRow, stoppedBy: 'U8' }, PROJECT);
  return { slack, instance, policy };
}

test.each(['project', 'all'] as const)(
  'a post whose time passes during a stop (%s) asks its author at its time, once, and isn’t sent after it',
  async (stop) => {
    const { slack, instance } = await holdStopped(stop);
    for (const minutes of [60, 30, 1]) await fixture.runAt(minutes, instance);
    expect([await fixture.listStates(), slack.listRecipients()]).toEqual([['held: stopped'], []]);
    for (const minutes of [0, -1, -5]) await fixture.runAt(minutes, instance);
    expect([await fixture.listStates(), slack.listRecipients()]).toEqual([
      ['needs-person: overdue'],
      ['DU1'],
    ]);
    expect(slack.messages[0]?.text).toContain('Overdue');
    if (stop === 'all') await resumeSending(fixture.db, CAPABILITIES, fixture.context.clock.readShared());
    else await resumeSending(fixture.db, CAPABILITIES, fixture.context.clock.readShared(), PROJECT);
    await fixture.runAt(-10, instance);
    expect([fixture.listSentTexts(), slack.listRecipients()]).toEqual([[], ['DU1']]);
  },
);

test('a post that waits for the end of a stop is looked at twice, and then at its time or when the stop ends', async () => {
  const { instance } = await holdStopped('project');
  const looks: (number | undefined)[] = [];
  for (const minutes of [60, 59, 30, 1]) {
    await fixture.runAt(minutes, instance);
    const [row] = await fixture.listRows();
    looks.push(row?.fence);
  }
  const [first = 0] = looks;
  expect(looks).toEqual([first, first + 1, first + 1, first + 1]);
  await resumeSending(fixture.db, CAPABILITIES, fixture.context.clock.readShared(), PROJECT);
  expect(await fixture.runAt(0.5, instance)).toEqual(['Hello']);
});

test('messages about a post say once that it is stopped', async () => {
  const { slack, instance } = await holdStopped('project');
  const [row] = await fixture.listRows();
  await commentOnHeldPost(instance.context, { id: row?.id ?? '', workspace: 'T1', actor: 'U2' }, 'Nine?');
  await fixture.runAt(61, instance);
  expect([slack.listRecipients(), slack.updates]).toEqual([['DU1'], []]);
  for (const minutes of [60, 30, 1]) await fixture.runAt(minutes, instance);
  expect([slack.listRecipients(), slack.updates]).toEqual([['DU1'], ['1.1']]);
});

test('a held post outlasts a stop of all sending of more than a day, and goes over after it', async () => {
  const { slack, instance } = await holdStopped('all', { leadMinutes: 22 * 60 });
  await fixture.runAt(21 * 60, instance);
  await fixture.runAt(1, instance);
  await resumeSending(fixture.db, CAPABILITIES, fixture.context.clock.readShared());
  await fixture.runAt(0.5, instance);
  expect([fixture.listSentTexts(), slack.listRecipients()]).toEqual([['Hello'], []]);
});
