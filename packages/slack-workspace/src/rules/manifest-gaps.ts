import { getRecord, getStrings, isRecord } from '../json.ts';
import { METHODS } from '../web-api/methods.ts';
import { makeWordSet } from '../words.ts';
import { EVENT_RULES } from './event-rules.ts';

/**
 * Names in manifests: the keys of Slack's manifest schema 0.5.0, and the events and scopes of its reference
 * (docs.slack.dev/reference/events and docs.slack.dev/reference/scopes; user scopes also from `UserScope` of
 * @slack/web-api 8). Only apps from before OpenID have the scopes `identity.*`. Scopes of classic apps, such as
 * `files:write:user`, aren't among the names.
 */

export const KNOWN_EVENTS = makeWordSet(`
  agent_session_stopped agent_session_title_changed app_context_changed app_deleted app_home_opened app_installed
  app_mention app_rate_limited app_requested app_uninstalled app_uninstalled_team assistant_thread_context_changed
  assistant_thread_started call_rejected channel_archive channel_created channel_deleted channel_history_changed
  channel_id_changed channel_left channel_posting_permissions channel_rename channel_shared channel_unarchive
  channel_unshared dnd_updated dnd_updated_user email_domain_changed emoji_changed entity_comments_requested
  entity_details_requested file_change file_comment_added file_comment_deleted file_comment_edited file_created
  file_deleted file_public file_shared file_unshared function_executed grid_migration_finished
  grid_migration_started group_archive group_close group_deleted group_history_changed group_left group_open
  group_rename group_unarchive im_close im_created im_history_changed im_open invite_requested link_shared
  member_joined_channel member_left_channel message message.app_home message.channels message.groups message.im
  message.mpim message_metadata_deleted message_metadata_posted message_metadata_updated pin_added pin_removed
  reaction_added reaction_removed shared_channel_invite_accepted shared_channel_invite_approved
  shared_channel_invite_declined shared_channel_invite_received shared_channel_invite_requested star_added
  star_removed subteam_created subteam_members_changed subteam_self_added subteam_self_removed subteam_updated
  team_access_granted team_access_revoked team_domain_change team_join team_rename tokens_revoked user_change
  user_connection user_huddle_changed user_profile_changed user_status_changed
`);

export const KNOWN_SCOPES = makeWordSet(`
  app_mentions:read assistant:write bookmarks:read bookmarks:write calls:read calls:write canvases:read
  canvases:write channels:history channels:join channels:manage channels:read channels:write channels:write.invites
  channels:write.topic chat:write chat:write.customize chat:write.public commands conversations.connect:manage
  conversations.connect:read conversations.connect:write datastore:read datastore:write dnd:read emoji:read
  files:read files:write groups:history groups:read groups:write groups:write.invites groups:write.topic im:history
  im:read im:write im:write.topic incoming-webhook links.embed:write links:read links:write lists:read lists:write
  mcp:connect metadata.message:read mpim:history mpim:read mpim:write mpim:write.topic pins:read pins:write
  reactions:read reactions:write remote_files:read remote_files:share remote_files:write search:read.files
  search:read.public search:read.users team.billing:read team.preferences:read team:read tokens.basic triggers:read
  triggers:write usergroups:read usergroups:write users.profile:read users:read users:read.email users:write
  workflow.steps:execute workflows.templates:read workflows.templates:write
`);

export const KNOWN_USER_SCOPES = makeWordSet(`
  admin admin.analytics:read admin.app_activities:read admin.apps:read admin.apps:write admin.barriers:read
  admin.barriers:write admin.chat:read admin.chat:write admin.conversations:manage_objects
  admin.conversations:read admin.conversations:write admin.invites:read admin.invites:write admin.roles:read
  admin.roles:write admin.teams:read admin.teams:write admin.usergroups:read admin.usergroups:write
  admin.users:read admin.users:write admin.workflows:read admin.workflows:write app_configurations:read
  app_configurations:write apps.requests:write auditlogs:read bookmarks:read bookmarks:write calls:read
  calls:write canvases:read canvases:write channels:history channels:read channels:write
  channels:write.invites channels:write.topic chat:write commands dnd:read dnd:write email emoji:read
  files:read files:write groups:history groups:read groups:write groups:write.invites groups:write.topic
  hosting:read hosting:write identity.avatar identity.basic identity.email identity.team im:history
  im:read im:write im:write.topic incoming-webhook links.embed:write links:read links:write lists:read
  lists:write mpim:history mpim:read mpim:write mpim:write.topic openid pins:read pins:write profile
  reactions:read reactions:write reminders:read reminders:write remote_files:read remote_files:share
  search:read search:read.files search:read.im search:read.mpim search:read.private search:read.public
  search:read.users stars:read stars:write team.billing:read team.preferences:read team:read
  tokens.basic triggers:read triggers:write usergroups:read usergroups:write users.profile:read
  users.profile:write users:read users:read.email users:write workflows.templates:read
  workflows.templates:write
`);

/** Keys that the emulator supports, and keys without a visible effect in Slack. */
const SUPPORTED_KEYS = makeWordSet(`
  $schema _metadata app_directory display_information display_information.name display_information.description
  display_information.background_color display_information.long_description features features.app_home features.assistant_view
  features.assistant_view.assistant_description features.assistant_view.suggested_prompts
  features.assistant_view.suggested_prompts.title features.assistant_view.suggested_prompts.message
  features.app_home.home_tab_enabled features.app_home.messages_tab_enabled
  features.app_home.messages_tab_read_only_enabled features.bot_user features.bot_user.display_name
  features.bot_user.always_online features.shortcuts features.shortcuts.name features.shortcuts.type
  features.shortcuts.callback_id features.shortcuts.description features.slash_commands
  features.slash_commands.command features.slash_commands.url features.slash_commands.description
  features.slash_commands.usage_hint features.slash_commands.should_escape features.unfurl_domains functions
  oauth_config oauth_config.redirect_urls
  oauth_config.scopes oauth_config.scopes.bot oauth_config.scopes.bot_optional settings
  settings.event_subscriptions settings.event_subscriptions.bot_events settings.event_subscriptions.request_url
  settings.event_subscriptions.metadata_subscriptions settings.event_subscriptions.metadata_subscriptions.app_id
  settings.event_subscriptions.metadata_subscriptions.event_type
  settings.function_runtime settings.interactivity settings.interactivity.is_enabled settings.interactivity.message_menu_options_url
  settings.interactivity.request_url settings.org_deploy_enabled settings.socket_mode_enabled
  settings.token_rotation_enabled
`);

/** Keys that the emulator ignores. */
const UNSUPPORTED_KEYS = makeWordSet(`
  datastores external_auth_providers features.agent_view features.functions features.rich_previews features.search
  features.workflow_steps mcp_servers oauth_config.pkce_enabled
  oauth_config.scopes.user oauth_config.scopes.user_optional oauth_config.token_management_enabled
  outgoing_domains settings.allowed_ip_address_ranges settings.app_type
  settings.event_subscriptions.user_events settings.hermes_app_type
  settings.incoming_webhooks settings.is_hosted settings.is_mcp_enabled settings.siws_links types workflows
`);

/** Keys whose contents aren't checked, since Slack or the app defines them. */
const OPAQUE_KEYS = makeWordSet('_metadata app_directory functions');

/** An event, scope or key of a manifest that the workspace doesn't support. */
export interface ManifestGap {
  kind: 'event' | 'scope' | 'key';
  name: string;
  reason: 'unsupported' | 'unknown to Slack';
}

/** Supported scopes that no method and no event requires. */
const OTHER_SCOPES = makeWordSet('chat:write.customize chat:write.public commands users:read.email');

function findGaps(
  kind: ManifestGap['kind'],
  names: readonly string[],
  supported: ReadonlySet<string>,
  known: ReadonlySet<string>,
): ManifestGap[] {
  return names
    .filter((name) => !supported.has(name))
    .map((name) => ({ kind, name, reason: known.has(name) ? 'unsupported' : 'unknown to Slack' }));
}

/** Lists the keys in a value by path, such as `features.app_home`. Unsupported keys are listed without their contents. */
function listKeys(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => listKeys(entry, path));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const name = path === '' ? key : `${path}.${key}`;
    const isChecked = SUPPORTED_KEYS.has(name) && !OPAQUE_KEYS.has(name);
    return [name, ...(isChecked ? listKeys(inner, name) : [])];
  });
}

export function findManifestGaps(manifest: unknown): ManifestGap[] {
  const root = isRecord(manifest) ? manifest : {};
  const subscriptions = getRecord(getRecord(root, 'settings') ?? {}, 'event_subscriptions') ?? {};
  const scopes = getRecord(getRecord(root, 'oauth_config') ?? {}, 'scopes') ?? {};
  const supportedScopes = [
    ...[...METHODS.values()].flatMap((entry) => entry.scopes),
    ...Object.values(EVENT_RULES).flat(),
    ...OTHER_SCOPES,
  ];
  return [
    ...findGaps(
      'event',
      getStrings(subscriptions, 'bot_events'),
      new Set(Object.keys(EVENT_RULES)),
      KNOWN_EVENTS,
    ),
    ...findGaps('scope', getStrings(scopes, 'bot'), new Set(supportedScopes), KNOWN_SCOPES),
    ...findGaps('key', [...new Set(listKeys(root))], SUPPORTED_KEYS, UNSUPPORTED_KEYS),
  ];
}
