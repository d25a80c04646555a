import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BoltFixture, startWithBolt } from './support/workspace-bolt.ts';

const createPlainText = (text: string) => ({ type: 'plain_text' as const, text });
const text = expect.any(String);

const TEAM = { id: 'T01HARBOUR', domain: 'harbour-coffee' };
const USER = { id: 'U01ANAFERR', username: 'ana', name: 'ana', team_id: 'T01HARBOUR' };
const SHORTCUT = { user: USER, team: TEAM, token: text };
const COMMON = { ...SHORTCUT, api_app_id: text };

const VIEW = {
  id: text,
  team_id: 'T01HARBOUR',
  type: 'modal',
  blocks: expect.any(Array),
  private_metadata: 'mine',
  callback_id: 'form',
  hash: expect.stringMatching(/^\d{10}\.\w{8}$/),
  title: createPlainText('Shapes'),
  clear_on_close: false,
  notify_on_close: true,
  close: null,
  submit: createPlainText('Go'),
  previous_view_id: null,
  root_view_id: text,
  app_id: text,
  external_id: '',
  app_installed_team_id: 'T01HARBOUR',
  bot_id: text,
};

/** Every input has an entry, an empty one too (docs.slack.dev, "View submissions"). */
const EMPTY = {
  words: { field: { type: 'plain_text_input', value: null } },
  one: { field: { type: 'static_select', selected_option: null } },
  many: { field: { type: 'multi_external_select', selected_options: [] } },
  boxes: { field: { type: 'checkboxes', selected_options: [] } },
  radios: { field: { type: 'radio_buttons', selected_option: { text: createPlainText('A'), value: 'a' } } },
  day: { field: { type: 'datepicker', selected_date: '2026-12-01' } },
  time: { field: { type: 'timepicker', selected_time: null } },
  moment: { field: { type: 'datetimepicker', selected_date_time: null } },
  who: { field: { type: 'users_select', selected_user: null } },
  where: { field: { type: 'conversations_select', selected_conversation: null } },
};

const OPTIONS = [{ text: createPlainText('A'), value: 'a' }];
const ELEMENTS: Record<keyof typeof EMPTY, object> = {
  words: { type: 'plain_text_input' },
  one: { type: 'static_select', options: OPTIONS },
  many: { type: 'multi_external_select', min_query_length: 0 },
  boxes: { type: 'checkboxes', options: OPTIONS },
  radios: { type: 'radio_buttons', options: OPTIONS, initial_option: OPTIONS[0] },
  day: { type: 'datepicker', initial_date: '2026-12-01' },
  time: { type: 'timepicker' },
  moment: { type: 'datetimepicker' },
  who: { type: 'users_select' },
  where: { type: 'conversations_select' },
};

const BLOCKS = [
  ...Object.entries(ELEMENTS).map(([block_id, element]) => ({
    type: 'input',
    block_id,
    optional: true,
    label: createPlainText(block_id),
    element: { ...element, action_id: 'field' },
  })),
  {
    type: 'actions',
    block_id: 'do',
    elements: [{ type: 'button', action_id: 'press', text: createPlainText('Press'), value: 'v' }],
  },
];

describe('the payloads that an app gets', () => {
  let fixture: BoltFixture;
  const payloads: Record<string, unknown> = {};
  beforeAll(async () => {
    fixture = await startWithBolt('socket');
    const { app } = fixture;
    // Bolt hands the body to a global middleware unchanged.
    app.use(async ({ body, next }) => {
      payloads[body.type === undefined ? 'command' : String(body.type)] = body;
      await next();
    });
    app.command('/form', async ({ ack, body, client }) => {
      await ack();
      const view = {
        type: 'modal',
        callback_id: 'form',
        title: createPlainText('Shapes'),
        submit: createPlainText('Go'),
        blocks: BLOCKS,
      };
      await client.apiCall('views.open', {
        trigger_id: body.trigger_id,
        view: { ...view, private_metadata: 'mine', notify_on_close: true },
      });
    });
    app.options('field', async ({ ack }) => {
      await ack({ options: OPTIONS });
    });
    app.action('press', async ({ ack }) => {
      await ack();
    });
    app.view('form', async ({ ack }) => {
      await ack({ response_action: 'errors', errors: { words: 'Stay' } });
    });
    app.view({ callback_id: 'form', type: 'view_closed' }, async ({ ack }) => {
      await ack();
    });
    app.event('app_home_opened', async ({ event, client }) => {
      const view = {
        type: 'home' as const,
        blocks: [{ type: 'header' as const, text: createPlainText('Welcome') }],
      };
      await client.views.publish({ user_id: event.user, view });
    });
    app.shortcut(/.*/, async ({ ack }) => {
      await ack();
    });

    const ana = fixture.workspace.as('Ana').in('#general');
    await ana.type('/form some text');
    const form = await ana.modal('Shapes');
    await form.search('many', '');
    await form.press('Press');
    await form.submit();
    await form.close();
    await ana.shortcut('New thing');
    await ana.type('a message');
    await ana.shortcut('About this', 'a message');
    await ana.home('Welcome');
  });
  afterAll(() => fixture.stop());

  it.each([
    [
      'command',
      {
        token: text,
        team_id: 'T01HARBOUR',
        team_domain: 'harbour-coffee',
        channel_id: 'C01GENERAL',
        channel_name: 'general',
        user_id: 'U01ANAFERR',
        user_name: 'ana',
        command: '/form',
        text: 'some text',
        response_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/response\/\w+$/),
        trigger_id: text,
      },
    ],
    [
      'block_suggestion',
      {
        ...COMMON,
        container: { type: 'view', view_id: text },
        action_id: 'field',
        block_id: 'many',
        value: '',
        view: VIEW,
      },
    ],
    [
      'block_actions',
      {
        ...COMMON,
        trigger_id: text,
        container: { type: 'view', view_id: text },
        view: VIEW,
        actions: [
          {
            type: 'button',
            action_id: 'press',
            block_id: 'do',
            text: createPlainText('Press'),
            value: 'v',
            action_ts: text,
          },
        ],
      },
    ],
    [
      'view_submission',
      { ...COMMON, trigger_id: text, view: { ...VIEW, state: { values: EMPTY } }, response_urls: [] },
    ],
    ['view_closed', { ...COMMON, view: VIEW, is_cleared: false, response_urls: [] }],
    [
      'shortcut',
      {
        ...SHORTCUT,
        user: { id: 'U01ANAFERR', username: 'ana' },
        callback_id: 'new_thing',
        trigger_id: text,
        action_ts: text,
      },
    ],
    [
      'message_action',
      {
        ...SHORTCUT,
        callback_id: 'about_this',
        trigger_id: text,
        action_ts: text,
        response_url: text,
        channel: { id: 'C01GENERAL', name: 'general' },
        message_ts: text,
        message: { type: 'message', user: 'U01ANAFERR', text: 'a message', ts: text, team: 'T01HARBOUR' },
      },
    ],
    [
      'event_callback',
      {
        token: text,
        team_id: 'T01HARBOUR',
        api_app_id: text,
        type: 'event_callback',
        event_id: expect.stringMatching(/^Ev/),
        event_time: expect.any(Number),
        event: { type: 'app_home_opened', user: 'U01ANAFERR', channel: text, tab: 'home', event_ts: text },
        authorizations: [{ team_id: 'T01HARBOUR', is_bot: true }],
      },
    ],
  ])('the payload has the same shape as Slack’s: %s', (type, shape) => {
    expect(payloads[type]).toMatchObject(shape);
  });
});
