import { describe, expect, test } from 'vitest';
import { filledForm } from '../../support/filled-form.ts';
import { data, hang, invalid, json, later } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

const { running, startBot } = setUpBot();

const there = [
  {
    Id: 'a',
    Content: 'We open at nine',
    ScheduleDate: '2026-12-01T09:00:00+00:00',
    Timezone: 'Europe/Lisbon',
    Platforms: ['X'],
    Status: 'SCHEDULED',
  },
];

/** Two looks, and then its person is asked. */
const quick = { checkWaitsMs: [20, 40] };

describe('when nobody knows', () => {
  test('what is not among the posts that could be read is asked about, and not called missing', async () => {
    await startBot({ pace: quick });
    running.service.on('POST /posts', json(500, 'oops'));
    const others = Array.from({ length: 600 }, (_, at) => ({
      ...there[0],
      Id: `o${at}`,
      Content: 'Another',
    }));
    running.service.on('GET /posts', data(others));
    const { ana, form } = await filledForm(running);
    await form.submit();
    expect((await ana.modal('Not sure')).text()).not.toContain('I could not find your post');
  });

  test('it is looked for, then asked about; [Check again] looks without sending', async () => {
    await startBot({ pace: quick });
    running.service.on('POST /posts', json(500, 'oops'));
    const { ana, form } = await filledForm(running);
    await form.submit();
    const view = await ana.modal('Not sure');
    expect(view.text()).toContain('I could not find your post');
    expect(view.text()).toContain('Tue 1 Dec, 09:00 (Lisbon)');
    expect(view.text()).toContain('We open at nine');
    expect(view.text()).toContain('[Check again] [Send again] [Discard]');
    await view.press('Check again');
    await ana.sees('Not there (yet) as of 12:00:00');
    running.service.on('GET /posts', data([{ ...there[0], Content: 'We open at ten' }, ...there]));
    await view.press('Check again');
    await ana.modal('Scheduled');
    const asked = running.service.calls.findLast(
      ({ method, path }) => method === 'GET' && path.endsWith('/posts'),
    );
    expect(asked?.query.get('schedule_date_from')).toBe('2026-12-01T08:59:00.000Z');
    expect(asked?.query.get('schedule_date_to')).toBe('2026-12-01T09:01:00.000Z');
    expect(running.service.created()).toHaveLength(1);
  });

  test('it is found by itself, and the form says so', async () => {
    await startBot({ pace: { checkWaitsMs: [400] } });
    running.service.on('POST /posts', (_call, response) => {
      running.service.on('GET /posts', data(there));
      response.destroy();
    });
    const { ana, form } = await filledForm(running);
    expect((await form.submit()).view?.text()).toContain('I am checking, and will not send it twice.');
    await ana.modal('Scheduled');
    expect(running.service.created()).toHaveLength(1);
  });

  test('what is found by itself is seen at Home too, though its person did nothing more', async () => {
    await startBot({ pace: { checkWaitsMs: [1_500] } });
    const isLook = (query: URLSearchParams) => query.get('schedule_date_from') === '2026-12-01T08:59:00.000Z';
    running.service.on('POST /posts', (_call, response) => {
      running.service.on('GET /posts', (call, answer) => {
        if (isLook(call.query)) running.service.on('GET /upnext-post', data(there[0]));
        return data(isLook(call.query) ? there : [])(call, answer);
      });
      response.destroy();
    });
    const { ana, form } = await filledForm(running);
    await ana.home('Nothing is scheduled.');
    await form.submit();
    await ana.home('We open at nine');
  });

  test('an equal post that was there before is not taken for it', async () => {
    await startBot({ pace: quick });
    running.service.on('GET /posts', data(there));
    running.service.on('POST /posts', json(500, 'oops'));
    const { ana, form } = await filledForm(running);
    await form.submit();
    await ana.modal('Not sure');
  });

  test('a draft with the same words is not the post that was to be scheduled', async () => {
    await startBot({ pace: quick });
    running.service.on('POST /posts', json(500, 'oops'));
    const { ana, form } = await filledForm(running);
    await form.submit();
    const view = await ana.modal('Not sure');
    running.service.on('GET /posts', data([{ ...there[0], Status: 'DRAFT' }]));
    await view.press('Check again');
    await ana.sees('Not there (yet)');
    running.service.on('GET /posts', data([{ ...there[0], Status: 'PUBLISHED' }]));
    await view.press('Check again');
    await ana.modal('Scheduled');
  });

  test('[Send again] looks once more before it sends', async () => {
    await startBot({ pace: quick });
    running.service.on('POST /posts', json(500, 'oops'));
    const { ana, form } = await filledForm(running);
    await form.submit();
    const view = await ana.modal('Not sure');
    running.service.on('POST /posts', data({ Id: 'made' }));
    running.service.on('GET /posts', data(there));
    await view.press('Send again');
    await ana.modal('Scheduled');
    expect(running.service.created()).toHaveLength(1);
  });

  test('[Send again] sends what is still not there, once', async () => {
    await startBot({ pace: quick });
    running.service.on('POST /posts', json(500, 'oops'));
    const { ana, form } = await filledForm(running);
    await form.submit();
    const view = await ana.modal('Not sure');
    running.service.on('POST /posts', later(50, data({ Id: 'made' })));
    await Promise.all([view.press('Send again'), view.press('Send again')]);
    await ana.modal('Scheduled');
    expect(running.service.created()).toHaveLength(2);
  });

  test('a service that hangs ends in not knowing, whatever is pressed meanwhile', async () => {
    await startBot({ maxCallMs: 600, pace: { answerMs: 200, ...quick } });
    running.service.on('POST /posts', hang);
    const { ana, form } = await filledForm(running);
    const [first, second] = await Promise.all([form.submit(), form.submit()]);
    expect([first.view?.title(), second.view?.title()]).toContain('Sending…');
    const view = await ana.modal('Not sure');
    expect(running.service.created()).toHaveLength(1);
    running.service.on('GET /posts', hang);
    await view.press('Check again');
    await ana.sees('Looking…');
    await ana.sees('I could not look at');
    expect(running.service.created()).toHaveLength(1);
  });
});

describe('when the service is slow', () => {
  const pace = { answerMs: 150 };

  test('the form says that it is being sent, and then that it was', async () => {
    await startBot({ pace });
    running.service.on('POST /posts', later(400, data({ Id: 'made' })));
    const { ana, form } = await filledForm(running);
    const { view } = await form.submit();
    expect(view?.title()).toBe('Sending…');
    expect(view?.text()).not.toContain('[Schedule]');
    await ana.modal('Scheduled');
  });

  test('a late refusal brings the form back with every word, the message under its field', async () => {
    await startBot({ pace });
    running.service.on('POST /posts', later(400, invalid({ loc: ['body', 'Content'], msg: 'is too loud' })));
    const { ana, form } = await filledForm(running);
    await form.submit();
    const again = await ana.modal('Schedule a post');
    expect(again.text()).toContain('is too loud');
    const fields = ['Text', 'Platforms', 'When', 'Save as'].map((label) => again.value(label));
    expect(fields).toEqual(['We open at nine', 'X', '1 Dec 9am', 'Scheduled']);
    expect(again.value('Time zone')).toContain('Lisbon');
    running.service.on('POST /posts', data({ Id: 'made' }));
    await again.fill('Text', 'we open at nine');
    await again.submit();
    await ana.modal('Scheduled');
    expect(running.service.created().map(({ Content }) => Content)).toEqual([
      'We open at nine',
      'we open at nine',
    ]);
  });

  test('a person who has closed the form is told by a direct message, and can mend it from there', async () => {
    await startBot({ pace });
    running.service.on('POST /posts', later(400, invalid({ loc: ['body', 'Content'], msg: 'is too loud' })));
    const { ana, form } = await filledForm(running);
    const { view } = await form.submit();
    await view?.close();
    await ana.inDirectMessage();
    await ana.sees('Not sent.');
    await ana.sees('We open at nine');
    await ana.press('Fix and send again');
    const again = await ana.modal('Schedule a post');
    expect(again.value('Text')).toBe('We open at nine');
    expect(again.value('When')).toBe('1 Dec 9am');
  });
});

test('two presses send once', async () => {
  await startBot();
  running.service.on('POST /posts', later(100, data({ Id: 'made' })));
  const { ana, form } = await filledForm(running);
  await Promise.all([form.submit(), form.submit(), form.submit()]);
  await ana.modal('Scheduled');
  expect(running.service.created()).toHaveLength(1);
});
