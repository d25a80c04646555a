import { expect, it } from 'vitest';
import type { OptionsState } from '../src/workspace-options.ts';
import { createInput, createModal, createPlainText } from './support/blocks.ts';
import { openBolt } from './support/fixtures.ts';
import type { BoltFixture } from './support/workspace-bolt.ts';

const createOption = (text: string, value: string) => ({ text: createPlainText(text), value });
const FIRST = createOption('One & only', 'one');
const SECOND = createOption('<Two>', 'two');

const view = createModal(
  'Menus',
  [
    createInput(
      'First',
      { type: 'static_select', action_id: 'field', options: [FIRST, SECOND], initial_option: FIRST },
      { dispatch_action: true },
    ),
    createInput(
      'Second',
      { type: 'external_select', action_id: 'searched', min_query_length: 0 },
      { optional: true },
    ),
  ],
  { callback_id: 'form' },
);

let fixture: BoltFixture;

/** Opens a form, selects “<Two>”, searches, and submits. Returns the payloads that the app receives, by type. */
async function selectAndSearch(options: { optionsState?: OptionsState } = {}) {
  fixture = await openBolt(options);
  const { app, workspace } = fixture;
  // biome-ignore lint/suspicious/noExplicitAny: the payloads are unchanged
  const payloads: Record<string, any> = {};
  app.use(async ({ body, next }) => {
    if ('type' in body) payloads[String(body.type)] = body;
    await next();
  });
  app.command('/form', async ({ ack, body, client }) => {
    await ack();
    await client.views.open({ trigger_id: body.trigger_id, view });
  });
  app.action('field', async ({ ack }) => ack());
  app.options('searched', async ({ ack }) => ack({ options: [SECOND] }));
  app.view('form', async ({ ack }) => ack());
  const ana = workspace.as('Ana').in('#general');
  await ana.type('/form');
  const form = await ana.modal('Menus');
  await form.choose('First', '<Two>');
  expect(await form.search('Second', '')).toEqual(['<Two>']);
  expect(form.value('First')).toBe('<Two>');
  await form.submit();
  return payloads;
}

it('a search request contains the form’s initial state, not the current selection', async () => {
  const payloads = await selectAndSearch();
  const { values } = payloads.block_suggestion.view.state;
  expect(values.first.field.selected_option.value).toBe('one');
  // A control: all other payloads contain the current selection.
  expect(payloads.block_actions.view.state.values.first.field.selected_option.value).toBe('two');
  expect(payloads.view_submission.view.state.values.first.field.selected_option.value).toBe('two');
});

it('search requests can also omit the state, or contain the current state', async () => {
  const missing = await selectAndSearch({ optionsState: 'missing' });
  expect(missing.block_suggestion.view).toHaveProperty('blocks');
  expect(missing.block_suggestion.view).not.toHaveProperty('state');
  const current = await selectAndSearch({ optionsState: 'current' });
  expect(current.block_suggestion.view.state.values.first.field.selected_option.value).toBe('two');
});

it('labels of selected options are sent with &, < and > escaped', async () => {
  const payloads = await selectAndSearch();
  const escaped = { type: 'plain_text', text: '&lt;Two&gt;' };
  expect(payloads.block_actions.actions[0].selected_option).toMatchObject({ text: escaped, value: 'two' });
  for (const type of ['block_actions', 'view_submission'])
    expect(payloads[type].view.state.values.first.field.selected_option.text).toMatchObject(escaped);
  expect(payloads.block_suggestion.view.state.values.first.field.selected_option.text.text).toBe(
    'One &amp; only',
  );
});
