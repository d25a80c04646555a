import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { NOW } from '../../support/bot.ts';
import { deliver } from '../../support/doubled-form.ts';
import { openFilledForm } from '../../support/filled-form.ts';
import { invalid } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { changePostForms, listUnfinished } from '../../support/stored-post-forms.ts';

/** A change of a field that Slack delivers after its form was updated for another one, or has ended. */

const { ana, running, setPolicy, startBot } = setUpBot();
beforeEach(() => startBot());

async function openForm() {
  await ana.type('/schedule-post');
  return ana.modal('Schedule a post');
}

const countUpdates = () => running.workspace.faults.counts().calls['views.update'] ?? 0;

/** Changes a field, and ends the form before the app receives the change. Resolves when the app has handled it. */
async function endBeforeChange(
  { form }: Awaited<ReturnType<typeof openFilledForm>>,
  end: () => Promise<unknown>,
) {
  await ana.sees('Tue 1 Dec, 09:00');
  running.workspace.faults.set({
    deliveries: [{ kind: 'block_actions', fault: 'delayed', afterMs: 1_500, times: 1 }],
  });
  const change = form.fill('When', '1 Dec 10am').catch(() => undefined);
  await end();
  const updateCount = countUpdates();
  await change;
  await expect.poll(countUpdates).toBeGreaterThan(updateCount);
}

test.each([
  { end: 'sent', status: 'Schedule', isHeld: false },
  { end: 'saved as a draft', status: 'Save as draft', isHeld: false },
  { end: 'held', status: 'Schedule', isHeld: true },
  { end: 'held as a draft', status: 'Save as draft', isHeld: true },
])('a late change does not offer a post that was $end', async ({ status, isHeld }) => {
  if (isHeld) await setPolicy({ leadMinutes: 60 });
  const opened = await openFilledForm(running);
  await opened.form.choose('When you submit', status);
  await endBeforeChange(opened, () => opened.form.submit());
  await opened.form.close().catch(() => undefined);
  expect((await openForm()).text()).not.toContain('unsaved post');
});

test('a late change does not offer a post that was discarded', async () => {
  const opened = await openFilledForm(running);
  await endBeforeChange(opened, async () => {
    await opened.form.close();
    const form = await openForm();
    await form.press('Discard', { dialog: 'confirm' });
    await expect.poll(() => form.text()).not.toContain('unsaved post');
    await form.close();
  });
  expect((await openForm()).text()).not.toContain('unsaved post');
});

test('a late change offers what is typed on another device a minute after the post was discarded', async () => {
  await startBot({ mode: 'http' });
  const { form: left } = await openFilledForm(running);
  await ana.sees('Tue 1 Dec, 09:00');
  await left.close();
  const press = running.workspace.app.requests('block_actions').at(-1);
  const payload = z.record(z.string(), z.unknown()).parse(press?.payload);
  const form = await openForm();
  await form.press('Discard', { dialog: 'confirm' });
  await expect.poll(() => form.text()).not.toContain('unsaved post');
  await form.close();
  await deliver(running, payload);
  await (await openForm()).close();
  expect(ana.read()).not.toContain('unsaved post');
  // As if a minute had passed.
  await changePostForms(running, ({ typed: _, ...stored }) => ({
    ...stored,
    offeredFrom: NOW.toISOString(),
  }));
  await deliver(running, payload);
  await expect.poll(() => listUnfinished(running)).toHaveLength(1);
  expect((await openForm()).text()).toContain('We open at nine');
});

test('a late change still offers a post whose form the service refused', async () => {
  running.service.on('POST /posts', invalid({ loc: ['body', 'Content'], msg: 'is too loud' }));
  const opened = await openFilledForm(running);
  await endBeforeChange(opened, () => opened.form.submit());
  expect(await listUnfinished(running)).toHaveLength(1);
});

/** Changes a field and then another one. Slack delivers the changes after these times, ms. */
async function changeTwice(firstAfterMs: number, secondAfterMs: number): Promise<void> {
  const { form } = await openFilledForm(running);
  await ana.sees('Tue 1 Dec, 09:00');
  running.workspace.faults.set({
    deliveries: [firstAfterMs, secondAfterMs].map((afterMs) => ({
      kind: 'block_actions',
      fault: 'delayed',
      afterMs,
      times: 1,
    })),
  });
  const first = form.fill('When', '1 Dec 10am');
  // Slack tells the times of actions in microseconds, the practice workspace in milliseconds.
  const at = Date.now();
  await expect.poll(() => Date.now()).toBeGreaterThan(at);
  await Promise.all([first, form.choose('When you submit', 'Save as draft')]);
}

test('a change that was delivered after the form was updated for an earlier one is shown', async () => {
  await changeTwice(50, 500);
  await ana.sees('[Save draft]');
});

test('a change that was delivered after a later one does not bring back what the later one replaced', async () => {
  await changeTwice(500, 50);
  await ana.sees('[Save draft]');
  const [unfinished] = await listUnfinished(running);
  expect(unfinished?.stored.typed?.prefill).toMatchObject({ when: '1 Dec 10am', status: 'DRAFT' });
});
