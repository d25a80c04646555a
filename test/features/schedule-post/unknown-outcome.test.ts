import { expect, test } from 'vitest';
import { openFilledForm, submitFilledForm } from '../../support/filled-form.ts';
import { expectParts } from '../../support/form-steps.ts';
import { data, hang, json, later, listedPost } from '../../support/scripted-service.ts';
import { RECEIPT_PACE, setUpBot } from '../../support/set-up-bot.ts';
import { seeAll } from '../../support/steps.ts';

const { running, startBot } = setUpBot();

const foundPosts = [
  listedPost('We open at nine', '2026-12-01T09:00:00+00:00', { Id: 'a', Timezone: 'Europe/Lisbon' }),
];

/** A pace with two checks, after which the author is asked. */
const PACE = { reconcileDelaysMs: [20, 40] };

/** Submits a post that the service may have, and returns the question to its author. */
async function submitUnknown() {
  await startBot({ pace: PACE });
  running.service.on('POST /posts', json(500, 'oops'));
  const { ana } = await submitFilledForm(running);
  return { ana, view: await ana.modal('Not sure') };
}

test('if a post may be on an unread page, its author is asked, and the post isn’t called missing', async () => {
  await startBot({ pace: { ...RECEIPT_PACE, ...PACE } });
  running.service.on('POST /posts', json(500, 'oops'));
  const otherPosts = Array.from({ length: 600 }, (_, index) => ({
    ...foundPosts[0],
    Id: `o${index}`,
    Content: 'Another',
  }));
  running.service.on('GET /posts', data(otherPosts));
  const { ana } = await submitFilledForm(running);
  expect((await ana.modal('Not sure')).text()).not.toContain('I couldn’t find your post');
});

test('a post with an unknown outcome is checked before its author is asked, and [Check again] sends nothing', async () => {
  const { ana, view } = await submitUnknown();
  expectParts(view.text(), 'I couldn’t find your post', 'Tue 1 Dec, 09:00 (Lisbon)', 'We open at nine');
  expect(view.text()).toContain('[Check again] [Send again] [Discard]');
  await view.press('Check again');
  await ana.sees('Not there as of 12:00:00');
  running.service.on('GET /posts', data([{ ...foundPosts[0], Content: 'We open at ten' }, ...foundPosts]));
  await view.press('Check again');
  await ana.sees('Scheduled for');
  const lastCheck = running.service.calls.findLast(
    ({ method, path }) => method === 'GET' && path.endsWith('/posts'),
  );
  expect(lastCheck?.query.get('schedule_date_from')).toBe('2026-12-01T08:59:00.000Z');
  expect(lastCheck?.query.get('schedule_date_to')).toBe('2026-12-01T09:01:00.000Z');
  expect(running.service.created()).toHaveLength(1);
});

test('a post that a check finds is reported in the form', async () => {
  await startBot({ pace: { reconcileDelaysMs: [400] } });
  running.service.on('POST /posts', (_call, response) => {
    running.service.on('GET /posts', data(foundPosts));
    response.destroy();
  });
  const { ana, form } = await openFilledForm(running);
  expect((await form.submit()).view?.text()).toContain('so I’m checking. I won’t send it twice.');
  await ana.sees('Scheduled for');
  expect(running.service.created()).toHaveLength(1);
});

test('a post that a check finds appears at Home, although its author did nothing', async () => {
  await startBot({ pace: { reconcileDelaysMs: [1_500] } });
  const isCheck = (query: URLSearchParams) => query.get('schedule_date_from') === '2026-12-01T08:59:00.000Z';
  running.service.on('POST /posts', (_call, response) => {
    running.service.on('GET /posts', (call, answer) => {
      if (isCheck(call.query)) running.service.on('GET /upnext-post', data(foundPosts[0]));
      return data(isCheck(call.query) ? foundPosts : [])(call, answer);
    });
    response.destroy();
  });
  const { ana, form } = await openFilledForm(running);
  await ana.home('Nothing is scheduled.');
  await form.submit();
  await ana.home('We open at nine');
});

test('an older post with the same values is not mistaken for the new post', async () => {
  await startBot({ pace: PACE });
  running.service.on('GET /posts', data(foundPosts));
  running.service.on('POST /posts', json(500, 'oops'));
  await (await submitFilledForm(running)).ana.modal('Not sure');
});

test('a draft with the same text is not mistaken for the scheduled post', async () => {
  const { ana, view } = await submitUnknown();
  running.service.on('GET /posts', data([{ ...foundPosts[0], Status: 'DRAFT' }]));
  await view.press('Check again');
  await ana.sees('Not there');
  running.service.on('GET /posts', data([{ ...foundPosts[0], Status: 'PUBLISHED' }]));
  await view.press('Check again');
  await ana.sees('Scheduled for');
});

test('[Send again] checks once more before it sends', async () => {
  const { ana, view } = await submitUnknown();
  running.service.on('POST /posts', data({ Id: 'made' }));
  running.service.on('GET /posts', data(foundPosts));
  await view.press('Send again');
  await ana.sees('Scheduled for');
  expect(running.service.created()).toHaveLength(1);
});

test('[Send again] sends a post that is still missing only once, even if it is pressed twice', async () => {
  const { ana, view } = await submitUnknown();
  running.service.on('POST /posts', later(50, data({ Id: 'made' })));
  await Promise.all([view.press('Send again'), view.press('Send again')]);
  await ana.sees('Scheduled for');
  expect(running.service.created()).toHaveLength(2);
});

test('if the service does not respond, the outcome is unknown, whatever the author presses in the meantime', async () => {
  await startBot({ maxCallMs: 600, pace: { acknowledgementTimeoutMs: 200, ...PACE } });
  running.service.on('POST /posts', hang);
  const { ana, form } = await openFilledForm(running);
  const [firstResult, secondResult] = await Promise.all([form.submit(), form.submit()]);
  expect([firstResult.view?.title(), secondResult.view?.title()]).toContain('Sending…');
  const view = await ana.modal('Not sure');
  expect(running.service.created()).toHaveLength(1);
  running.service.on('GET /posts', hang);
  await view.press('Check again');
  await seeAll(ana, 'Checking…', 'I couldn’t check at');
  expect(running.service.created()).toHaveLength(1);
});
