import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Form } from '../../src/forms/form.ts';
import { type FormContext, projectLoader } from '../../src/forms/form-context.ts';
import { checkboxesField, multiSelectField, radioField, selectField } from '../../src/forms/inputs/choice.ts';
import { projectField } from '../../src/forms/inputs/project.ts';
import { searchableField } from '../../src/forms/inputs/searched.ts';
import { conversationField, userField } from '../../src/forms/inputs/slack-choice.ts';
import { textField } from '../../src/forms/inputs/text.ts';
import { plain, section } from '../../src/slack/blocks.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';
import { startFormApp } from './form-app.ts';

const choices = [
  { value: 'one', name: 'One' },
  { value: 'two', name: 'Two' },
];
const fields = {
  project: projectField(),
  title: textField({ label: 'Title', isLive: true }),
  details: textField({ label: 'More', optional: true }),
  radio: radioField({ label: 'Radio', choices }),
  select: selectField({ label: 'Select', choices, initial: 'two' }),
  multiSelect: multiSelectField({ label: 'Several', choices, optional: true }),
  checkboxes: checkboxesField({ label: 'Boxes', choices, optional: true }),
  conversation: conversationField({ label: 'Where', optional: true }),
  user: userField({ label: 'Whom', optional: true }),
  template: searchableField({
    label: 'Template',
    optional: true,
    emptyText: 'None there',
    renderQueryLabel: (query) => `Use “${query}”`,
    find: async () => [{ id: 't1', name: 'Morning' }],
  }),
};

const sentContents: unknown[] = [];
const form: Form<typeof fields, FormContext, Record<string, unknown>> = {
  name: 'sample',
  version: 1,
  noun: 'form',
  title: 'Try it',
  command: '/upnext try',
  fields,
  contextLoader: projectLoader,
  hideableFields: ['details'],
  findHiddenFields: ({ values }) => (values.title === 'short' ? ['details'] : []),
  renderAboveFields: () => [section('Above')],
  renderBelowFields: ({ values }) => ({ title: [section(`${values.title.length} letters`)] }),
  check: ({ values }) => ({ kind: 'valid', contents: [values] }),
  onSubmit: {
    async respond(_call, content) {
      sentContents.push(content);
      const title = plain('Done');
      return { view: { type: 'modal', title, close: plain('Close'), blocks: [section('Done.')] } };
    },
  },
};

const database = await setUpBotDatabase();
let running: Awaited<ReturnType<typeof startFormApp>>;

beforeEach(async () => {
  sentContents.length = 0;
  running = await startFormApp(database, form);
});
afterEach(async () => {
  expect(running.logged.filter((line) => line.startsWith('request failed'))).toEqual([]);
  await running.close();
});

async function openForm() {
  const ana = running.workspace.as('Ana').in('#general');
  await ana.type('/upnext try');
  const openedForm = await ana.modal('Try it');
  return { ana, openedForm };
}

test('Slack accepts every kind of input, and the form reads the entered values', async () => {
  const { openedForm } = await openForm();
  expect(openedForm.labels()).toEqual(
    Object.values(fields)
      .slice(1)
      .map(({ label }) => label),
  );
  await openedForm.fill('Title', 'Hello <!channel> 🎉');
  await openedForm.choose('Radio', 'One');
  await openedForm.choose('Several', ['One', 'Two']);
  await openedForm.choose('Boxes', ['Two']);
  await openedForm.choose('Template', 'own');
  expect((await openedForm.submit()).view?.title()).toBe('Done');
  expect(sentContents).toMatchObject([
    {
      project: { id: 'p1', name: 'Harbour Coffee' },
      title: 'Hello <!channel> 🎉',
      details: '',
      radio: 'one',
      select: 'two',
      multiSelect: ['one', 'two'],
      checkboxes: ['two'],
      template: { id: 'own', name: 'own' },
    },
  ]);
});

test('a hidden field of a form counts as empty', async () => {
  const { ana, openedForm } = await openForm();
  await openedForm.fill('Title', 'short');
  await ana.sees('5 letters');
  expect(openedForm.labels()).not.toContain('More');
  await openedForm.choose('Radio', 'One');
  await openedForm.submit();
  expect(sentContents).toMatchObject([{ title: 'short', details: '' }]);
});
