import type { Source } from './rule.ts';

interface EventRule {
  /** Any one of these is enough; empty: none is needed. */
  scopes: readonly string[];
  source: Source;
}

const needs = (...scopes: string[]): EventRule => ({ scopes, source: 'D' });

/** What an app may subscribe to here, and the scope without which Slack sends it nothing (docs.slack.dev, "Events"). */
export const EVENT_RULES: Readonly<Record<string, EventRule>> = {
  app_home_opened: needs(),
  app_mention: needs('app_mentions:read'),
  app_uninstalled: needs(),
  assistant_thread_context_changed: needs('assistant:write'),
  assistant_thread_started: needs('assistant:write'),
  channel_archive: needs('channels:read'),
  channel_created: needs('channels:read'),
  channel_deleted: needs('channels:read'),
  channel_left: needs('channels:read'),
  channel_rename: needs('channels:read'),
  channel_shared: needs('channels:read', 'groups:read'),
  channel_unarchive: needs('channels:read'),
  channel_unshared: needs('channels:read', 'groups:read'),
  file_deleted: needs('files:read'),
  file_shared: needs('files:read'),
  function_executed: needs(),
  group_archive: needs('groups:read'),
  group_deleted: needs('groups:read'),
  group_left: needs('groups:read'),
  group_rename: needs('groups:read'),
  group_unarchive: needs('groups:read'),
  link_shared: needs('links:read'),
  member_joined_channel: needs('channels:read', 'groups:read'),
  member_left_channel: needs('channels:read', 'groups:read'),
  'message.channels': needs('channels:history'),
  'message.groups': needs('groups:history'),
  'message.im': needs('im:history'),
  'message.mpim': needs('mpim:history'),
  message_metadata_deleted: needs('metadata.message:read'),
  message_metadata_posted: needs('metadata.message:read'),
  message_metadata_updated: needs('metadata.message:read'),
  pin_added: needs('pins:read'),
  pin_removed: needs('pins:read'),
  reaction_added: needs('reactions:read'),
  reaction_removed: needs('reactions:read'),
  team_access_granted: needs(),
  team_access_revoked: needs(),
  tokens_revoked: needs(),
  user_change: needs('users:read'),
};
