import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildActionId } from '../../src/forms/field.ts';
import type { Form } from '../../src/forms/form.ts';
import { type FormContext, projectLoader } from '../../src/forms/form-context.ts';
import { checkboxesField, multiSelectField, radioField, selectField } from '../../src/forms/inputs/choice.ts';
import { projectField } from '../../src/forms/inputs/project.ts';
import { searchableField } from '../../src/forms/inputs/searched.ts';
import { conversationField, userField } from '../../src/forms/inputs/slack-choice.ts';
import { textField } from '../../src/forms/inputs/text.ts';
import { actions, button, plain, section } from '../../src/slack/blocks.ts';
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
  renderBelowFields: ({ values }) => ({
    title: [
      section(`${values.title.length} letters`),
      actions(button('Shout', buildActionId('sample', 'shout'))),
    ],
  }),
  buttonHandlers: { shout: (_value, { values }) => ({ values: { title: values.title.toUpperCase() } }) },
  check: ({ values }) =>
    values.title === 'bad'
      ? { kind: 'invalid', errors: { title: 'Bad.' } }
      : { kind: 'valid', contents: [values] },
  createConfirmation: (_contents, { values }) =>
    values.radio === 'two'
      ? {
          title: 'Sure?',
          submitLabel: 'Yes',
          blocks: [{ type: 'section', text: plain(`It is ${values.title}`) }],
        }
      : undefined,
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

describe('a confirmation', () => {
  async function openConfirmation() {
    const { ana, openedForm } = await openForm();
    await openedForm.fill('Title', 'Careful');
    await openedForm.fill('More', 'every word');
    await openedForm.choose('Radio', 'Two');
    const { view } = await openedForm.submit();
    expect(view?.title()).toBe('Sure?');
    expect(view?.text()).toContain('It is Careful');
    expect(sentContents).toEqual([]);
    return { ana, view };
  }

  test('a confirmation sends the content that it shows', async () => {
    const { view } = await openConfirmation();
    expect((await view?.submit())?.view?.title()).toBe('Done');
    expect(sentContents).toMatchObject([{ title: 'Careful', details: 'every word', radio: 'two' }]);
  });

  test('the button “Back” of a confirmation opens the form with all entered values', async () => {
    const { ana, view } = await openConfirmation();
    await view?.close();
    const reopenedForm = await ana.modal('Try it');
    expect(['Title', 'More', 'Radio'].map((label) => reopenedForm.value(label))).toEqual([
      'Careful',
      'every word',
      'Two',
    ]);
    await reopenedForm.choose('Radio', 'One');
    expect((await reopenedForm.submit()).view?.title()).toBe('Done');
  });
});

describe('a live form', () => {
  test('a live form updates the blocks that depend on a text, and keeps the other fields', async () => {
    const { ana, openedForm } = await openForm();
    await openedForm.fill('More', 'half writ');
    await openedForm.fill('Title', 'four');
    await ana.sees('4 letters');
    expect(openedForm.value('More')).toBe('half writ');
  });

  test('a button in a form changes a field', async () => {
    const { ana, openedForm } = await openForm();
    await openedForm.fill('More', 'half writ');
    await openedForm.fill('Title', 'four');
    await openedForm.press('Shout');
    await ana.sees('(FOUR)');
    expect(openedForm.value('More')).toBe('half writ');
    await openedForm.choose('Radio', 'One');
    await openedForm.submit();
    expect(sentContents).toMatchObject([{ title: 'FOUR', details: 'half writ' }]);
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
});

test('errors of the inputs and of the form are shown together, each under its field', async () => {
  const { openedForm } = await openForm();
  await openedForm.fill('Title', 'bad');
  await openedForm.fill('More', 'nul \u0000');
  await openedForm.choose('Radio', 'One');
  const { errors } = await openedForm.submit();
  expect(errors.Title).toBe('Bad.');
  expect(errors.More).toContain('invisible character');
  expect(sentContents).toEqual([]);
});
