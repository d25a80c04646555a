import {
  assistantThread,
  createdChannel,
  file,
  functionExecuted,
  metadata,
  metadataEvent,
  renamedChannel,
} from './event-parts.ts';
import type { Shape } from './payload-shape.ts';

const string = 'string';
const common = {
  type: string,
  token: string,
  api_app_id: string,
  team: { id: string, domain: string },
  user: { id: string, username: string, name: string, team_id: string },
  enterprise: 'null',
  is_enterprise_install: 'boolean',
};
/** Shortcuts don't name the app. */
const { api_app_id: _, user, ...shortcut } = common;
const view = {
  id: string,
  team_id: string,
  type: string,
  blocks: 'list',
  private_metadata: string,
  callback_id: string,
  state: { values: 'object' },
  hash: string,
  title: { type: string, text: string },
  clear_on_close: 'boolean',
  notify_on_close: 'boolean',
  close: 'object|null',
  submit: 'object|null',
  previous_view_id: 'string|null',
  root_view_id: string,
  app_id: string,
  external_id: string,
  app_installed_team_id: string,
  bot_id: string,
};
const channel = { id: string, name: string };
const action = { type: string, action_id: string, block_id: string, action_ts: string };
const appMessage = {
  type: string,
  user: string,
  bot_id: string,
  app_id: string,
  text: string,
  ts: string,
  team: string,
};
const personMessage = {
  type: string,
  client_msg_id: string,
  user: string,
  text: string,
  ts: string,
  team: string,
  blocks: [{ type: string, block_id: string, elements: [{ type: string, elements: 'list' }] }],
};
const inMessage = {
  channel,
  response_url: string,
  trigger_id: string,
  state: { values: 'object' },
  actions: [action],
};
const inView = { view, trigger_id: string, container: { type: string, view_id: string }, actions: [action] };

const place = { channel: string, channel_type: string };
const hiddenMessage = { ...place, subtype: string, hidden: 'boolean', ts: string };

const reaction = {
  user: string,
  reaction: string,
  item: { type: string, channel: string, ts: string },
  item_user: string,
};

const pinnedMessage = { ...appMessage, permalink: string };
const pin = {
  user: string,
  channel_id: string,
  item: { type: string, created: 'number', created_by: string, channel: string, message: pinnedMessage },
  item_user: string,
  pin_count: 'number',
  pinned_info: { channel: string, pinned_by: string, pinned_ts: 'number' },
};

function buildEventShape(shape: Record<string, Shape>): Shape {
  const authorization = {
    enterprise_id: 'null',
    team_id: string,
    user_id: string,
    is_bot: 'boolean',
    is_enterprise_install: 'boolean',
  };
  return {
    token: string,
    team_id: string,
    api_app_id: string,
    type: string,
    event_id: string,
    event_time: 'number',
    event_context: string,
    is_ext_shared_channel: 'boolean',
    authorizations: [authorization],
    event: { type: string, event_ts: string, ...shape },
  };
}

const joinedPerson = {
  id: string,
  team_id: string,
  name: string,
  deleted: 'boolean',
  tz: string,
  locale: string,
  is_admin: 'boolean',
};

/** The keys that an app may rely on in each payload (docs.slack.dev, "Interaction payloads", "Events API"). */
export const REQUIRED_SHAPES: Readonly<Record<string, Shape>> = {
  command: {
    token: string,
    team_id: string,
    team_domain: string,
    channel_id: string,
    channel_name: string,
    user_id: string,
    user_name: string,
    command: string,
    text: string,
    api_app_id: string,
    is_enterprise_install: string,
    response_url: string,
    trigger_id: string,
  },
  'block_actions in a message': {
    ...common,
    ...inMessage,
    container: { type: string, message_ts: string, channel_id: string, is_ephemeral: 'boolean' },
    message: { ...appMessage, blocks: 'list' },
  },
  'block_actions in an ephemeral message': {
    ...common,
    ...inMessage,
    container: { type: string, message_ts: string, channel_id: string, is_ephemeral: 'boolean' },
  },
  'block_actions in modal': { ...common, ...inView },
  'block_actions in home': { ...common, ...inView },
  view_submission: { ...common, view, trigger_id: string, response_urls: 'list' },
  view_closed: { ...common, view, is_cleared: 'boolean', response_urls: 'list' },
  block_suggestion: {
    ...common,
    view,
    action_id: string,
    block_id: string,
    value: string,
    container: { type: string, view_id: string },
  },
  shortcut: {
    ...shortcut,
    user: { id: string, username: string, team_id: string },
    callback_id: string,
    trigger_id: string,
    action_ts: string,
  },
  message_action: {
    ...shortcut,
    user,
    callback_id: string,
    trigger_id: string,
    action_ts: string,
    response_url: string,
    channel,
    message_ts: string,
    message: personMessage,
  },
  'event message': buildEventShape({ ...personMessage, ...place }),
  'event message by an app': buildEventShape({
    ...appMessage,
    ...place,
    bot_profile: {
      id: string,
      deleted: 'boolean',
      name: string,
      updated: 'number',
      app_id: string,
      team_id: string,
      icons: 'object',
    },
  }),
  'event message bot_message': buildEventShape({
    ...place,
    subtype: string,
    bot_id: string,
    username: string,
    icons: 'object',
    text: string,
    ts: string,
  }),
  'event message message_changed': buildEventShape({
    ...hiddenMessage,
    message: { ...appMessage, edited: { user: string, ts: string } },
    previous_message: appMessage,
  }),
  'event message message_deleted': buildEventShape({
    ...hiddenMessage,
    deleted_ts: string,
    previous_message: appMessage,
  }),
  'event message thread_broadcast': buildEventShape({
    ...appMessage,
    ...place,
    subtype: string,
    thread_ts: string,
  }),
  'event message file_share': buildEventShape({ ...appMessage, ...place, subtype: string, files: [file] }),
  'event message channel_join': buildEventShape({
    ...place,
    subtype: string,
    user: string,
    text: string,
    ts: string,
  }),
  'event message channel_leave': buildEventShape({
    ...place,
    subtype: string,
    user: string,
    text: string,
    ts: string,
  }),
  ...Object.fromEntries(
    Object.entries({
      channel_archive: {},
      channel_unarchive: {},
      channel_name: { name: string, old_name: string },
      channel_topic: { topic: string },
      channel_purpose: { purpose: string },
    }).map(([subtype, more]) => [
      `event message ${subtype}`,
      buildEventShape({ ...place, subtype: string, user: string, text: string, ts: string, ...more }),
    ]),
  ),
  'event channel_created': buildEventShape({ channel: createdChannel }),
  'event channel_rename': buildEventShape({ channel: renamedChannel }),
  'event group_rename': buildEventShape({ channel: renamedChannel }),
  'event member_joined_channel': buildEventShape({ ...place, user: string, team: string, inviter: string }),
  'event member_left_channel': buildEventShape({ ...place, user: string, team: string }),
  'event channel_archive': buildEventShape({ channel: string, user: string }),
  'event channel_unarchive': buildEventShape({ channel: string, user: string }),
  'event channel_deleted': buildEventShape({ channel: string }),
  'event channel_left': buildEventShape({ channel: string, actor_id: string }),
  'event channel_shared': buildEventShape({ channel: string, connected_team_id: string }),
  'event channel_unshared': buildEventShape({
    channel: string,
    previously_connected_team_id: string,
    is_ext_shared: 'boolean',
  }),
  'event group_archive': buildEventShape({ channel: string, user: string }),
  'event group_unarchive': buildEventShape({ channel: string, actor_id: string }),
  'event group_deleted': buildEventShape({ channel: string }),
  'event group_left': buildEventShape({ channel: string, actor_id: string }),
  'event team_join': buildEventShape({ user: joinedPerson, cache_ts: 'number' }),
  'event user_change': buildEventShape({ user: joinedPerson, cache_ts: 'number' }),
  'event subteam_members_changed': buildEventShape({
    subteam_id: string,
    team_id: string,
    date_previous_update: 'number',
    date_update: 'number',
    added_users: [string],
    added_users_count: 'number',
    removed_users: [string],
    removed_users_count: 'number',
  }),
  'event link_shared': buildEventShape({
    channel: string,
    is_bot_user_member: 'boolean',
    user: string,
    message_ts: string,
    unfurl_id: string,
    source: string,
    links: [{ domain: string, url: string }],
  }),
  'event message_metadata_posted': buildEventShape({ ...metadataEvent, metadata }),
  'event message_metadata_updated': buildEventShape({
    ...metadataEvent,
    metadata,
    previous_metadata: metadata,
  }),
  'event message_metadata_deleted': buildEventShape({
    ...metadataEvent,
    previous_metadata: metadata,
    deleted_ts: string,
  }),
  'event pin_added': buildEventShape({
    ...pin,
    item: { ...pin.item, message: { ...pinnedMessage, pinned_to: 'list' } },
  }),
  'event pin_removed': buildEventShape({ ...pin, has_pins: 'boolean' }),
  'event reaction_added': buildEventShape(reaction),
  'event reaction_removed': buildEventShape(reaction),
  'event app_uninstalled': buildEventShape({}),
  'event tokens_revoked': buildEventShape({ tokens: { oauth: 'list', bot: 'list' } }),
  'event file_shared': buildEventShape({
    file_id: string,
    file: { id: string },
    user_id: string,
    channel_id: string,
  }),
  'event file_deleted': buildEventShape({ file_id: string }),
  'event app_mention': buildEventShape({ ...personMessage, channel: string }),
  'event function_executed': buildEventShape(functionExecuted),
  'event assistant_thread_started': buildEventShape(assistantThread),
  'event assistant_thread_context_changed': buildEventShape(assistantThread),
  'event message assistant_app_thread': buildEventShape({
    ...place,
    subtype: string,
    user: string,
    ts: string,
  }),
  'event app_home_opened': buildEventShape({ user: string, channel: string, tab: string }),
};
