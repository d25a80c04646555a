/** @import { TrafficRecord } from '../../protocol.ts' */

/** Shell variables in place of tokens, so that no secret is copied. */
const TOKEN_VARIABLES = {
  bot: '$SLACK_BOT_TOKEN',
  user: '$SLACK_USER_TOKEN',
  app: '$SLACK_APP_TOKEN',
  step: '$SLACK_STEP_TOKEN',
};
/** @type {Record<string, string>} */
const SECRET_ARGUMENTS = { client_secret: '$SLACK_CLIENT_SECRET', refresh_token: '$SLACK_REFRESH_TOKEN' };

/**
 * The record as a shell command with curl. A call is sent to this workspace. A request is sent to the app, signed with
 * its signing secret.
 * @param {TrafficRecord} record
 * @param {string} origin the workspace's address, without a slash at the end
 */
export function formatCurl(record, origin) {
  if (record.direction === 'to-app') return formatRequest(record);
  return record.kind === 'Web API' ? formatCall(record, origin) : formatPost(record);
}

/**
 * @param {TrafficRecord} record
 * @param {string} origin
 */
function formatCall({ label, payload, call }, origin) {
  const fields = Object.entries(JSON.parse(payload)).map(([name, value]) => {
    const secret = SECRET_ARGUMENTS[name];
    return `--data-urlencode ${secret ? `"${name}=${secret}"` : quote(`${name}=${formatValue(value)}`)}`;
  });
  const header = call?.token ? [`-H "Authorization: Bearer ${TOKEN_VARIABLES[call.token]}"`] : [];
  return joinLines([`curl -X POST ${quote(`${origin}/api/${label}`)}`, ...header, ...fields]);
}

/**
 * A request to a response_url or an upload URL, which the app has received from Slack.
 * @param {TrafficRecord} record
 */
function formatPost({ kind, payload }) {
  if (kind === 'upload') return joinLines(['curl -X POST "$UPLOAD_URL"', '--data-binary @"$FILE"']);
  return joinLines([
    'curl -X POST "$RESPONSE_URL"',
    "-H 'Content-Type: application/json'",
    `--data ${quote(payload)}`,
  ]);
}

/**
 * Slack signs each request: https://docs.slack.dev/authentication/verifying-requests-from-slack.
 * @param {TrafficRecord} record
 */
function formatRequest({ kind, payload }) {
  const type = kind === 'events_api' ? 'application/json' : 'application/x-www-form-urlencoded';
  return [
    `body=${quote(formatBody(kind, payload))}`,
    'timestamp=$(date +%s)',
    `signature=$(printf 'v0:%s:%s' "$timestamp" "$body" | openssl dgst -sha256 -hmac "$SLACK_SIGNING_SECRET" | sed 's/^.* //')`,
    joinLines([
      'curl -X POST "$SLACK_REQUEST_URL"',
      `-H 'Content-Type: ${type}'`,
      '-H "X-Slack-Request-Timestamp: $timestamp"',
      '-H "X-Slack-Signature: v0=$signature"',
      '--data "$body"',
    ]),
  ].join('\n');
}

/**
 * @param {string} kind
 * @param {string} payload
 */
function formatBody(kind, payload) {
  if (kind === 'events_api') return payload;
  if (kind !== 'slash_commands') return new URLSearchParams({ payload }).toString();
  const fields = Object.entries(JSON.parse(payload)).map(([name, value]) => [name, String(value)]);
  return new URLSearchParams(fields).toString();
}

/** @param {unknown} value */
const formatValue = (value) => (typeof value === 'string' ? value : JSON.stringify(value));

/**
 * Quotes for a POSIX shell.
 * @param {string} text
 */
const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** @param {readonly string[]} lines */
const joinLines = (lines) => lines.join(' \\\n  ');
