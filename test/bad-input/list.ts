import { BAD_COMMANDS } from './bad-commands.ts';

/** A test of a bad input: its file, and a text in the file that identifies it. */
interface Proof {
  file: string;
  text: string;
}

const listProofs = (file: string, list: Readonly<Record<string, string>>): [string, Proof][] =>
  Object.entries(list).map(([name, text]) => [name, { file: `test/${file}`, text }]);

const COMMANDS = BAD_COMMANDS.map(([name]): [string, Proof] => [
  name,
  { file: 'test/bad-input/bad-commands.ts', text: name },
]);

const FORMS = [
  ...listProofs('bad-input/forms.test.ts', {
    'blank content': 'blank content',
    '3,000 characters': "'3,000 characters'",
    '3,001 characters': '3,001 characters',
    'emoji at the limit': 'emoji at the limit',
    'no platform': "'no platform'",
    'unknown platform': 'an unknown platform',
    'the same platform twice': 'the same platform twice',
    'a past date': 'a past date',
    'year 9999': 'year 9999',
    '29 February': '29 February of an ordinary year',
    'a DST gap': 'a DST gap',
    'an overlap': 'an overlap',
    'a bad zone': 'a bad zone',
    'Media javascript:': 'Media javascript:',
    'Media file:': 'Media file:',
    'Media http://169.254.169.254': 'Media http://169.254.169.254',
    'Media http://[::ffff:127.0.0.1]': 'Media http://[::ffff:127.0.0.1]',
    'Media http://2130706433': 'Media http://2130706433',
    'Media user:pass@host': 'Media user:pass@host',
    'international e-mail': 'an invitation with an international e-mail address may be sent',
    'CRLF in e-mail': 'an invitation with a line break in its e-mail address may not be sent',
  }),
  ...listProofs('features/users/invite-user.test.ts', { 'role SUPERADMIN': 'SUPERADMIN' }),
  ...listProofs('features/schedule-post/tampered.test.ts', {
    'a missing block': 'without a block',
    'an extra block': 'with an additional block',
    'an old form version': 'of an older version',
  }),
];

const ANSWERS = [
  ...listProofs('api/outcomes.test.ts', {
    '200 with HTML': 'HTML:',
    'cut JSON': 'truncated JSON',
    'a redirect to another host': 'a redirect to another host is not followed',
    '`success: false` with 200': 'success: false is unknown if the record may exist',
    '`success: "true"`': 'success as text',
    '204': '204 is unknown',
    'Retry-After of −1': "['-1', undefined]",
    'Retry-After of a date': 'Fri, 20 Nov 2026 12:01:30 GMT',
    'Retry-After of 1e9': "['1e9', undefined]",
  }),
  ...listProofs('api/limits.test.ts', {
    '1 GB': 'a response over 1 MiB to a call about one post is unknown',
    'a gzip bomb': 'a small compressed response can’t fill the memory',
    'one byte a second': 'ends a response that arrives byte by byte',
    'headers that never end': 'a response with endless headers is cut off',
  }),
  ...listProofs('api/http/connections.test.ts', { 'a lying Content-Length': 'fewer bytes than announced' }),
  ...listProofs('api/records.test.ts', {
    '`data` null': 'has no records',
    '`data` a string': '\'"text"\'',
    '`data` a number': 'is unreadable, unlike a response without records',
    '`{items}`': "'{items}'",
    '`{posts}`': "'{posts}'",
    'a bare array': "'a list'",
    'ids beyond 2^53': 'every digit of a post id beyond 2^53 is preserved',
  }),
  ...listProofs('api/problems.test.ts', {
    '`detail` a string': 'a detail that is text becomes one problem without a field',
    'unknown `loc`': 'an unknown field name',
    '`msg` with `<!here>`': '<!here> & co',
    '5,000 errors': 'only the first 100 of 5,000 problems are read',
  }),
  ...listProofs('features/list-posts/strange-posts.test.ts', {
    'pages that never end': 'the same page forever',
  }),
  ...listProofs('bad-input/answers.test.ts', { '`data` a nested list': 'a nested list is counted' }),
  ...listProofs('security/canaries.test.ts', { '500 with HTML': 'writeHead(500)' }),
];

const PAYLOADS = [
  ...listProofs('slack/bolt/signed-requests.test.ts', {
    'a bad signature': 'another secret',
    'a missing signature': 'no signature',
    'a v1 signature': "'v1'",
    '−301 s': '301 s ago',
    '+301 s': '301 s ahead',
    '`NaN`': "'NaN'",
    'a re-encoded body': 'a re-encoded body',
    '`ssl_check` with a payload': 'ssl_check and a payload',
  }),
  ...listProofs('slack/bolt/payloads.test.ts', {
    'an unknown action': 'a press without a handler',
    'an unknown callback': 'a form without a handler',
    'an unknown type': 'a future kind',
  }),
  ...listProofs('features/schedule-post/tampered.test.ts', {
    'tampered private_metadata': 'with a tampered id',
    'another workspace’s view':
      'a submission from a workspace without Upnext is answered with an explanation',
    'another user’s view': 'of another person',
    'no team': 'an unreadable submission leaves the form open',
  }),
  ...listProofs('slack/bolt/foreign-app.test.ts', {
    'a foreign api_app_id': 'requests for another app are answered and run nothing',
  }),
];

const SETTINGS = [
  ...listProofs('start/start.test.ts', {
    'the port taken': 'is in use prints one line that names the setting',
  }),
  ...listProofs('bad-input/settings.test.ts', {
    'missing secrets': 'missing secrets',
    'empty secrets': 'empty secrets',
    'blank secrets': 'blank secrets',
    'placeholder secrets': 'placeholder secrets',
    'a short key': 'a short key',
    'half of Slack’s variables set': 'half of Slack’s variables set',
    'a base address with credentials': 'a base address with credentials',
    'a base address with a query': 'a base address with a query',
    'a base address without TLS': 'a base address without TLS',
    'an invalid zone': 'an invalid time zone',
    'the database down': 'if the database is down',
    'the database’s schema newer': 'if the database has a newer schema',
  }),
];

/** All known kinds of bad input by their origin, each with the test that checks how it is handled. */
export const BAD_INPUT: readonly (readonly [
  origin: string,
  proofs: readonly (readonly [string, Proof])[],
])[] = [
  ['commands', COMMANDS],
  ['forms', FORMS],
  ['answers of the API', ANSWERS],
  ['Slack’s payloads', PAYLOADS],
  ['settings', SETTINGS],
];
