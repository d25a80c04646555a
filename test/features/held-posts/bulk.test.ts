import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { stopSending } from '../../../src/engine/sending-stop.ts';
import { cancelHeldPost } from '../../../src/held-posts/change.ts';
import { moveHeldPost, restoreCancelledPost } from '../../../src/held-posts/decisions.ts';
import { renderBulkNotice, renderBulkResult } from '../../../src/held-posts/text/bulk-text.ts';
import { escapeFormatting } from '../../../src/slack/blocks.ts';
import { NOW } from '../../support/bot.ts';
import { copyLastRequest, deliver } from '../../support/doubled-form.ts';
import { startSeries } from '../../support/filled-form.ts';
import { expectNone, expectParts, submitWith } from '../../support/form-steps.ts';
import { changeHeldPosts, holdPost, listHeldPosts, reviewedBy, stepOf } from '../../support/hold-posts.ts';
import { findUnsafeOptions } from '../../support/live-markup.ts';
import { data, json, listedPost } from '../../support/scripted-service.ts';
import { type Sent, watchSent } from '../../support/sent-to-slack.ts';
import { failSlack, setUpBot } from '../../support/set-up-bot.ts';
import { ask, confirmAndSee, pressForForm, seeAll } from '../../support/steps.ts';

const { ana, ben, running, setPolicy, startBot } = setUpBot();
beforeEach(async () => {
  await startBot();
  await setPolicy({ leadMinutes: 60 });
});

const TUESDAY = '2026-11-24T09:00:00Z';

/** Holds posts at nine on Tuesday, and lists them as Ana. */
async function listPosts(texts: readonly string[], policy = {}) {
  for (const text of texts) await holdPost(running, { text, at: TUESDAY, policy });
  await ask(ana, '/upnext posts 24 nov', `${texts.length} posts in this list can still be changed.`);
}

async function moveAll(duration: string): Promise<void> {
  await submitWith(await pressForForm(ana, 'Move all…', 'Move all posts'), { 'By how long': duration });
}

async function approveAll(): Promise<void> {
  await submitWith(await pressForForm(ana, 'Approve all…', 'Approve all posts'), {});
}

const listStates = async () =>
  (await listHeldPosts(running)).map(
    ({ state, publish_at: time }) => `${state} ${time?.toISOString().slice(5, 16)}`,
  );

describe('all held posts of a list', () => {
  test('are cancelled only where they aren’t yet, and the question says so', async () => {
    const { id } = await holdPost(running, { text: 'Two', at: TUESDAY, platforms: ['X', 'LINKEDIN'] });
    const pressCancel = () => ana.press('Cancel all…');
    await holdPost(running, { text: 'One', at: TUESDAY });
    await ask(ana, '/upnext posts 24 nov', '2 posts in this list can still be changed.');
    await expect(pressCancel()).rejects.toMatchObject({
      visible: expect.stringContaining('They won’t be sent. You can'),
    });
    await running.db
      .updateTable('held_post')
      .set({ state: 'needs-person', reason: 'refused', next_at: null, sent_to: 'X' })
      .where('id', '=', id)
      .execute();
    await ask(ana, '/upnext posts 24 nov', '2 posts in this list can still be changed.');
    await expect(pressCancel()).rejects.toMatchObject({
      visible: expect.stringContaining('They won’t be sent. What a platform already has stays there.'),
    });
  });

  test('of somebody else are listed in one message to their author', async () => {
    for (const text of ['One', 'Two & <3'])
      await holdPost(running, { text, at: TUESDAY, author: 'U02BENOKAF' });
    await holdPost(running, { text: 'Three', at: TUESDAY });
    await ask(ana, '/upnext posts 24 nov', '3 posts in this list can still be changed.');
    await ana.press('Cancel all…', { dialog: 'confirm' });
    const ben = await running.workspace.as('Ben').inDirectMessage();
    await ben.sees('cancelled 2 of your posts:');
    await expect
      .poll(async () => (await listHeldPosts(running)).map(({ notify_at: time }) => time))
      .toEqual([null, null, null]);
    expect(ben.messages()).toHaveLength(1);
    expect(ben.read()).toContain('• Tue 24 Nov, 09:00 (Lisbon): Two & <3');
  });

  test.each(['+1 day', 'a day', 'einen Tag später'])('are moved by a duration: “%s”', async (duration) => {
    await listPosts(['One', 'Two']);
    await moveAll(duration);
    await seeAll(ana, '2 posts moved.', 'New times:', '• Wed 25 Nov, 09:00: One');
    expect(await listStates()).toEqual(['held 11-25T09:00', 'held 11-25T09:00']);
  });

  test('are moved back with one press, but not those that were changed meanwhile', async () => {
    await listPosts(['One', 'Two', 'Three']);
    await moveAll('1 day');
    await ana.sees('3 posts moved.');
    const [first] = await listHeldPosts(running);
    if (!first) throw new Error('no posts');
    const { id, workspace, version } = first;
    const press = { id, workspace, version, actor: 'U02BENOKAF' };
    const instant = new Date('2026-11-27T09:00:00Z');
    await moveHeldPost(running.bot.heldPosts, press, { instant, isScheduled: false });
    await (await ana.modal('Upnext')).press('Undo move');
    await ana.sees('2 posts moved back, 1 had changed:');
    expect(await listStates()).toEqual(['held 11-27T09:00', 'held 11-24T09:00', 'held 11-24T09:00']);
  });

  test('are moved back once, although the press is delivered twice', async () => {
    await startBot({ mode: 'http' });
    await setPolicy({ leadMinutes: 60 });
    await listPosts(['One', 'Two']);
    await moveAll('1 day');
    await ana.sees('2 posts moved.');
    await (await ana.modal('Upnext')).press('Undo move');
    await ana.sees('2 posts moved back.');
    const press = copyLastRequest(running);
    await deliver(running, press);
    // The answer to another command comes after all that a copy does.
    await ask(ana, '/upnext posts 24 nov', '2 posts in this list can still be changed.');
    // The modal keeps its title.
    expect((await ana.modal('Upnext')).text()).toContain('2 posts moved back.');
    expect(ana.read()).not.toContain('had changed');
  });

  test('aren’t restored by a second press while the first one may be at work, but later', async () => {
    await listPosts(['One', 'Two']);
    await confirmAndSee(ana, 'Cancel all…', '2 posts cancelled.');
    const stored = await running.db.selectFrom('open_form').select('id').execute();
    const claims = stored.map(({ id }) => ({ workspace: 'T01HARBOUR', name: `bulk restore ${id}` }));
    await running.db.insertInto('once_claim').values(claims).execute();
    await ana.press('Restore them');
    await ana.sees('I’m doing that already. If nothing happens, press again in 10 minutes.');
    await running.db.deleteFrom('once_claim').where('name', 'like', 'bulk restore %').execute();
    await ana.press('Restore them');
    await ana.sees('2 posts restored.');
  });

  test('are restored with one press after they were cancelled, but not those that somebody cancelled again', async () => {
    await listPosts(['One', 'Two', 'Three']);
    await confirmAndSee(ana, 'Cancel all…', '3 posts cancelled.');
    const [first] = await listHeldPosts(running);
    if (!first) throw new Error('no posts');
    const press = { id: first.id, workspace: first.workspace, actor: 'U02BENOKAF' };
    await restoreCancelledPost(running.bot.heldPosts, press);
    await cancelHeldPost(running.bot.heldPosts, press);
    await ana.press('Restore them');
    await ana.sees('2 posts restored, 1 had changed:');
    expect(await listStates()).toEqual(['cancelled 11-24T09:00', 'held 11-24T09:00', 'held 11-24T09:00']);
  });

  test('are restored, and the result and the notice say which wait for a review or need a new time', async () => {
    for (const text of ['One', 'Two', 'Three'])
      await holdPost(running, { text, at: TUESDAY, author: 'U02BENOKAF' });
    await ask(ana, '/upnext posts 24 nov', '3 posts in this list can still be changed.');
    await confirmAndSee(ana, 'Cancel all…', '3 posts cancelled.');
    const [first] = await listHeldPosts(running);
    await setPolicy(reviewedBy('U03MIRAVOS'));
    await changeHeldPosts(running, { publish_at: new Date(NOW.getTime() - 60_000) }, first?.id ?? '');
    await ana.press('Restore them');
    const waiting = '2 of them wait for a review.\n1 of them needs a new time, because its time has passed.';
    await ana.sees(`3 posts restored.\n${waiting}`);
    const ben = await running.workspace.as('Ben').inDirectMessage();
    await seeAll(ben, 'restored 3 of your posts:', waiting);
  });

  test('aren’t restored by a button that is too old', async () => {
    await listPosts(['One', 'Two']);
    await confirmAndSee(ana, 'Cancel all…', '2 posts cancelled.');
    await running.db.deleteFrom('open_form').execute();
    await ana.press('Restore them');
    await ana.sees('This is too old to undo. Restore the posts with /upnext posts cancelled.');
  });

  test('say which of them the service has, and that these go out', async () => {
    await listPosts(['One', 'Two', 'Three']);
    const [first, second] = await listHeldPosts(running);
    await changeHeldPosts(running, { state: 'delivered', next_at: null }, first?.id ?? '');
    await cancelHeldPost(running.bot.heldPosts, {
      ...{ id: second?.id ?? '', workspace: second?.workspace ?? '', actor: 'U02BENOKAF' },
    });
    await confirmAndSee(
      ana,
      'Cancel all…',
      '1 post cancelled, 1 already with the scheduling service, or on the way to it, 1 already cancelled:',
      'I can’t change 1 post any more, so it goes out as planned.',
    );
  });

  test.each([
    ['is out already', { state: 'delivered', publish_at: new Date('2026-11-20T11:00:00Z') }, false],
    ['has no time, because it’s a draft', { state: 'delivered', publish_at: null }, false],
    ['waits because sending is stopped', { state: 'handed-over' }, true],
  ] as const)('say only that the service has one that %s', async (_name, columns, isStopped) => {
    await listPosts(['One', 'Two']);
    const [first] = await listHeldPosts(running);
    await changeHeldPosts(running, { ...columns, next_at: null }, first?.id ?? '');
    if (isStopped) await stopSending(running.db, { reason: '', since: NOW });
    await confirmAndSee(ana, 'Cancel all…', '1 post cancelled, 1 already with the scheduling service');
    expect(ana.read()).not.toContain('as planned');
  });

  test('of which the service has a part are moved without that, and the form and the result say so', async () => {
    const { id } = await holdPost(running, { text: 'Parts', at: TUESDAY, platforms: ['X', 'LINKEDIN'] });
    await holdPost(running, { text: 'Whole', at: TUESDAY });
    await changeHeldPosts(
      running,
      { state: 'needs-person', reason: 'refused', next_at: null, sent_to: 'X' },
      id,
    );
    await ask(ana, '/upnext posts 24 nov', '2 posts in this list can still be changed.');
    const form = await pressForForm(ana, 'Move all…', 'Move all posts');
    expect(form.text()).toContain('1 of these posts is partly scheduled.');
    await submitWith(form, { 'By how long': '1 day' });
    await seeAll(
      ana,
      '2 posts moved.',
      '1 of these posts is partly scheduled: only the platforms that didn’t have their text yet have the new time.',
    );
  });

  test('aren’t moved back by a button that is too old', async () => {
    await listPosts(['One', 'Two']);
    await moveAll('1 day');
    await ana.sees('2 posts moved.');
    await running.db.deleteFrom('open_form').execute();
    await (await ana.modal('Upnext')).press('Undo move');
    await ana.sees('This is too old to undo. Move the posts with /upnext move.');
  });

  test('stay where they were moved to if their earlier times have passed, and the result names them', async () => {
    await holdPost(running, { text: 'One', at: TUESDAY });
    const { id } = await holdPost(running, { text: 'Two', at: TUESDAY });
    const missed = { state: 'needs-person', reason: 'overdue', next_at: null } as const;
    await changeHeldPosts(running, { ...missed, publish_at: new Date('2026-11-20T11:00:00Z') }, id);
    await ask(ana, '/upnext posts 20 nov to 24 nov', '2 posts in this list can still be changed.');
    await moveAll('1 day');
    await ana.sees('2 posts moved.');
    await (await ana.modal('Upnext')).press('Undo move');
    await ana.sees('1 post moved back, 1 would be in the past:');
    expect(await listStates()).toEqual(['held 11-24T09:00', 'held 11-21T11:00']);
  });

  test('are moved with a warning if a series gets a post at the new time later', async () => {
    await startSeries(ana, '/schedule-post every wednesday 9am on x: Roast of the week');
    await listPosts(['One', 'Two']);
    await moveAll('71 days');
    await ana.sees('2 posts have the time of another post on the same platform now.');
  });

  test('are moved without that warning if they are drafts, which don’t go out', async () => {
    await holdPost(running, { text: 'Other', at: '2026-11-25T09:00:00Z' });
    for (const text of ['One', 'Two']) await holdPost(running, { text, at: TUESDAY, isDraft: true });
    await ask(ana, '/upnext posts 24 nov', '2 posts in this list can still be changed.');
    await moveAll('1 day');
    await ana.sees('2 posts moved.');
    expect((await ana.modal('Upnext')).text()).not.toContain('another post');
  });

  test('are moved with a warning if other posts on their platforms have the new time', async () => {
    await holdPost(running, { text: 'Other', at: '2026-11-25T09:00:00Z' });
    await holdPost(running, { text: 'One', at: TUESDAY, platforms: ['X', 'LINKEDIN'] });
    await holdPost(running, { text: 'Two', at: TUESDAY, platforms: ['LINKEDIN'] });
    await ask(ana, '/upnext posts 24 nov', '2 posts in this list can still be changed.');
    await moveAll('1 day');
    await seeAll(ana, '2 posts moved.', '1 post has the time of another post on the same platform now.');
    await (await ana.modal('Upnext')).press('Undo move');
    await ana.sees('2 posts moved back.');
    expect(ana.read()).not.toContain('another post');
  });

  test('are moved with a warning if others are near or have the text, also those of the service', async () => {
    const others = [
      listedPost('Near', '2026-11-25T09:20:00Z', { Id: 'near', Platforms: ['X'] }),
      listedPost('Two', '2026-11-25T20:00:00Z', { Id: 'text', Platforms: ['X'] }),
    ];
    running.service.on('GET /posts', data(others));
    await listPosts(['One', 'Two']);
    await moveAll('1 day');
    await seeAll(
      ana,
      '2 posts moved.',
      '2 posts are less than 30 minutes from another post on the same platform now.',
      '1 post has the text of another post on a platform that may refuse it. Vary it.',
    );
  });

  test.each([
    ['23:45', '2026-11-26T20:00:00Z'],
    ['20:00', '2026-11-26T20:00:00Z'],
    ['02:00', '2026-11-24T20:00:00Z'],
  ])('are moved to %s with a warning if another day has the text', async (time, other) => {
    running.service.on('GET /posts', data([listedPost('Two', other, { Id: 'text', Platforms: ['X'] })]));
    for (const text of ['One', 'Two']) await holdPost(running, { text, at: `2026-11-24T${time}:00Z` });
    await ask(ana, '/upnext posts 24 nov', '2 posts in this list can still be changed.');
    await moveAll('1 day');
    await seeAll(
      ana,
      '2 posts moved.',
      '1 post has the text of another post on a platform that may refuse it. Vary it.',
    );
  });

  test('are moved with a note if the service’s posts couldn’t be read', async () => {
    await listPosts(['One', 'Two']);
    running.service.on('GET /posts', json(503, {}));
    await moveAll('1 day');
    await seeAll(
      ana,
      '2 posts moved.',
      'I couldn’t check the scheduling service’s posts, so others may be close.',
    );
  });

  test('are offered by /upnext move with days, beside those that can’t be moved', async () => {
    running.service.on('GET /posts', data([listedPost('There', '2026-11-24T12:00:00Z', { Id: 'other' })]));
    for (const text of ['One', 'Two']) await holdPost(running, { text, at: TUESDAY });
    await ana.type('/upnext move 24 nov to 25 nov');
    await ana.sees('Which Harbour Coffee post from Tue 24 Nov to Wed 25 Nov (Lisbon)?');
    await ana.sees('2 posts in this list can still be changed.');
    await ana.sees('Posts that the scheduling service has can’t be edited');
    expect(ana.read()).not.toContain('I can’t edit, move or cancel');
    await pressForForm(ana, 'Move all…', 'Move all posts');
  });

  test('are those of the days that /upnext cancel names, without drafts that have no date', async () => {
    for (const text of ['One', 'Two']) await holdPost(running, { text, at: TUESDAY });
    for (const text of ['Idea 1', 'Idea 2', 'Idea 3', 'Idea 4'])
      await holdPost(running, { text, isDraft: true });
    await ask(ana, '/upnext cancel next week', '2 posts in this list can still be changed.');
    expectNone(ana.read(), 'Idea', 'more.');
    await confirmAndSee(ana, 'Cancel all…', '2 posts cancelled.');
    await ana.sees('Find and restore them with /upnext posts cancelled.');
    expect((await listHeldPosts(running)).filter(({ state }) => state === 'draft')).toHaveLength(4);
  });

  test('may need a decision, and then /upnext move doesn’t say that the service has them', async () => {
    for (const text of ['One', 'Two']) await holdPost(running, { text, at: TUESDAY });
    const [first] = await listHeldPosts(running);
    await running.db
      .updateTable('held_post')
      .set({ state: 'needs-person', reason: 'refused', next_at: null })
      .where('id', '=', first?.id ?? '')
      .execute();
    await ask(ana, '/upnext move 24 nov', '2 posts in this list can still be changed.');
    expect(ana.read()).not.toContain('Posts that the scheduling service has');
  });

  test('are moved to a blackout day with a warning', async () => {
    const blackouts = [{ from: '2026-11-25', to: '2026-11-25', name: 'Move' }];
    await setPolicy({ leadMinutes: 60, blackouts });
    await listPosts(['One', 'Two']);
    await moveAll('1 day');
    await ana.sees('2 posts are on a blackout day now. Pick another day, unless that’s intended.');
  });

  test('are moved with a note if I can’t find out whether they’re on a blackout day', () => {
    const waiting = { reviewCount: 0, overdueCount: 0 };
    const counts = { doneCount: 2, ...waiting, dueCount: 0, blackoutCount: 0, uncheckedCount: 1 };
    const close = { sharedCount: 0, nearCount: 0, repeatCount: 0, areOthersUnchecked: false };
    const result = {
      ...counts,
      ...close,
      goingOutCount: 0,
      partlySentCount: 0,
      undo: undefined,
      unchanged: [],
    };
    const { text } = renderBulkResult('move', result, { viewer: {}, now: NOW });
    expect(text).toContain('I couldn’t check whether 1 post is on a blackout day now.');
  });

  test('are on a blackout day without a warning if they go over now, because they are within the lead', async () => {
    const today = '2026-11-20';
    await setPolicy({ leadMinutes: 60, blackouts: [{ from: today, to: today, name: '' }] });
    await listPosts(['One', 'Two']);
    await moveAll('-92 h 30 min');
    await ana.sees('2 of these posts are close to their time, so I’m handing them over now.');
    expect(ana.read()).not.toContain('on a blackout day now');
  });

  test('that changed since are named, and the others are done', async () => {
    await listPosts(['One', 'Two', 'Three']);
    const [first, second] = await listHeldPosts(running);
    if (!first || !second) throw new Error('no posts');
    const context = running.bot.heldPosts;
    await cancelHeldPost(context, { id: first.id, workspace: first.workspace, actor: 'U02BENOKAF' });
    const press = {
      id: second.id,
      workspace: second.workspace,
      actor: 'U02BENOKAF',
      version: second.version,
    };
    await moveHeldPost(context, press, { instant: new Date('2026-11-26T09:00:00Z'), isScheduled: false });
    await confirmAndSee(
      ana,
      'Cancel all…',
      '1 post cancelled, 1 already cancelled, 1 had changed:',
      '• Tue 24 Nov, 09:00: One',
    );
    expect(await listStates()).toEqual([
      'cancelled 11-24T09:00',
      'held 11-26T09:00',
      'cancelled 11-24T09:00',
    ]);
  });

  test('stay if they would be in the past, and a text without a duration is refused', async () => {
    await listPosts(['One', 'Two']);
    const form = await pressForForm(ana, 'Move all…', 'Move all posts');
    await submitWith(form, { 'By how long': 'a bit' });
    await ana.sees('Enter how far to move them');
    await submitWith(form, { 'By how long': '1 month' });
    await ana.sees('Months differ in length. Enter weeks or days, such as “4 weeks”.');
    await submitWith(form, { 'By how long': '-10 days' });
    await ana.sees('0 posts moved, 2 would be in the past:');
  });

  test('are moved after the form was closed, and a direct message without previews of links says so', async () => {
    await listPosts(['One', 'Two']);
    failSlack(running, { method: 'views.update', fault: 'error', error: 'not_found', times: 1 });
    const sent: Sent[] = [];
    const { stop } = watchSent({ onSent: (one) => sent.push(one) });
    onTestFinished(() => void stop());
    await moveAll('-10 days');
    await (await ana.inDirectMessage()).sees('0 posts moved, 2 would be in the past:');
    const messages = sent.filter(({ to }) => to === 'chat.postMessage');
    expect(messages.map(({ payload }) => findUnsafeOptions(payload))).toEqual([[]]);
  });

  test('don’t say so while sending is stopped', async () => {
    await listPosts(['One', 'Two']);
    await stopSending(running.db, { reason: '', since: NOW }, { workspace: 'T01HARBOUR', project: 'p1' });
    await moveAll('-92 h 30 min');
    await ana.sees('2 posts moved.');
    expect(ana.read()).not.toContain('I’m handing them over now');
  });

  test('are approved if they wait for a review, only by their approvers, and not while sending is stopped', async () => {
    const policy = reviewedBy('U03MIRAVOS');
    await setPolicy({ ...policy, review: 'optional' });
    await holdPost(running, { text: 'Held', at: TUESDAY });
    for (const text of ['One', 'Two'])
      await holdPost(running, { text, at: TUESDAY, author: 'U02BENOKAF', policy });
    const listAndApprove = async () => {
      await ask(ana, '/upnext posts 24 nov', '3 posts in this list can still be changed.');
      await approveAll();
    };
    await listAndApprove();
    await ana.sees('0 posts approved, 2 not yours to decide:');
    await setPolicy({ ...reviewedBy('U01ANAFERR'), review: 'optional' });
    await stopSending(running.db, { reason: '', since: NOW });
    await listAndApprove();
    await ana.sees('0 posts approved, 2 waiting because sending is stopped:');
    await running.db.deleteFrom('sending_stop').execute();
    await listAndApprove();
    await ana.sees('2 posts approved.');
  });

  test('that need another approval say so to their reviewer and their author', async () => {
    const policy = { ...reviewedBy(), reviewSteps: [stepOf(['U01ANAFERR', 'U03MIRAVOS'], 'all')] };
    await setPolicy(policy);
    for (const text of ['One', 'Two'])
      await holdPost(running, { text, at: TUESDAY, author: 'U02BENOKAF', policy });
    await ask(ana, '/upnext posts 24 nov', '2 posts in this list can still be changed.');
    await approveAll();
    await ana.sees('2 posts approved.\nThey still wait for another approval.');
    const ben = await running.workspace.as('Ben').inDirectMessage();
    await seeAll(ben, 'approved 2 of your posts:', 'They still wait for another approval.');
  });

  test('lose their approvals if they are moved, and the result and the notice say so', async () => {
    const policy = reviewedBy('U01ANAFERR');
    await setPolicy(policy);
    for (const text of ['One', 'Two'])
      await holdPost(running, { text, at: TUESDAY, author: 'U02BENOKAF', policy });
    await ask(ana, '/upnext posts 24 nov', '2 posts in this list can still be changed.');
    await approveAll();
    await ana.sees('2 posts approved.');
    await ask(ana, '/upnext posts 24 nov', '2 posts in this list can still be changed.');
    await moveAll('1 day');
    await ana.sees('2 posts moved.\nThey wait for approval again.');
    const ben = await running.workspace.as('Ben').inDirectMessage();
    await seeAll(ben, 'moved 2 of your posts:', 'They wait for approval again.');
    await (await ana.modal('Upnext')).press('Undo move');
    await ana.sees('2 posts moved back.\nThey wait for approval again.');
  });

  test('are approved as the form shows them: with the texts for single platforms, and none that doesn’t fit', async () => {
    const policy = reviewedBy('U01ANAFERR');
    await setPolicy(policy);
    const common = { at: TUESDAY, author: 'U02BENOKAF', policy, platforms: ['LINKEDIN', 'X'] };
    await holdPost(running, {
      ...common,
      text: `Main ${'text '.repeat(60)}end`,
      ownTexts: { X: 'Only for X' },
    });
    await holdPost(running, { ...common, text: 'Two' });
    await holdPost(running, { ...common, text: 'Three', ownTexts: { X: 'x'.repeat(3_001) } });
    await ask(ana, '/upnext posts 24 nov', '3 posts in this list can still be changed.');
    expect(ana.read()).not.toContain('Only for X');
    const form = await pressForForm(ana, 'Approve all…', 'Approve all posts');
    expectParts(form.text(), 'text end', 'Text for X:', 'Only for X', 'Two', '1 more post doesn’t fit here');
    await submitWith(form, {});
    await ana.sees('2 posts approved.');
    expect((await listHeldPosts(running)).filter(({ state }) => state === 'awaiting-review')).toHaveLength(1);
  });

  test('that the form doesn’t show whole aren’t approved, such as with a long text for a picture', async () => {
    const policy = reviewedBy('U01ANAFERR');
    await setPolicy(policy);
    const common = { at: TUESDAY, author: 'U02BENOKAF', policy };
    for (const text of ['One', 'Two']) await holdPost(running, { ...common, text });
    const altText = `A harbour ${'at dawn '.repeat(20)}`;
    await holdPost(running, { ...common, text: 'Three', altText });
    await ask(ana, '/upnext posts 24 nov', '3 posts in this list can still be changed.');
    const form = await pressForForm(ana, 'Approve all…', 'Approve all posts');
    expectParts(form.text(), 'One', 'Two', '1 more post doesn’t fit here');
    expect(form.text()).not.toContain('A harbour');
  });

  test('that were edited since the form showed them aren’t approved', async () => {
    const policy = reviewedBy('U01ANAFERR');
    await setPolicy(policy);
    for (const text of ['One', 'Two'])
      await holdPost(running, { text, at: TUESDAY, author: 'U02BENOKAF', policy });
    await ask(ana, '/upnext posts 24 nov', '2 posts in this list can still be changed.');
    const form = await pressForForm(ana, 'Approve all…', 'Approve all posts');
    const [first] = await listHeldPosts(running);
    if (!first) throw new Error('no posts');
    const press = { id: first.id, workspace: first.workspace, version: first.version, actor: 'U02BENOKAF' };
    const instant = new Date('2026-11-26T09:00:00Z');
    await moveHeldPost(running.bot.heldPosts, press, { instant, isScheduled: false });
    await submitWith(form, {});
    await ana.sees('1 post approved, 1 had changed:');
  });

  test('aren’t offered to their author for approval', async () => {
    await listPosts(['One', 'Two'], { review: 'required' });
    expect(ana.read()).not.toContain('Approve all…');
  });

  test('can’t be changed by somebody who only views the project', async () => {
    await startBot({ membersDefaultRole: 'viewer' });
    for (const text of ['One', 'Two']) await holdPost(running, { text, at: TUESDAY });
    await ask(ben, '/upnext posts 24 nov', 'Harbour Coffee: 2 posts');
    expect(ben.messages().at(-1)).not.toContain('Cancel all…');
  });
});

test('500 posts are cancelled with one press', async () => {
  const row = await holdPost(running, { text: 'One', at: TUESDAY });
  const copies = Array.from({ length: 499 }, (_, index) => ({
    ...row,
    id: `copy-${index}`,
    item: index + 1,
  }));
  await running.db.insertInto('held_post').values(copies).execute();
  await ask(ana, '/upnext posts 24 nov', '500 posts in this list can still be changed.');
  await ana.press('Cancel all…', { dialog: 'confirm' });
  await expect
    .poll(async () => new Set((await listStates()).map((state) => state.split(' ')[0])))
    .toEqual(new Set(['cancelled']));
  await ana.sees('500 posts cancelled.');
});

test.each([
  ['no', 'I stopped there, because you no longer have the Publisher role in Harbour Coffee.'],
  ['unknown', 'I stopped there, because I couldn’t check your role in Harbour Coffee.'],
] as const)(
  'a press for all posts ends there if the role is gone meanwhile (%s), and says what was done',
  async (answer, reason) => {
    await listPosts(Array.from({ length: 12 }, (_, index) => `Post ${index}`));
    let checks = 0;
    const { context } = running.bot.heldPosts.submissions;
    const checkPermission: typeof context.checkPermission = async () => {
      checks += 1;
      return checks > 8 ? answer : 'yes';
    };
    Object.assign(context, { checkPermission });
    await ana.press('Cancel all…', { dialog: 'confirm' });
    await ana.sees('8 posts cancelled, 4 not changed.');
    expect(ana.messages().at(-1)).toContain(reason);
    expect((await listStates()).filter((state) => state.startsWith('cancelled'))).toHaveLength(8);
  },
);

test('a notice shows the texts of posts as they are, without formatting them', () => {
  const posts = [{ platforms: [], content: 'Now *half* price' }, undefined];
  const { blocks = [] } = renderBulkNotice(
    'move',
    { actor: 'U1', posts, reviewCount: 0, overdueCount: 0 },
    NOW,
  );
  expect(blocks[1]).toMatchObject({
    text: { text: `• No date: ${escapeFormatting('Now *half* price')}\n• A post that isn’t there any more` },
  });
});
