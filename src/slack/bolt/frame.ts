import type { Call } from '../../app/call.ts';
import type { AppContext } from '../../app/context.ts';
import type { Attempt, Feature } from '../../app/feature.ts';
import type { Actor } from '../actor.ts';
import type { Catalogue, CommandDescription } from '../catalogue.ts';
import type { Log } from '../log.ts';
import type { RateLimits } from '../rate-limits.ts';
import { type ReadCommand, readLine } from '../read-command.ts';

/** The parts that all calls of a bot share. */
interface Frame {
  context: AppContext;
  features: readonly Feature[];
  catalogue: Catalogue;
  log: Log;
  now: () => Date;
  /** Encrypts button state, so that only the person who sees the button can use it. Defaults to no encryption. */
  state?: {
    seal(value: string, actor: Actor, now: Date): string;
    open(value: string, actor: Actor, now: Date): string | undefined;
  };
  apiUrl?: string | undefined;
}

/** Answers to lines that can't be run as typed. */
export interface Offers {
  /** The command is unknown: offers the probable one as a button, with the same arguments. */
  unknown(call: Call, read: Extract<ReadCommand, { kind: 'unknown' }>): Promise<void>;
  /** The command opens a form, which needs a trigger: offers a button that opens it. */
  press(call: Call, line: string, command: CommandDescription): Promise<void>;
}

export interface RouterOptions extends Frame {
  /** The fields of the context that differ between workspaces. Defaults to none. */
  contextFor?(actor: Actor): Promise<Partial<AppContext>>;
  /** The feature that runs for `/upnext` without a subcommand. */
  first: string;
  /**
   * Checks permissions. Returns a call that is restricted to what the person may see. Throws NotAllowed if the person
   * may not do this.
   */
  permit(call: Call, feature: string, attempt: Attempt): Promise<Call>;
  /** A command that everybody with any permission may run. Unknown commands are answered with its permissions. */
  forAll: { feature: string; command: string };
  offers: Offers;
  /** True on the first call for this key. Slack sends the same event up to four times. */
  isFirst(call: Call, key: string): Promise<boolean>;
  /** Whether a handler that failed with this error may have done its work. Defaults to no. */
  mayBeDone?(error: unknown): boolean;
  /** Rate limits of members and tenants. Defaults to none. */
  limits?: RateLimits;
  /** Runs after an action of a person, to refresh what other surfaces show. */
  afterwards?(call: Call): Promise<void>;
}

/** Finds a feature's handler by an id from Slack's payload. */
export function findHandler<Handler>(
  features: readonly Feature[],
  handlersOf: (feature: Feature) => Readonly<Record<string, Handler>> | undefined,
  id: string,
): { feature: string; handler: Handler } | undefined {
  for (const feature of features) {
    const handlers = handlersOf(feature);
    const handler = handlers && Object.hasOwn(handlers, id) ? handlers[id] : undefined;
    if (handler !== undefined) return { feature: feature.name, handler };
  }
  return undefined;
}

/** Runs a line as if it had been typed in the place that the call comes from. */
export async function runLine(options: RouterOptions, call: Call, line: string): Promise<void> {
  const read = readLine(line, options.catalogue);
  if (read.kind === 'unknown') return offerNearest(options, call, line);
  const name = read.kind === 'none' ? options.first : read.feature;
  const words = read.kind === 'none' ? '' : read.words;
  const feature = options.features.find((one) => one.name === name);
  const command = feature?.commands.find((one) => read.kind === 'none' || one.name === read.command.name);
  if (!command) throw new Error(`the catalogue lists a command of "${name}" that has no handler`);
  const allowed = await options.permit(call, name, {
    surface: 'command',
    command: command.name,
    text: words,
  });
  if (call.trigger === undefined && opensForm(command, words)) {
    return options.offers.press(allowed, line, command);
  }
  await command.run({ ...allowed, text: words });
}

/** Suggests only commands that the person may run. */
async function offerNearest(options: RouterOptions, call: Call, line: string): Promise<void> {
  const { feature, command } = options.forAll;
  const allowed = await options.permit(call, feature, { surface: 'command', command, text: '' });
  const read = readLine(line, allowed.catalogue);
  if (read.kind === 'unknown') await options.offers.unknown(allowed, read);
}

function opensForm({ opensForm: opens = false }: CommandDescription, words: string): boolean {
  return typeof opens === 'boolean' ? opens : opens(words);
}

/** Slack waits 3 s for an acknowledgement and then shows an error. The rest is for the network. */
const DEADLINE_MS = 2_600;

/** The acknowledgement of one request. Slack accepts only one. */
export interface Acknowledgement {
  readonly given: boolean;
  /** False if the request was already acknowledged, so that the caller must answer in another way. */
  give(payload?: unknown): Promise<boolean>;
  /** Stops the deadline when the request has been handled. */
  stopDeadline(): void;
}

/**
 * Makes sure that every request is acknowledged in time, over Socket Mode and HTTP alike: at the deadline, `fallback()`
 * is sent.
 */
export function createAcknowledgement(
  ack: (payload?: unknown) => Promise<void>,
  fallback: () => unknown,
  onFailure: (error: unknown) => void,
): Acknowledgement {
  let given = false;
  const give = async (payload?: unknown) => {
    if (given) return false;
    given = true;
    clearTimeout(timer);
    await ack(payload);
    return true;
  };
  const timer = setTimeout(() => void give(fallback()).catch(onFailure), DEADLINE_MS);
  return {
    get given() {
      return given;
    },
    give,
    stopDeadline: () => clearTimeout(timer),
  };
}
