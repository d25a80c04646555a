import { expect, test } from 'vitest';
import { filledForm } from '../support/filled-form.ts';
import { data, invalid, json, type ScriptedService } from '../support/scripted-service.ts';
import { setUpBot } from '../support/set-up-bot.ts';

/** The service fails at first and refuses the post later, in the background. */

const { running, startBot } = setUpBot();

const wrong = invalid(
  { loc: ['body', 'Content'], msg: 'is too loud' },
  { loc: ['body', 'Mood'], msg: 'is missing' },
);

type Answer = Parameters<ScriptedService['on']>[1];

/** Answers the first call with `first` and all others with `then`. */
function firstThen(first: Answer, then: Answer): Answer {
  let calls = 0;
  return (call, response) => (calls++ === 0 ? first : then)(call, response);
}

async function openFilledForm(changes: { when?: string } = {}) {
  await startBot({
    pace: { retryMs: { firstMs: 400, maxMs: 400 }, breaker: { failures: 5, firstMs: 300, maxMs: 300 } },
  });
  running.service.on('POST /posts', firstThen(json(429, {}), wrong));
  return filledForm(running, changes);
}

test('an open view becomes the form again, with everything typed and the problem under its field', async () => {
  const { ana, form } = await openFilledForm();
  await form.submit();
  await ana.modal('Waiting');
  const again = await ana.modal('Schedule a post');
  expect(['Text', 'Platforms', 'When'].map((label) => again.value(label))).toEqual([
    'We open at nine',
    'X',
    '1 Dec 9am',
  ]);
  await ana.sees('⚠️ is too loud');
  await ana.sees('Mood: is missing');
  running.service.on('POST /posts', data({ Id: 'made' }));
  await again.fill('Text', 'We open quietly');
  await again.submit();
  await ana.modal('Scheduled');
  expect(running.service.created().map(({ Content }) => Content)).toEqual([
    'We open at nine',
    'We open at nine',
    'We open quietly',
  ]);
});

test('after the view was closed, a direct message has the text and a button', async () => {
  const { ana, form } = await openFilledForm();
  const { view } = await form.submit();
  await view?.close();
  await ana.inDirectMessage();
  await ana.sees('Fix and send again');
  await ana.sees('We open at nine');
});

test('after all of several moments were refused, the form comes back with all of them', async () => {
  const { ana, form } = await openFilledForm({ when: 'mon, wed and fri 9am' });
  await (await form.submit()).view?.submit();
  const again = await ana.modal('Schedule a post');
  expect(['Text', 'When'].map((label) => again.value(label))).toEqual([
    'We open at nine',
    'mon, wed and fri 9am',
  ]);
  await ana.sees('⚠️ is too loud');
});
