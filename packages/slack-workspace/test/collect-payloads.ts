import type { App } from '@slack/bolt';
import type { MessageMetadata } from '@slack/types';
import { vi } from 'vitest';
import { isRecord } from '../src/json.ts';
import { EVENT_RULES } from '../src/rules/event-rules.ts';
import { drawAvatar } from '../src/state/avatar.ts';
import { ASSISTANT_MANIFEST } from './support/assistant.ts';
import {
  createButtonRow,
  createHeader,
  createInput,
  createModal,
  createPlainText,
} from './support/blocks.ts';
import { WAIT_MS } from './support/workspace.ts';
import { type BoltFixture, startWithBolt } from './support/workspace-bolt.ts';

// Only the app of an organisation receives these two events.
const EVENTS = Object.keys(EVENT_RULES).filter((name) => !name.startsWith('team_access_'));
const MANIFEST = {
  ...ASSISTANT_MANIFEST,
  settings: {
    event_subscriptions: {
      bot_events: EVENTS,
      metadata_subscriptions: [{ app_id: '*', event_type: 'order' }],
    },
  },
};

/** The metadata of a message that changes. An empty object removes it. */
const METADATA: [text: string, metadata: MessageMetadata][] = [
  ['Ordered', { event_type: 'order', event_payload: { cups: 1 } }],
  ['Ordered more', { event_type: 'order', event_payload: { cups: 2 } }],
  ['Not ordered', {} as MessageMetadata],
];

const BUTTON = createButtonRow('press', 'Press', { value: 'v' });
const MODAL = createModal(
  'Shapes',
  [
    createInput('Words', { type: 'plain_text_input', action_id: 'field' }),
    createInput(
      'Search',
      { type: 'external_select', action_id: 'search', min_query_length: 0 },
      { optional: true },
    ),
    BUTTON,
  ],
  {
    callback_id: 'form',
    private_metadata: 'mine',
    close: createPlainText('Cancel'),
    notify_on_close: true,
  },
);

/** Registers handlers that cause every payload that the workspace can send. */
function registerHandlers(app: App): void {
  app.command('/form', async ({ ack, body, client }) => {
    await ack();
    await client.views.open({ trigger_id: body.trigger_id, view: MODAL });
  });
  app.command('/say', async ({ ack, respond }) => {
    await ack();
    await respond({
      text: 'For you',
      blocks: [createHeader('For you'), BUTTON],
    });
  });
  app.action('press', ({ ack }) => ack());
  app.options('search', ({ ack }) => ack({ options: [] }));
  app.view('form', ({ ack }) => ack({ response_action: 'errors', errors: { words: 'Stay' } }));
  app.view({ callback_id: 'form', type: 'view_closed' }, ({ ack }) => ack());
  app.shortcut(/.*/, ({ ack }) => ack());
  app.event('file_shared', async ({ event, client }) => {
    await client.files.delete({ file: event.file_id });
  });
  app.event('app_home_opened', async ({ event, client }) => {
    const blocks = [createHeader('Welcome'), BUTTON];
    await client.views.publish({ user_id: event.user, view: { type: 'home', blocks } });
  });
}

/** Ana uses every function of the app once. */
async function useEverything({ app, workspace }: BoltFixture): Promise<void> {
  const ana = workspace.as('Ana').in('#general');
  await ana.type('/form some text');
  const form = await ana.modal('Shapes');
  await form.search('Search', '');
  await form.press('Press');
  await form.fill('Words', 'some');
  await form.submit();
  await form.close();
  await ana.type('/say some text');
  await ana.sees('For you');
  await ana.press('Press');
  await app.client.chat.postMessage({ channel: 'C01GENERAL', text: 'For all', blocks: [BUTTON] });
  await ana.press('Press');
  await ana.shortcut('New thing');
  await ana.type('a message');
  await ana.shortcut('About this', 'a message');
  await ana.type('@tester are you there?');
  await (await ana.home('Welcome')).press('Press');
  await ana.type('a link: https://links.example/1');
  ana.runStep('Approve', { approver: 'Ben', text: 'x' });
  const chat = ana.startChat();
  await chat.goTo('#harbour-coffee');
  await (await ana.inDirectMessage()).type('see https://example.com/a?b=1&c=2, please');
}

/** Changes messages, files, channels and people. */
async function changeEverything({ app, workspace }: BoltFixture): Promise<void> {
  const channel = 'C02HARBOUR';
  const { ts = '' } = await app.client.chat.postMessage({ channel, text: 'First' });
  await app.client.chat.postMessage({ channel, text: 'Reply', thread_ts: ts, reply_broadcast: true });
  await app.client.reactions.add({ channel, timestamp: ts, name: 'eyes' });
  await app.client.reactions.remove({ channel, timestamp: ts, name: 'eyes' });
  await app.client.pins.add({ channel, timestamp: ts });
  await app.client.pins.remove({ channel, timestamp: ts });
  await app.client.chat.postMessage({ channel, text: 'Custom', username: 'Barista', icon_emoji: ':coffee:' });
  await app.client.chat.update({ channel, ts, text: 'Changed' });
  for (const [text, metadata] of METADATA) await app.client.chat.update({ channel, ts, text, metadata });
  await app.client.chat.delete({ channel, ts });
  const picture = drawAvatar({ id: 'U1', color: '#102030' }, 1_100);
  const upload = { channel_id: channel, file: picture, filename: 'a.png' };
  await app.client.files.uploadV2({ ...upload, initial_comment: 'A file' });
  workspace.admin.remove('#harbour-coffee', 'Ben');
  workspace.admin.invite('#harbour-coffee', 'Ben');
  const { admin } = workspace;
  admin.archive('#night-market-books');
  admin.unarchive('#night-market-books');
  admin.share('#night-market-books', 'T02ROASTER');
  admin.unshare('#night-market-books', 'T02ROASTER');
  for (const is_private of [true, false]) {
    const created = await app.client.conversations.create({ name: `plans-${is_private}`, is_private });
    const id = created.channel?.id ?? '';
    await app.client.conversations.setTopic({ channel: id, topic: 'Plans' });
    await app.client.conversations.setPurpose({ channel: id, purpose: 'For plans' });
    await app.client.conversations.rename({ channel: id, name: `old-plans-${is_private}` });
  }
  admin.addChannel('#owners', { private: true, members: ['Ana', 'tester'] });
  admin.archive('#owners');
  admin.unarchive('#owners');
  admin.remove('#owners', 'tester');
  admin.invite('#owners', 'tester');
  admin.deleteChannel('#owners');
  admin.remove('#night-market-books', 'tester');
  admin.deleteChannel('#night-market-books');
  admin.addPerson({ name: 'Zoe Lind' });
  admin.changePerson('Ben', { locale: 'fr-FR' });
  admin.addGroup('writers', ['Ana', 'Ben']);
  admin.changeGroup('writers', { members: ['Ben', 'Mira'] });
}

/** A short name for a payload, such as `command`, `block_actions in a view` or `event message`. */
function namePayload(payload: Record<string, unknown>): string {
  const { type, container, event, view } = payload;
  if (typeof type !== 'string') return 'command';
  if (type === 'event_callback' && isRecord(event)) {
    const sender = event.type === 'message' && event.bot_id !== undefined ? 'by an app' : undefined;
    return ['event', event.type, event.subtype ?? sender].filter((part) => part !== undefined).join(' ');
  }
  if (type !== 'block_actions') return type;
  if (isRecord(view)) return `block_actions in ${view.type}`;
  const ephemeral = isRecord(container) && container.is_ephemeral === true;
  return `block_actions in ${ephemeral ? 'an ephemeral message' : 'a message'}`;
}

/** Messages of the app and about channels, and what the app gets when people use it. */
const MESSAGES =
  'by an app,bot_message,message_changed,message_deleted,thread_broadcast,file_share,channel_join,channel_leave,' +
  'channel_archive,channel_unarchive,channel_name,channel_topic,channel_purpose,assistant_app_thread';
export const PAYLOADS: readonly string[] = [
  ...['command', 'view_submission', 'view_closed', 'block_suggestion', 'shortcut', 'message_action'],
  ...['a message', 'an ephemeral message', 'modal', 'home'].map((place) => `block_actions in ${place}`),
  ...MESSAGES.split(',').map((subtype) => `event message ${subtype}`),
  ...EVENTS.map((name) => `event ${name.replace(/^message\..*/, 'message')}`),
];

/** The last payloads that an app receives. */
const LAST_PAYLOADS = ['event app_uninstalled', 'event tokens_revoked'];

/** Causes every payload, and returns the last one of each name. */
export async function collectPayloads(
  mode: 'socket' | 'http',
): Promise<Map<string, Record<string, unknown>>> {
  const fixture = await startWithBolt({ mode, manifest: MANIFEST, ignoreSelf: false });
  const payloads = new Map<string, Record<string, unknown>>();
  // Bolt hands the body to a global middleware unchanged.
  fixture.app.use(async ({ body, next }) => {
    payloads.set(namePayload({ ...body }), { ...body });
    await next();
  });
  registerHandlers(fixture.app);
  await useEverything(fixture);
  await changeEverything(fixture);
  const waitFor = (names: readonly string[]) =>
    vi.waitFor(() => {
      const missingNames = names.filter((name) => !payloads.has(name));
      if (missingNames.length > 0) throw new Error(`The app never received: ${missingNames.join(', ')}`);
    }, WAIT_MS);
  await waitFor(PAYLOADS.filter((name) => !LAST_PAYLOADS.includes(name)));
  fixture.workspace.admin.uninstall();
  await waitFor(LAST_PAYLOADS);
  await fixture.stop();
  return payloads;
}
