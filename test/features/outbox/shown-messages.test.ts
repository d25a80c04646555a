import { describe, expect, test } from 'vitest';
import { openFilledForm } from '../../support/filled-form.ts';
import { data, invalid, json } from '../../support/scripted-service.ts';
import { FAST_RETRIES, setUpBot } from '../../support/set-up-bot.ts';

/** Messages that show a post, after the post has changed. */

const { ana, running, startBot } = setUpBot();

const refusal = invalid({ loc: ['body', 'Content'], msg: 'is too loud' });

/** Submits a post that the service refuses later. The author is notified in a direct message. */
async function getRefusedInBackground() {
  await startBot({ pace: FAST_RETRIES });
  let callCount = 0;
  running.service.on('POST /posts', (call, response) =>
    (callCount++ === 0 ? json(429, {}) : refusal)(call, response),
  );
  const { ana, form } = await openFilledForm(running);
  await (await form.submit()).view?.close();
  await ana.inDirectMessage();
  await ana.sees('is too loud');
  await ana.sees('Fix and send again');
  return ana;
}

async function fixPost(ana: Awaited<ReturnType<typeof getRefusedInBackground>>, text: string) {
  await ana.press('Fix and send again');
  const form = await ana.modal('Schedule a post');
  await form.fill('Text', text);
  await (await form.submit()).view?.close();
}

describe('a line in a direct message', () => {
  test('the message shows the post that was scheduled in the form', async () => {
    await startBot({ pace: FAST_RETRIES });
    const ana = await running.workspace.as('Ana').inDirectMessage();
    await ana.type('schedule 1 dec 9:30 on x: We are live!');
    await ana.press('Open');
    const form = await ana.modal('Schedule a post');
    await form.fill('Text', 'We are open!');
    await (await form.submit()).view?.close();
    await ana.sees('Scheduled for Tue 1 Dec, 09:30 (Lisbon).');
    expect(ana.read()).not.toContain('Open this post to schedule it.');
  });

  test('after a late success the message doesn’t say that the post is waiting', async () => {
    await startBot({ pace: FAST_RETRIES });
    const ana = await running.workspace.as('Ana').inDirectMessage();
    await ana.type('schedule 1 dec 9:30 on x: We are live!');
    running.service.on('POST /posts', json(429, {}));
    await ana.press('Open');
    await (await (await ana.modal('Schedule a post')).submit()).view?.close();
    await ana.sees('Saved, not sent yet.');
    running.service.on('POST /posts', data({ Id: 'made' }));
    await ana.sees('Scheduled for Tue 1 Dec, 09:30 (Lisbon).');
    await expect.poll(() => ana.read()).not.toContain('Saved, not sent yet.');
  });
});

describe('a direct message about a refused post', () => {
  test('the form that [Fix and send again] opens says under the field what the service didn’t accept', async () => {
    const ana = await getRefusedInBackground();
    await ana.press('Fix and send again');
    const form = (await ana.modal('Schedule a post')).text();
    expect(form).toContain('Not sent. The service didn’t accept this. One field needs a change.');
    expect(form).toMatch(/Text\n.*is too loud.*\nWhen/s);
  });

  test('the message shows the scheduled post after [Fix and send again]', async () => {
    const ana = await getRefusedInBackground();
    running.service.on('POST /posts', data({ Id: 'made' }));
    await fixPost(ana, 'We open quietly');
    await ana.sees('Scheduled for Tue 1 Dec, 09:00 (Lisbon).');
    await ana.sees('We open quietly');
    expect(ana.read()).not.toContain('Fix and send again');
    expect(ana.read()).not.toContain('is too loud');
    expect(ana.messages()).toHaveLength(1);
  });

  test('if a fixed post is refused again, the message shows the new refusal, and the post can be fixed once more', async () => {
    const ana = await getRefusedInBackground();
    running.service.on('POST /posts', invalid({ loc: ['body', 'Content'], msg: 'is too short' }));
    await ana.press('Fix and send again');
    const form = await ana.modal('Schedule a post');
    await form.fill('Text', 'We');
    await form.submit();
    await form.close();
    await ana.sees('is too short');
    expect(ana.read()).not.toContain('is too loud');
    running.service.on('POST /posts', data({ Id: 'made' }));
    await fixPost(ana, 'We open quietly');
    await ana.sees('Scheduled for Tue 1 Dec, 09:00 (Lisbon).');
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
    for (const message of ana.messages())
      expect(message).toContain('Scheduled for Tue 1 Dec, 09:00 (Lisbon).');
    expect(ana.messages()[0]).not.toContain('[');
  });

  test('the message shows that the post was discarded in the outbox', async () => {
    const ana = await getRefusedInBackground();
    ana.in('#harbour-coffee');
    await ana.type('/upnext outbox');
    await ana.press('Discard', { dialog: 'confirm' });
    await ana.sees('Nothing else pending.');
    await ana.inDirectMessage();
    await ana.sees('Discarded. I won’t send it.');
    expect(ana.read()).not.toContain('Fix and send again');
  });

  test('an outdated button for the same post changes nothing, and shows the current state', async () => {
    const ana = await getRefusedInBackground();
    ana.in('#harbour-coffee');
    await ana.type('/upnext outbox');
    await ana.sees('Fix and send again');
    await ana.inDirectMessage();
    running.service.on('POST /posts', data({ Id: 'made' }));
    await fixPost(ana, 'We open quietly');
    await ana.sees('Scheduled for');
    ana.in('#harbour-coffee');
    await ana.press('Fix and send again');
    await ana.sees('This has changed since.');
    await ana.sees('Scheduled for Tue 1 Dec, 09:00 (Lisbon).');
    await ana.sees('Nothing else pending.');
    expect(ana.read()).not.toContain('Fix and send again');
  });
});

test('a message that only the author sees shows no outdated state after [Fix and send again], and [Show status] shows the current state', async () => {
  await startBot({ pace: FAST_RETRIES });
  running.service.on('POST /posts', refusal);
  await ana.type('@Upnext schedule 1 dec 9:30 on x: WE ARE LIVE');
  await ana.press('Open');
  const refusedForm = await ana.modal('Schedule a post');
  await refusedForm.submit();
  await refusedForm.close();
  await ana.press('Open');
  await ana.sees('is too loud');
  running.service.on('POST /posts', data({ Id: 'made' }));
  await fixPost(ana, 'We are live');
  await ana.sees('You opened this post in the form.');
  expect(ana.read()).not.toContain('is too loud');
  await ana.press('Show status');
  await ana.sees('Scheduled for Tue 1 Dec, 09:30 (Lisbon).');
  expect(running.service.created()).toHaveLength(2);
});
