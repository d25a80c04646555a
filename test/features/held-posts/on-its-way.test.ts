import { describe, expect, test } from 'vitest';
import { NOW } from '../../support/bot.ts';
import { giveXOwnText, openFilledForm, submitAndClose, submitFilledForm } from '../../support/filled-form.ts';
import { expectNone } from '../../support/form-steps.ts';
import { holdPost } from '../../support/hold-posts.ts';
import { data, json } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask, askAndPress, confirmAndSee, pressAndSee, seeAll } from '../../support/steps.ts';

/** The buttons of posts that their submissions decide about: they wait for the service, or may have arrived there. */

const { ana, ben, database, running, startBot } = setUpBot();
const SLOW_RETRIES = { retryBackoff: { firstMs: 3_600_000, maxMs: 3_600_000 } };
const SCHEDULED = 'The scheduling service publishes it at its time.';

/** Submits a post of Ana's whose request is lost. */
async function submitUnsure() {
  await startBot({ pace: { reconcileDelaysMs: [10] } });
  running.service.on('POST /posts', json(500, 'oops'));
  const { ana } = await submitFilledForm(running);
  await (await ana.modal('Not sure')).close();
  await ask(ana, '/upnext outbox', 'I couldn’t find your post', '[Check again] [Send again] [Discard]');
}

const listEvents = async () =>
  (await database.db.selectFrom('held_post_event').selectAll().orderBy('position').execute()).map(
    ({ kind, actor }) => `${kind} ${actor}`.trim(),
  );
const countSent = () => running.service.created().length;
const listStates = async () =>
  (await database.db.selectFrom('submission').select('state').execute()).map(({ state }) => state);

describe('a post that may have arrived', () => {
  test('is scheduled if a check finds it', async () => {
    await submitUnsure();
    const [sent] = running.service.created();
    running.service.on('GET /posts', data([{ Id: 'made', Status: 'SCHEDULED', ...sent }]));
    await pressAndSee(ana, 'Check again', SCHEDULED, 'Nothing else pending.');
    expect(countSent()).toBe(1);
    expect(await listEvents()).toEqual(['created U01ANAFERR']);
  });

  test('can’t be edited, moved or cancelled', async () => {
    await submitUnsure();
    expectNone(ana.messages().at(-1) ?? '', '[Edit]', '[Move to…]', '[Cancel post]');
  });

  test('is sent again after its author has read that it may be there twice', async () => {
    await submitUnsure();
    running.service.on('POST /posts', data({ Id: 'made' }));
    await ana.press('Send again', { dialog: 'deny' });
    expect(countSent()).toBe(1);
    await confirmAndSee(ana, 'Send again', SCHEDULED);
    expect(countSent()).toBe(2);
    expect(await listEvents()).toEqual(['created U01ANAFERR', 'hurried U01ANAFERR']);
    await ask(ana, '/upnext audit', 'handed a post over at once');
  });

  test('is sent no more after it was discarded, and the card doesn’t say that it isn’t there', async () => {
    await submitUnsure();
    await confirmAndSee(ana, 'Discard', 'I won’t send it again, but the service may have it.');
    expect(countSent()).toBe(1);
    expect(await listEvents()).toEqual(['created U01ANAFERR', 'cancelled U01ANAFERR']);
    expectNone(ana.messages().at(-1) ?? '', '[Undo]', '[Send again]');
  });

  test('has buttons in the message about it, which changes with it', async () => {
    await startBot({ pace: { reconcileDelaysMs: [1_000] } });
    running.service.on('POST /posts', json(500, 'oops'));
    await submitAndClose(running);
    const dm = await ana.inDirectMessage();
    await dm.sees('[Check again] [Send again] [Discard]');
    running.service.on('POST /posts', data({ Id: 'made' }));
    await confirmAndSee(dm, 'Send again', SCHEDULED);
    expectNone(dm.read(), '[Check again]', '[Send again]');
    expect(dm.messages()).toHaveLength(1);
  });
});

test('each text of a post that may have arrived is asked about in words of its own', async () => {
  await startBot({ pace: { reconcileDelaysMs: [300] } });
  running.service.on('POST /posts', json(500, 'oops'));
  const { form } = await openFilledForm(running);
  await giveXOwnText(ana, form, 'At nine!');
  await (await form.submit()).view?.close();
  const dm = await ana.inDirectMessage();
  await seeAll(dm, 'At nine!', 'We open at nine');
  await expect.poll(() => dm.messages().length).toBe(2);
  const [first, second] = dm.messages();
  expect(first).not.toBe(second);
});

describe('a post that waits for the service', () => {
  async function submitWaiting() {
    await startBot({ pace: SLOW_RETRIES, startTime: NOW });
    running.service.on('POST /posts', json(429, {}));
    await submitAndClose(running);
  }

  test('is tried again with [Retry now]', async () => {
    await submitWaiting();
    await ask(ana, '/upnext outbox', '[Retry now]');
    running.service.on('POST /posts', data({ Id: 'made' }));
    await pressAndSee(ana, 'Retry now', SCHEDULED, 'Nothing else pending.');
    expect(await listEvents()).toEqual(['created U01ANAFERR', 'hurried U01ANAFERR']);
  });

  test('is cancelled by somebody else who may, and its author is told and can restore it', async () => {
    await submitWaiting();
    await database.db
      .updateTable('submission')
      .set({ publish_at: new Date(NOW.getTime() + 3_600_000) })
      .execute();
    await askAndPress(ben, '/upnext outbox', 'Cancel post');
    await ben.sees('It won’t be sent.');
    const dm = await ana.inDirectMessage();
    await seeAll(dm, '@Ben Okafor cancelled it.', '[Undo]');
    expect(countSent()).toBe(1);
    running.service.on('POST /posts', data({ Id: 'made' }));
    await dm.press('Undo');
    await expect.poll(countSent).toBe(2);
  });

  test('has the same buttons if it was kept until its hand-over', async () => {
    await startBot({ pace: SLOW_RETRIES, startTime: NOW });
    running.service.on('POST /posts', json(429, {}));
    await holdPost(running, { text: 'We open at nine', at: '2026-12-01T09:00:00Z' });
    await database.db.updateTable('post').set({ hand_over_at: NOW, next_at: NOW }).execute();
    running.bot.heldPosts.verbs.wake();
    // The service has the request a moment before Upnext has its answer.
    await expect.poll(listStates).toEqual(['retryable']);
    await ask(ana, '/upnext outbox', '[Retry now] [Edit] [Cancel post]');
    running.service.on('POST /posts', data({ Id: 'made' }));
    await pressAndSee(ana, 'Retry now', SCHEDULED);
    expect(countSent()).toBe(2);
  });
});
