import { setTimeout as delay } from 'node:timers/promises';
import { type KyselyPlugin, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createForm } from '../../src/forms/create-form.ts';
import { buildActionId } from '../../src/forms/field.ts';
import type { Form } from '../../src/forms/form.ts';
import { type FormContext, projectLoader } from '../../src/forms/form-context.ts';
import { projectField, searchableField } from '../../src/forms/inputs/searched.ts';
import { textField } from '../../src/forms/inputs/text.ts';
import { actions, button, section } from '../../src/slack/blocks.ts';
import { fillIn, submitWith } from '../support/form-steps.ts';
import { data } from '../support/scripted-service.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';
import { askForForm } from '../support/steps.ts';
import { startFormApp } from './form-app.ts';

const fields = {
  project: projectField({ isLive: true }),
  title: textField({ label: 'Title', isLive: true }),
  thing: searchableField({
    label: 'Thing',
    optional: true,
    needsProject: true,
    emptyText: 'None',
    find: async ({ project: id = '' }) => [{ id: `thing-${id}`, name: `Thing of ${id}` }],
  }),
};

const form: Form<typeof fields, FormContext, string> = {
  name: 'sample',
  version: 1,
  noun: 'form',
  title: 'Try it',
  command: '/upnext try',
  fields,
  contextLoader: projectLoader,
  renderBelowFields: ({ values }) => ({
    title: [
      section(`${values.title.length} letters`),
      actions(button('Other', buildActionId('sample', 'other'))),
    ],
  }),
  buttonHandlers: { other: () => ({ values: { project: { id: 'p2', name: 'Night Market' } } }) },
  check: ({ values }) =>
    ['bad', 'old'].includes(values.title)
      ? { kind: 'invalid', errors: { title: 'Bad.' } }
      : { kind: 'valid', contents: [values.title] },
  findFieldWithOutdatedBlocks: ({ values }) => (values.title === 'old' ? 'title' : undefined),
  createConfirmation: () => ({ title: 'Sure?', submitLabel: 'Yes', blocks: [section('Look again.')] }),
  onSubmit: { respond: async () => ({ close: true }) },
};

/** Delay of the next response of the database. Later responses aren't delayed. */
let nextDelayMs = 0;
const delayPlugin: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  async transformResult({ result }) {
    const ms = nextDelayMs;
    nextDelayMs = 0;
    if (ms > 0) await delay(ms);
    return result;
  },
};

const database = await setUpBotDatabase();
let running: Awaited<ReturnType<typeof startFormApp>>;

beforeEach(async () => {
  await database.db.deleteFrom('open_form').execute();
  running = await startFormApp({ db: database.db.withPlugin(delayPlugin) }, form);
  const projects = [
    { Id: 'p1', Name: 'Harbour Coffee' },
    { Id: 'p2', Name: 'Night Market' },
  ];
  running.service.on('GET /projects', data(projects));
});
afterEach(async () => {
  expect(running.logged.filter((line) => line.startsWith('request failed'))).toEqual([]);
  await running.close();
});

async function openForm() {
  const ana = running.workspace.as('Ana').in('#general');
  const openedForm = await askForForm(ana, '/upnext try', 'Try it');
  await openedForm.choose('Project', 'Harbour Coffee');
  return { ana, openedForm };
}

const countUpdates = () =>
  running.workspace.app.calls('views.update').filter(({ outcome }) => outcome !== 'waiting').length;

/** Returns the version of each row (`xmin`). Every write to a row changes its version. */
async function readVersions() {
  const { rows } = await sql<{ version: string }>`select xmin::text as version from open_form`.execute(
    database.db,
  );
  return rows.map(({ version }) => version);
}

test('a menu that is opened while the chosen project is being stored waits for that project', async () => {
  const { openedForm } = await openForm();
  expect(await openedForm.search('Thing', '')).toEqual(['Thing of p1']);
  nextDelayMs = 500;
  await openedForm.choose('Project', 'Night Market');
  expect(await openedForm.search('Thing', '')).toEqual(['Thing of p2']);
});

test('a button that changes the project changes the options of the menus that depend on the project', async () => {
  const { ana, openedForm } = await openForm();
  expect(await openedForm.search('Thing', '')).toEqual(['Thing of p1']);
  await openedForm.fill('Title', 'four');
  await ana.sees('4 letters');
  await openedForm.press('Other');
  await expect.poll(() => openedForm.value('Project')).toBe('Night Market');
  expect(await openedForm.search('Thing', '')).toEqual(['Thing of p2']);
});

test('a form that is reopened from its confirmation, or shown again with errors, offers the options of its project', async () => {
  const { ana, openedForm } = await openForm();
  await fillIn(openedForm, { Project: ['Night Market'], Title: 'bad' });
  expect((await openedForm.submit()).errors).toEqual({ Title: 'Bad.' });
  expect(await openedForm.search('Thing', '')).toEqual(['Thing of p2']);
  await (await submitWith(openedForm, { Title: 'valid' })).view?.close();
  const reopenedForm = await ana.modal('Try it');
  expect(await reopenedForm.search('Thing', '')).toEqual(['Thing of p2']);
});

test('an update that is slower than the submission doesn’t remove its errors', async () => {
  const { ana, openedForm } = await openForm();
  nextDelayMs = 300;
  await submitWith(openedForm, { Title: 'bad' });
  await ana.sees('3 letters');
  expect(openedForm.errors()).toEqual({ Title: 'Bad.' });
});

test('a button whose update is slower than the submission doesn’t remove its errors', async () => {
  const { ana, openedForm } = await openForm();
  await openedForm.fill('Title', 'bad');
  await ana.sees('3 letters');
  nextDelayMs = 300;
  await openedForm.press('Other');
  await openedForm.submit();
  await ana.sees('Night Market');
  expect(openedForm.errors()).toEqual({ Title: 'Bad.' });
});

test('a button whose update is slower than the submission doesn’t remove the view that answers it', async () => {
  const { ana, openedForm } = await openForm();
  await openedForm.fill('Title', 'old');
  await ana.sees('3 letters');
  nextDelayMs = 300;
  const updateCount = countUpdates();
  await openedForm.press('Other');
  await openedForm.submit();
  await expect.poll(countUpdates).toBe(updateCount + 1);
  await ana.sees('Check Title again.');
});

test('typing in a field that no menu depends on stores nothing', async () => {
  const { ana, openedForm } = await openForm();
  await openedForm.choose('Thing', 'Thing of p1');
  const earlierVersions = await readVersions();
  for (const text of ['o', 'on', 'one']) {
    await openedForm.fill('Title', text);
    await ana.sees(`${text.length} letters`);
  }
  expect(await readVersions()).toEqual(earlierVersions);
  // Control: a field that menus depend on is stored.
  await openedForm.choose('Project', 'Night Market');
  await expect.poll(readVersions).not.toEqual(earlierVersions);
});

test('a form cannot be created if its menus depend on a project field that is not live', () => {
  const formWithoutLiveProject = { ...form, fields: { ...fields, project: projectField() } };
  expect(() => createForm(formWithoutLiveProject)).toThrow(
    '"thing" is searched by project, so "project" must be live',
  );
});
