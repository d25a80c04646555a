/** A file in test/emulators, and a text in it: the title of the test, or the method that it calls. */
export type Proof = readonly [file: string, says: string];

const ASSISTANT = 'slack/assistant.test.ts';
const STEPS = 'slack/steps.test.ts';
const STREAMS = 'slack/streams.test.ts';
const WEB_API = 'slack/web-api.test.ts';
const EVERY_METHOD = 'slack/every-method.test.ts';
const HISTORY = 'slack/history.test.ts';
const OAUTH = 'slack/oauth.test.ts';
const ORGANISATION = 'slack/organisation.test.ts';
const PEOPLE = 'slack/people-and-groups.test.ts';
const UPLOAD = 'slack/files/upload.test.ts';
const VIEWS = 'slack/views.test.ts';
const BOLT = 'slack/bolt.test.ts';
const DELIVERY = 'slack/delivery.test.ts';
const SCHEDULED = 'slack/scheduled-messages.test.ts';
const SHAPES = 'slack/payload-shapes.test.ts';
const PINS = 'slack/pins-and-bookmarks.test.ts';
const REACTIONS = 'slack/reactions.test.ts';
const RESPONSE_URLS = 'slack/response-urls.test.ts';

/** Each named by what the test calls. */
function calledIn(file: string, ...methods: readonly string[]): Readonly<Record<string, Proof>> {
  return Object.fromEntries(methods.map((method) => [method, [file, method]]));
}

/** Web API method → the test that calls it. */
export const METHOD_PROOFS: Readonly<Record<string, Proof>> = {
  ...calledIn(EVERY_METHOD, 'api.test', 'bots.info', 'conversations.join'),
  ...calledIn(DELIVERY, 'apps.connections.open'),
  ...calledIn(WEB_API, 'auth.test', 'chat.delete', 'chat.postEphemeral', 'chat.postMessage', 'chat.update'),
  ...calledIn(WEB_API, 'conversations.info', 'conversations.list', 'conversations.members'),
  ...calledIn(WEB_API, 'conversations.open', 'users.conversations', 'users.info', 'users.list'),
  ...calledIn(HISTORY, 'chat.getPermalink', 'conversations.history', 'conversations.replies'),
  ...calledIn(
    UPLOAD,
    'files.completeUploadExternal',
    'files.delete',
    'files.getUploadURLExternal',
    'files.info',
  ),
  ...calledIn('slack/oauth-tokens.test.ts', 'apps.uninstall', 'auth.revoke'),
  ...calledIn(REACTIONS, 'reactions.add', 'reactions.get', 'reactions.list', 'reactions.remove'),
  ...calledIn(
    'slack/change-channels.test.ts',
    'conversations.archive',
    'conversations.create',
    'conversations.invite',
    'conversations.kick',
    'conversations.leave',
    'conversations.rename',
    'conversations.setPurpose',
    'conversations.setTopic',
    'conversations.unarchive',
  ),
  ...calledIn('slack/unfurl.test.ts', 'chat.unfurl'),
  ...calledIn(SCHEDULED, 'chat.deleteScheduledMessage', 'chat.scheduleMessage'),
  ...calledIn(SCHEDULED, 'chat.scheduledMessages.list'),
  'assistant.threads.setStatus': [ASSISTANT, 'assistant.threads.setStatus'],
  'assistant.threads.setSuggestedPrompts': [ASSISTANT, 'assistant.threads.setSuggestedPrompts'],
  'assistant.threads.setTitle': [ASSISTANT, 'the title of a chat changes its first message'],
  'functions.completeError': [STEPS, 'functions.completeError'],
  'functions.completeSuccess': [STEPS, 'functions.completeSuccess'],
  'chat.appendStream': [STREAMS, 'chat.appendStream'],
  'chat.startStream': [STREAMS, 'chat.startStream'],
  'chat.stopStream': [STREAMS, 'chat.stopStream'],
  'blocks.validate': ['slack/blocks-validate.test.ts', 'blocks.validate'],
  ...calledIn(PINS, 'bookmarks.add', 'bookmarks.edit', 'bookmarks.list', 'bookmarks.remove'),
  ...calledIn(PINS, 'pins.add', 'pins.list', 'pins.remove'),
  ...calledIn(PEOPLE, 'users.lookupByEmail', 'users.profile.get'),
  'oauth.v2.access': [OAUTH, 'a code is exchanged for a token of its workspace'],
  ...calledIn(PEOPLE, 'emoji.list', 'team.info', 'usergroups.list', 'usergroups.users.list'),
  ...calledIn(VIEWS, 'views.open', 'views.publish', 'views.push', 'views.update'),
};

function sentIn(...events: readonly string[]): Readonly<Record<string, Proof>> {
  return Object.fromEntries(events.map((event) => [event, [SHAPES, `event ${event}`]]));
}

/** Events that the workspace sends, by type and subtype. */
export const EVENT_PROOFS: Readonly<Record<string, Proof>> = {
  ...sentIn('app_home_opened', 'app_mention', 'app_uninstalled', 'tokens_revoked', 'user_change'),
  ...sentIn('assistant_thread_context_changed', 'assistant_thread_started', 'function_executed'),
  ...sentIn('channel_archive', 'channel_deleted', 'channel_left', 'channel_shared', 'channel_unarchive'),
  ...sentIn('channel_unshared', 'group_archive', 'group_deleted', 'group_left', 'group_unarchive'),
  ...sentIn('channel_created', 'channel_rename', 'group_rename', 'message channel_archive'),
  ...sentIn(
    'message bot_message',
    'message channel_name',
    'message channel_purpose',
    'message channel_topic',
  ),
  ...sentIn('link_shared', 'message_metadata_deleted', 'message_metadata_posted'),
  ...sentIn('message_metadata_updated'),
  ...sentIn('message channel_unarchive'),
  ...sentIn('file_deleted', 'file_shared'),
  team_access_granted: [ORGANISATION, 'team_access_granted'],
  team_access_revoked: [ORGANISATION, 'team_access_revoked'],
  ...sentIn('member_joined_channel', 'member_left_channel', 'message', 'message channel_join'),
  ...sentIn('pin_added', 'pin_removed', 'reaction_added', 'reaction_removed'),
  ...sentIn('message channel_leave', 'message file_share', 'message message_changed'),
  ...sentIn('message message_deleted', 'message thread_broadcast'),
};

/** What Slack sends to an app besides events, and what of it can be done by whom. */
export const INTERACTION_PROOFS: Readonly<Record<string, Proof>> = {
  'slash command, answered in its acknowledgement and through its response_url': [
    BOLT,
    'the response to a command is visible to one person, and a message to its response_url to everybody',
  ],
  'command that is not acknowledged within 3 s': [
    BOLT,
    'a command without an acknowledgement in three seconds shows Slack’s timeout error',
  ],
  'command in a thread, which Slack does not run': [
    'slack/refusals.test.ts',
    'a command in a thread is not run',
  ],
  'global shortcut': [SHAPES, 'shortcut'],
  'message shortcut': [SHAPES, 'message_action'],
  'confirmation dialogs (confirm), which a person confirms or denies': [
    'slack/acting/confirm-dialog.test.ts',
    'the app is told of a press that the person confirms, and not of one that they deny',
  ],
  'block_actions from a message': [SHAPES, 'block_actions in a message'],
  'block_actions from an ephemeral message': [SHAPES, 'block_actions in an ephemeral message'],
  'block_actions from a modal': [SHAPES, 'block_actions in modal'],
  'block_actions from Home': [SHAPES, 'block_actions in home'],
  block_suggestion: [SHAPES, 'block_suggestion'],
  'view_submission, with errors, update, push and clear in its acknowledgement': [
    VIEWS,
    'an acknowledgement can replace a form',
  ],
  'view_closed (notify_on_close)': [SHAPES, 'view_closed'],
  'files in a form (file_input)': ['slack/files/file-input.test.ts', 'a form with a file field'],
  'values of every input in view.state': ['slack/payloads.test.ts', 'Every input has an entry'],
  'trigger_id: 3 s, once': [VIEWS, 'a form opens only with a trigger that is at most 3 s old'],
  interactivity_pointer: [VIEWS, 'an interactivity_pointer opens a form'],
  'messages and forms of a step: function_data, interactivity, bot_access_token': [
    STEPS,
    'a form that the step opened names the step when it is sent or closed',
  ],
  'view hash': [VIEWS, 'a form can be updated only with the newest hash'],
  'stack of three views': [VIEWS, 'at most three forms can be stacked'],
  'response_url: five times': [RESPONSE_URLS, 'a response_url works five times'],
  'response_url: 30 minutes': [RESPONSE_URLS, 'a response_url works for thirty minutes'],
  'replace_original and delete_original': [RESPONSE_URLS, 'a response can replace or delete the message'],
};

/** Things of Slack's that an app may look for here and that are not there. */
export const NOT_THERE: readonly string[] = [
  'should_escape of a slash command: what is typed comes as it was typed, without <@U…>',
  'What a person’s token (xoxp) may do beyond auth.test, auth.revoke and apps.uninstall',
  'A channel of two workspaces that are both here; people of elsewhere stand for it',
  'Event subscriptions that are switched off after many failures',
  'Workflows of several steps, triggers, datastores, and functions that Slack hosts',
  'Apps that are configured as agents (features.agent_view), and agents.* methods',
  'The action_token of messages in chats with an assistant',
  'Menus and buttons in attachments of before Block Kit, and dialogs',
  'The rich_text blocks that Slack makes of markdown_text: here it becomes a markdown block',
  'Further apps that are installed in a whole organisation: only the first app can be',
  'Reminders',
  'Canvases and lists',
  'Thumbnails of an uploaded picture without @resvg/resvg-js: each thumb_… address returns all of it',
  'The thumb_tiny of an uploaded picture, whose format is not documented',
  'Pictures that people choose for their profiles (image_original)',
  'Links that Slack makes of domains without https://',
];
