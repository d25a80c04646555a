import { App, LogLevel } from '@slack/bolt';
import type { ViewsOpenResponse } from '@slack/web-api';
import { startWorkspace } from '../../src/start-workspace.ts';
import type { Workspace } from '../../src/workspace.ts';
import { card, makeEveryBlock } from './example-messages.ts';
import { doneView, everyElement, loadingView, scheduleForm } from './example-views.ts';

/** The practice workspace with a small app that shows every kind of block and element. */
export interface Examples {
  workspace: Workspace;
  /** Submitted values (view.state.values), newest last. */
  submitted: unknown[];
  /** Button presses and selections, newest last. */
  actions: { action_id: string; [key: string]: unknown }[];
  /** Search texts of the external select, oldest first. */
  searchTexts: string[];
  /** The views that `/later` opens ("Loading…"), oldest first. */
  loadingViews: Promise<ViewsOpenResponse>[];
  /** The client of the app. */
  client: App['client'];
  /** Replaces the loading views with the form. */
  showForm(): Promise<void>;
  close(): Promise<void>;
}

const manifest = {
  display_information: { name: 'Upnext', description: 'Schedules posts.' },
  features: {
    bot_user: { display_name: 'Upnext' },
    app_home: { home_tab_enabled: true },
    slash_commands: [
      { command: '/schedule-post', description: 'Schedule a post', usage_hint: '[text]' },
      {
        command: '/upnext',
        description: 'The next post of this channel, and everything else',
        usage_hint: '[help]',
      },
      { command: '/examples', description: 'A form with every kind of element', usage_hint: '' },
      { command: '/card', description: 'A post as a card' },
      { command: '/blocks', description: 'A message with every kind of block' },
      { command: '/later', description: 'A form that takes a moment' },
      { command: '/slow', description: 'A command that nobody answers' },
    ],
    shortcuts: [
      { name: 'Schedule a post', type: 'global', callback_id: 'schedule', description: 'Write one now' },
      {
        name: 'Schedule this',
        type: 'message',
        callback_id: 'schedule-message',
        description: 'Make a post of it',
      },
    ],
  },
  settings: { event_subscriptions: { bot_events: ['app_home_opened'] } },
};

export async function startExamples(): Promise<Examples> {
  const delivery = { kind: 'socket' as const };
  const workspace = await startWorkspace({ port: 0, manifest, fileProcessingMs: 0, delivery });
  const app = new App({ ...workspace.boltOptions, logLevel: LogLevel.ERROR });
  const examples: Examples = {
    workspace,
    submitted: [],
    actions: [],
    searchTexts: [],
    loadingViews: [],
    client: app.client,
    showForm: async () => {
      for (const { view } of await Promise.all(examples.loadingViews.splice(0)))
        await app.client.views.update({ view_id: view?.id ?? '', view: scheduleForm });
    },
    close: async () => {
      await app.stop();
      await workspace.close();
    },
  };
  registerCommands(app, `${workspace.url}/page/icon.svg`, examples);
  registerForms(app, examples);
  await app.start();
  return examples;
}

function registerCommands(app: App, picture: string, { loadingViews }: Examples): void {
  for (const command of ['/schedule-post', '/examples']) {
    app.command(command, async ({ ack, body, client }) => {
      await ack();
      const view = command === '/examples' ? everyElement : scheduleForm;
      await client.views.open({ trigger_id: body.trigger_id, view });
    });
  }
  app.command('/later', async ({ ack, body, client }) => {
    await ack();
    const opened = client.views.open({ trigger_id: body.trigger_id, view: loadingView });
    // Stored before the answer is there, because the page may show the view earlier.
    loadingViews.push(opened);
    await opened;
  });
  app.command('/card', async ({ ack, respond }) => {
    await ack();
    await respond({ response_type: 'in_channel', ...card });
  });
  app.command('/blocks', async ({ ack, say }) => {
    await ack();
    await say({ text: 'Every block', blocks: makeEveryBlock(picture) });
  });
  app.command('/upnext', async ({ ack }) => {
    await ack('Nothing is scheduled *here* yet. Type `/schedule-post` to begin.');
  });
  // A command that is never answered. Slack waits three seconds.
  app.command('/slow', async () => {});
  app.shortcut(/schedule/, async ({ ack, body, client }) => {
    await ack();
    await client.views.open({ trigger_id: body.trigger_id, view: scheduleForm });
  });
  app.event('app_home_opened', async ({ event, client }) => {
    // Markdown blocks are allowed only in messages.
    const blocks = makeEveryBlock(picture).filter(({ type }) => type !== 'markdown');
    const view = { type: 'home' as const, blocks };
    await client.views.publish({ user_id: event.user, view });
  });
}

function registerForms(app: App, examples: Examples): void {
  app.view('examples', async ({ ack, view }) => {
    examples.submitted.push(view.state.values);
    await ack();
  });
  app.view({ callback_id: 'examples', type: 'view_closed' }, async ({ ack }) => ack());
  app.view('schedule', async ({ ack, view, body, client }) => {
    const values = view.state.values;
    examples.submitted.push(values);
    const when = values.when?.when?.value ?? '';
    if (when === 'never answer') return;
    if (when === 'update the form') return ack({ response_action: 'update', view: doneView });
    if (when === 'status') return ack({ response_action: 'errors', errors: { status: 'Not this one.' } });
    if (!/tomorrow/.test(when)) {
      return ack({
        response_action: 'errors',
        errors: { when: `I do not understand “${when}”. Try “tomorrow 9am”.` },
      });
    }
    await ack();
    await client.chat.postEphemeral({
      channel: 'C01GENERAL',
      user: body.user.id,
      text: 'Scheduled for tomorrow 9am.',
    });
  });
  app.options('place', async ({ ack, payload }) => {
    examples.searchTexts.push(payload.value);
    const places = ['Lisbon', 'Lima', 'Limassol', 'Berlin', 'Tokyo'].filter((place) =>
      place.toLowerCase().startsWith(payload.value.toLowerCase()),
    );
    await ack({
      options: places.map((place) => ({ text: { type: 'plain_text', text: place }, value: place })),
    });
  });
  app.action(/.*/, async ({ ack, action, body, client }) => {
    await ack();
    const actionId = 'action_id' in action ? action.action_id : '';
    examples.actions.push({ ...action, action_id: actionId });
    if (actionId === 'push' && 'trigger_id' in body) {
      await client.views.push({
        trigger_id: body.trigger_id,
        view: { ...scheduleForm, title: { type: 'plain_text', text: 'On top' } },
      });
    }
  });
}
