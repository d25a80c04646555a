import type { Call } from '../../app/call.ts';
import type { AppContext } from '../../app/context.ts';
import type { Attempt, Feature } from '../../app/feature.ts';
import type { Actor } from '../actor.ts';
import type { Catalogue, CommandDescription } from '../catalogue.ts';
import type { Log } from '../log.ts';
import type { RateLimits } from '../rate-limits.ts';
import { type ReadCommand, readLine } from '../read-command.ts';

/** What the calls of one bot have in common. */
interface Frame {
  context: AppContext;
  features: readonly Feature[];
  catalogue: Catalogue;
  log: Log;
  now: () => Date;
  /** What buttons tell of their lists, kept from everybody but whom they were shown to; as it is, without. */
  state?: {
    seal(value: string, who: Actor, now: Date): string;
    open(value: string, who: Actor, now: Date): string | undefined;
  };
  apiUrl?: string | undefined;
}

/** A line that cannot be done as it was typed. */
export interface Offers {
  /** There is no such command: the one that was probably meant, as a button with the same words. */
  unknown(call: Call, read: Extract<ReadCommand, { kind: 'unknown' }>): Promise<void>;
  /** It opens a form, and nobody has pressed anything: a button that does. */
  press(call: Call, line: string, command: CommandDescription): Promise<void>;
}

export interface RouterOptions extends Frame {
  /** The fields that are a workspace's own. Without it, `context` holds for every workspace. */
  contextFor?(who: Actor): Promise<Partial<AppContext>>;
  /** The feature that `/upnext` alone stands for. */
  first: string;
  /**
   * The call to go on with: it sees what the person may see for this, and no more. Throws NotAllowed where they may
   * not do what they attempt.
   */
  permit(call: Call, feature: string, attempt: Attempt): Promise<Call>;
  /** The feature that everybody may ask who may ask anything: what is typed wrongly is answered for it. */
  forAll: { feature: string; command: string };
  offers: Offers;
  /** True the first time that it is asked for this key: Slack sends the same event up to four times. */
  isFirst(call: Call, key: string): Promise<boolean>;
  /** Whether what a handler was doing when it failed with this may have been done all the same. Defaults to no. */
  mayBeDone?(error: unknown): boolean;
  /** How much one member, and one tenant, may ask for; everything without. */
  limits?: RateLimits;
  /** After something that a person did here, which may have changed what is shown to them elsewhere. */
  afterwards?(call: Call): Promise<void>;
}

/** A feature's handler by one of Slack's own ids. */
export function handlerOf<Handler>(
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

/** Does what a line says, as if it had been typed where the call comes from. */
export async function runLine(options: RouterOptions, call: Call, line: string): Promise<void> {
  const read = readLine(line, options.catalogue);
  if (read.kind === 'unknown') return unknown(options, call, line);
  const name = read.kind === 'none' ? options.first : read.feature;
  const words = read.kind === 'none' ? '' : read.words;
  const feature = options.features.find((one) => one.name === name);
  const command = feature?.commands.find((one) => read.kind === 'none' || one.name === read.command.name);
  if (!command) throw new Error(`the catalogue lists a command of "${name}" that nothing answers`);
  const allowed = await options.permit(call, name, { surface: 'command', command: command.name, words });
  if (call.trigger === undefined && opensForm(command, words)) {
    return options.offers.press(allowed, line, command);
  }
  await command.run({ ...allowed, words });
}

/** Only what the person may do is suggested. */
async function unknown(options: RouterOptions, call: Call, line: string): Promise<void> {
  const { feature, command } = options.forAll;
  const allowed = await options.permit(call, feature, { surface: 'command', command, words: '' });
  const read = readLine(line, allowed.catalogue);
  if (read.kind === 'unknown') await options.offers.unknown(allowed, read);
}

function opensForm({ opensForm: opens = false }: CommandDescription, words: string): boolean {
  return typeof opens === 'boolean' ? opens : opens(words);
}
