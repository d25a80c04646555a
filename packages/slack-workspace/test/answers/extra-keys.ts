/** A key that no recording has, or whose kind no recording has: in which objects, its path and kind, and its source. */
type ExtraKey = readonly [objects: RegExp, key: RegExp, source: string];

const EVENTS_API = 'docs.slack.dev/apis/events-api, “Callback field overview”';
const FUNCTION_EXECUTED = 'docs.slack.dev/reference/events/function_executed';
const METADATA_EVENTS = 'docs.slack.dev/reference/events/message_metadata_posted, …_updated and …_deleted';
const ASSISTANT_EVENTS =
  '@slack/types 3.2.0, AssistantThreadStartedEvent and AssistantThreadContextChangedEvent';
const CONVERSATION = 'answers recorded in github.com/Bayselonarrend/OpenIntegrations, docs/en/md/Slack';

/** Every key beyond the recordings in recorded.json, with its source. A key without one isn’t sent. */
export const EXTRA_KEYS: readonly ExtraKey[] = [
  // The wrapper of an event.
  // The recordings of app_mention and app_home_opened have no context.
  [/^event (?!app_mention$|app_home_opened$)/, /^context_(team_id string|enterprise_id null)$/, EVENTS_API],
  [/^event /, /^authorizations\[\]\.enterprise_id null$/, EVENTS_API],
  [/^event /, /^event\.event_ts string$/, EVENTS_API],
  [
    /^event (function_executed|assistant_|message_metadata_|message assistant_app_thread|subteam_members_changed|team_join)/,
    /^(authorizations|is_ext_shared_channel|event_context|event_id|event_time|token|api_app_id|team_id|type|event)\b[^.]*(\.\w+)? \w+$/,
    EVENTS_API,
  ],
  // Events.
  [/^event function_executed$/, /^event\.(function\.date_\w+|workflow_execution_id) /, FUNCTION_EXECUTED],
  [/^event message_metadata_/, /^event\.(previous_)?metadata/, METADATA_EVENTS],
  [
    /^event message_metadata_/,
    /^event\.(type|app_id|bot_id|user_id|team_id|channel_id|message_ts|deleted_ts) string$/,
    METADATA_EVENTS,
  ],
  [
    /^event subteam_members_changed$/,
    /^event\.((added|removed)_users(\[\])?|(added|removed)_users_count|date_(previous_)?update|subteam_id|team_id|type) /,
    'docs.slack.dev/reference/events/subteam_members_changed; the counts are numbers in @slack/types 3.2.0',
  ],
  [/^event assistant_thread_/, /^event\.(type|assistant_thread)/, ASSISTANT_EVENTS],
  [
    /^event message assistant_app_thread$/,
    /^event\.\w+ string$/,
    'docs.slack.dev/reference/events/message/assistant_app_thread',
  ],
  [
    /^event message (file_share|thread_broadcast)$/,
    /^event\.(bot_id|app_id|bot_profile|team|parent_user_id) /,
    'an app’s other messages have them (“event message by an app” in recorded.json)',
  ],
  [
    /^event team_join$/,
    /^event\.(cache_ts|user\.(profile\.status_emoji_display_info|is_email_confirmed|who_can_share_contact_card)) /,
    '@slack/types 3.2.0, TeamJoinEvent',
  ],
  [/^event user_change$/, /^event\.user\.profile\.status_emoji_display_info list$/, 'users.info'],
  // Interactions.
  [/^(block_|view_|shortcut|message_action)/, /^enterprise null$/, 'block_actions in a message'],
  [/^(block_suggestion|shortcut)$/, /^is_enterprise_install boolean$/, '@slack/bolt 5.1.0, GlobalShortcut'],
  [/^message_action$/, /^user\.username string$/, '@slack/bolt 5.1.0, MessageShortcut'],
  [/^state of plain_text_input$/, /^value null$/, '@slack/bolt 5.1.0, ViewStateValue'],
  [/^state of external_select$/, /^(type string|selected_option null)$/, '@slack/bolt 5.1.0, ViewStateValue'],
  // Messages and blocks.
  [/^message$/, /^pinned_info/, 'docs.slack.dev/reference/events/pin_added'],
  [/^message$/, /^streaming_state string$/, '@slack/web-api 8.2.0, ChatStopStreamResponse'],
  [/^block markdown$/, /^(type|text|block_id) string$/, '@slack/types 3.2.0, MarkdownBlock'],
  // Answers.
  [/^(conversations\.\w+|users\.conversations)$/, /\.parent_conversation null$/, CONVERSATION],
  [/^conversations\.history$/, /^channel_actions_ts null$/, CONVERSATION],
  [/^(conversations\.list|users\.conversations)$/, /\.connected_team_ids\b/, 'conversations.info'],
  [/^users\.list$/, /\.is_stranger boolean$/, 'docs.slack.dev/reference/objects/user-object'],
];
