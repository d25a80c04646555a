import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Form } from '../../src/forms/form.ts';
import { type FormContext, projectLoader } from '../../src/forms/form-context.ts';
import { textField } from '../../src/forms/inputs/text.ts';
import { submitWith } from '../support/form-steps.ts';
import { listProjects } from '../support/scripted-service.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';
import { askForForm } from '../support/steps.ts';
import { startFormApp } from './form-app.ts';

/** An empty input that a change has made required gets a new block id, maybe between a submission and its answer. */

const fields = {
  note: textField({ label: 'Note', optional: true, isLive: true }),
  title: textField({ label: 'Title', optional: true }),
};

/** How long the change of a field, and a submission, take. */
let delaysMs = { change: 0, submission: 0 };

const form: Form<typeof fields, FormContext, string> = {
  name: 'sample',
  version: 1,
  noun: 'form',
  title: 'Try it',
  command: '/upnext try',
  fields,
  contextLoader: projectLoader,
  findRequiredFields: ({ values }) => (values.note === '' ? [] : ['title']),
  async refreshContext({ formContext }, call) {
    await delay('action' in call ? delaysMs.change : delaysMs.submission);
    return formContext;
  },
  check: ({ values }) =>
    values.title === ''
      ? { kind: 'invalid', errors: { title: 'Enter a title.' } }
      : { kind: 'valid', contents: [values.title] },
  onSubmit: { respond: async () => ({ close: true }) },
};

const database = await setUpBotDatabase();
let running: Awaited<ReturnType<typeof startFormApp>>;
beforeEach(async () => {
  running = await startFormApp({ db: database.db }, form);
  running.service.on('GET /projects', listProjects('Harbour Coffee'));
});
afterEach(() => running.close());

test.each([
  ['before its answer', { change: 100, submission: 0 }],
  ['while it is checked', { change: 0, submission: 100 }],
])('the errors of a submission whose input is replaced %s are shown', async (_, delays) => {
  const ana = running.workspace.as('Ana').in('#general');
  delaysMs = { change: 0, submission: 0 };
  const opened = await askForForm(ana, '/upnext try', 'Try it');
  delaysMs = delays;
  const { trouble, view } = await submitWith(opened, { Note: 'Hello' });
  expect(trouble).toBeUndefined();
  await expect.poll(() => view?.text()).toContain('Enter a title.');
});
