import { inspect } from 'node:util';
import { SettingsError } from '../config/config.ts';
import { redactError, redactText } from '../observability/redact.ts';
import { StartError } from './start-error.ts';

interface Running {
  close(): Promise<void>;
}

/** How long closing may take (ms) before the process ends all the same: acknowledgements, then what is being sent. */
const CLOSE_MS = 14_000;

/**
 * Runs an entry point's `start` until SIGINT or SIGTERM, then closes it. What it cannot start with is told in one
 * line and exit status 1; only a fault of our own brings a stack.
 */
export async function run(start: () => Promise<Running | undefined>): Promise<void> {
  // Node itself would write the error with everything that hangs on it. Unhandled rejections come here too.
  process.on('uncaughtException', (error, origin) => {
    console.error(origin === 'unhandledRejection' ? 'unhandled promise rejection:' : 'uncaught exception:');
    fail(error);
  });
  const running = await start().catch(fail);
  if (!running) return;
  const stop = () => {
    // A second signal ends the process at once, as people expect.
    process.once('SIGINT', () => process.exit(130));
    setTimeout(() => process.exit(1), CLOSE_MS).unref();
    running.close().then(() => process.exit(0), fail);
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

/** Ends the process with what went wrong, on standard error; secrets and people's words kept out. */
export function fail(error: unknown): never {
  console.error(isExplained(error) ? redactText(error.message) : crashReport(redactError(error)));
  process.exit(1);
}

/** The stack line by line, then the error's own fields, then its causes. */
function crashReport(redacted: unknown): string {
  if (typeof redacted !== 'object' || redacted === null || !('stack' in redacted)) return inspect(redacted);
  const known = ['type', 'message', 'stack', 'cause'];
  const facts = Object.fromEntries(Object.entries(redacted).filter(([name]) => !known.includes(name)));
  const causes = 'cause' in redacted ? [redacted.cause].flat() : [];
  return [
    String(redacted.stack),
    ...(Object.keys(facts).length > 0 ? [inspect(facts, { depth: 8 })] : []),
    ...causes.map((cause) => `caused by: ${crashReport(cause)}`),
  ].join('\n');
}

function isExplained(error: unknown): error is Error {
  if (error instanceof SettingsError || error instanceof StartError) return true;
  // `parseArgs` says in a sentence what is wrong with the words after the command.
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}
