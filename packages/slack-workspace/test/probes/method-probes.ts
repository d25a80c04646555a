import { listStandardEmoji } from '../../src/emoji/standard-emoji.ts';
import { AGENT_PROBES } from './agent-calls.ts';
import { type Spoil, set, twice } from './spoil.ts';
import { inAWeek, modal, pressTopModal } from './valid-calls.ts';
import { ARCHIVED, CHANNEL, DEACTIVATED, freshName, OUTSIDE, type World } from './world.ts';

const GENERAL = 'C01GENERAL';
const EMOJI_NAMES = listStandardEmoji();
const times = async (count: number, run: (index: number) => Promise<unknown>) => {
  for (let index = 0; index < count; index += 1) await run(index);
};
const ofAna = async (world: World) => ({ channel: CHANNEL, ts: await world.personsMessage() });

/** Of one method: `<method> <error>` → how its valid arguments change. These win over the changes of all methods. */
export const METHOD_PROBES: Readonly<Record<string, Spoil>> = {
  ...AGENT_PROBES,
  'bots.info bot_not_found': set({ bot: 'B0NOWHERE00' }),
  'chat.delete cant_delete_message': async (_, world) => ofAna(world),
  'chat.deleteScheduledMessage invalid_scheduled_message_id': set({ scheduled_message_id: 'Q0NOWHERE00' }),
  'chat.postEphemeral user_not_in_channel': async (args, world) => ({
    ...args,
    channel: await world.channel(),
  }),
  'chat.scheduleMessage invalid_time': set({ post_at: 'tomorrow' }),
  'chat.scheduleMessage restricted_too_many': async (args, world) => {
    await times(30, () => world.call('chat.scheduleMessage', args));
    return args;
  },
  'chat.scheduleMessage time_in_past': set({ post_at: 1_000_000_000 }),
  'chat.scheduleMessage time_too_far': () => ({
    channel: CHANNEL,
    text: 'x',
    post_at: inAWeek() + 120 * 86_400,
  }),
  'chat.scheduledMessages.list invalid_channel': set({ channel: 'C0NOWHERE00' }),
  'chat.unfurl cannot_find_channel': set({ channel: 'C0NOWHERE00' }),
  'chat.unfurl cannot_find_message': set({ ts: '1111111111.000100' }),
  'chat.unfurl cannot_parse_attachment': set({ unfurls: { 'https://links.example/a': 'A' } }),
  'chat.unfurl cannot_unfurl_message': set({ unfurls: { 'https://links.example/b': { text: 'B' } } }),
  'chat.unfurl cannot_unfurl_url': set({ unfurls: { 'https://elsewhere.example/a': { text: 'A' } } }),
  'chat.unfurl invalid_source': () => ({ unfurl_id: 'x', source: 'nothing', unfurls: {} }),
  'chat.unfurl invalid_unfurl_id': () => ({ unfurl_id: 'x', source: 'composer', unfurls: {} }),
  'chat.unfurl invalid_unfurls_format': set({ unfurls: '{' }),
  'chat.unfurl missing_channel': set({ channel: undefined }),
  'chat.unfurl missing_source': () => ({ unfurl_id: 'x', unfurls: {} }),
  'chat.unfurl missing_ts': set({ ts: undefined }),
  'chat.unfurl missing_unfurl_id': () => ({ source: 'composer', unfurls: {} }),
  'chat.unfurl missing_unfurls': set({ unfurls: undefined }),
  'chat.update cant_broadcast_message': set({ reply_broadcast: true }),
  'chat.update cant_update_message': async (args, world) => ({ ...args, ...(await ofAna(world)) }),
  'chat.update is_inactive': async (args, world) => {
    const channel = await world.channel();
    const ts = await world.message(channel);
    await world.call('conversations.archive', { channel });
    return { ...args, channel, ts };
  },
  'chat.update file_deleted': async (args, world) => {
    const file = await world.file();
    await world.call('files.delete', { file });
    return { ...args, file_ids: [file] };
  },
  'chat.update file_not_found': set({ file_ids: ['F0NOWHERE00'] }),
  'chat.update msg_too_long': set({ text: 'x'.repeat(4_001) }),
  'chat.update no_dual_broadcast_content_update': async (args, world) => {
    const reply = { channel: CHANNEL, text: 'x', thread_ts: await world.message() };
    return { ...args, ts: (await world.call('chat.postMessage', reply)).ts, reply_broadcast: true };
  },
  'conversations.archive already_archived': set({ channel: ARCHIVED }),
  'conversations.archive cant_archive_general': set({ channel: GENERAL }),
  'conversations.invite already_in_channel': twice,
  'conversations.invite cant_invite': set({ users: 'U05PRIYANA' }),
  'conversations.invite cant_invite_self': set({ users: 'U09UPNEXTB' }),
  'conversations.invite no_user': set({ users: '' }),
  'conversations.invite ura_max_channels': (args, world) => {
    const name = freshName();
    const users = world.workspace.admin.addPerson({ name, role: 'single-channel-guest' });
    world.workspace.admin.invite('general', name);
    return { ...args, users };
  },
  'conversations.kick cant_kick_from_general': set({ channel: GENERAL }),
  'conversations.kick cant_kick_self': set({ user: 'U09UPNEXTB' }),
  'conversations.leave cant_leave_general': set({ channel: GENERAL }),
  'conversations.leave last_member': async (_, world) => {
    const { channel } = await world.call('conversations.create', { name: freshName(), is_private: true });
    return { channel: (channel as { id: string }).id };
  },
  'conversations.open channel_not_found': () => ({ channel: 'D0NOWHERE00' }),
  'conversations.open invalid_user_combination': (_, world) => ({
    users: world.workspace.admin.addPerson({ name: freshName(), from: { id: 'T9', name: 'Elsewhere' } }),
  }),
  'conversations.open method_not_supported_for_channel_type': () => ({ channel: CHANNEL }),
  'conversations.open too_many_users': () => ({
    users: Array.from({ length: 9 }, (_, n) => `U0${n}`).join(','),
  }),
  'conversations.open user_disabled': set({ users: `U01ANAFERR,${DEACTIVATED}` }),
  'conversations.open users_list_not_supplied': () => ({}),
  'conversations.rename not_authorized': set({ channel: CHANNEL }),
  'conversations.replies thread_not_found': set({ ts: '1111111111.000100' }),
  'conversations.unarchive not_archived': () => ({ channel: CHANNEL }),
  'conversations.unarchive channel_not_found': () => ({ channel: 'C0NOWHERE00' }),
  'conversations.unarchive method_not_supported_for_channel_type': async (_, world) => ({
    channel: await world.directMessage(),
  }),
  'files.completeUploadExternal channels_limit_exceeded': set({
    channels: Array.from({ length: 101 }, () => CHANNEL).join(','),
  }),
  'files.completeUploadExternal invalid_blocks': set({ channel_id: CHANNEL, blocks: [{ type: 'nothing' }] }),
  'files.completeUploadExternal not_in_channel': set({ channel_id: OUTSIDE }),
  'files.completeUploadExternal posting_to_channel_denied': (args, world) => ({
    ...args,
    channel_id: world.restricted,
  }),
  'files.delete cant_delete_file': async (_, world) => ({ file: await world.personsFile() }),
  'files.delete file_deleted': twice,
  'files.getUploadURLExternal alt_txt_too_large': set({ alt_txt: 'x'.repeat(1_001) }),
  'files.getUploadURLExternal file_upload_size_restricted': set({ length: 2_000_000_000 }),
  'files.getUploadURLExternal missing_argument': set({ length: 0 }),
  'files.getUploadURLExternal snippet_too_large': set({ snippet_type: 'text', length: 1_048_577 }),
  'files.getUploadURLExternal unknown_snippet_type': set({ snippet_type: 'latin' }),
  'files.info file_deleted': async (args, world) => {
    await world.call('files.delete', args);
    return args;
  },
  'pins.add already_pinned': twice,
  'pins.add not_in_channel': async (_, world) => {
    const channel = await world.channel();
    const timestamp = await world.message(channel);
    await world.call('conversations.leave', { channel });
    return { channel, timestamp };
  },
  'pins.add not_pinnable': async (_, world) => {
    const channel = await world.channel();
    const { messages } = await world.call('conversations.history', { channel });
    return { channel, timestamp: (messages as { ts: string }[])[0]?.ts };
  },
  'pins.add too_many_pins': async (_, world) => {
    const channel = await world.channel();
    const pin = async () => ({ channel, timestamp: await world.message(channel) });
    await times(100, async () => world.call('pins.add', await pin()));
    return pin();
  },
  'pins.remove no_pin': async (_, world) => ({ channel: CHANNEL, timestamp: await world.message() }),
  'reactions.add already_reacted': twice,
  'reactions.add is_archived': async (args, world) => {
    const channel = await world.channel();
    const timestamp = await world.message(channel);
    await world.call('conversations.archive', { channel });
    return { ...args, channel, timestamp };
  },
  'reactions.add too_many_emoji': async (args, world) => {
    const text = freshName();
    const { ts: timestamp } = await world.call('chat.postMessage', { channel: CHANNEL, text });
    for (const [name, first, count] of [
      ['Ana', 0, 23],
      ['Ben', 23, 23],
      ['Mira', 46, 4],
    ] as const) {
      const person = world.workspace.as(name).in('#harbour-coffee');
      await times(count, (index) => person.react(text, EMOJI_NAMES[first + index] ?? ''));
    }
    return { ...args, timestamp };
  },
  'reactions.add too_many_reactions': async (args, world) => {
    await times(23, (index) => world.call('reactions.add', { ...args, name: EMOJI_NAMES[index] ?? '' }));
    return args;
  },
  'reactions.remove no_reaction': set({ name: 'eyes' }),
  'team.info team_not_found': set({ team: 'T0NOWHERE00' }),
  'team.info team_not_on_enterprise': set({ domain: 'harbour-coffee' }),
  'usergroups.users.list no_such_subteam': set({ usergroup: 'S0NOWHERE00' }),
  'views.push not_found': async (args, world) => ({ ...args, trigger_id: await world.trigger() }),
  'views.push push_limit_reached': async (args, world) => {
    await times(2, async (index) => {
      await world.call('views.push', { trigger_id: world.lastTrigger(), view: modal(`Probe ${index}`) });
      await pressTopModal(world, `Probe ${index}`);
    });
    return { ...args, trigger_id: world.lastTrigger() };
  },
  'views.update not_found': set({ view_id: 'V0NOWHERE00' }),
};
