import { type Logger, LogLevel } from '@slack/bolt';
import type { Log } from '../log.ts';

/**
 * Bolt's and its clients' lines in our log. Their debug lines hold whole payloads, words of people and tokens among
 * them, so those are dropped whatever the level.
 */
export function boltLog(log: Log): Logger {
  const line = (parts: unknown[]) => parts.map(String).join(' ');
  return {
    debug: () => undefined,
    info: (...parts: unknown[]) => log.debug({ from: 'bolt' }, line(parts)),
    warn: (...parts: unknown[]) => log.warn({ from: 'bolt' }, line(parts)),
    error: (...parts: unknown[]) => log.error({ from: 'bolt' }, line(parts)),
    setLevel: () => undefined,
    getLevel: () => LogLevel.INFO,
    setName: () => undefined,
  };
}
