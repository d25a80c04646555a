import { type DestinationStream, type Logger, pino } from 'pino';
import { redactFields, redactText } from './redact.ts';

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
