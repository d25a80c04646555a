import { flushCompileCache } from 'node:module';
import { inspect, type ParseArgsConfig, parseArgs } from 'node:util';
import { SettingsError } from '../config/config.ts';
import { redactError, redactText } from '../observability/redact.ts';

/** What an entry point has started. */
export interface Running {
  /** `drains`: whether others are told first, so that they send nothing more. A person with Ctrl+C waits for nobody. */
  close(how: { drains: boolean }): Promise<void>;
}

/**
 * After this time the process ends even if closing isn't finished. Covers 5 s in which others are told, acknowledgements
 * and requests in flight.
 */
const CLOSE_TIMEOUT_MS = 19_000;

/**
 * Runs an entry point's `start` until SIGINT or SIGTERM, and closes it then. If it can't start, a StartError or
 * SettingsError prints one line, and any other error prints a stack. The exit status is 1.
 */
export async function run(start: () => Promise<Running | undefined>): Promise<void> {
  // Node would print the error with all its fields, without redaction. Unhandled rejections arrive here too.
  process.on('uncaughtException', (error, origin) => {
    console.error(origin === 'unhandledRejection' ? 'unhandled promise rejection:' : 'uncaught exception:');
    fail(error);
  });
  let running: Awaited<ReturnType<typeof start>>;
  const stop = (signal: NodeJS.Signals) => {
    if (!running) {
      // During the start, a signal ends the process at once.
      process.kill(process.pid, signal);
      return;
    }
    // As people expect, a second Ctrl+C ends the process at once.
    process.once('SIGINT', () => process.exit(130));
    setTimeout(() => process.exit(1), CLOSE_TIMEOUT_MS).unref();
    running.close({ drains: signal === 'SIGTERM' }).then(() => process.exit(0), fail);
  };
  // A signal may come as soon as the start has printed that it is done.
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  running = await start().catch(fail);
  // Node stores compiled code only at a normal exit. After a kill, the next start would compile everything again.
  if (running) flushCompileCache();
}

/** Prints the redacted error to standard error and ends the process with status 1. */
export function fail(error: unknown): never {
  console.error(isExplained(error) ? redactText(error.message) : renderCrashReport(redactError(error)));
  process.exit(1);
}

/** The stack, then the error's fields, then its causes. */
function renderCrashReport(redacted: unknown): string {
  if (typeof redacted !== 'object' || redacted === null || !('stack' in redacted)) return inspect(redacted);
  const known = ['type', 'message', 'stack', 'cause'];
  const facts = Object.fromEntries(Object.entries(redacted).filter(([name]) => !known.includes(name)));
  const causes = 'cause' in redacted ? [redacted.cause].flat() : [];
  return [
    String(redacted.stack),
    ...(Object.keys(facts).length > 0 ? [inspect(facts, { depth: 8 })] : []),
    ...causes.map((cause) => `caused by: ${renderCrashReport(cause)}`),
  ].join('\n');
}

function isExplained(error: unknown): error is Error {
  if (error instanceof SettingsError || error instanceof StartError) return true;
  // The messages of `parseArgs` explain a wrong argument in a sentence.
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}

/**
 * An external system or a command can't start. Its message is printed as the only line. It begins with the name of the
 * setting that can fix it, and never contains the setting's value.
 */
export class StartError extends Error {
  override name = 'StartError';
}

/** The system's errors when listening on a port. `:port` is replaced by its number, `:host` by the host's setting. */
const LISTENING: Record<string, string> = {
  EADDRINUSE: ':port is in use by another program: stop that program, or choose another port',
  EACCES: ':port is a privileged port: choose a port from 1024 up',
  EADDRNOTAVAIL: 'cannot be used: :host is not an address of this machine',
  ENOTFOUND: 'cannot be used: :host is an unknown host name',
};

/** Waits for a system to start. A failure becomes a StartError that begins with the name of the variable. */
export async function blameSetting<T>(variable: string, starting: Promise<T>): Promise<T> {
  try {
    return await starting;
  } catch (error) {
    throw new StartError(`${variable}${describeReason(error, variable)}`, { cause: error });
  }
}

function describeReason(error: unknown, variable: string): string {
  if (!(error instanceof Error)) return `: ${String(error)}`;
  // Only system errors have a `syscall`. Other errors use the same codes for other things.
  const code = 'syscall' in error && 'code' in error ? String(error.code) : '';
  const listening = LISTENING[code];
  if (listening === undefined) return `: ${error.message}`;
  const port = 'port' in error ? ` ${error.port}` : '';
  const host = variable === 'HEALTH_PORT' ? 'HEALTH_HOST' : 'HOST';
  return ` ${listening}`.replace(' :port', port).replace(':host', host);
}

/**
 * Waits until the module of a built-in system is loaded. If its files or packages are missing, the StartError says what
 * to install, or what to set instead.
 */
export async function requireInstalled<T>(system: string, instead: string, loading: Promise<T>): Promise<T> {
  try {
    return await loading;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new StartError(`The ${system} is not installed: run \`npm ci\`, or set ${instead}`, {
      cause: error,
    });
  }
}

/**
 * Reads the arguments of a script. `--help` prints the usage and ends the process with status 0. Arguments that
 * `config` doesn't allow end it as {@link failWithUsage} does. Call it before anything that reads settings, data or
 * ports.
 */
export function readArguments<T extends ParseArgsConfig>(
  usage: string,
  config: T,
): ReturnType<typeof parseArgs<T>> {
  if (config.args?.includes('--help') ?? process.argv.includes('--help', 2)) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    // Later sentences explain how to pass a positional argument that begins with a dash.
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split(/\. |\n/);
    return failWithUsage(usage, line);
  }
}

/** Prints what is wrong with an argument, in one line, and the usage. Ends the process with status 2. */
export function failWithUsage(usage: string, problem: string): never {
  console.error(`${problem}\n\n${usage}`);
  process.exit(2);
}
