import type { ViewOutput } from '@slack/bolt';
import type { InputBlockElement } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { collectPayloads } from './collect-payloads.ts';
import { createInput, createModal, createPlainText } from './support/blocks.ts';
import { openBolt } from './support/fixtures.ts';

const TEAM = { id: 'T01HARBOUR', domain: 'harbour-coffee' };
const USER = { id: 'U01ANAFERR', username: 'ana', name: 'ana', team_id: 'T01HARBOUR' };
const COMMON = { user: USER, team: TEAM };

const VIEW = {
  team_id: 'T01HARBOUR',
  type: 'modal',
  private_metadata: 'mine',
  callback_id: 'form',
  hash: expect.stringMatching(/^\d{10}\.\w{8}$/),
  title: createPlainText('Shapes'),
  clear_on_close: false,
  notify_on_close: true,
  close: createPlainText('Cancel'),
  submit: createPlainText('Go'),
  previous_view_id: null,
  external_id: '',
  app_installed_team_id: 'T01HARBOUR',
};
const PRESS = { type: 'button', action_id: 'press', text: createPlainText('Press'), value: 'v' };
const VALUES = {
  words: { field: { type: 'plain_text_input', value: 'some' } },
  search: { search: { type: 'external_select', selected_option: null } },
};

const payloads = await collectPayloads('socket');

describe('the payloads that an app gets', () => {
  it.each([
    [
      'command',
      {
        team_id: 'T01HARBOUR',
        team_domain: 'harbour-coffee',
        channel_id: 'C01GENERAL',
        channel_name: 'general',
        user_id: 'U01ANAFERR',
        user_name: 'ana',
        command: '/say',
        text: 'some text',
        response_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/response\/\w+$/),
      },
    ],
    [
      'block_suggestion',
      {
        ...COMMON,
        container: { type: 'view' },
        action_id: 'search',
        block_id: 'search',
        value: '',
        view: VIEW,
      },
    ],
    [
      'block_actions in modal',
      {
        ...COMMON,
        container: { type: 'view', view_id: expect.stringMatching(/^V/) },
        view: VIEW,
        actions: [PRESS],
      },
    ],
    ['view_submission', { ...COMMON, view: { ...VIEW, state: { values: VALUES } }, response_urls: [] }],
    ['view_closed', { ...COMMON, view: VIEW, is_cleared: false, response_urls: [] }],
    [
      'shortcut',
      {
        ...COMMON,
        user: { id: 'U01ANAFERR', username: 'ana' },
        callback_id: 'new_thing',
      },
    ],
    [
      'message_action',
      {
        ...COMMON,
        callback_id: 'about_this',
        channel: { id: 'C01GENERAL', name: 'general' },
        message: { type: 'message', user: 'U01ANAFERR', text: 'a message', team: 'T01HARBOUR' },
      },
    ],
    [
      'event app_home_opened',
      {
        team_id: 'T01HARBOUR',
        type: 'event_callback',
        token: expect.any(String),
        api_app_id: expect.stringMatching(/^A/),
        event_id: expect.stringMatching(/^Ev/),
        event_time: expect.any(Number),
        event: { type: 'app_home_opened', user: 'U01ANAFERR', tab: 'home' },
        authorizations: [{ team_id: 'T01HARBOUR', is_bot: true }],
      },
    ],
  ])('the payload has the same shape as Slack’s: %s', (name, shape) => {
    expect(payloads.get(name)).toMatchObject(shape);
  });
});

const OPTIONS = [{ text: createPlainText('A'), value: 'a' }];

/** Each element of a form, and its state if nobody has used it (docs.slack.dev, "View submissions"). */
const UNUSED: [element: { type: string; [field: string]: unknown }, state: object][] = [
  [{ type: 'plain_text_input' }, { value: null }],
  [{ type: 'static_select', options: OPTIONS }, { selected_option: null }],
  [{ type: 'multi_external_select', min_query_length: 0 }, { selected_options: [] }],
  [{ type: 'checkboxes', options: OPTIONS }, { selected_options: [] }],
  [{ type: 'radio_buttons', options: OPTIONS, initial_option: OPTIONS[0] }, { selected_option: OPTIONS[0] }],
  [{ type: 'datepicker', initial_date: '2026-12-01' }, { selected_date: '2026-12-01' }],
  [{ type: 'timepicker' }, { selected_time: null }],
  [{ type: 'datetimepicker' }, { selected_date_time: null }],
  [{ type: 'users_select' }, { selected_user: null }],
  [{ type: 'conversations_select' }, { selected_conversation: null }],
];

it('a submission has a state of every input, an unused one too', async () => {
  const { app, workspace } = await openBolt();
  let submitted: ViewOutput | undefined;
  app.command('/form', async ({ ack, body, client }) => {
    await ack();
    const blocks = UNUSED.map(([element]) =>
      createInput(element.type, { ...element, action_id: 'field' } as InputBlockElement, { optional: true }),
    );
    await client.apiCall('views.open', { trigger_id: body.trigger_id, view: createModal('All', blocks) });
  });
  app.view(/.*/, async ({ ack, view }) => {
    submitted = view;
    await ack();
  });
  await workspace.as('Ana').in('#general').type('/form');
  await (await workspace.as('Ana').modal('All')).submit();
  const expected = UNUSED.map(([{ type }, state]) => [type, { field: { type, ...state } }]);
  expect(submitted?.state.values).toMatchObject(Object.fromEntries(expected));
  expect(submitted?.close).toBeNull();
});
