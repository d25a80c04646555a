/** A file in test/emulators, and a text in it: the title of the test, or the method that it calls. */
export type Proof = readonly [file: string, says: string];

const WEB_API = 'slack/web-api.test.ts';
const EVERY_METHOD = 'slack/every-method.test.ts';
const HISTORY = 'slack/history.test.ts';
const OAUTH = 'slack/oauth.test.ts';
const ORGANISATION = 'slack/organisation.test.ts';
const TEAMS = 'slack/several-teams.test.ts';
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
  ...calledIn(SCHEDULED, 'chat.deleteScheduledMessage', 'chat.scheduleMessage'),
  ...calledIn(SCHEDULED, 'chat.scheduledMessages.list'),
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
  ...sentIn('channel_archive', 'channel_deleted', 'channel_left', 'channel_shared', 'channel_unarchive'),
  ...sentIn('channel_unshared', 'group_archive', 'group_deleted', 'group_left', 'group_unarchive'),
  ...sentIn('channel_created', 'channel_rename', 'group_rename', 'message channel_archive'),
  ...sentIn(
    'message bot_message',
    'message channel_name',
    'message channel_purpose',
    'message channel_topic',
  ),
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
  'view hash': [VIEWS, 'a form can be updated only with the newest hash'],
  'stack of three views': [VIEWS, 'at most three forms can be stacked'],
  'response_url: five times': [RESPONSE_URLS, 'a response_url works five times'],
  'response_url: 30 minutes': [RESPONSE_URLS, 'a response_url works for thirty minutes'],
  'replace_original and delete_original': [RESPONSE_URLS, 'a response can replace or delete the message'],
};

/** How an app and the workspace reach each other. */
export const TRANSPORT_PROOFS: Readonly<Record<string, Proof>> = {
  'Socket Mode': [BOLT, "'socket', 'http'"],
  'Socket Mode with several sockets: each payload to one of them': [
    DELIVERY,
    'an app with two sockets gets each request once',
  ],
  'HTTP: signed requests': [DELIVERY, 'an HTTP request has a signature that Bolt accepts'],
  'Web API by form, by JSON, token in the header or among the arguments': [
    WEB_API,
    'arguments may be JSON or a form, and the token may be an argument',
  ],
  'at most ten sockets': [DELIVERY, 'an app may open ten sockets, and an eleventh is refused and closed'],
  'events that the app did not take are sent again (x-slack-retry-num)': [
    'slack/event-retries.test.ts',
    'an event is sent again at once, after one minute and after five',
  ],
  'a manifest that Slack would not take': [
    'slack/rules/manifest-rules.test.ts',
    'a manifest that breaks the rule %s is refused',
  ],
  'scopes of events: without them nothing is sent': [
    'slack/events.test.ts',
    'an app without the scope receives no such event',
  ],
  'OAuth: consent, one-use codes, Basic or arguments, reinstalling, uninstalling': [
    OAUTH,
    'a person installs the app from its own page',
  ],
  'optional scopes, which a person can leave out': [OAUTH, 'a person can leave out optional scopes'],
  'token rotation': ['slack/oauth-tokens.test.ts', 'a rotating token is valid for twelve hours'],
  'several workspaces, each with its own token and people': [TEAMS, 'knows nothing of another'],
  'an organisation that has the app in several workspaces': [
    ORGANISATION,
    'one token for all its workspaces',
  ],
  'people of every kind, with their flags': [PEOPLE, 'every kind of person has the matching flags'],
  'channels shared with others, offered to them, and shared in an organisation': [
    PEOPLE,
    'a channel has flags that show how it is shared',
  ],
  'scopes of the manifest': [EVERY_METHOD, 'the method is refused without its scopes'],
  'kinds of token': [EVERY_METHOD, 'the method is refused with a token of the wrong kind'],
  'uploadV2 of the SDK': [UPLOAD, 'an upload with uploadV2 of Slack’s SDK'],
  'slack_file images in messages, Home and modals': [
    'slack/files/slack-file.test.ts',
    'Home and modals have the same rules for image blocks',
  ],
  'limits on calls, where asked for: 429 with Retry-After': [
    'slack/rate-limits.test.ts',
    'rate limits, if they are enabled',
  ],
  'attachments, alone or beside text': [
    'slack/message-content.test.ts',
    'a message can have attachments only',
  ],
  'another name and picture for a message (chat:write.customize)': [
    'slack/message-content.test.ts',
    'with chat:write.customize, a message has another name',
  ],
  'messages into any public channel (chat:write.public)': [
    'slack/message-content.test.ts',
    'chat:write.public opens public channels',
  ],
  markdown_text: ['slack/message-content.test.ts', 'markdown_text is shown as Markdown'],
  'metadata of messages': [HISTORY, 'the metadata of a message is returned on request'],
  'calls that fail on purpose: cut, hanging, 5xx, 429, any error, expired triggers, before or after their work':
    ['slack/faults/web-api-faults.test.ts', 'a fault after which Slack %s the call'],
  'deliveries that come twice or are lost on purpose': [
    'slack/faults/delivery-faults.test.ts',
    'is delivered twice if that fault is set',
  ],
  'a clock that can be moved': [
    'slack/clock.test.ts',
    'a response_url expires when the clock moves half an hour ahead',
  ],
  'what was there is there again after a restart': ['slack/state.test.ts', 'are available after a restart'],
};

/** Things of Slack's that an app may look for here and that are not there. */
export const NOT_THERE: readonly string[] = [
  'should_escape of a slash command: what is typed comes as it was typed, without <@U…>',
  'What a person’s token (xoxp) may do beyond auth.test, auth.revoke and apps.uninstall',
  'A channel of two workspaces that are both here; people of elsewhere stand for it',
  'Event subscriptions that are switched off after many failures',
  'Workflow steps, functions and assistants',
  'Menus and buttons in attachments of before Block Kit, and dialogs',
  'The rich_text blocks that Slack makes of markdown_text: here it becomes a markdown block',
  'A list of the standard emoji: a reaction with any well-formed name is accepted',
  'Reminders',
  'Group direct messages, canvases and lists',
  'Smaller pictures of an uploaded picture (thumb_64, …)',
  'The rich_text block that Slack makes of an app’s text where it came without blocks',
];
