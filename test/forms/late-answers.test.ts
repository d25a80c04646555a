import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Form, FormAnswer } from '../../src/forms/form.ts';
import { type FormContext, projectLoader } from '../../src/forms/form-context.ts';
import { textField } from '../../src/forms/inputs/text.ts';
import { section } from '../../src/slack/blocks.ts';
import { buildModal } from '../../src/slack/message-view.ts';
import type { Pace } from '../../src/submissions/pace.ts';
import { listProjects } from '../support/scripted-service.ts';
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
    return formContext;
  },
  check: ({ values }) =>
    values.title === ''
      ? { kind: 'invalid', errors: { title: 'Enter a title.' } }
      : { kind: 'valid', contents: [values.title] },
  onSubmit: {
    async respond() {
      await answered;
      return answer;
    },
  },
};

const database = await setUpBotDatabase();
let running: Awaited<ReturnType<typeof startFormApp>>;
beforeEach(() => {
  [changed, answered] = [NOW_DONE, NOW_DONE];
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
    'That took long. Go back to see what came of it.',
    'It is set.',
  ],
  ['an error', { errors: { title: 'Taken.' } }, 'nothing was done yet. Go back, and submit', 'Title'],
  ['the end of the form', { close: true }, 'That took long, but it’s done.', 'Title'],
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

test('errors stay if the change of a field ends after them', async () => {
  const { opened } = await openForm();
  const { promise, resolve } = Promise.withResolvers<void>();
  changed = promise;
  await opened.fill('Note', 'Hello');
  expect((await opened.submit()).errors).toEqual({ Title: 'Enter a title.' });
  resolve();
  await running.waitUntilIdle();
  expect(opened.errors()).toEqual({ Title: 'Enter a title.' });
});
