import type { Proof } from './proofs.ts';

const ARGUMENTS = 'slack/argument-rules.test.ts';
const BODIES = 'slack/request-bodies.test.ts';
const WEB_API = 'slack/web-api.test.ts';
const REQUESTS = 'slack/probes/requests.test.ts';
const HISTORY = 'slack/history.test.ts';
const OAUTH = 'slack/oauth.test.ts';
const ORGANISATION = 'slack/organisation.test.ts';
const TEAMS = 'slack/several-teams.test.ts';
const PEOPLE = 'slack/people-and-groups.test.ts';
const UPLOAD = 'slack/files/upload.test.ts';
const BOLT = 'slack/bolt.test.ts';
const DELIVERY = 'slack/delivery.test.ts';

/** The test for each part of the connections, of workspaces, and of the tools for tests. */
export const TRANSPORT_PROOFS: Readonly<Record<string, Proof>> = {
  'Socket Mode': [BOLT, "'socket', 'http'"],
  'Socket Mode with several sockets, one of which gets each payload': [
    DELIVERY,
    'an app with two sockets gets each request once',
  ],
  'HTTP with signed requests': [DELIVERY, 'an HTTP request has a signature that Bolt accepts'],
  'Web API calls as forms or JSON, with the token in the header or an argument': [
    WEB_API,
    'arguments may be JSON or a form, and the token may be an argument',
  ],
  'Content types, charsets and malformed bodies of calls, and methods without JSON': [
    BODIES,
    'JSON is ignored by methods that only accept forms, and never combined with arguments in the URL',
  ],
  'Multipart forms': [BODIES, 'a body of type %s is read, without a warning'],
  'Warnings about charsets': [BODIES, 'a charset warning is added to the warning of the method'],
  'X-OAuth-Scopes and X-Accepted-OAuth-Scopes': [
    BODIES,
    'the headers name the scopes of the token, and those that the method accepts',
  ],
  'Refusals of contradictory, too large or too many arguments': [ARGUMENTS, 'Slack’s refusals of arguments'],
  'Pagination with cursors and limits': [ARGUMENTS, 'invalid_cursor: %s gets a cursor that is not its own'],
  'Host headers without a port, as in Python’s WebSocket client': [
    'slack/page-server.test.ts',
    'requests are answered only under the server’s own names',
  ],
  'Connections from other machines and containers, with a token for the page': [
    'slack/host.test.ts',
    'an app connects by any name of the machine, and gets addresses that name it',
  ],
  'A list of unsupported events, scopes and keys of the manifest': [
    'slack/manifest-gaps.test.ts',
    'events, scopes, features and keys are listed, also those unknown to Slack',
  ],
  'Unknown methods in the inspector': [
    'slack/inspector.test.ts',
    'the inspector shows calls of methods that the workspace doesn’t have',
  ],
  'Limit of ten sockets': [DELIVERY, 'an app may open ten sockets, and an eleventh is refused and closed'],
  'Retries of events (x-slack-retry-num)': [
    'slack/event-retries.test.ts',
    'an event is sent again at once, after one minute and after five',
  ],
  'Refusals of invalid manifests': [
    'slack/rules/manifest-rules.test.ts',
    'a manifest that breaks the rule %s is refused',
  ],
  'Scopes of events, without which they aren’t sent': [
    'slack/events.test.ts',
    'an app without the scope receives no such event',
  ],
  'OAuth: consent, single-use codes, HTTP Basic or arguments, reinstallation and uninstallation': [
    OAUTH,
    'a person installs the app from its own page',
  ],
  'Optional scopes, which a person can decline': [OAUTH, 'a person can leave out optional scopes'],
  'Token rotation': ['slack/oauth-tokens.test.ts', 'a rotating token is valid for twelve hours'],
  'Several workspaces, each with its own token and people': [
    TEAMS,
    'each workspace has its own token, people, channels and messages',
  ],
  'Several apps in one workspace, each with its own bot user, tokens and connection': [
    'slack/several-apps.test.ts',
    'a message goes to each app that is in the channel',
  ],
  'Several apps with OAuth, each with its own credentials': [
    'slack/other-apps-oauth.test.ts',
    'a further app is installed in several workspaces, and uninstalled in one of them',
  ],
  'Assistants, steps and shortcuts of several apps, also with equal names': [
    'slack/every-app.test.ts',
    'a person runs steps and shortcuts of each app, also if they have the same names',
  ],
  'Apps without a Home tab (home_tab_enabled)': [
    'page/home-tab.test.ts',
    'an app whose manifest disables the Home tab has only a Messages tab',
  ],
  'Installation in an organisation, for several workspaces': [
    ORGANISATION,
    'one token for all its workspaces',
  ],
  'Kinds of people, with their flags': [PEOPLE, 'every kind of person has the matching flags'],
  'Channels that are shared, pending or shared in an organisation': [
    PEOPLE,
    'a channel has flags that show how it is shared',
  ],
  'Scopes of methods': [REQUESTS, 'the method is refused without its scopes'],
  'Kinds of tokens': [REQUESTS, 'the method is refused with a token of the wrong kind'],
  'Profile pictures and app icons': ['slack/people-pictures.test.ts', 'a profile has pictures of six sizes'],
  'Thumbnails of images': ['slack/files/file-object.test.ts', 'a picture has thumbnails up to its own size'],
  'Channels of a file (shares)': [
    'slack/files/file-object.test.ts',
    'files.info lists the channels of a file',
  ],
  'Snippets with previews': ['slack/files/file-object.test.ts', 'a snippet has the type of its upload'],
  'Calls and requests in the inspector': [
    'slack/inspector.test.ts',
    'the inspector shows a call with its arguments',
  ],
  'Uploads with uploadV2 of the SDK': [UPLOAD, 'an upload with uploadV2 of Slack’s SDK'],
  'slack_file images in messages, modals and Home tabs': [
    'slack/files/slack-file.test.ts',
    'Home and modals have the same rules for image blocks',
  ],
  'Rate limits (optional), with 429 and Retry-After': [
    'slack/rate-limits.test.ts',
    'rate limits, if they are enabled',
  ],
  'Attachments with and without text': [
    'slack/message-content.test.ts',
    'a message can have attachments only',
  ],
  'Custom names and pictures of messages (chat:write.customize)': [
    'slack/message-content.test.ts',
    'with chat:write.customize, a message has another name',
  ],
  'Messages to all public channels (chat:write.public)': [
    'slack/message-content.test.ts',
    'chat:write.public opens public channels',
  ],
  markdown_text: ['slack/message-content.test.ts', 'markdown_text is shown as Markdown'],
  'Returned text: escaped, with links and as rich_text': [
    'slack/returned-text.test.ts',
    'as rich_text if it came without blocks',
  ],
  'Returned defaults of text objects and inputs': [
    'slack/returned-text.test.ts',
    'with the defaults of inputs in a view',
  ],
  'Group direct messages': ['slack/group-messages.test.ts', 'opens one group direct message'],
  'Chats with an assistant: suggested prompts, status, title and context': [
    'slack/assistant.test.ts',
    'Bolt’s assistant greets, suggests prompts, shows a status, and answers',
  ],
  'Streamed messages, with updates for their recipient only': [
    'slack/streams.test.ts',
    'the recipient sees it grow, and others see its first content until it is complete',
  ],
  'Metadata of messages': [HISTORY, 'the metadata of a message is returned on request'],
  'Faults of calls: closed and hanging connections, 5xx, 429, all errors and expired triggers, before or after the effect':
    ['slack/faults/web-api-faults.test.ts', 'a fault after which Slack %s the call'],
  'Faults of deliveries: duplicate, delayed and lost requests': [
    'slack/faults/delivery-faults.test.ts',
    'is delivered twice if that fault is set',
  ],
  'A clock that tests can move': [
    'slack/clock.test.ts',
    'a response_url expires when the clock moves half an hour ahead',
  ],
  'Stored state across restarts': ['slack/state.test.ts', 'are available after a restart'],
};
