import { beforeEach, describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../../src/durations.ts';
import { NOW } from '../../support/bot.ts';
import { captureRequest, copyLastRequest, deliver } from '../../support/doubled-form.ts';
import { openFilledForm, openShownForm, showMedia, showMoreOptions } from '../../support/filled-form.ts';
import { fillIn } from '../../support/form-steps.ts';
import { countRequestsInFlight, waitUntilIdle } from '../../support/requests-in-flight.ts';
import { hang, invalid, listProjects } from '../../support/scripted-service.ts';
import { startSecondInstance } from '../../support/second-instance.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { askForForm, seeAll } from '../../support/steps.ts';
import { changePostForms, listUnfinished } from '../../support/stored-post-forms.ts';

/** A change of a field that Slack delivers after its form was updated for another one, or has ended. */

const { ana, running, setPolicy, startBot } = setUpBot();
beforeEach(() => {
  countRequestsInFlight();
  return startBot({ mode: 'http' });
});

const INSTANCES: [string, () => Promise<Instance>][] = [
  ['the same instance', async () => ({ url: running.url, waitUntilIdle })],
  ['another instance', () => startSecondInstance(running)],
];

const openForm = () => askForForm(ana, '/schedule-post', 'Schedule a post');

const countUpdates = () => running.workspace.faults.counts().calls['views.update'] ?? 0;

/** Changes a field, and ends the form before the app receives the change. Resolves when the app has handled it. */
async function endBeforeChange(
  { form }: Awaited<ReturnType<typeof openFilledForm>>,
  end: () => Promise<unknown>,
) {
  await ana.sees('Tue 1 Dec, 09:00');
  const change = await captureRequest(running, 'block_actions', () => form.fill('When', '1 Dec 10am'));
  await end();
  const updateCount = countUpdates();
  await deliver(running, change);
  await waitUntilIdle();
  // The change has come as far as the form's view.
  expect(countUpdates()).toBeGreaterThan(updateCount);
}

test.each([
  { end: 'sent', status: 'Schedule', isHeld: false },
  { end: 'saved as a draft', status: 'Save as draft', isHeld: false },
  { end: 'held', status: 'Schedule', isHeld: true },
  { end: 'held as a draft', status: 'Save as draft', isHeld: true },
])('a late change does not offer a post that was $end', async ({ status, isHeld }) => {
  if (isHeld) await setPolicy({ leadMinutes: 60 });
  const opened = await openFilledForm(running);
  await showMoreOptions(opened.ana, opened.form);
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
  await (await openShownForm(running)).form.close();
  const payload = copyLastRequest(running);
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

/**
 * Changes a field and then another one before the form is updated. Returns the requests, which Slack hasn't delivered
 * to any instance yet.
 */
async function changeTwice({ pace = {}, when = '1 Dec 9am', laterWhen = '1 Dec 10am' } = {}) {
  await startBot({ mode: 'http', pace });
  const { form } = await openShownForm(running, { when });
  await showMoreOptions(ana, form);
  return { form, ...(await captureTwoChanges(form, laterWhen)) };
}

/** Opens a form that the service refused a minute ago. */
async function openRefusedForm() {
  running.service.on('POST /posts', invalid({ loc: ['body'], msg: 'Too loud' }));
  await (await openShownForm(running)).form.submit();
  await ana.sees('Too loud');
  running.workspace.clock.advance(MINUTE_MS);
  const form = await ana.modal('Schedule a post');
  await showMoreOptions(ana, form);
  return form;
}

async function captureTwoChanges(form: Awaited<ReturnType<typeof openForm>>, when: string) {
  const first = await captureRequest(running, 'block_actions', () => form.fill('When', when));
  const second = await captureRequest(running, 'block_actions', () =>
    form.choose('When you submit', 'Save as draft'),
  );
  return { first, second };
}

describe.each(INSTANCES)('with two changes, of which one is delivered to %s', (_, startOther) => {
  test('the later one is shown, although it was reported before the form was updated for the earlier one', async () => {
    const { first, second } = await changeTwice();
    const other = await startOther();
    await deliver({ ...running, url: other.url }, first);
    await ana.sees('Tue 1 Dec, 10:00');
    await deliver(running, second);
    await ana.sees('[Save draft]');
  });

  test('the earlier one does not bring back what the later one replaced, if it comes after that', async () => {
    const { first, second } = await changeTwice();
    const other = await startOther();
    await deliver(running, second);
    await ana.sees('[Save draft]');
    const updateCount = countUpdates();
    await deliver({ ...running, url: other.url }, first);
    await other.waitUntilIdle();
    await expectTyped({ when: '1 Dec 10am', status: 'DRAFT' });
    expect([ana.read().includes('[Save draft]'), countUpdates()]).toEqual([true, updateCount]);
  });

  test('both at once show and store the later one', async () => {
    const { first, second } = await changeTwice();
    const other = await startOther();
    await Promise.all([deliver({ ...running, url: other.url }, first), deliver(running, second)]);
    await Promise.all([waitUntilIdle(), other.waitUntilIdle()]);
    expect(ana.read()).toContain('[Save draft]');
    await expectTyped({ when: '1 Dec 10am', status: 'DRAFT' });
  });
});

test.each([
  { times: 'one time', when: '1 Dec 9am', laterWhen: '1 Dec 10am' },
  { times: 'several times', when: '1 Dec 9am and 11am', laterWhen: '1 Dec 9am and noon' },
])('changes that come after a form with $times was sent do not replace what it shows', async (whens) => {
  const pace = { acknowledgementTimeoutMs: 200 };
  const { form, first, second } = await changeTwice({ pace, ...whens });
  const other = await startSecondInstance(running);
  running.service.on('POST /posts', hang);
  await expectStays('Sending…', form, other, [first, second]);
});

test('changes that come after a refused form was sent again do not replace what it shows', async () => {
  await startBot({ mode: 'http', pace: { acknowledgementTimeoutMs: 200 } });
  const form = await openRefusedForm();
  const { first, second } = await captureTwoChanges(form, '1 Dec 11am');
  const other = await startSecondInstance(running);
  running.service.on('POST /posts', hang);
  await expectStays('Sending…', form, other, [first, second]);
});

test('changes that come after the service refused their form do not replace the reason', async () => {
  const { form, first, second } = await changeTwice();
  const other = await startSecondInstance(running);
  running.service.on('POST /posts', invalid({ loc: ['body'], msg: 'Too loud' }));
  await expectStays('Too loud', form, other, [first, second]);
});

test('the later of two changes is shown, also after the service has refused the form', async () => {
  const form = await openRefusedForm();
  const { first, second } = await captureTwoChanges(form, '1 Dec 11am');
  const other = await startSecondInstance(running);
  await deliver({ ...running, url: other.url }, first);
  await ana.sees('Tue 1 Dec, 11:00');
  await deliver(running, second);
  await ana.sees('[Save draft]');
});

test('a late press of [Discard] does not bring back what a later change replaced', async () => {
  await (await openShownForm(running, { text: 'Left unfinished' })).form.close();
  const { form } = await openFilledForm(running);
  await showMoreOptions(ana, form);
  await seeAll(ana, 'unsaved post', 'Tue 1 Dec, 09:00');
  const press = await captureRequest(running, 'block_actions', () =>
    form.press('Discard', { dialog: 'confirm' }),
  );
  await form.choose('When you submit', 'Save as draft');
  await ana.sees('[Save draft]');
  await deliver(running, press);
  await waitUntilIdle();
  expect(ana.read()).toContain('[Save draft]');
  expect(await listUnfinished(running)).toMatchObject([
    { stored: { typed: { excerpt: 'We open at nine' } } },
  ]);
  await form.fill('When', '1 Dec 10am');
  await ana.sees('Tue 1 Dec, 10:00');
  expect(ana.read()).not.toContain('unsaved post');
});

test('a press that comes after a later change does not bring back what the change replaced', async () => {
  const { form } = await openShownForm(running);
  await showMoreOptions(ana, form);
  const press = await captureRequest(running, 'block_actions', () => form.press('Add media'));
  await form.choose('When you submit', 'Save as draft');
  await ana.sees('[Save draft]');
  await deliver(running, press);
  await waitUntilIdle();
  await expectTyped({ status: 'DRAFT' });
  expect(ana.read()).toContain('[Save draft]');
  // Pressed again, the button works.
  await showMedia(ana, form);
  await ana.sees('[Save draft]');
});

describe.each(INSTANCES)('with a press of [More options] that is delivered to %s', (_, startOther) => {
  test('after the form was saved, “Saved” stays', async () => {
    const { form, press } = await captureMoreOptions();
    await setPolicy({ leadMinutes: 60 });
    const other = await startOther();
    await expectStays('Saved', form, other, [press]);
  });

  test('after the form was updated for an earlier change, the options are shown', async () => {
    await startBot({ mode: 'http' });
    const { form } = await openShownForm(running);
    const change = await captureRequest(running, 'block_actions', () => form.fill('When', '1 Dec 10am'));
    const press = await captureRequest(running, 'block_actions', () => form.press('More options'));
    const other = await startOther();
    await deliver(running, change);
    await ana.sees('Tue 1 Dec, 10:00');
    await deliverInTurn(other, [press]);
    await ana.sees('A prompt from /upnext prompt');
  });
});

describe.each(INSTANCES)('with a press of [Continue] that is delivered to %s', (_, startOther) => {
  async function openWithOffer() {
    await startBot({ mode: 'http', pace: { acknowledgementTimeoutMs: 200 } });
    await (await openShownForm(running, { text: 'Left unfinished' })).form.close();
    return (await openShownForm(running)).form;
  }
  const captureContinue = (form: Awaited<ReturnType<typeof openWithOffer>>) =>
    captureRequest(running, 'block_actions', () => form.press('Continue', { dialog: 'confirm' }));

  test('after the form was saved, “Saved” stays', async () => {
    const form = await openWithOffer();
    await setPolicy({ leadMinutes: 60 });
    const press = await captureContinue(form);
    const other = await startOther();
    await expectStays('Saved', form, other, [press]);
    await form.close();
    expect((await openForm()).text()).toContain('Left unfinished');
  });

  test('after the unfinished post was opened and saved, “Saved” stays, also with a late change', async () => {
    const form = await openWithOffer();
    await setPolicy({ leadMinutes: 60 });
    const [first, second] = [await captureContinue(form), await captureContinue(form)];
    const change = await captureRequest(running, 'block_actions', () => form.fill('When', '1 Dec 10am'));
    const other = await startOther();
    await deliver(running, first);
    const continued = await ana.modal('Schedule a post');
    await expect.poll(() => continued.value('Text')).toBe('Left unfinished');
    await waitUntilIdle();
    await expectStays('Saved', continued, other, [change, second]);
  });

  test('after the form was updated for an earlier change, the unfinished post is shown', async () => {
    const form = await openWithOffer();
    const change = await captureRequest(running, 'block_actions', () => form.fill('When', '1 Dec 10am'));
    const press = await captureContinue(form);
    const other = await startOther();
    await deliver(running, change);
    await ana.sees('Tue 1 Dec, 10:00');
    await deliverInTurn(other, [press]);
    const continued = await ana.modal('Schedule a post');
    await expect.poll(() => continued.value('Text')).toBe('Left unfinished');
  });
});

describe.each([
  ['at once, is delivered to the same instance', 0, async () => ({ url: running.url, waitUntilIdle })],
  ['2 s later, is delivered to another instance', 2_000, () => startSecondInstance(running)],
])('with a press of [More options] that, %s', (_, passedMs, startOther) => {
  test.each([
    ['has an error', 'gibberish', 'I found no date or time'],
    ['was refused', '1 Dec 9am', 'Too loud'],
  ])(
    'the options of a form that %s are shown, although it was updated for a change',
    async (_form, when, text) => {
      running.service.on('POST /posts', invalid({ loc: ['body'], msg: 'Too loud' }));
      const { form: first } = await openShownForm(running);
      await captureRequest(running, 'block_actions', () => first.fill('When', when));
      await first.submit();
      await ana.sees(text);
      running.workspace.clock.advance(passedMs);
      const form = await ana.modal('Schedule a post');
      const change = await captureRequest(running, 'block_actions', () => form.fill('When', '1 Dec 10am'));
      const press = await captureRequest(running, 'block_actions', () => form.press('More options'));
      const other = await startOther();
      await deliver(running, change);
      await ana.sees('Tue 1 Dec, 10:00');
      await deliverInTurn(other, [press]);
      await ana.sees('A prompt from /upnext prompt');
      expect(ana.read()).toContain('Tue 1 Dec, 10:00');
    },
  );

  test('the reason of a refusal stays, if the press was before it', async () => {
    const { form, press } = await captureMoreOptions();
    const other = await startOther();
    running.service.on('POST /posts', invalid({ loc: ['body'], msg: 'Too loud' }));
    await expectStays('Too loud', form, other, [press]);
  });
});

test('a press of [Try again] that comes after the form was loaded and saved does not replace “Saved”', async () => {
  await startBot({ mode: 'http', pace: { slowNoticeDelayMs: 100, acknowledgementTimeoutMs: 200 } });
  await setPolicy({ leadMinutes: 60 });
  const projects = Promise.withResolvers<void>();
  running.service.on('GET /projects', async (...args) => {
    await projects.promise;
    await listProjects('Harbour Coffee')(...args);
  });
  const loading = await askForForm(ana, '/schedule-post', 'Loading…');
  await ana.sees('[Try again]');
  const press = await captureRequest(running, 'block_actions', () => loading.press('Try again'));
  projects.resolve();
  const form = await ana.modal('Schedule a post');
  await fillIn(form, { Text: 'We open at nine', Platforms: ['X'], When: '1 Dec 9am' });
  await ana.sees('Tue 1 Dec, 09:00');
  await expectStays('Saved', form, { url: running.url, waitUntilIdle }, [press]);
});

test('a press of [More options] that comes after the form was sent does not replace what it shows', async () => {
  const { form, press } = await captureMoreOptions();
  const other = await startSecondInstance(running);
  running.service.on('POST /posts', hang);
  await expectStays('Sending…', form, other, [press]);
});

/** Presses [More options] in a form that shows its result. Returns the request, which Slack hasn't delivered yet. */
async function captureMoreOptions() {
  await startBot({ mode: 'http', pace: { acknowledgementTimeoutMs: 200 } });
  const { form } = await openShownForm(running);
  return {
    form,
    press: await captureRequest(running, 'block_actions', () => form.press('More options')),
  };
}

interface Instance {
  url: string | undefined;
  waitUntilIdle(): Promise<void>;
}

/** Delivers changes to another instance, each after the one before was handled. */
async function deliverInTurn({ url, waitUntilIdle }: Instance, changes: readonly Record<string, unknown>[]) {
  for (const change of changes) {
    await deliver({ ...running, url }, change);
    await waitUntilIdle();
  }
}

/** Submits a form, and expects that what it shows then stays after changes that come later. */
async function expectStays(
  text: string,
  form: Pick<Awaited<ReturnType<typeof openForm>>, 'submit'>,
  other: Instance,
  changes: Parameters<typeof deliverInTurn>[1],
) {
  await form.submit();
  await ana.sees(text);
  await deliverInTurn(other, changes);
  expect(ana.read()).toContain(text);
}

async function expectTyped(prefill: object) {
  const [unfinished] = await listUnfinished(running);
  expect(unfinished?.stored.typed?.prefill).toMatchObject(prefill);
}
