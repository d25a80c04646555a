import { type DestinationStream, type Logger, pino } from 'pino';

/**
 * The redactor for every log line and every crash report on standard error. It removes secrets, texts that people wrote
 * and whole payloads. Ids, error names and our own messages pass unchanged.
 */

const REDACTED = '[redacted]';

/** Names of fields with secrets or contents. In lower case, without dashes and underscores. */
const REDACTED_FIELDS = new Set([
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

/** Patterns of secrets that are removed from any text, and their replacements. */
const SECRET_PATTERNS: readonly [RegExp, string][] = [
  // Slack's tokens of every kind (https://docs.slack.dev/authentication/tokens/).
  [/\bx(?:ox[a-z](?:\.xox[a-z])?|app|wfp)-[\w-]+/gi, REDACTED],
  [/\b(bearer|basic)\s+[\w.~+/=-]+/gi, `$1 ${REDACTED}`],
  // Anybody who knows a response_url or a file's upload address can use it.
  [/https?:\/\/(?:hooks|files)\.slack(?:-gov)?\.com\/\S*/gi, REDACTED],
  // The corresponding addresses of the emulated workspace.
  [/\/(?:response|upload\/v1)\/[\w-]+/gi, `/${REDACTED}`],
  // The user and password of an address.
  [/:\/\/[^\s/?#@"']+@/g, `://${REDACTED}@`],
];
/** A whole address, with or without a query, so that of many "http://" in a row each is looked at once. */
const ADDRESS = /\bhttps?:\/\/[^\s"']+/gi;

/** Quotations in the errors of JSON.parse and of the database, because both quote their input. */
const QUOTATION = /"[^"]*"?|'[^']*'?/g;
/** Fields of errors that never contain input. */
const ERROR_FIELDS = [
  'code',
  'status',
  'statusCode',
  'errno',
  'syscall',
  'port',
  'severity',
  'retryAfter',
  'keyId',
  'isKeyMissing',
];
const MAX_DEPTH = 6;
const MAX_TEXT_LENGTH = 4_000;
/** A shorter secret would match unrelated text too. */
const MIN_SECRET_LENGTH = 8;

const knownSecrets = new Set<string>();

/** Registers secrets that are removed from any text: those in the settings, and those that people enter. */
export function registerSecrets(...secrets: readonly (string | undefined)[]): void {
  for (const secret of secrets) if (secret && secret.length >= MIN_SECRET_LENGTH) knownSecrets.add(secret);
}

export function redactText(text: string): string {
  let redacted = text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
  for (const secret of knownSecrets) redacted = redacted.replaceAll(secret, REDACTED);
  for (const [pattern, replacement] of SECRET_PATTERNS) redacted = redacted.replace(pattern, replacement);
  return redacted.replace(ADDRESS, (address) => address.replace(/[?#].*$/, `?${REDACTED}`));
}

function redactFields(fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      isRedactedField(name) ? REDACTED : redactValue(value, 1),
    ]),
  );
}

/**
 * Returns the error's type, message, stack, harmless fields and causes, without secrets and input. `quotesInput`: the
 * error is the cause of an error of Slack.
 */
export function redactError(error: unknown, depth = 0, quotesInput = false): object | string {
  if (!(error instanceof Error)) return typeof error === 'string' ? redactText(error) : REDACTED;
  if (depth >= MAX_DEPTH) return error.name;
  const isOpaque = quotesInput || isFromSlack(error);
  const message = isOpaque ? REDACTED : redactMessage(error);
  const harmlessFields = Object.entries(error).filter(([name]) => ERROR_FIELDS.includes(name));
  const causes = (
    error instanceof AggregateError ? error.errors : [error.cause, 'original' in error && error.original]
  )
    .filter((cause) => cause instanceof Error)
    .map((cause) => redactError(cause, depth + 1, isOpaque));
  return {
    type: error.name,
    message,
    stack: `${error.name}: ${message}\n${extractFrames(error)}`,
    ...Object.fromEntries(harmlessFields.map(([name, value]) => [name, redactValue(value, MAX_DEPTH)])),
    ...extractSlackFields(error),
    ...(causes.length > 0 && { cause: causes.length === 1 ? causes[0] : causes }),
  };
}

/**
 * True for errors of Slack's SDK, by their code: `ErrorCode` in @slack/web-api, @slack/socket-mode and @slack/bolt. Slack's
 * texts about a request may quote it, so only codes and paths of them are logged.
 */
function isFromSlack(error: Error): boolean {
  return 'code' in error && String(error.code).startsWith('slack_');
}

/** Returns the code of Slack's error, and the JSON pointers to the faults in the request. */
function extractSlackFields(error: Error): object {
  if (!('data' in error) || typeof error.data !== 'object' || error.data === null) return {};
  const code = 'error' in error.data ? error.data.error : undefined;
  const pointers = JSON.stringify(error.data).match(/\[json-pointer:[\w/]*\]/g) ?? [];
  return {
    ...(typeof code === 'string' && /^\w{1,64}$/.test(code) && { slack: code }),
    ...(pointers.length > 0 && { pointers: pointers.slice(0, 10) }),
  };
}

function redactMessage(error: Error): string {
  const quotesInput = error instanceof SyntaxError || 'severity' in error;
  return redactText(quotesInput ? error.message.replace(QUOTATION, `"${REDACTED}"`) : error.message);
}

/** Returns the frames of the stack. The stack begins with the message, which is omitted and may have several lines. */
function extractFrames(error: Error): string {
  const lines = (error.stack ?? '').split('\n').filter((line) => /^\s+at \S/.test(line));
  return redactText(lines.join('\n'));
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value);
  if (value instanceof Error) return redactError(value);
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? String(value) : value;
  if (value instanceof Date) return value;
  if (depth >= MAX_DEPTH || ArrayBuffer.isView(value)) return REDACTED;
  if (Array.isArray(value)) return value.map((element) => redactValue(element, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, fieldValue]) => [
      name,
      isRedactedField(name) ? REDACTED : redactValue(fieldValue, depth + 1),
    ]),
  );
}

function isRedactedField(name: string): boolean {
  return REDACTED_FIELDS.has(name.toLowerCase().replace(/[-_]/g, ''));
}

/**
 * Logs JSON lines to standard error, because standard output is for people. A line has its fields first and then a
 * constant message. The redactor removes secrets and contents from every line. `onLine` is called with each line's
 * level.
 */
export function createLog(
  level: string,
  destination: DestinationStream = pino.destination(2),
  onLine: (level: string) => void = () => undefined,
): Pick<Logger, 'debug' | 'info' | 'warn' | 'error'> {
  return pino(
    {
      level,
      base: null,
      // The redactor has already serialized errors.
      serializers: { err: (value) => value },
      formatters: { log: redactFields },
      hooks: {
        logMethod([fields, message, ...rest], method, levelNumber) {
          onLine(pino.levels.labels[levelNumber] ?? String(levelNumber));
          const redacted = typeof message === 'string' ? redactText(message) : message;
          return method.apply(this, [fields, redacted, ...rest]);
        },
      },
    },
    destination,
  );
}
