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
  'bodies of calls: content types, charsets, malformed ones, JSON where a method takes forms only': [
    BODIES,
    'JSON is dropped where a method takes forms only, and mixed with no arguments of the address',
  ],
  'multipart forms': [BODIES, 'a body of type %s is read, without a warning'],
  'warnings about charsets': [BODIES, 'a warning stands beside the warning of the method'],
  'X-OAuth-Scopes and X-Accepted-OAuth-Scopes': [
    BODIES,
    'the headers name the scopes of the token, and those that the method accepts',
  ],
  'arguments that contradict each other, are too large or too many': [
    ARGUMENTS,
    'Slack’s refusals of arguments',
  ],
  'cursors and limits of lists': [ARGUMENTS, 'invalid_cursor: %s gets a cursor that is not its own'],
  'Host headers without a port, as in Python’s WebSocket client': [
    'slack/page-server.test.ts',
    'requests are answered only under the server’s own names',
  ],
  'apps that know only slack.com, in Node.js': [
    'slack/preload.test.ts',
    'an app in Node.js that knows only slack.com reaches the workspace with every client',
  ],
  'apps that know only slack.com, in Python': [
    'slack/preload.test.ts',
    'an app in Python that knows only slack.com reaches the workspace with every client',
  ],
  'other machines and containers, with a token for the page': [
    'slack/host.test.ts',
    'an app connects by any name of the machine, and gets addresses that name it',
  ],
  'the events, scopes and keys of a manifest that are not there, listed at the start': [
    'slack/manifest-gaps.test.ts',
    'events, scopes, features and keys are listed, with those that Slack doesn’t know either',
  ],
  'unknown methods, shown in the inspector': [
    'slack/inspector.test.ts',
    'the inspector shows calls of methods that the workspace doesn’t have',
  ],
  'at most ten sockets': [DELIVERY, 'an app may open ten sockets, and an eleventh is refused and closed'],
  'events that the app did not take are sent again (x-slack-retry-num)': [
    'slack/event-retries.test.ts',
    'an event is sent again at once, after one minute and after five',
  ],
  'a manifest that Slack refuses': [
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
  'several apps in one workspace, each with its own user, tokens and connection': [
    'slack/several-apps.test.ts',
    'a message goes to each app that is in the channel',
  ],
  'several apps that are installed by OAuth, each with its own credentials': [
    'slack/other-apps-oauth.test.ts',
    'a further app is installed in several workspaces, and uninstalled in one of them',
  ],
  'assistants, steps and shortcuts of several apps, also of the same name': [
    'slack/every-app.test.ts',
    'a person runs steps and shortcuts of each app, also if they have the same names',
  ],
  'an app without a Home tab (home_tab_enabled)': [
    'page/home-tab.test.ts',
    'an app whose manifest disables the Home tab shows and tells of its Messages tab only',
  ],
  'an organisation that has the app in several workspaces': [
    ORGANISATION,
    'one token for all its workspaces',
  ],
  'people of every kind, with their flags': [PEOPLE, 'every kind of person has the matching flags'],
  'channels shared with others, offered to them, and shared in an organisation': [
    PEOPLE,
    'a channel has flags that show how it is shared',
  ],
  'scopes of the manifest': [REQUESTS, 'the method is refused without its scopes'],
  'kinds of token': [REQUESTS, 'the method is refused with a token of the wrong kind'],
  'pictures of people and icons of the app, served here': [
    'slack/people-pictures.test.ts',
    'a profile has pictures of six sizes',
  ],
  'thumbnails of pictures': [
    'slack/files/file-object.test.ts',
    'a picture has thumbnails up to its own size',
  ],
  'where a file is shared (shares)': [
    'slack/files/file-object.test.ts',
    'files.info says where a file is shared',
  ],
  'snippets, with their preview': ['slack/files/file-object.test.ts', 'a snippet has the type of its upload'],
  'calls and requests in the inspector': [
    'slack/inspector.test.ts',
    'the inspector shows a call with its arguments',
  ],
  'sessions that are recorded and replayed': [
    'slack/recording.test.ts',
    'the same app does the same again, though all ids and times are others',
  ],
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
  'text that comes back escaped, with links and as rich_text': [
    'slack/returned-text.test.ts',
    'as rich_text if it came without blocks',
  ],
  'defaults of text objects and inputs that come back': [
    'slack/returned-text.test.ts',
    'with the defaults of inputs in a view',
  ],
  'group direct messages': ['slack/group-messages.test.ts', 'opens one group direct message'],
  'chats with an assistant: suggestions, status, title, context': [
    'slack/assistant.test.ts',
    'Bolt’s assistant greets, suggests, shows what it does, and answers',
  ],
  'streamed messages, which only their recipient sees growing': [
    'slack/streams.test.ts',
    'the recipient sees it grow, and the others see its beginning until it is complete',
  ],
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
  'data is kept across a restart': ['slack/state.test.ts', 'are available after a restart'],
};
