import { type Logger, pino } from 'pino';

/** Facts first, then a sentence that does not change from line to line. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

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

/** A log of JSON lines on standard error, so that what the app prints for people stays readable beside it. */
export function createLog(level: string): Log {
  const paths = NEVER.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `*.headers.${name}`]);
  return pino({ level, base: null, redact: { paths, censor: '[kept out]' } }, pino.destination(2));
}
