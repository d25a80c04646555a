import { type DestinationStream, type Logger, pino } from 'pino';
import { redactFacts, redactText } from './redact.ts';

/**
 * JSON lines on standard error, so that what the app prints for people stays readable beside them: facts first, then a
 * sentence that does not change from line to line. All of it goes through the one redactor.
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
      // The redactor has written errors already.
      serializers: { err: (value) => value },
      formatters: { log: redactFacts },
      hooks: {
        logMethod([facts, sentence, ...more], method, number) {
          onLine(pino.levels.labels[number] ?? String(number));
          const line = typeof sentence === 'string' ? redactText(sentence) : sentence;
          return method.apply(this, [facts, line, ...more]);
        },
      },
    },
    destination,
  );
}
