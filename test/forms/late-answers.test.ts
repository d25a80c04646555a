import { WAIT_MS } from 'slack-workspace-emulator/test-support/workspace';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Form, FormAnswer, FormOrigin } from '../../src/forms/form.ts';
import { type FormContext, projectLoader } from '../../src/forms/form-context.ts';
import { textField } from '../../src/forms/inputs/text.ts';
import { waitForHandlers } from '../../src/forms/live-form.ts';
import type { SubmissionCall } from '../../src/handlers/call.ts';
import { context, plain, section } from '../../src/slack/blocks.ts';
import { buildModal } from '../../src/slack/message-view.ts';
import { NotAllowed } from '../../src/slack/not-allowed.ts';
import type { Pace } from '../../src/submissions/pace.ts';
import { listProjects } from '../support/scripted-service.ts';
import { failSlack } from '../support/set-up-bot.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';
import { startFormApp } from './form-app.ts';

/** What a person sees of a form whose handlers take longer than Slack waits. */

const fields = {
  note: textField({ label: 'Note', optional: true, isLive: true }),
  title: textField({ label: 'Title', optional: true }),
};

const NOW_DONE = Promise.resolve();
/** The change of a field, and the answer to a submission, end with these. */
let changed: Promise<void> = NOW_DONE;
let answered: Promise<void> = NOW_DONE;
/** Runs after a submitted form was read, and before it is handled. */
let whileSubmitting = async (_call: SubmissionCall) => {};
let origins: FormOrigin[] = [];
let answer: FormAnswer<typeof fields, FormContext> = { close: true };

const form: Form<typeof fields, FormContext, string> = {
  name: 'sample',
  version: 1,
  noun: 'form',
  title: 'Try it',
  command: '/upnext try',
  fields,
  contextLoader: projectLoader,
  async refreshContext({ formContext }, call) {
    if ('action' in call) await changed;
    else if ('view' in call) await whileSubmitting(call as SubmissionCall);
    return formContext;
  },
  check: ({ values }) =>
    values.title === ''
      ? { kind: 'invalid', errors: { title: 'Enter a title.' } }
      : { kind: 'valid', contents: [values.title] },
  renderBelowFields: ({ values }) => ({ note: [context(plain(`Noted: ${values.note}`))] }),
  onSubmit: {
    async respond(_call, _content, _state, origin) {
      origins.push(origin);
      await answered;
      return answer;
    },
  },
};

const database = await setUpBotDatabase();
let running: Awaited<ReturnType<typeof startFormApp>>;
beforeEach(() => {
  [changed, answered, origins] = [NOW_DONE, NOW_DONE, []];
  whileSubmitting = async () => {};
});
afterEach(() => running.close());

async function openForm(pace: Partial<Pace> = {}) {
  running = await startFormApp({ db: database.db }, form, pace);
  running.service.on('GET /projects', listProjects('Harbour Coffee'));
  const ana = running.workspace.as('Ana').in('#general');
  await ana.type('/upnext try');
  return { ana, opened: await ana.modal('Try it') };
}

test.each<[string, FormAnswer<typeof fields, FormContext>, string, string]>([
  [
    'a result',
    { view: buildModal('Done', [section('It is set.')]) },
    'That took a while. Go back to see the result.',
    'It is set.',
  ],
  ['an error', { errors: { title: 'Taken.' } }, 'nothing has been done yet. Go back, and submit', 'Title'],
  ['the end of the form', { close: true }, 'That took a while, but it’s done.', 'Title'],
])('%s that comes too late takes the place of “I don’t know”', async (_, lateAnswer, text, below) => {
  const { ana, opened } = await openForm({ acknowledgementDeadlineMs: 400 });
  await opened.fill('Title', 'Opening');
  const { promise, resolve } = Promise.withResolvers<void>();
  [answer, answered] = [lateAnswer, promise];
  await opened.submit();
  await ana.sees('I don’t know whether it was done');
  resolve();
  await ana.sees(text);
  expect(ana.read()).not.toContain('I don’t know whether it was done');
  await (await ana.modal('Upnext')).close();
  await ana.sees(below);
});

test('a refusal that comes too late takes the place of “I don’t know”', async () => {
  const { ana, opened } = await openForm({ acknowledgementDeadlineMs: 400 });
  await opened.fill('Title', 'Opening');
  const { promise, reject } = Promise.withResolvers<void>();
  answered = promise;
  await opened.submit();
  await ana.sees('I don’t know whether it was done');
  reject(new NotAllowed({ text: 'You need the Owner role for this.' }));
  await ana.sees('You need the Owner role for this.');
  expect(ana.read()).not.toContain('I don’t know whether it was done');
});

/** Submits the form until Slack has the fallback. `resolve` lets its result come, which goes on with `finish`. */
async function submitLate(pace: Partial<Pace> = {}) {
  const { opened, ana } = await openForm({ acknowledgementDeadlineMs: 400, ...pace });
  await opened.fill('Title', 'Opening');
  const { promise, resolve } = Promise.withResolvers<void>();
  const finish = vi.fn(async () => undefined);
  [answer, answered] = [{ view: buildModal('Done', [section('It is set.')]), finish }, promise];
  await opened.submit();
  await ana.sees('I don’t know whether it was done');
  return { opened, finish, resolve };
}

test('after a late result, the form goes on although the fallback can’t be replaced', async () => {
  const { opened, finish, resolve } = await submitLate({ afterAcknowledgementMs: 1_000 });
  resolve();
  await expect.poll(() => opened.text()).toContain('It is set.');
  failSlack(running, { method: 'views.update', fault: 'error', error: 'internal_error' });
  await expect.poll(() => finish.mock.calls).toHaveLength(1);
});

test('a form goes on, and tells others, although Slack doesn’t show its late result', async () => {
  const { finish, resolve } = await submitLate();
  failSlack(running, { method: 'views.update', fault: 'error', error: 'internal_error' });
  resolve();
  await expect.poll(() => finish.mock.calls).toHaveLength(1);
});

test.each([
  ['a change', ['Hello']],
  ['the later of two changes', ['Hello', 'Hello all']],
])('errors stay, with what is found for %s of a field that ends after them', async (_, notes) => {
  // The errors wait 2.2 s for the changes. A busy machine would then pass the real deadline.
  const { ana, opened } = await openForm({ acknowledgementDeadlineMs: WAIT_MS });
  const { promise, resolve } = Promise.withResolvers<void>();
  changed = promise;
  for (const note of notes) await opened.fill('Note', note);
  expect((await opened.submit()).errors).toEqual({ Title: 'Enter a title.' });
  resolve();
  await running.waitUntilIdle();
  await ana.sees('Enter a title.');
  await ana.sees(`Noted: ${notes.at(-1)}`);
});

describe('a submission knows of a handler that has ended', () => {
  test('if it was running when the submission came', async () => {
    const { opened } = await openForm();
    const { promise, resolve } = Promise.withResolvers<void>();
    changed = promise;
    await opened.fill('Title', 'Opening');
    await opened.fill('Note', 'Hello');
    whileSubmitting = async (call) => {
      resolve();
      await waitForHandlers(call);
    };
    await opened.submit();
    await expect.poll(() => origins).toMatchObject([{ selected: { isOvertaken: true } }]);
  });

  test.each([true, false])('if it began after the submission came: %s', async (hasHandler) => {
    const { opened } = await openForm();
    await opened.fill('Title', 'Opening');
    whileSubmitting = async (call) => {
      if (!hasHandler) return;
      await opened.fill('Note', 'Hello');
      await expect.poll(() => opened.text()).toContain('Noted: Hello');
      await waitForHandlers(call);
    };
    await opened.submit();
    await expect.poll(() => origins).toMatchObject([{ selected: { isOvertaken: hasHandler } }]);
  });
});
