import { describe, expect, test } from 'vitest';
import { openFilledForm } from '../../support/filled-form.ts';
import { data, invalid, json } from '../../support/scripted-service.ts';
import { FAST_RETRIES, setUpBot } from '../../support/set-up-bot.ts';

const { ben, database, running, startBot } = setUpBot();

/** Submits a post with an unknown outcome as Ana, who is asked what to do. */
async function submitUncertainPost() {
  await startBot({ pace: { reconcileDelaysMs: [10], notificationDelayMs: 500 } });
  running.service.on('POST /posts', json(500, 'oops'));
  const { ana, form } = await openFilledForm(running);
  await form.submit();
  await (await ana.modal('Not sure')).close();
  return ana;
}

const backdateSubmissions = (hours: number) =>
  database.db
    .updateTable('submission')
    .set({ changed_at: new Date(Date.now() - hours * 60 * 60 * 1000) })
    .execute();

describe('a post that waits for its author', () => {
  test('a post that waits for its author is in the outbox, and can be sent from there', async () => {
    const ana = await submitUncertainPost();
    await ana.type('/upnext outbox');
    await ana.sees('I couldn’t find your post');
    await ana.sees('Post for Harbour Coffee, Tue 1 Dec, 09:00 (Lisbon)');
    await ana.sees('“We open at nine”');
    await ana.press('Check again');
    await ana.sees('Not there as of');
    await ana.sees('[Refresh]');
    running.service.on('POST /posts', data({ Id: 'made' }));
    await ana.press('Send again');
    await ana.sees('Scheduled for Tue 1 Dec, 09:00 (Lisbon).');
    await ana.sees('Nothing else pending.');
    expect(running.service.created()).toHaveLength(2);
  });

  test('a post that waits for its author is visible to managers after an hour, but they can’t edit it', async () => {
    await submitUncertainPost();
    await ben.type('/upnext outbox');
    await ben.sees('Nothing pending');
    await backdateSubmissions(2);
    await ben.type('/upnext outbox');
    await ben.sees('Needs you');
    await ben.sees('Sent by');
    await ben.press('Discard', { dialog: 'confirm' });
    await ben.sees('Discarded. I won’t send it again, but the service may have it.');
    await ben.sees('Nothing else pending.');
    const [row] = await database.db.selectFrom('submission').select('state').execute();
    expect(row?.state).toBe('discarded');
  });
});

test('a post that a manager sends again is shown to the manager, and its author is notified', async () => {
  const ana = await submitUncertainPost();
  await backdateSubmissions(2);
  running.service.on('POST /posts', data({ Id: 'made' }));
  await ben.type('/upnext outbox');
  await ben.press('Send again');
  // Each of them reads the clock of their own locale.
  await ben.sees('Scheduled for Tue 1 Dec, 9:00 AM (Lisbon).');
  await ana.inDirectMessage();
  await ana.sees('Scheduled for Tue 1 Dec, 09:00 (Lisbon).');
});

test('a refused post that is due within two hours is visible to managers of the project at once', async () => {
  await startBot();
  running.service.on('POST /posts', invalid({ loc: ['body', 'Content'], msg: 'is too loud' }));
  const { form } = await openFilledForm(running, { when: 'today 13:30' });
  await form.submit();
  await ben.type('/upnext outbox');
  await ben.sees('Needs you');
  await ben.sees('Sent by');
});

test('a post that waits for a retry can be edited, and the edited post replaces the old one', async () => {
  const pace = { retryBackoff: { firstMs: 60_000, maxMs: 60_000 } };
  await startBot({ pace });
  running.service.on('POST /posts', (_call, response) => {
    response.writeHead(429, { 'retry-after': '60' });
    response.end();
  });
  const { ana, form } = await openFilledForm(running);
  await (await form.submit()).view?.close();
  await ana.type('/upnext outbox');
  await ana.sees('I’ll keep retrying');
  await ana.press('Edit');
  const reopenedForm = await ana.modal('Schedule a post');
  expect(reopenedForm.value('Text')).toBe('We open at nine');
  await reopenedForm.fill('Text', 'We open at ten');
  await reopenedForm.submit();
  const rows = await database.db
    .selectFrom('submission')
    .select(['state', 'reason'])
    .orderBy('created_at')
    .execute();
  expect(rows).toEqual([
    { state: 'discarded', reason: 'replaced' },
    { state: 'retryable', reason: null },
  ]);
  expect(running.service.created()).toHaveLength(1);
});

test('Home mentions a pending post until a retry succeeds', async () => {
  await startBot({ pace: FAST_RETRIES });
  running.service.on('POST /posts', json(429, {}));
  const { ana, form } = await openFilledForm(running);
  await (await form.submit()).view?.close();
  const home = await ana.home('1 item in your outbox');
  running.service.on('POST /posts', data({ Id: 'made' }));
  await expect.poll(() => home.text()).not.toContain('of your posts');
});
