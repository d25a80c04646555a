import type { App } from '@slack/bolt';

const PLAIN = (text: string) => ({ type: 'plain_text' as const, text });
const OPTION = (text: string) => ({ text: PLAIN(text), value: text.toLowerCase() });

/** The manifest of an app with tasks, whose form has fields of many types. */
export const TODO_MANIFEST = {
  display_information: { name: 'Todo' },
  features: {
    app_home: { home_tab_enabled: true },
    bot_user: { display_name: 'todo' },
    slash_commands: [
      { command: '/todo', description: 'Adds a task' },
      { command: '/slow', description: 'Never answers' },
    ],
    shortcuts: [{ name: 'Make a task', type: 'message', callback_id: 'task', description: 'From a message' }],
  },
  oauth_config: {
    scopes: {
      bot: ['chat:write', 'commands', 'app_mentions:read', 'reactions:read', 'usergroups:read', 'emoji:read'],
    },
  },
  settings: { event_subscriptions: { bot_events: ['app_home_opened', 'app_mention', 'reaction_added'] } },
};

function input(label: string, element: object, optional = true) {
  return {
    type: 'input',
    block_id: label,
    optional,
    label: PLAIN(label),
    element: { action_id: label, ...element },
  };
}

const FORM = {
  type: 'modal',
  callback_id: 'task',
  title: PLAIN('New task'),
  submit: PLAIN('Add'),
  close: PLAIN('Cancel'),
  blocks: [
    input('Task', { type: 'plain_text_input' }, false),
    input('Priority', { type: 'static_select', options: [OPTION('High'), OPTION('Low')] }),
    input('Tags', { type: 'checkboxes', options: [OPTION('home'), OPTION('shop')] }),
    input('For', { type: 'users_select' }),
    input('Due', { type: 'datepicker' }),
    input('Notes', { type: 'file_input' }),
  ],
};

function createHome(list: string) {
  const menu = {
    type: 'external_select',
    action_id: 'list',
    placeholder: PLAIN('List'),
    min_query_length: 1,
  };
  return {
    type: 'home',
    blocks: [
      { type: 'header', text: PLAIN('Your tasks') },
      { type: 'section', text: PLAIN(`Tasks of ${list}`), accessory: menu },
    ],
  };
}

function createCard(task: string) {
  const done = { type: 'button', action_id: 'done', text: PLAIN('Done'), value: task };
  return {
    text: task,
    blocks: [
      { type: 'section', text: PLAIN(task) },
      { type: 'actions', elements: [done] },
    ],
  };
}

// Bolt's types want literal block types, which plain objects don't have.
type Anything = never;

/** Answers `/todo`, its form, its button, Home, mentions and the shortcut. */
export function addTodoListeners(app: App): void {
  app.command('/slow', () => new Promise(() => undefined));
  app.command('/todo', async ({ ack, command, client }) => {
    await ack();
    const { text, channel_id: channel, trigger_id } = command;
    if (text !== '') await client.chat.postMessage({ channel, ...createCard(text) } as Anything);
    else await client.views.open({ trigger_id, view: { ...FORM, private_metadata: channel } } as Anything);
  });
  app.view('task', async ({ ack, view, client }) => {
    const { Task, Priority } = view.state.values;
    const task = Task?.Task?.value ?? '';
    if (task.length < 2)
      return ack({ response_action: 'errors', errors: { Task: 'Write at least two letters.' } });
    await ack();
    const priority = Priority?.Priority?.selected_option?.text.text;
    const text = priority === undefined ? task : `${task} (${priority})`;
    await client.chat.postMessage({ channel: view.private_metadata, ...createCard(text) } as Anything);
  });
  app.action('done', async ({ ack, action, respond }) => {
    await ack();
    await respond({ replace_original: true, text: `Done: ${'value' in action ? action.value : ''}` });
  });
  app.options('list', ({ ack }) => ack({ options: [OPTION('Shopping')] }));
  app.action('list', async ({ ack, body, client }) => {
    await ack();
    await client.views.publish({ user_id: body.user.id, view: createHome('Shopping') } as Anything);
  });
  app.event('app_home_opened', async ({ event, client }) => {
    await client.views.publish({ user_id: event.user, view: createHome('today') } as Anything);
  });
  app.event('app_mention', async ({ say }) => void (await say('At your service')));
  app.shortcut('task', async ({ ack, body, client }) => {
    await ack();
    await client.views.open({ trigger_id: body.trigger_id, view: FORM } as Anything);
  });
}
