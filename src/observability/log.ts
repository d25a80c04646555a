import { type DestinationStream, type Logger, pino } from 'pino';
import { redactFacts, redactText } from './redact.ts';

/**
 * Logs JSON lines to standard error, because standard output is for people. A line has its facts first and then a
 * constant message. Everything passes the redactor.
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
      formatters: { log: redactFacts },
      hooks: {
        logMethod([facts, message, ...more], method, number) {
          onLine(pino.levels.labels[number] ?? String(number));
          const redacted = typeof message === 'string' ? redactText(message) : message;
          return method.apply(this, [facts, redacted, ...more]);
        },
      },
    },
    destination,
  );
}
