import { expect, test } from 'vitest';
import { openFilledForm, submitFilledForm } from '../../support/filled-form.ts';
import { fillIn, submitWith } from '../../support/form-steps.ts';
import { data, invalid, json } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { askForForm } from '../../support/steps.ts';

const { ana, running, startBot } = setUpBot();

const DAYS = ['Mon 23 Nov, 09:00 (Lisbon)', 'Wed 25 Nov, 09:00 (Lisbon)', 'Fri 27 Nov, 09:00 (Lisbon)'];

async function fillThreeMoments() {
  await startBot();
  return openFilledForm(running, { when: 'mon, wed and fri 9am' });
}

test('several publishing times are listed under the field, and one press schedules all posts', async () => {
  const { ana, form } = await fillThreeMoments();
  for (const day of DAYS) await ana.sees(day);
  await form.choose('Platforms', ['X', 'LinkedIn']);
  await ana.sees('LinkedIn refuses the same text twice');
  expect(form.text()).toContain('[Schedule 3]');
  expect((await form.submit()).closed).toBe(true);
  await ana.sees('3 posts scheduled');
  for (const day of DAYS) await ana.sees(`• ${day}\n[Open]`);
  await ana.sees('Harbour Coffee · X and LinkedIn');
  expect(
    running.service
      .created()
      .map(({ ScheduleDate }) => ScheduleDate)
      .sort(),
  ).toEqual(['2026-11-23T09:00:00+00:00', '2026-11-25T09:00:00+00:00', '2026-11-27T09:00:00+00:00']);
});

test('each of several posts has its own outcome, and a refused post can be corrected alone', async () => {
  const { ana, form } = await fillThreeMoments();
  running.service.on('POST /posts', (call, response) => {
    const isWednesday = JSON.stringify(call.body).includes('2026-11-25');
    const respond = isWednesday
      ? invalid({ loc: ['body', 'ScheduleDate'], msg: 'is a holiday' })
      : data({ Id: 'made' });
    return respond(call, response);
  });
  const { view } = await form.submit();
  await ana.sees(`Scheduled for ${DAYS[0]}.`);
  await ana.sees('is a holiday');
  running.service.on('POST /posts', data({ Id: 'made' }));
  await view?.press('Fix and send again');
  const correctedForm = await ana.modal('Schedule a post');
  expect(correctedForm.value('When')).toBe(DAYS[1]);
  expect(correctedForm.value('Text')).toBe('We open at nine');
  expect((await submitWith(correctedForm, { When: '26 nov 9am' })).closed).toBe(true);
  expect(running.service.created()).toHaveLength(4);
});

test('posts with unknown outcomes are not sent twice', async () => {
  await startBot({ pace: { reconcileDelaysMs: [20, 40] } });
  running.service.on('POST /posts', json(500, 'oops'));
  const { ana, form } = await submitFilledForm(running, { when: 'mon, wed and fri 9am' });
  const result = await ana.modal('Not sure');
  expect(running.service.created()).toHaveLength(3);
  await result.close();
  // The form was still open below the result.
  expect(form.open).toBe(false);
});

const MINUTE_MS = 60_000;

/** Fills the form with a moment in one minute, and waits until that moment has passed. */
async function fillAndWait(text: string) {
  await startBot({ followsClock: true });
  running.workspace.clock.set(new Date('2026-12-01T12:00:10Z'));
  const form = await askForForm(ana, '/schedule-post', 'Schedule a post');
  await fillIn(form, { Text: text, Platforms: ['X'], When: 'in 1 minute' });
  await ana.sees('Tue 1 Dec, 12:01 (Lisbon)');
  running.workspace.clock.advance(2 * MINUTE_MS);
  return { ana, form };
}

test('a time that passed before the form was submitted causes a question with a button, and every value stays', async () => {
  const { ana, form } = await fillAndWait('We open');
  const { view } = await form.submit();
  expect(view?.text()).toContain('has passed. Did you mean Tue 1 Dec, 12:03?');
  const laterMoment = 'Tue 1 Dec, 12:03 (Lisbon)';
  expect(view?.text()).toContain(`[${laterMoment}]`);
  expect(view?.text()).toContain('Check When again.');
  expect(view?.value('Text')).toBe('We open');
  await view?.press(laterMoment);
  await ana.sees(':calendar:');
  await (await ana.modal('Schedule a post')).submit();
  expect(running.service.created()).toMatchObject([{ ScheduleDate: '2026-12-01T12:03:00+00:00' }]);
});

test('other errors of a form whose time has passed are shown under their fields in the same view', async () => {
  const { form } = await fillAndWait('too long for X '.repeat(30));
  const { view } = await form.submit();
  expect(view?.text()).toContain('has passed. Did you mean');
  expect(view?.text()).toMatch(/X: \d+ characters too long\./);
  expect(running.service.created()).toEqual([]);
});
