import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { endDeliveries, prepareRestored } from '../../src/app/capabilities.ts';
import { cancelHeldPost } from '../../src/held-posts/change.ts';
import { makeHandOverDue } from '../../src/held-posts/decisions.ts';
import { takeBack, takeOutcome } from '../../src/held-posts/hand-over/outcome.ts';
import { NOW } from '../support/bot.ts';
import { submitThrice } from '../support/doubled-form.ts';
import { openFilledForm, submitAndClose, submitFilledForm } from '../support/filled-form.ts';
import { submitWith } from '../support/form-steps.ts';
import { holdPost, reviewedBy } from '../support/hold-posts.ts';
import { data, invalid, json, later } from '../support/scripted-service.ts';
import { FAST_RETRIES, RECEIPT_PACE, setUpBot } from '../support/set-up-bot.ts';
import { csv } from '../support/set-up-imports.ts';
import { ask, pressAndSee, pressForForm } from '../support/steps.ts';

/**
 * Each inserter of a delivery of a post: afterwards there is exactly one post, and its state follows from its delivery.
 */

const { ana, database, running, setPolicy, startBot } = setUpBot({ pace: RECEIPT_PACE });
const BUSY = json(429, {});
const MADE = data({ Id: 'made' });
const SLOW_RETRIES = { retryBackoff: { firstMs: 60_000, maxMs: 60_000 } };
const WAIT = { timeout: 8_000 };

/** The posts: where each is, its version, and the state of the delivery that decides. */
async function listPosts(): Promise<string[]> {
  const { rows } = await sql<{
    state: string;
    reason: string | null;
    version: number;
    delivery: string | null;
  }>`
    select p.state, p.reason, p.version, concat_ws(' ', d.state, d.reason) as delivery
    from post p left join submission d on d.id = p.submission order by p.created_at, p.item`.execute(
    database.db,
  );
  return rows.map(
    ({ state, reason, version, delivery }) =>
      `${version}: ${state}${reason === null ? '' : ` (${reason})`} by ${delivery === '' ? 'itself' : delivery}`,
  );
}

/** Whether the service may have each post, so that equal ones are counted before it is sent. */
async function listDoubts(): Promise<boolean[]> {
  const posts = await database.db.selectFrom('post').select('maybe_sent').execute();
  return posts.map(({ maybe_sent }) => maybe_sent);
}

async function listEvents(): Promise<string[]> {
  const events = await database.db.selectFrom('held_post_event').selectAll().orderBy('position').execute();
  return events.map(({ kind, version }) => `${kind} ${version}`);
}

const setAnswer = (answer: Parameters<typeof running.service.on>[1]) =>
  running.service.on('POST /posts', answer);

/** Submits a post that waits for the service. */
async function submitWaiting(when?: string, pace: object = FAST_RETRIES) {
  await startBot({ pace, startTime: NOW, followsClock: true });
  setAnswer(BUSY);
  await submitAndClose(running, when === undefined ? {} : { when });
  expect(await listPosts()).toEqual(['1: handed-over by retryable']);
}

describe('a form', () => {
  test('stores its post with the delivery, which decides', async () => {
    await submitFilledForm(running);
    expect(await listPosts()).toEqual(['1: delivered by confirmed']);
    expect(await listEvents()).toEqual(['created 1']);
  });

  test('that is sent three times stores one post', async () => {
    await startBot({ mode: 'http', pace: RECEIPT_PACE });
    const { form } = await openFilledForm(running);
    await submitThrice(running, form);
    expect(await listPosts()).toEqual(['1: delivered by confirmed']);
    expect(await listEvents()).toEqual(['created 1']);
  });

  test('with three times stores three posts', async () => {
    const { form } = await openFilledForm(running, { when: 'mon, wed and fri 9am' });
    await form.submit();
    expect(await listPosts()).toEqual(Array(3).fill('1: delivered by confirmed'));
  });

  test('whose post is refused and corrected stores the next version of it', async () => {
    setAnswer(invalid({ loc: ['body', 'Content'], msg: 'is too loud' }));
    const { form } = await openFilledForm(running);
    expect((await form.submit()).errors).toEqual({ Text: 'is too loud' });
    expect(await listPosts()).toEqual(['1: needs-person (refused) by refused']);
    setAnswer(MADE);
    await submitWith(form, { Text: 'we open at nine' });
    expect(await listPosts()).toEqual(['2: delivered by confirmed']);
    expect(await listEvents()).toEqual(['created 1', 'edited 2']);
  });

  test('that comes again after its post was cancelled sends nothing', async () => {
    setAnswer(invalid({ loc: ['body', 'Content'], msg: 'is too loud' }));
    const { form } = await openFilledForm(running);
    await form.submit();
    await ana.type('/upnext outbox');
    await pressAndSee(ana, 'Cancel post', 'It won’t be sent.');
    expect(await listPosts()).toEqual(['1: cancelled by itself']);
    setAnswer(MADE);
    await form.submit();
    await ana.sees('Cancelled');
    expect(await listPosts()).toEqual(['1: cancelled by itself']);
    expect(await listEvents()).toEqual(['created 1', 'cancelled 1']);
  });

  test('whose service is slow has stored the post before it answers', async () => {
    await startBot({ pace: { ...FAST_RETRIES, acknowledgementTimeoutMs: 100 } });
    setAnswer(later(300, MADE));
    const submitting = submitFilledForm(running);
    await expect.poll(listPosts).toEqual(['1: handed-over by sending']);
    await submitting;
    await expect.poll(listPosts).toEqual(['1: delivered by confirmed']);
  });
});

describe('another form', () => {
  test('of [Fix] stores the next version of the refused post', async () => {
    setAnswer(json(404, {}));
    const { form } = await submitFilledForm(running);
    await form.close();
    await ask(ana, '/upnext outbox', '[Fix]');
    setAnswer(MADE);
    const again = await pressForForm(ana, 'Fix', 'Schedule a post');
    await submitWith(again, { Text: 'we open at nine' });
    await expect.poll(listPosts).toEqual(['2: delivered by confirmed']);
    expect(await listEvents()).toEqual(['created 1', 'edited 2']);
  });

  test('that keeps a refused post makes it a held post, with the same history', async () => {
    setAnswer(json(404, {}));
    const { form } = await submitFilledForm(running);
    await form.close();
    await setPolicy({ leadMinutes: 60 });
    await ask(ana, '/upnext outbox', '[Fix]');
    const again = await pressForForm(ana, 'Fix', 'Schedule a post');
    await submitWith(again, { Text: 'we open at nine' });
    await expect.poll(listPosts).toEqual(['2: held by itself']);
    expect(await listEvents()).toEqual(['created 1', 'edited 2']);
  });
});

test('a post that a form keeps after a restored backup may have been sent already', async () => {
  setAnswer(json(404, {}));
  const { form } = await submitFilledForm(running);
  await form.close();
  await prepareRestored(database.db, new Date());
  await setPolicy({ leadMinutes: 60 });
  await ask(ana, '/upnext outbox', '[Fix]');
  const again = await pressForForm(ana, 'Fix', 'Schedule a post');
  await submitWith(again, { Text: 'we open at nine' });
  await expect.poll(listPosts).toEqual(['2: held by itself']);
  expect(await listDoubts()).toEqual([true]);
});

describe('a post that waits for the service', () => {
  test('waits for a review if its project requires one by now', async () => {
    await submitWaiting();
    // The service stays busy, because an attempt may be under way that has read the policy from before.
    await setPolicy(reviewedBy('U02BENOKAF'));
    await expect.poll(listPosts, WAIT).toEqual(['1: awaiting-review by itself']);
    expect(await listEvents()).toEqual(['created 1', 'sent-for-review 1']);
    const [created] = await database.db
      .selectFrom('held_post_event')
      .selectAll()
      .orderBy('position')
      .execute();
    expect(created?.content).not.toBeNull();
  });

  test('is the same post after [New time…]', async () => {
    await submitWaiting('today 13:00');
    running.workspace.clock.advance(90 * 60_000);
    await expect.poll(listPosts, WAIT).toEqual(['1: needs-person (overdue) by blocked overdue']);
    setAnswer(MADE);
    await ana.type('/upnext outbox');
    const form = await pressForForm(ana, 'New time…', 'Move to…');
    await submitWith(form, { When: 'tomorrow 9am' });
    await expect.poll(listPosts, WAIT).toEqual(['2: delivered by confirmed']);
    expect(await listEvents()).toEqual(['created 1', 'moved 2', 'handed-over 2']);
    expect(running.service.created().at(-1)).toMatchObject({ ScheduleDate: '2026-11-21T09:00:00+00:00' });
  });

  test('is sent no more after [Cancel post], and again after [Undo]', async () => {
    await submitWaiting(undefined, SLOW_RETRIES);
    const sentBefore = running.service.created().length;
    await ana.type('/upnext outbox');
    await pressAndSee(ana, 'Cancel post', 'It won’t be sent.', 'Nothing else pending.');
    expect(await listPosts()).toEqual(['1: cancelled by itself']);
    expect(running.service.created()).toHaveLength(sentBefore);
    setAnswer(MADE);
    await ana.press('Undo');
    await expect.poll(listPosts, WAIT).toEqual(['1: delivered by confirmed']);
    expect(await listEvents()).toEqual(['created 1', 'cancelled 1', 'restored 1', 'handed-over 1']);
  });

  test('can’t be cancelled while the service may have it', async () => {
    await submitWaiting(undefined, SLOW_RETRIES);
    const posts = await database.db.selectFrom('post').selectAll().execute();
    const [post] = posts;
    await database.db.updateTable('submission').set({ state: 'sending' }).execute();
    const press = { id: post?.id ?? '', workspace: 'T01HARBOUR', actor: 'U01ANAFERR' };
    expect(await cancelHeldPost(running.bot.heldPosts, press)).toMatchObject({ kind: 'too-late' });
    expect(await listPosts()).toEqual(['1: handed-over by sending']);
  });

  test('is the same post after an edit', async () => {
    await submitWaiting(undefined, SLOW_RETRIES);
    await ana.type('/upnext outbox');
    const form = await pressForForm(ana, 'Edit', 'Schedule a post');
    setAnswer(MADE);
    await submitWith(form, { Text: 'we open at nine' });
    await expect.poll(listPosts, WAIT).toEqual(['2: delivered by confirmed']);
  });

  test('is gone after the app has left its workspace', async () => {
    await submitWaiting();
    await running.bot.engine.stop();
    await database.db
      .transaction()
      .execute((trx) => endDeliveries(trx, { workspace: 'T01HARBOUR', now: new Date() }));
    expect(await listPosts()).toEqual(['1: dropped by discarded']);
    expect(await listEvents()).toEqual([]);
  });

  test('may have been sent after a backup was restored', async () => {
    await submitWaiting();
    await running.bot.engine.stop();
    await database.db
      .updateTable('submission')
      .set({ publish_at: new Date(0) })
      .execute();
    await prepareRestored(database.db, new Date());
    expect(await listPosts()).toEqual(['1: unsure (restored) by unsure restored']);
  });
});

describe('a post that the service may have', () => {
  test('is unsure, and nothing that can be edited', async () => {
    await startBot({ pace: { reconcileDelaysMs: [20, 40] } });
    setAnswer(json(500, 'oops'));
    const { ana: author } = await submitFilledForm(running);
    await author.modal('Not sure');
    expect(await listPosts()).toEqual(['1: unsure (not-found) by unsure not-found']);
    expect(await database.db.selectFrom('held_post').selectAll().execute()).toEqual([]);
  });
});

describe('a post that is held', () => {
  test('is one post before and after it was handed over', async () => {
    const row = await holdPost(running, { text: 'We open at nine', at: '2026-12-01T09:00:00Z' });
    expect(await listPosts()).toEqual(['1: held by itself']);
    await makeHandOverDue(running.bot.heldPosts, { ...row, actor: row.author });
    await expect.poll(listPosts, WAIT).toEqual(['1: delivered by confirmed']);
  });

  test('has buttons while it waits for the service', async () => {
    await startBot({ pace: SLOW_RETRIES });
    setAnswer(BUSY);
    const row = await holdPost(running, { text: 'We open at nine', at: '2026-12-01T09:00:00Z' });
    await makeHandOverDue(running.bot.heldPosts, { ...row, actor: row.author });
    await expect.poll(listPosts, WAIT).toEqual(['1: handed-over by retryable']);
    await ask(ana, '/upnext outbox', '[Retry now] [Edit] [Cancel post]');
    await pressAndSee(ana, 'Cancel post', 'It won’t be sent.', 'Nothing else pending.');
    expect(await listPosts()).toEqual(['1: cancelled by discarded returned']);
  });

  test('is one post after it was taken back from the service', async () => {
    await startBot({ pace: SLOW_RETRIES });
    setAnswer(BUSY);
    const row = await holdPost(running, { text: 'We open at nine', at: '2026-12-01T09:00:00Z' });
    await makeHandOverDue(running.bot.heldPosts, { ...row, actor: row.author });
    await expect.poll(listPosts, WAIT).toEqual(['1: handed-over by retryable']);
    const sent = await database.db.selectFrom('submission').selectAll().executeTakeFirstOrThrow();
    expect(await takeBack(running.bot.heldPosts, sent)).toEqual({ kind: 'held', id: row.id });
    expect(await listPosts()).toEqual(['1: needs-person (taken-back) by discarded returned']);
  });

  test('may have been sent already if its submission, which comes back, may', async () => {
    await startBot({ pace: SLOW_RETRIES });
    setAnswer(BUSY);
    const row = await holdPost(running, { text: 'We open at nine', at: '2026-12-01T09:00:00Z' });
    await makeHandOverDue(running.bot.heldPosts, { ...row, actor: row.author });
    await expect.poll(listPosts, WAIT).toEqual(['1: handed-over by retryable']);
    await running.bot.engine.stop();
    const [submission] = await database.db
      .updateTable('submission')
      .set({ state: 'gave-up', maybe_sent: true, next_at: null })
      .returningAll()
      .execute();
    if (!submission) throw new Error('there is no submission');
    expect(await takeOutcome(running.bot.heldPosts, submission)).toBe(true);
    expect(await listPosts()).toEqual(['1: needs-person (gave-up) by discarded returned']);
    expect(await listDoubts()).toEqual([true]);
  });

  test('of an import is one post, which nothing sends directly', async () => {
    await startBot({ limits: false });
    await setPolicy({ leadMinutes: 60 });
    const dm = await running.workspace.as('Ana').inDirectMessage();
    await dm.drop(csv(['Time,Platforms,Project,Text', '2026-12-01 09:00,X,Harbour Coffee,Post 1']));
    await dm.press('Import 1 post');
    await expect.poll(listPosts).toEqual(['1: held by itself']);
  });
});
