import { createButtonRow, createModal, createPlainText } from '../support/blocks.ts';
import { AGENT_CALLS } from './agent-calls.ts';
import { ANA, type Args, CHANNEL, freshName, TOM, type World } from './world.ts';

/** A form with a button. */
export const modal = (title = 'Probe') =>
  createModal(title, [createButtonRow('press', 'Press')], { close: createPlainText('Cancel') });

/** Presses the button in the form on top, so that the last trigger is one of a view. */
export async function pressTopModal(world: World, title = 'Probe'): Promise<string> {
  await (await world.workspace.as('Ana').in('#general').modal(title)).press('Press');
  return world.lastTrigger();
}

/** Opens a form, and returns its id. */
async function openModal(world: World): Promise<string> {
  const { view } = await world.call('views.open', { trigger_id: await world.trigger(), view: modal() });
  return (view as { id: string }).id;
}

export const inAWeek = () => Math.floor(Date.now() / 1000) + 7 * 24 * 60 * 60;

const inNewChannel = async (world: World) => ({ channel: await world.channel() });
const withMessage = async (world: World) => ({ channel: CHANNEL, timestamp: await world.message() });

async function withReaction(world: World): Promise<Args> {
  const args = { ...(await withMessage(world)), name: 'tada' };
  await world.call('reactions.add', args);
  return args;
}

/** A link that a person sent, as a link_shared event names it. */
async function sharedLink(world: World): Promise<Args> {
  await world.workspace.as('Ana').in('#harbour-coffee').type('See https://links.example/a');
  const ts = await world.personsMessage();
  return { channel: CHANNEL, ts, unfurls: { 'https://links.example/a': { text: 'A' } } };
}

/** Arguments with which each method succeeds. */
export const VALID_CALLS: Readonly<Record<string, (world: World) => Args | Promise<Args>>> = {
  ...AGENT_CALLS,
  'api.test': () => ({}),
  'auth.test': () => ({}),
  'bots.info': () => ({ bot: 'B01UPNEXTB' }),
  'chat.delete': async (world) => ({ channel: CHANNEL, ts: await world.message() }),
  'chat.deleteScheduledMessage': async (world) => {
    const scheduled = await world.call('chat.scheduleMessage', {
      channel: CHANNEL,
      text: 'x',
      post_at: inAWeek(),
    });
    return { channel: CHANNEL, scheduled_message_id: scheduled.scheduled_message_id };
  },
  'chat.getPermalink': async (world) => ({ channel: CHANNEL, message_ts: await world.message() }),
  'chat.postEphemeral': () => ({ channel: CHANNEL, user: ANA, text: 'x' }),
  'chat.postMessage': () => ({ channel: CHANNEL, text: 'x' }),
  'chat.scheduleMessage': async (world) => ({
    channel: await world.channel(),
    text: 'x',
    post_at: inAWeek(),
  }),
  'chat.scheduledMessages.list': () => ({ channel: CHANNEL }),
  'chat.unfurl': sharedLink,
  'chat.update': async (world) => ({ channel: CHANNEL, ts: await world.message(), text: 'y' }),
  'conversations.archive': inNewChannel,
  'conversations.create': () => ({ name: freshName() }),
  'conversations.history': () => ({ channel: CHANNEL, limit: 1 }),
  'conversations.info': () => ({ channel: CHANNEL }),
  'conversations.invite': async (world) => ({ channel: await world.channel(), users: TOM }),
  'conversations.join': () => ({ channel: CHANNEL }),
  'conversations.kick': async (world) => {
    const channel = await world.channel();
    await world.call('conversations.invite', { channel, users: TOM });
    return { channel, user: TOM };
  },
  'conversations.leave': inNewChannel,
  'conversations.list': () => ({}),
  'conversations.members': () => ({ channel: CHANNEL }),
  'conversations.open': () => ({ users: ANA }),
  'conversations.rename': async (world) => ({ channel: await world.channel(), name: freshName() }),
  'conversations.replies': async (world) => {
    const ts = await world.message();
    const reply = { channel: CHANNEL, text: 'x', thread_ts: ts };
    for (let count = 0; count < 2; count += 1) await world.call('chat.postMessage', reply);
    return { channel: CHANNEL, ts, limit: 1 };
  },
  'conversations.setPurpose': async (world) => ({ channel: await world.channel(), purpose: 'x' }),
  'conversations.setTopic': async (world) => ({ channel: await world.channel(), topic: 'x' }),
  'emoji.list': () => ({}),
  'files.completeUploadExternal': async (world) => ({ files: [{ id: await world.upload() }] }),
  'files.delete': async (world) => ({ file: await world.file() }),
  'files.getUploadURLExternal': () => ({ filename: 'a.txt', length: 1 }),
  'files.info': async (world) => ({ file: await world.file() }),
  'pins.add': withMessage,
  'pins.list': () => ({ channel: CHANNEL }),
  'pins.remove': async (world) => {
    const args = await withMessage(world);
    await world.call('pins.add', args);
    return args;
  },
  'reactions.add': async (world) => ({ ...(await withMessage(world)), name: 'tada' }),
  'reactions.get': withReaction,
  'reactions.list': () => ({}),
  'reactions.remove': withReaction,
  'team.info': () => ({}),
  'usergroups.list': () => ({ include_count: true, include_users: true }),
  'usergroups.users.list': (world) => ({ usergroup: world.group }),
  'users.conversations': () => ({}),
  'users.info': () => ({ user: ANA }),
  'users.list': () => ({}),
  'users.lookupByEmail': async (world) => {
    const { user } = await world.call('users.info', { user: ANA });
    return { email: (user as { profile: { email: string } }).profile.email };
  },
  'users.profile.get': () => ({ user: ANA }),
  'views.open': async (world) => ({ trigger_id: await world.trigger(), view: modal() }),
  'views.publish': () => ({ user_id: ANA, view: { type: 'home', blocks: [{ type: 'divider' }] } }),
  'views.push': async (world) => {
    await openModal(world);
    return { trigger_id: await pressTopModal(world), view: modal('Pushed') };
  },
  'views.update': async (world) => ({ view_id: await openModal(world), view: modal() }),
};
