import { expect, test } from 'vitest';
import { openFilledForm } from '../support/filled-form.ts';
import { data, invalid, json, type ScriptedService } from '../support/scripted-service.ts';
import { setUpBot } from '../support/set-up-bot.ts';

/** The first call to the service fails. A later call, made in the background, is refused. */

const { running, startBot } = setUpBot();

const refusal = invalid(
  { loc: ['body', 'Content'], msg: 'is too loud' },
  { loc: ['body', 'Mood'], msg: 'is missing' },
);

type Handler = Parameters<ScriptedService['on']>[1];

/** Creates a handler that uses `firstHandler` for the first call and `laterHandler` for all later calls. */
function createHandlerSequence(firstHandler: Handler, laterHandler: Handler): Handler {
  let callCount = 0;
  return (call, response) => (callCount++ === 0 ? firstHandler : laterHandler)(call, response);
}

/** Opens a filled form. The service limits the rate of the first request, and refuses all later requests. */
async function openFormForRefusal(changes: { when?: string } = {}) {
  await startBot({
    pace: { retryBackoff: { firstMs: 400, maxMs: 400 }, breaker: { failures: 5, firstMs: 300, maxMs: 300 } },
  });
  running.service.on('POST /posts', createHandlerSequence(json(429, {}), refusal));
  return openFilledForm(running, changes);
}

test('an open view turns back into the form, with the author’s values and each problem under its field', async () => {
  const { ana, form } = await openFormForRefusal();
  await form.submit();
  await ana.modal('Waiting');
  const reopenedForm = await ana.modal('Schedule a post');
  expect(['Text', 'Platforms', 'When'].map((label) => reopenedForm.value(label))).toEqual([
    'We open at nine',
    'X',
    '1 Dec 9am',
  ]);
  await ana.sees('⚠️ is too loud');
  await ana.sees('Mood: is missing');
  running.service.on('POST /posts', data({ Id: 'made' }));
  await reopenedForm.fill('Text', 'We open quietly');
  await reopenedForm.submit();
  await ana.sees('Scheduled for');
  expect(running.service.created().map(({ Content }) => Content)).toEqual([
    'We open at nine',
    'We open at nine',
    'We open quietly',
  ]);
});

test('if the author has closed the view, a direct message shows the text and a button to fix it', async () => {
  const { ana, form } = await openFormForRefusal();
  const { view } = await form.submit();
  await view?.close();
  await ana.inDirectMessage();
  await ana.sees('Fix and send again');
  await ana.sees('We open at nine');
});

test('if the service refused all publishing times of a form, the form opens again with all of them', async () => {
  const { ana, form } = await openFormForRefusal({ when: 'mon, wed and fri 9am' });
  await form.submit();
  const reopenedForm = await ana.modal('Schedule a post');
  expect(['Text', 'When'].map((label) => reopenedForm.value(label))).toEqual([
    'We open at nine',
    'mon, wed and fri 9am',
  ]);
  await ana.sees('⚠️ is too loud');
});
