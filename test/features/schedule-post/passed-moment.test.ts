import { expect, test } from 'vitest';
import { setUpBot } from '../../support/set-up-bot.ts';

const { running, startBot } = setUpBot();

const MINUTE_MS = 60_000;

/** Fills the form with a moment in one minute, and waits until that moment has passed. */
async function fillAndWait(text: string) {
  await startBot({ followsClock: true });
  running.workspace.clock.set(new Date('2026-12-01T12:00:10Z'));
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  await ana.type('/schedule-post');
  const form = await ana.modal('Schedule a post');
  await form.fill('Text', text);
  await form.choose('Platforms', ['X']);
  await form.fill('When', 'in 1 minute');
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

test('other errors are shown under their fields in the same view', async () => {
  const { form } = await fillAndWait('too long for X '.repeat(30));
  const { view } = await form.submit();
  expect(view?.text()).toContain('has passed. Did you mean');
  expect(view?.text()).toMatch(/X: \d+ characters too long\./);
  expect(running.service.created()).toEqual([]);
});
