/**
 * The one place through which everything goes that is written down about what happened: log lines, and what a crash
 * leaves on standard error. Secrets, what people wrote and whole payloads never pass; ids, names of errors and our own
 * sentences do.
 */

const KEPT_OUT = '[kept out]';

/** Names, small and without dashes and underscores, under which a secret or somebody's words come along. */
const NEVER = new Set([
  ...['token', 'bottoken', 'apptoken', 'usertoken', 'accesstoken', 'refreshtoken', 'tokens', 'apikey'],
  ...[
    'secret',
    'signingsecret',
    'clientsecret',
    'password',
    'passphrase',
    'authorization',
    'cookie',
    'setcookie',
  ],
  ...['key', 'keys', 'encryptionkeys', 'signature', 'xslacksignature', 'responseurl', 'uploadurl'],
  ...[
    'content',
    'text',
    'body',
    'rawbody',
    'payload',
    'privatemetadata',
    'metadata',
    'blocks',
    'attachments',
  ],
  ...[
    'values',
    'input',
    'detail',
    'where',
    'parameters',
    'query',
    'headers',
    'config',
    'request',
    'response',
  ],
  ...['email', 'description', 'media', 'label', 'prompt', 'facts', 'words', 'message'],
]);

/** Secrets by their shape, wherever they stand. */
const SHAPES: readonly [RegExp, string][] = [
  // Slack's tokens of every kind (https://docs.slack.dev/authentication/tokens/).
  [/\bx(?:ox[a-z](?:\.xox[a-z])?|app|wfp)-[\w-]+/gi, KEPT_OUT],
  [/\b(bearer|basic)\s+[\w.~+/=-]+/gi, `$1 ${KEPT_OUT}`],
  // Who knows a response_url or a file's upload address can use it.
  [/https?:\/\/(?:hooks|files)\.slack(?:-gov)?\.com\/\S*/gi, KEPT_OUT],
  // An address of the practice workspace's own kind.
  [/\/(?:response|upload\/v1)\/[\w-]+/gi, `/${KEPT_OUT}`],
  // The user and password of an address, and its query.
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#@"']+@/gi, `$1${KEPT_OUT}@`],
  [/(\bhttps?:\/\/[^\s?#"']+)[?#][^\s"']*/gi, `$1?${KEPT_OUT}`],
];

/** What JSON.parse and the database quote is what they were given. */
const QUOTED = /"[^"]*"?|'[^']*'?/g;
/** An error's own fields that say what happened, and nothing of what it happened to. */
const ERROR_FIELDS = [
  'code',
  'status',
  'statusCode',
  'errno',
  'syscall',
  'port',
  'severity',
  'keyId',
  'isKeyMissing',
];
const DEEPEST = 6;
const LONGEST = 4_000;
/** A shorter one would be found in words that have nothing to do with it. */
const SHORTEST_SECRET = 8;

const known = new Set<string>();

/** These never pass, whatever they look like: the settings' own, and what was put in since. */
export function keepOut(...secrets: readonly (string | undefined)[]): void {
  for (const secret of secrets) if (secret && secret.length >= SHORTEST_SECRET) known.add(secret);
}

export function redactText(text: string): string {
  let said = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  for (const secret of known) said = said.replaceAll(secret, KEPT_OUT);
  for (const [shape, instead] of SHAPES) said = said.replace(shape, instead);
  return said;
}

/** A line's facts, as they may be written down. */
export function redactFacts(facts: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [name, isSecretName(name) ? KEPT_OUT : redacted(value, 1)]),
  );
}

/** What happened, without what it happened to. */
export function redactError(error: unknown, depth = 0): object | string {
  if (!(error instanceof Error)) return typeof error === 'string' ? redactText(error) : KEPT_OUT;
  if (depth >= DEEPEST) return error.name;
  const message = messageOf(error);
  const facts = Object.entries(error).filter(([name]) => ERROR_FIELDS.includes(name));
  const causes =
    error instanceof AggregateError ? error.errors : [error.cause, 'original' in error && error.original];
  return {
    type: error.name,
    message,
    stack: `${error.name}: ${message}\n${framesOf(error)}`,
    ...Object.fromEntries(facts.map(([name, value]) => [name, redacted(value, DEEPEST)])),
    ...slackSaid(error),
    ...causedBy(
      causes.filter((cause) => cause instanceof Error).map((cause) => redactError(cause, depth + 1)),
    ),
  };
}

function causedBy(causes: readonly unknown[]): object {
  return causes.length === 0 ? {} : { cause: causes.length === 1 ? causes[0] : causes };
}

/** Only the name of Slack's refusal, and where in what was sent it saw the fault. */
function slackSaid(error: Error): object {
  if (!('data' in error) || typeof error.data !== 'object' || error.data === null) return {};
  const name = 'error' in error.data ? error.data.error : undefined;
  const pointers = JSON.stringify(error.data).match(/\[json-pointer:[^\]"\\]*\]/g) ?? [];
  return {
    ...(typeof name === 'string' && /^\w{1,64}$/.test(name) && { slack: name }),
    ...(pointers.length > 0 && { pointers: pointers.slice(0, 10) }),
  };
}

function messageOf(error: Error): string {
  const quotes = error instanceof SyntaxError || 'severity' in error;
  return redactText(quotes ? error.message.replace(QUOTED, `"${KEPT_OUT}"`) : error.message);
}

/** Where it happened: the stack begins with the message, which may have lines of its own. */
function framesOf(error: Error): string {
  const lines = (error.stack ?? '').split('\n').filter((line) => /^\s+at \S/.test(line));
  return redactText(lines.join('\n'));
}

function redacted(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value);
  if (value instanceof Error) return redactError(value);
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? String(value) : value;
  if (value instanceof Date) return value;
  if (depth >= DEEPEST || ArrayBuffer.isView(value)) return KEPT_OUT;
  if (Array.isArray(value)) return value.map((one) => redacted(one, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      isSecretName(name) ? KEPT_OUT : redacted(one, depth + 1),
    ]),
  );
}

function isSecretName(name: string): boolean {
  return NEVER.has(name.toLowerCase().replace(/[-_]/g, ''));
}
