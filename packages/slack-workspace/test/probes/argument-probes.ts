import { REFERENCE } from './reference.ts';
import { type Spoil, set, twice } from './spoil.ts';
import { modal } from './valid-calls.ts';
import { ARCHIVED, OUTSIDE, type World } from './world.ts';

/** The name of the argument that names the channel. */
function channelName(method: string): string {
  const names = REFERENCE.get(method)?.arguments.map(({ name }) => name) ?? [];
  return names.find((name) => name === 'channel' || name === 'channel_id') ?? 'channel';
}

const inChannel =
  (find: (world: World) => string | Promise<string>): Spoil =>
  async (args, world, method) => ({ ...args, [channelName(method)]: await find(world) });

const metadata = (payload: object) => ({ event_type: 'probe', event_payload: payload });

/** Errors that the same change provokes in every method that documents them. */
export const SPOILS: Readonly<Record<string, Spoil>> = {
  bad_timestamp: set({ timestamp: 'yesterday' }),
  channel_not_found: inChannel(() => 'C0NOWHERE00'),
  duplicate_external_id: async (args, world) => {
    const external_id = `probe ${await world.message()}`;
    const view = { ...modal('Tom’s'), external_id };
    await world.call('views.open', { trigger_id: await world.trigger('Tom'), view });
    return { ...args, view: { ...(args.view as object), external_id } };
  },
  exchanged_trigger_id: twice,
  expired_trigger_id: async (args, world) => {
    world.workspace.clock.advance(4_000);
    return args;
  },
  file_comment_not_found: set({ file_comment: 'Fc0NOWHERE0' }),
  file_not_found: (args) =>
    'files' in args ? { ...args, files: [{ id: 'F0NOWHERE00' }] } : { ...args, file: 'F0NOWHERE00' },
  hash_conflict: async (args, world, method) => {
    await world.call(method, args);
    return { ...args, hash: '1.abc' };
  },
  invalid_attachments: set({ attachments: '{' }),
  invalid_blocks: set({ blocks: [{ type: 'nothing' }] }),
  invalid_blocks_format: set({ blocks: '{' }),
  invalid_cursor: set({ cursor: 'garbage' }),
  invalid_emoji: set({ emoji: 'no colons' }),
  invalid_limit: set({ limit: 'many' }),
  invalid_link: set({ link: 'ftp://a.example' }),
  invalid_metadata_filter_keys: set({ metadata_keys_to_include: '{' }),
  invalid_metadata_format: set({ metadata: '{' }),
  invalid_metadata_schema: set({ metadata: { event_type: 1 } }),
  invalid_name: set({ name: 'No Such Emoji' }),
  invalid_name_maxlength: set({ name: 'x'.repeat(81) }),
  invalid_name_punctuation: set({ name: '---' }),
  invalid_name_required: set({ name: '' }),
  invalid_name_specials: set({ name: 'Über uns' }),
  invalid_trigger_id: set({ trigger_id: 'nothing' }),
  invalid_ts_latest: set({ latest: 'yesterday' }),
  invalid_ts_oldest: set({ oldest: 'yesterday' }),
  invalid_types: set({ types: 'nothing' }),
  is_archived: inChannel(() => ARCHIVED),
  markdown_text_conflict: set({ markdown_text: 'x', text: 'x' }),
  message_not_found: (args) => {
    const name = ['message_ts', 'timestamp', 'ts'].find((one) => one in args) ?? 'ts';
    return { ...args, [name]: '1111111111.000100' };
  },
  metadata_too_large: set({ metadata: metadata({ text: 'x'.repeat(20_000) }) }),
  method_not_supported_for_channel_type: inChannel((world) => world.directMessage()),
  msg_blocks_too_long: set({
    blocks: Array.from({ length: 5 }, () => ({
      type: 'section',
      text: { type: 'mrkdwn', text: 'x'.repeat(3_000) },
    })),
  }),
  msg_too_long: set({ text: 'x'.repeat(40_001) }),
  name_taken: set({ name: 'random' }),
  no_item_specified: set({ timestamp: undefined }),
  no_text: set({ text: undefined }),
  not_in_channel: inChannel(() => OUTSIDE),
  permission_denied: inChannel(() => OUTSIDE),
  restricted_action: inChannel((world) => world.restricted),
  too_long: set({ purpose: 'x'.repeat(251), topic: 'x'.repeat(251) }),
  too_many_attachments: set({ attachments: Array.from({ length: 101 }, () => ({ text: 'x' })) }),
  user_not_found: (args) => ({ ...args, ['users' in args ? 'users' : 'user']: 'U0NOBODY000' }),
  users_not_found: set({ email: 'nobody@a.example' }),
  view_too_large: (args) => ({
    ...args,
    view: {
      ...(args.view as object),
      blocks: Array.from({ length: 100 }, () => ({
        type: 'section',
        text: { type: 'plain_text', text: 'x'.repeat(2_900) },
      })),
    },
  }),
};
