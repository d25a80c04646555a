/** A file in test/emulators, and text in it that identifies the test: its title, or the method that it calls. */
export type Proof = readonly [file: string, title: string];

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

/** Proofs for methods by tests in one file, identified by the methods' names. */
function listCalls(file: string, ...methods: readonly string[]): Readonly<Record<string, Proof>> {
  return Object.fromEntries(methods.map((method) => [method, [file, method]]));
}

/** The test that calls each method. */
export const METHOD_PROOFS: Readonly<Record<string, Proof>> = {
  ...listCalls(EVERY_METHOD, 'api.test', 'bots.info', 'conversations.join'),
  ...listCalls(DELIVERY, 'apps.connections.open'),
  ...listCalls(WEB_API, 'auth.test', 'chat.delete', 'chat.postEphemeral', 'chat.postMessage', 'chat.update'),
  ...listCalls(WEB_API, 'conversations.info', 'conversations.list', 'conversations.members'),
  ...listCalls(WEB_API, 'conversations.open', 'users.conversations', 'users.info', 'users.list'),
  ...listCalls(HISTORY, 'chat.getPermalink', 'conversations.history', 'conversations.replies'),
  ...listCalls(
    UPLOAD,
    'files.completeUploadExternal',
    'files.delete',
    'files.getUploadURLExternal',
    'files.info',
  ),
  ...listCalls('slack/oauth-tokens.test.ts', 'apps.uninstall', 'auth.revoke'),
  ...listCalls(REACTIONS, 'reactions.add', 'reactions.get', 'reactions.list', 'reactions.remove'),
  ...listCalls(
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
  ...listCalls('slack/unfurl.test.ts', 'chat.unfurl'),
  ...listCalls(SCHEDULED, 'chat.deleteScheduledMessage', 'chat.scheduleMessage'),
  ...listCalls(SCHEDULED, 'chat.scheduledMessages.list'),
  'assistant.threads.setStatus': [ASSISTANT, 'assistant.threads.setStatus'],
  'assistant.threads.setSuggestedPrompts': [ASSISTANT, 'assistant.threads.setSuggestedPrompts'],
  'assistant.threads.setTitle': [ASSISTANT, 'the title of a chat changes its first message'],
  'functions.completeError': [STEPS, 'functions.completeError'],
  'functions.completeSuccess': [STEPS, 'functions.completeSuccess'],
  'chat.appendStream': [STREAMS, 'chat.appendStream'],
  'chat.startStream': [STREAMS, 'chat.startStream'],
  'chat.stopStream': [STREAMS, 'chat.stopStream'],
  'blocks.validate': ['slack/blocks-validate.test.ts', 'blocks.validate'],
  ...listCalls(PINS, 'bookmarks.add', 'bookmarks.edit', 'bookmarks.list', 'bookmarks.remove'),
  ...listCalls(PINS, 'pins.add', 'pins.list', 'pins.remove'),
  ...listCalls(PEOPLE, 'users.lookupByEmail', 'users.profile.get'),
  'oauth.v2.access': [OAUTH, 'a code is exchanged for a token of its workspace'],
  ...listCalls(PEOPLE, 'emoji.list', 'team.info', 'usergroups.list', 'usergroups.users.list'),
  ...listCalls(VIEWS, 'views.open', 'views.publish', 'views.push', 'views.update'),
};

/** Proofs for events by the test of all payloads. */
function listPayloads(...events: readonly string[]): Readonly<Record<string, Proof>> {
  return Object.fromEntries(events.map((event) => [event, [SHAPES, `event ${event}`]]));
}

/** The test that receives each event. Messages have their subtype. */
export const EVENT_PROOFS: Readonly<Record<string, Proof>> = {
  ...listPayloads('app_home_opened', 'app_mention', 'app_uninstalled', 'tokens_revoked', 'user_change'),
  ...listPayloads('assistant_thread_context_changed', 'assistant_thread_started', 'function_executed'),
  ...listPayloads(
    'channel_archive',
    'channel_deleted',
    'channel_left',
    'channel_shared',
    'channel_unarchive',
  ),
  ...listPayloads('channel_unshared', 'group_archive', 'group_deleted', 'group_left', 'group_unarchive'),
  ...listPayloads('channel_created', 'channel_rename', 'group_rename', 'message channel_archive'),
  ...listPayloads(
    'message bot_message',
    'message channel_name',
    'message channel_purpose',
    'message channel_topic',
  ),
  ...listPayloads('link_shared', 'message_metadata_deleted', 'message_metadata_posted'),
  ...listPayloads('message_metadata_updated'),
  ...listPayloads('message channel_unarchive'),
  ...listPayloads('file_deleted', 'file_shared', 'subteam_members_changed'),
  team_access_granted: [ORGANISATION, 'team_access_granted'],
  team_access_revoked: [ORGANISATION, 'team_access_revoked'],
  ...listPayloads('member_joined_channel', 'member_left_channel', 'message', 'message channel_join'),
  ...listPayloads('pin_added', 'pin_removed', 'reaction_added', 'reaction_removed'),
  ...listPayloads('message channel_leave', 'message file_share', 'message message_changed'),
  ...listPayloads('message message_deleted', 'message thread_broadcast'),
};

/** The test for each interaction and response. */
export const INTERACTION_PROOFS: Readonly<Record<string, Proof>> = {
  'Slash commands, with responses in the acknowledgement and through response_url': [
    BOLT,
    'the response to a command is visible to one person, and a message to its response_url to everybody',
  ],
  'Timeout of a command after 3 s': [
    BOLT,
    'a command without an acknowledgement in three seconds shows Slack’s timeout error',
  ],
  'Commands in threads, which Slack refuses': ['slack/refusals.test.ts', 'a command in a thread is not run'],
  'Global shortcuts': [SHAPES, 'shortcut'],
  'Message shortcuts': [SHAPES, 'message_action'],
  'Confirmation dialogs (confirm)': [
    'slack/acting/confirm-dialog.test.ts',
    'the app receives a press that the person confirms, and no press that they deny',
  ],
  'block_actions in messages': [SHAPES, 'block_actions in a message'],
  'block_actions in ephemeral messages': [SHAPES, 'block_actions in an ephemeral message'],
  'block_actions in modals': [SHAPES, 'block_actions in modal'],
  'block_actions on Home tabs': [SHAPES, 'block_actions in home'],
  block_suggestion: [SHAPES, 'block_suggestion'],
  'view_submission, with the response actions errors, update, push and clear': [
    VIEWS,
    'an acknowledgement can replace a form',
  ],
  'view_closed (notify_on_close)': [SHAPES, 'view_closed'],
  'Files in modals (file_input)': ['slack/files/file-input.test.ts', 'a form with a file field'],
  'view.state with the values of all inputs': ['slack/payloads.test.ts', 'Every input has an entry'],
  'trigger_id, valid for 3 s and one call': [
    VIEWS,
    'a form opens only with a trigger that is at most 3 s old',
  ],
  interactivity_pointer: [VIEWS, 'an interactivity_pointer opens a form'],
  'Messages and modals of steps: function_data, interactivity and bot_access_token': [
    STEPS,
    'a form that the step opened names the step when it is sent or closed',
  ],
  'Hashes of views': [VIEWS, 'a form can be updated only with the newest hash'],
  'Stacks of up to three modals': [VIEWS, 'at most three forms can be stacked'],
  'response_url, valid for five messages': [RESPONSE_URLS, 'a response_url works five times'],
  'response_url, valid for 30 minutes': [RESPONSE_URLS, 'a response_url works for thirty minutes'],
  'replace_original and delete_original': [RESPONSE_URLS, 'a response can replace or delete the message'],
};

/** Missing parts beside methods and events. */
export const OTHER_MISSING_PARTS: readonly string[] = [
  'should_escape of slash commands: mentions in a command’s text aren’t converted to <@U…>',
  'User tokens (xoxp), except for auth.test, auth.revoke and apps.uninstall',
  'Channels that two local workspaces share: a shared channel has people of other workspaces instead',
  'Disabling of event subscriptions after too many failures',
  'Workflows with several steps, workflow triggers, datastores, and functions hosted by Slack',
  'Apps that are configured as agents (features.agent_view), and the agents.* methods',
  'action_token of messages in chats with an assistant',
  'Menus and buttons of legacy attachments, and dialogs',
  'Conversion of markdown_text to rich_text: it becomes a markdown block',
  'Installation of further apps in a whole organisation',
  'Reminders',
  'Canvases and lists',
  'Resized thumbnails without @resvg/resvg-js: every thumb_… address returns the original image',
  'thumb_tiny of uploaded images, whose format isn’t documented',
  'Uploaded profile pictures (image_original)',
  'Links from domains without https://',
];
