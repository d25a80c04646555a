import type { Source } from './field-rule.ts';

interface EventRule {
  /** The app needs one of these scopes. Empty if the event needs no scope. */
  scopes: readonly string[];
  source: Source;
}

const requireAnyOf = (...scopes: string[]): EventRule => ({ scopes, source: 'D' });

/** Events of this workspace. An app without the scope doesn't get an event (docs.slack.dev, "Events"). */
export const EVENT_RULES: Readonly<Record<string, EventRule>> = {
  app_home_opened: requireAnyOf(),
  app_mention: requireAnyOf('app_mentions:read'),
  app_uninstalled: requireAnyOf(),
  assistant_thread_context_changed: requireAnyOf('assistant:write'),
  assistant_thread_started: requireAnyOf('assistant:write'),
  channel_archive: requireAnyOf('channels:read'),
  channel_created: requireAnyOf('channels:read'),
  channel_deleted: requireAnyOf('channels:read'),
  channel_left: requireAnyOf('channels:read'),
  channel_rename: requireAnyOf('channels:read'),
  channel_shared: requireAnyOf('channels:read', 'groups:read'),
  channel_unarchive: requireAnyOf('channels:read'),
  channel_unshared: requireAnyOf('channels:read', 'groups:read'),
  file_deleted: requireAnyOf('files:read'),
  file_shared: requireAnyOf('files:read'),
  function_executed: requireAnyOf(),
  group_archive: requireAnyOf('groups:read'),
  group_deleted: requireAnyOf('groups:read'),
  group_left: requireAnyOf('groups:read'),
  group_rename: requireAnyOf('groups:read'),
  group_unarchive: requireAnyOf('groups:read'),
  link_shared: requireAnyOf('links:read'),
  member_joined_channel: requireAnyOf('channels:read', 'groups:read'),
  member_left_channel: requireAnyOf('channels:read', 'groups:read'),
  'message.channels': requireAnyOf('channels:history'),
  'message.groups': requireAnyOf('groups:history'),
  'message.im': requireAnyOf('im:history'),
  'message.mpim': requireAnyOf('mpim:history'),
  message_metadata_deleted: requireAnyOf('metadata.message:read'),
  message_metadata_posted: requireAnyOf('metadata.message:read'),
  message_metadata_updated: requireAnyOf('metadata.message:read'),
  pin_added: requireAnyOf('pins:read'),
  pin_removed: requireAnyOf('pins:read'),
  reaction_added: requireAnyOf('reactions:read'),
  reaction_removed: requireAnyOf('reactions:read'),
  subteam_members_changed: requireAnyOf('usergroups:read'),
  team_access_granted: requireAnyOf(),
  team_access_revoked: requireAnyOf(),
  team_join: requireAnyOf('users:read'),
  tokens_revoked: requireAnyOf(),
  user_change: requireAnyOf('users:read'),
};
