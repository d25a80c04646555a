import { expect, test } from 'vitest';
import { discardSubmission } from '../../../src/submissions/sql/submissions.ts';
import { NOW } from '../../support/bot.ts';
import { openFilledForm, submitAndClose, submitFilledForm } from '../../support/filled-form.ts';
import { expectNone, expectParts, submitWith } from '../../support/form-steps.ts';
import { copyPosts } from '../../support/posts-of-submissions.ts';
import { data, invalid, json } from '../../support/scripted-service.ts';
import { FAST_RETRIES, setUpBot } from '../../support/set-up-bot.ts';
import { ask, askAndPress, confirmAndSee, pressAndSee, pressForForm, seeAll } from '../../support/steps.ts';

const { ana, ben, database, running, startBot } = setUpBot();

/** Submits a post with an unknown outcome as Ana, who is asked what to do. */
async function submitUncertainPost() {
  await startBot({ pace: { reconcileDelaysMs: [10], notificationDelayMs: 500 } });
  running.service.on('POST /posts', json(500, 'oops'));
  const { ana } = await submitFilledForm(running);
  await (await ana.modal('Not sure')).close();
  return ana;
}

const backdateSubmissions = (hours: number) =>
  database.db
    .updateTable('submission')
    .set({ changed_at: new Date(Date.now() - hours * 60 * 60 * 1000) })
    .execute();

test('a post that waits for its author is in the outbox, and can be sent from there', async () => {
  const ana = await submitUncertainPost();
  await ask(ana, '/upnext outbox', 'I couldn’t find your post');
  await seeAll(ana, '· Tue 1 Dec, 09:00 (Lisbon)', 'Harbour Coffee “We open at nine”');
  await pressAndSee(ana, 'Check again', 'Not there as of', '[Refresh]');
  running.service.on('POST /posts', data({ Id: 'made' }));
  await confirmAndSee(
    ana,
    'Send again',
    'The scheduling service publishes it at its time.',
    'Nothing else pending.',
  );
  expect(running.service.created()).toHaveLength(2);
});

test('a post that waits for its author is visible to managers after an hour, but they can’t edit it', async () => {
  await submitUncertainPost();
  await ask(ben, '/upnext outbox', 'Nothing pending');
  await backdateSubmissions(2);
  await ask(ben, '/upnext outbox', 'Needs you', 'Author: @Ana Ferreira');
  await confirmAndSee(ben, 'Discard', 'I won’t send it again, but the service may have it.');
  await ben.sees('Nothing else pending.');
  const [row] = await database.db.selectFrom('submission').select('state').execute();
  expect(row?.state).toBe('discarded');
});

test('a post that a manager sends again is shown to the manager, and its author is notified', async () => {
  const ana = await submitUncertainPost();
  await backdateSubmissions(2);
  running.service.on('POST /posts', data({ Id: 'made' }));
  await ask(ben, '/upnext outbox', '[Send again]');
  // Each of them reads the clock of their own locale.
  await confirmAndSee(ben, 'Send again', 'Tue 1 Dec, 4:00 AM (9:00 AM Lisbon)', 'Nothing else pending.');
  await ana.inDirectMessage();
  await ana.sees('Scheduled · Tue 1 Dec, 09:00 (Lisbon)');
});

test('a refused post that is due within two hours is visible to managers of the project at once', async () => {
  await startBot();
  running.service.on('POST /posts', invalid({ loc: ['body', 'Content'], msg: 'is too loud' }));
  await (await openFilledForm(running, { when: 'today 13:30' })).form.submit();
  await ask(ben, '/upnext outbox', 'Needs you', 'Author: @Ana Ferreira');
});

test('an edit that comes when the post was discarded isn’t saved, and its author reads its text', async () => {
  await startBot({ pace: { retryBackoff: { firstMs: 60_000, maxMs: 60_000 } } });
  running.service.on('POST /posts', json(429, {}));
  const { ana } = await submitAndClose(running);
  await ask(ana, '/upnext outbox', '[Edit]');
  const reopenedForm = await pressForForm(ana, 'Edit', 'Schedule a post');
  const row = await database.db.selectFrom('submission').selectAll().executeTakeFirstOrThrow();
  await discardSubmission(database.db, row, NOW, null);
  const { view } = await submitWith(reopenedForm, { Text: 'We open at ten' });
  expectParts(view?.text(), 'Your change isn’t saved.', 'We open at ten', 'Discarded. I won’t send it.');
  expect(view?.text()).not.toContain('I was already sending');
});

test('a post that waits for a retry can be edited, and the edited post replaces the old one', async () => {
  const pace = { retryBackoff: { firstMs: 60_000, maxMs: 60_000 } };
  await startBot({ pace });
  running.service.on('POST /posts', (_call, response) => {
    response.writeHead(429, { 'retry-after': '60' });
    response.end();
  });
  const { ana } = await submitAndClose(running);
  await ask(ana, '/upnext outbox', 'I’ll keep retrying');
  const reopenedForm = await pressForForm(ana, 'Edit', 'Schedule a post');
  expect(reopenedForm.value('Text')).toBe('We open at nine');
  await submitWith(reopenedForm, { Text: 'We open at ten' });
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
  const { ana } = await submitAndClose(running);
  const home = await ana.home('1 post is waiting in your outbox.');
  running.service.on('POST /posts', data({ Id: 'made' }));
  await expect.poll(() => home.text()).not.toContain('of your posts');
});

/** Automatic retries are due long after the tests end. */
const pace = {
  retryBackoff: { firstMs: 3_600_000, maxMs: 3_600_000 },
  breaker: { failures: 1, firstMs: 3_600_000, maxMs: 3_600_000 },
};

const LAST_TRIED = /Last tried \d\d:\d\d · I’ll retry until \S+ at \d\d:\d\d, then ask you what to do\./;

const SCHEDULED = 'Scheduled · Tue 1 Dec, 09:00 (Lisbon)';

const fail = () => running.service.on('GET /posts', json(503, {}));

const recover = () => running.service.on('GET /posts', data([]));

/** Submits a post as Ana while the service is down, and closes the form. */
async function submitWaitingPost() {
  await startBot({ pace, startTime: NOW });
  fail();
  return (await submitAndClose(running)).ana;
}

/** Sends a post from a line in a direct message while the service is down. */
async function scheduleFromMessage() {
  await startBot({ pace, startTime: NOW });
  fail();
  const ana = await running.workspace.as('Ana').inDirectMessage();
  await askAndPress(ana, 'schedule 1 dec 9:00 on x: We open at nine', 'Open');
  await (await (await ana.modal('Schedule a post')).submit()).view?.close();
  await ana.sees('Saved, not sent yet.');
  return ana;
}

test('a waiting post shows its last attempt, the end of the retries and its buttons, and is tried again before the next list', async () => {
  const ana = await submitWaitingPost();
  await ask(ana, '/upnext outbox', 'I’ll keep retrying.');
  // People can't close messages.
  expect(ana.read()).not.toContain('You can close this');
  expect(ana.messages().at(-1)).toMatch(LAST_TRIED);
  expect(ana.messages().at(-1)).toContain('[Retry now] [Edit] [Cancel post]');
  recover();
  await ask(ana, '/upnext outbox', SCHEDULED, 'Nothing else pending.');
  expect(ana.messages().at(-1)).not.toContain('Saved, not sent yet.');
  expect(running.service.created()).toHaveLength(1);
});

test.each([
  ['saved', null, 'Saved, not sent yet. I can’t read it, so ask whoever runs Upnext. I’ll keep retrying.'],
  ['gave-up', null, 'Not sent, and I can’t read it. Ask whoever runs Upnext.'],
  ['refused', null, 'Not sent, and I can’t read it. Ask whoever runs Upnext.'],
  ['unsure', 'not-found', 'I don’t know whether it was sent, and I can’t read it. Ask whoever runs Upnext.'],
] as const)(
  'a post that I can’t read is called that in the state %s, and can only be discarded',
  async (state, reason, sentence) => {
    const ana = await submitWaitingPost();
    const unreadable = { content: 'v1:lost:AAAA', refusal: null };
    await database.db
      .updateTable('submission')
      .set({ state, reason, ...unreadable, next_at: null, lease_until: null, notify_at: null })
      .execute();
    await ask(ana, '/upnext outbox', sentence);
    expect(ana.messages().at(-1)).toMatch(/\[Discard\]/);
    expect(ana.messages().at(-1)).not.toMatch(/\[(Send again|Edit|Fix|Check again)\]/);
    expect((await ana.home('is waiting in your outbox.')).text()).toContain('Unreadable · Your post');
  },
);

test('a post that was never tried, because the service was down before, shows no last attempt', async () => {
  await submitWaitingPost();
  const { view } = await submitFilledForm(running, { text: 'We open at ten' });
  expect(view?.text()).toContain('I’ll try until');
  expect(view?.text()).not.toContain('Last tried');
});

test('many waiting posts have pages, and a press shows the page with its post', async () => {
  const ana = await submitWaitingPost();
  const { id, ...row } = await database.db.selectFrom('submission').selectAll().executeTakeFirstOrThrow();
  const copies = Array.from({ length: 11 }, (_, index) => ({
    ...row,
    ...{ id: `${id}-${index}`, origin: `${row.origin}-${index}`, next_at: null },
    // The posts of one form have the same time.
    created_at: new Date(row.created_at.getTime() - (index % 2) * 1000),
    // A later version wrote the last one.
    ...(index === 10 && { state: 'from-later' as typeof row.state }),
  }));
  await database.db.insertInto('submission').values(copies).execute();
  await copyPosts(database.db, id, copies);
  const readList = () => ana.messages().at(-1) ?? '';
  const countEntries = () => readList().match(/Saved, not sent yet/g)?.length;
  await ask(ana, '/upnext outbox', '1 to 8 of 12, as of');
  expect(countEntries()).toBe(8);
  expectNone(readList(), '[Previous page]', 'I can’t show');
  await pressAndSee(ana, 'Next page', '9 to 11 of 12, as of');
  expect(countEntries()).toBe(3);
  expect(readList()).toContain('I can’t show one submission.');
  await pressAndSee(ana, 'Cancel post', '9 to 10 of 11, as of');
  expect(readList()).toContain('Cancelled');
  await pressAndSee(ana, 'Refresh', '9 to 10 of 11, as of');
  await pressAndSee(ana, 'Previous page', '1 to 8 of 11, as of');
  await pressAndSee(ana, 'Cancel post', '1 to 7 of 10, as of');
  await pressAndSee(ana, 'Next page', '8 to 9 of 10, as of');
});

test('only one of several waiting posts is tried before the list is shown, if its outcome is unknown', async () => {
  await startBot({ pace, startTime: NOW });
  running.service.on('POST /posts', json(500, 'oops'));
  for (const text of ['We open at nine', 'We open at ten', 'We open at eleven']) {
    await submitAndClose(running, { text });
  }
  expect(running.service.created()).toHaveLength(1);
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  await ask(ana, '/upnext outbox', 'Saved, not sent yet.');
  expect(running.service.created()).toHaveLength(2);
});

test('a post with an unknown outcome is checked before the list is shown', async () => {
  await startBot({ pace: { reconcileDelaysMs: [10] } });
  running.service.on('POST /posts', json(500, 'oops'));
  const { ana } = await submitFilledForm(running);
  await (await ana.modal('Not sure')).close();
  await ask(ana, '/upnext outbox', 'Not there as of');
  running.service.on('GET /posts', data(running.service.created()));
  await ask(ana, '/upnext outbox', SCHEDULED);
  expect(running.service.created()).toHaveLength(1);
});

test('a retry while the service is still down says so', async () => {
  const ana = await submitWaitingPost();
  await ana.type('/upnext outbox');
  await pressAndSee(ana, 'Retry now', 'I’ve just tried again, and it still didn’t work.', '[Retry now]');
  expect(running.service.created()).toHaveLength(0);
});

test('the outbox doesn’t retry a post before the time that the service asked for, and a press does', async () => {
  await startBot({ pace, startTime: NOW });
  running.service.on('POST /posts', json(429, {}));
  const { ana } = await submitAndClose(running);
  await ask(ana, '/upnext outbox', '[Retry now]');
  expect(running.service.created()).toHaveLength(1);
  await pressAndSee(ana, 'Retry now', 'I’ve just tried again, and it still didn’t work.');
  expect(running.service.created()).toHaveLength(2);
});

test('the message of a waiting post shows the scheduled post after a retry', async () => {
  const ana = await scheduleFromMessage();
  expect(ana.read()).toMatch(LAST_TRIED);
  recover();
  await pressAndSee(ana, 'Retry now', 'The scheduling service publishes it at its time.');
  expectNone(ana.read(), 'Saved, not sent yet.', '[Retry now]');
});

test('the message of a waiting post shows the post that was scheduled from the outbox', async () => {
  const ana = await scheduleFromMessage();
  recover();
  ana.in('#harbour-coffee');
  await ask(ana, '/upnext outbox', SCHEDULED);
  await ana.inDirectMessage();
  await ana.sees(SCHEDULED);
  expect(ana.read()).not.toContain('[Retry now]');
});

test('a button in an outdated list doesn’t send the post again, and shows that the list has changed', async () => {
  const ana = await submitWaitingPost();
  await ask(ana, '/upnext outbox', '[Retry now]');
  recover();
  await ask(ana, '/upnext outbox', 'Nothing else pending.');
  await pressAndSee(ana, 'Retry now', 'This post has changed since', 'Scheduled');
  expect(running.service.created()).toHaveLength(1);
});

const refusal = invalid({ loc: ['body', 'Content'], msg: 'is too loud' });

/** Submits a post that the service refuses later. The author is notified in a direct message. */
async function getRefusedInBackground() {
  await startBot({ pace: FAST_RETRIES });
  let callCount = 0;
  running.service.on('POST /posts', (call, response) =>
    (callCount++ === 0 ? json(429, {}) : refusal)(call, response),
  );
  const { ana } = await submitAndClose(running);
  await ana.inDirectMessage();
  await seeAll(ana, 'is too loud', 'Fix');
  return ana;
}

async function fixPost(ana: Awaited<ReturnType<typeof getRefusedInBackground>>, text: string) {
  const form = await pressForForm(ana, 'Fix', 'Schedule a post');
  await (await submitWith(form, { Text: text })).view?.close();
}

test('a line in a direct message: after a late success the message doesn’t say that the post is waiting', async () => {
  await startBot({ pace: FAST_RETRIES });
  const ana = await running.workspace.as('Ana').inDirectMessage();
  await ana.type('schedule 1 dec 9:30 on x: We are live!');
  running.service.on('POST /posts', json(429, {}));
  await (await (await pressForForm(ana, 'Open', 'Schedule a post')).submit()).view?.close();
  await ana.sees('Saved, not sent yet.');
  running.service.on('POST /posts', data({ Id: 'made' }));
  await ana.sees('Scheduled · Tue 1 Dec, 09:30 (Lisbon)');
  await expect.poll(() => ana.read()).not.toContain('Saved, not sent yet.');
});

test('the form that [Fix] opens says under the field what the service didn’t accept', async () => {
  const ana = await getRefusedInBackground();
  const form = (await pressForForm(ana, 'Fix', 'Schedule a post')).text();
  expect(form).toContain('Not sent. The service didn’t accept this. One field needs a change.');
  expect(form).toMatch(/Text\n.*is too loud.*\nWhen/s);
});

test('the message shows the scheduled post after [Fix]', async () => {
  const ana = await getRefusedInBackground();
  running.service.on('POST /posts', data({ Id: 'made' }));
  await fixPost(ana, 'We open quietly');
  await seeAll(ana, 'Scheduled · Tue 1 Dec, 09:00 (Lisbon)', 'We open quietly');
  expectNone(ana.read(), 'Fix', 'is too loud');
  expect(ana.messages()).toHaveLength(1);
});

test('if a fixed post is refused again, the message shows the new refusal, and the post can be fixed once more', async () => {
  const ana = await getRefusedInBackground();
  running.service.on('POST /posts', invalid({ loc: ['body', 'Content'], msg: 'is too short' }));
  const form = await pressForForm(ana, 'Fix', 'Schedule a post');
  await submitWith(form, { Text: 'We' });
  await form.close();
  await ana.sees('is too short');
  expect(ana.read()).not.toContain('is too loud');
  running.service.on('POST /posts', data({ Id: 'made' }));
  await fixPost(ana, 'We open quietly');
  await ana.sees('Scheduled · Tue 1 Dec, 09:00 (Lisbon)');
  expect(ana.messages()).toHaveLength(1);
});

test('after a late success, a new message and the earlier message say that the post is scheduled', async () => {
  const ana = await getRefusedInBackground();
  running.service.on('POST /posts', json(429, {}));
  await fixPost(ana, 'We open quietly');
  await ana.sees('Saved, not sent yet.');
  expect(ana.messages()).toHaveLength(1);
  running.service.on('POST /posts', data({ Id: 'made' }));
  await expect.poll(() => ana.messages().length).toBe(2);
  await expect.poll(() => ana.read()).not.toContain('Saved, not sent yet.');
  for (const message of ana.messages()) expect(message).toContain('Scheduled · Tue 1 Dec, 09:00 (Lisbon)');
  expect(ana.messages()[0]).not.toContain('[');
});

test('the message shows that the post was cancelled in the outbox, and the post can be restored there', async () => {
  const ana = await getRefusedInBackground();
  ana.in('#harbour-coffee');
  await ana.type('/upnext outbox');
  await pressAndSee(ana, 'Cancel post', 'It won’t be sent.', '[Undo]');
  await ana.inDirectMessage();
  await ana.sees('It won’t be sent.');
  expect(ana.read()).not.toContain('[Fix]');
  running.service.on('POST /posts', data({ Id: 'made' }));
  await ana.press('Undo');
  await expect.poll(() => running.service.created().length).toBe(3);
  await ana.sees('The scheduling service publishes it at its time.');
});

test('an outdated button for the same post changes nothing, and shows the current state', async () => {
  const ana = await getRefusedInBackground();
  ana.in('#harbour-coffee');
  await ask(ana, '/upnext outbox', 'Fix');
  await ana.inDirectMessage();
  running.service.on('POST /posts', data({ Id: 'made' }));
  await fixPost(ana, 'We open quietly');
  await ana.sees('Scheduled ·');
  ana.in('#harbour-coffee');
  await pressAndSee(
    ana,
    'Fix',
    'This post has changed since',
    'The scheduling service publishes it at its time.',
  );
});

test('a message that only the author sees shows no outdated state after [Fix], and [Open] shows the current state', async () => {
  await startBot({ pace: FAST_RETRIES });
  running.service.on('POST /posts', refusal);
  await ana.type('@Upnext schedule 1 dec 9:30 on x: WE ARE LIVE');
  const refusedForm = await pressForForm(ana, 'Open', 'Schedule a post');
  await refusedForm.submit();
  await refusedForm.close();
  await pressAndSee(ana, 'Open', 'is too loud');
  running.service.on('POST /posts', data({ Id: 'made' }));
  await fixPost(ana, 'We are live');
  await ana.sees('You opened this post in the form.');
  expect(ana.read()).not.toContain('is too loud');
  await pressAndSee(ana, 'Open', 'The scheduling service publishes it at its time.');
  expect(running.service.created()).toHaveLength(2);
});
