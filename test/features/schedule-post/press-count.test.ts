import { expect, test } from 'vitest';
import { data, invalid, json } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

const { running, startBot } = setUpBot();

/** Counts what a person does: each typed line or field, and each press. */
function createCounter() {
  let count = 0;
  return {
    async do<Result>(action: Promise<Result>): Promise<Result> {
      count += 1;
      return action;
    },
    get count() {
      return count;
    },
  };
}

/** Schedules a post in the channel, so that its project has a last post. */
async function scheduleFirstPost() {
  await startBot({ pace: { scanIntervalMs: 50, retryBackoff: { firstMs: 50, maxMs: 50 } } });
  running.service.on(
    'GET /projects',
    data([
      { Id: 'p1', Name: 'Harbour Coffee' },
      { Id: 'p2', Name: 'Night Market' },
    ]),
  );
  const ana = running.workspace.as('Ana').in('#general');
  await ana.type('/upnext use harbour coffee');
  await ana.sees('This channel now follows Harbour Coffee.');
  await ana.type('/schedule-post');
  const form = await ana.modal('Schedule a post');
  await form.fill('Text', 'The first post');
  await form.choose('Platforms', ['X', 'LinkedIn']);
  await form.fill('When', '1 Dec 8am');
  await form.submit();
  await ana.sees('Scheduled for');
  return ana;
}

test('scheduling a post in a bound channel takes the command, the text, the time and one press', async () => {
  const ana = await scheduleFirstPost();
  const steps = createCounter();
  await steps.do(ana.type('/schedule-post'));
  const form = await ana.modal('Schedule a post');
  await steps.do(form.fill('Text', 'We open at nine'));
  await steps.do(form.fill('When', '1 Dec 9am'));
  await steps.do(form.submit());
  await expect.poll(() => running.service.created()).toHaveLength(2);
  expect(steps.count).toBeLessThanOrEqual(4);
  expect(running.service.created()[1]).toMatchObject({
    Content: 'We open at nine',
    Platforms: ['X', 'LINKEDIN'],
    ScheduleDate: '2026-12-01T09:00:00+00:00',
  });
});

test('another text for one of the platforms takes two more steps', async () => {
  const ana = await scheduleFirstPost();
  const steps = createCounter();
  await steps.do(ana.type('/schedule-post'));
  const form = await ana.modal('Schedule a post');
  await steps.do(form.fill('Text', 'We open at nine, and there is cake'));
  await steps.do(form.choose('Different text for', ['X']));
  await ana.sees('Text for X');
  await steps.do(form.fill('Text for X', 'Cake at nine'));
  await steps.do(form.fill('When', '1 Dec 9am'));
  await steps.do(form.submit());
  await expect.poll(() => running.service.created()).toHaveLength(3);
  expect(steps.count).toBeLessThanOrEqual(6);
  // The next post begins with the platforms of the whole post.
  await ana.sees('Text for X:');
  await ana.type('/schedule-post');
  const next = await ana.modal('Schedule a post');
  expect(next.text()).toContain('(X, LinkedIn)');
});

test('fixing a refused post takes a press, the new text and another press', async () => {
  const ana = await scheduleFirstPost();
  running.service.on('POST /posts', json(429, {}));
  await ana.type('/schedule-post');
  const form = await ana.modal('Schedule a post');
  await form.fill('Text', 'WE OPEN AT NINE');
  await form.fill('When', '1 Dec 9am');
  await (await form.submit()).view?.close();
  running.service.on('POST /posts', invalid({ loc: ['body', 'Content'], msg: 'is too loud' }));
  await ana.inDirectMessage();
  await ana.sees('[Fix and send again]');
  running.service.on('POST /posts', data({ Id: 'made' }));
  const steps = createCounter();
  await steps.do(ana.press('Fix and send again'));
  const reopenedForm = await ana.modal('Schedule a post');
  await steps.do(reopenedForm.fill('Text', 'We open at nine'));
  await steps.do(reopenedForm.submit());
  await expect.poll(() => running.service.created().at(-1)?.Content).toBe('We open at nine');
  expect(steps.count).toBeLessThanOrEqual(3);
});
