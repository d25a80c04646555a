import { describe, expect, test } from 'vitest';
import { NOW } from '../../support/bot.ts';
import { openFilledForm } from '../../support/filled-form.ts';
import { data, json } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

/** Posts that wait until the service is available again. */

const { database, running, startBot } = setUpBot();

/** Automatic retries are due long after the tests end. */
const pace = {
  retryBackoff: { firstMs: 3_600_000, maxMs: 3_600_000 },
  breaker: { failures: 1, firstMs: 3_600_000, maxMs: 3_600_000 },
};
const LAST_TRIED = /Last tried \d\d:\d\d · I’ll retry until \S+ at \d\d:\d\d, then ask you what to do\./;
const SCHEDULED = 'Scheduled for Tue 1 Dec, 09:00 (Lisbon).';

const fail = () => running.service.on('GET /posts', json(503, {}));
const recover = () => running.service.on('GET /posts', data([]));

/** Submits a post as Ana while the service is down, and closes the form. */
async function submitWaitingPost() {
  await startBot({ pace, startTime: NOW });
  fail();
  const { ana, form } = await openFilledForm(running);
  await (await form.submit()).view?.close();
  return ana;
}

/** Sends a post from a line in a direct message while the service is down. */
async function scheduleFromMessage() {
  await startBot({ pace, startTime: NOW });
  fail();
  const ana = await running.workspace.as('Ana').inDirectMessage();
  await ana.type('schedule 1 dec 9:00 on x: We open at nine');
  await ana.press('Open');
  await (await (await ana.modal('Schedule a post')).submit()).view?.close();
  await ana.sees('Saved, not sent yet.');
  return ana;
}

describe('/upnext outbox', () => {
  test('a waiting post shows its last attempt, the end of the retries, and its buttons', async () => {
    const ana = await submitWaitingPost();
    await ana.type('/upnext outbox');
    await ana.sees('I’ll keep retrying.');
    // People can't close messages.
    expect(ana.read()).not.toContain('You can close this');
    expect(ana.messages().at(-1)).toMatch(LAST_TRIED);
    expect(ana.messages().at(-1)).toContain('[Retry now] [Edit] [Discard]');
  });

  test('a post that was never tried, because the service was down before, shows no last attempt', async () => {
    await submitWaitingPost();
    const { form } = await openFilledForm(running, { text: 'We open at ten' });
    const { view } = await form.submit();
    expect(view?.text()).toContain('I’ll try until');
    expect(view?.text()).not.toContain('Last tried');
  });

  test('of many waiting posts, the first eight are shown, and the others are counted', async () => {
    const ana = await submitWaitingPost();
    const { id, ...row } = await database.db.selectFrom('submission').selectAll().executeTakeFirstOrThrow();
    const copies = Array.from({ length: 9 }, (_, index) => ({
      ...row,
      ...{ id: `${id}-${index}`, origin: `${row.origin}-${index}`, next_at: null },
      // A later version wrote the last one.
      ...(index === 8 && { state: 'from-later' as typeof row.state }),
    }));
    await database.db.insertInto('submission').values(copies).execute();
    await ana.type('/upnext outbox');
    await ana.sees('…and 1 more. They show up here as these finish.');
    await ana.sees('I can’t show one submission.');
    expect(
      ana
        .messages()
        .at(-1)
        ?.match(/Saved, not sent yet/g),
    ).toHaveLength(8);
  });

  test('a waiting post is tried again before the list is shown, so the list shows that it was scheduled', async () => {
    const ana = await submitWaitingPost();
    recover();
    await ana.type('/upnext outbox');
    await ana.sees(SCHEDULED);
    await ana.sees('Nothing else pending.');
    expect(ana.read()).not.toContain('Saved, not sent yet.');
    expect(running.service.created()).toHaveLength(1);
  });

  test('a post with an unknown outcome is checked before the list is shown', async () => {
    await startBot({ pace: { reconcileDelaysMs: [10] } });
    running.service.on('POST /posts', json(500, 'oops'));
    const { ana, form } = await openFilledForm(running);
    await form.submit();
    await (await ana.modal('Not sure')).close();
    await ana.type('/upnext outbox');
    await ana.sees('Not there as of');
    running.service.on('GET /posts', data(running.service.created()));
    await ana.type('/upnext outbox');
    await ana.sees(SCHEDULED);
    expect(running.service.created()).toHaveLength(1);
  });
});

describe('[Retry now]', () => {
  test('a retry while the service is still down says so', async () => {
    const ana = await submitWaitingPost();
    await ana.type('/upnext outbox');
    await ana.press('Retry now');
    await ana.sees('I’ve just tried again, and it still didn’t work.');
    await ana.sees('[Retry now]');
    expect(running.service.created()).toHaveLength(0);
  });

  test('the outbox doesn’t retry a post before the time that the service asked for, and a press does', async () => {
    await startBot({ pace, startTime: NOW });
    running.service.on('POST /posts', json(429, {}));
    const { ana, form } = await openFilledForm(running);
    await (await form.submit()).view?.close();
    await ana.type('/upnext outbox');
    await ana.sees('[Retry now]');
    expect(running.service.created()).toHaveLength(1);
    await ana.press('Retry now');
    await ana.sees('I’ve just tried again, and it still didn’t work.');
    expect(running.service.created()).toHaveLength(2);
  });

  test('the message of a waiting post shows the scheduled post after a retry', async () => {
    const ana = await scheduleFromMessage();
    expect(ana.read()).toMatch(LAST_TRIED);
    recover();
    await ana.press('Retry now');
    await ana.sees(SCHEDULED);
    expect(ana.read()).not.toContain('Saved, not sent yet.');
    expect(ana.read()).not.toContain('[Retry now]');
  });

  test('the message of a waiting post shows the post that was scheduled from the outbox', async () => {
    const ana = await scheduleFromMessage();
    recover();
    ana.in('#harbour-coffee');
    await ana.type('/upnext outbox');
    await ana.sees(SCHEDULED);
    await ana.inDirectMessage();
    await ana.sees(SCHEDULED);
    expect(ana.read()).not.toContain('[Retry now]');
  });

  test('a button in an outdated list doesn’t send the post again, and shows that the list has changed', async () => {
    const ana = await submitWaitingPost();
    await ana.type('/upnext outbox');
    await ana.sees('[Retry now]');
    recover();
    await ana.type('/upnext outbox');
    await ana.sees('Nothing else pending.');
    await ana.press('Retry now');
    await ana.sees('This has changed since.');
    expect(ana.read()).not.toContain('[Retry now]');
    expect(running.service.created()).toHaveLength(1);
  });
});
