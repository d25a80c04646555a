import { type Logger, pino } from 'pino';

/** Names under which a secret or somebody's words could come along with an object of Slack's or the service's. */
const NEVER = [
  'token',
  'botToken',
  'appToken',
  'signingSecret',
  'authorization',
  'response_url',
  'responseUrl',
  'content',
  'Content',
  'text',
];

/**
 * JSON lines on standard error, so that what the app prints for people stays readable beside them: facts first, then a
 * sentence that does not change from line to line.
 */
export function createLog(level: string): Pick<Logger, 'debug' | 'info' | 'warn' | 'error'> {
  const paths = NEVER.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `*.headers.${name}`]);
  return pino({ level, base: null, redact: { paths, censor: '[kept out]' } }, pino.destination(2));
}
