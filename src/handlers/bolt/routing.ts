import { within } from '../../promises.ts';
import type { Actor } from '../../slack/actor.ts';
import { type Catalogue, type CommandDescription, needsForm } from '../../slack/catalogue.ts';
import { fetchLocale } from '../../slack/fetch-people.ts';
import type { Log } from '../../slack/log.ts';
import { NotAllowed } from '../../slack/not-allowed.ts';
import type { RateLimits } from '../../slack/rate-limits.ts';
import { asksForHelp, findByPhrase, type ParsedCommand, parseLine } from '../../slack/read-command.ts';
import { isTriggerSpent } from '../../slack/slack-errors.ts';
import type { AppContext, Call, CommandCall } from '../call.ts';
import type { Command, Feature, RequestedAction } from '../feature.ts';

/** The call of a typed line. */
export type LineCall = Omit<CommandCall, 'text'>;

/** Replies to lines that can't run as typed. */
export interface FallbackReplies {
  /** Replies to an unknown command with a button for the most similar command, with the same arguments. */
  offerSuggestion(call: LineCall, parsed: Extract<ParsedCommand, { kind: 'unknown' }>): Promise<void>;
  /** Replies with a button that opens the command's form, because the request has no trigger id, or a spent one. */
  offerFormButton(call: LineCall, line: string, command: CommandDescription): Promise<void>;
}

/** What requests of all kinds need in order to be routed to a feature. */
export interface RouterOptions {
  context: AppContext;
  features: readonly Feature[];
  catalogue: Catalogue;
  log: Log;
  now: () => Date;
  /** Encrypts button states, so that only the user who sees a button can use it. Defaults to no encryption. */
  buttonStates?: {
    seal(value: string, actor: Actor, now: Date): string;
    open(value: string, actor: Actor, now: Date): string | undefined;
  };
  apiUrl?: string | undefined;
  /** Loads the fields of the context that differ between workspaces. Defaults to no fields. */
  loadWorkspaceContext?(actor: Actor): Promise<Partial<AppContext>>;
  /** The feature that runs for `/upnext` without a subcommand. */
  defaultFeature: string;
  /**
   * Checks permissions. Returns a call that is restricted to the data that the actor may see. Throws NotAllowed if the
   * actor may not do this.
   */
  permit(call: Call, feature: string, requested: RequestedAction): Promise<Call>;
  /** A command that every member with a role may run. Unknown commands need the same permission. */
  helpCommand: { feature: string; command: string };
  fallbackReplies: FallbackReplies;
  /** Returns true on the first call for a key. Slack sends the same event up to four times. */
  isFirstDelivery(call: Call, key: string): Promise<boolean>;
  /** Rate limits of members and tenants. Defaults to no limits. */
  limits?: RateLimits;
  /** Runs after a request that may have changed data, to refresh other surfaces such as Home. */
  refresh?(call: Call): Promise<void>;
}

/** Finds a feature's handler by an id from Slack's payload. */
export function findHandler<Handler>(
  features: readonly Feature[],
  getHandlers: (feature: Feature) => Readonly<Record<string, Handler>> | undefined,
  id: string,
): { feature: string; handler: Handler } | undefined {
  for (const feature of features) {
    const handlers = getHandlers(feature);
    const handler = handlers && Object.hasOwn(handlers, id) ? handlers[id] : undefined;
    if (handler !== undefined) return { feature: feature.name, handler };
  }
  return undefined;
}

/** Runs a line as if the actor had typed it in the call's conversation. Undefined if it can't run as typed. */
export async function runLine(
  options: RouterOptions,
  call: Call,
  line: string,
  changes: CommandCall['changes'] = [],
): Promise<Command | undefined> {
  const parsed = parseLine(line, options.catalogue);
  if (parsed.kind === 'unknown') {
    const meant = await findInOwnLanguage(options, call, parsed.line);
    if (meant) return runLine(options, call, `/upnext ${meant.command.name} ${parsed.line}`, changes);
    await offerNearestCommand(options, { ...call, changes }, line);
    return undefined;
  }
  const { helpCommand } = options;
  if (parsed.kind === 'known' && parsed.command.name !== helpCommand.command && asksForHelp(parsed))
    return showCommandHelp(options, call, parsed);
  const name = parsed.kind === 'none' ? options.defaultFeature : parsed.feature;
  const args = parsed.kind === 'none' ? '' : parsed.args;
  const feature = options.features.find((candidate) => candidate.name === name);
  const command = feature?.commands.find(
    (item) => parsed.kind === 'none' || item.name === parsed.command.name,
  );
  if (!command) throw new Error(`the catalogue lists a command of "${name}" that has no handler`);
  const requested = { surface: 'command', command: command.name, text: args } as const;
  const allowed = await options.permit(call, name, requested).catch(async (error: unknown) => {
    if (error instanceof NotAllowed && args !== '') await command.keepTyped?.(call, args, changes);
    throw error;
  });
  try {
    if (call.trigger !== undefined || !needsForm(command, args)) {
      await command.run({ ...allowed, text: args, changes });
      return command;
    }
  } catch (error) {
    if (!isTriggerSpent(error)) throw error;
    call.log.warn({ reference: call.reference, err: error }, 'too late to open a form');
  }
  await options.fallbackReplies.offerFormButton({ ...allowed, changes }, line, command);
  return undefined;
}

/** Runs the help command with the command's name. For one that the actor may not run, it says which role it needs. */
async function showCommandHelp(
  options: RouterOptions,
  call: Call,
  { feature, command: { name } }: Extract<ParsedCommand, { kind: 'known' }>,
): Promise<Command | undefined> {
  const { helpCommand } = options;
  const requested = { surface: 'command', command: helpCommand.command, text: name } as const;
  const { catalogue } = await options.permit(call, helpCommand.feature, requested);
  const isListed = catalogue.some(({ commands }) => commands.some((command) => command.name === name));
  if (!isListed) await options.permit(call, feature, { surface: 'command', command: name, text: '' });
  return runLine(options, call, `/upnext ${helpCommand.command} ${name}`);
}

/** How long an unknown line waits for the language of its author. */
const LOCALE_TIMEOUT_MS = 1_000;

/** Finds the command that a line means in the actor's own language. Undefined if Slack doesn't say which it is. */
async function findInOwnLanguage({ catalogue }: RouterOptions, call: Call, line: string) {
  const locale = await within(LOCALE_TIMEOUT_MS, fetchLocale(call, call.actor.user));
  return locale === undefined ? undefined : findByPhrase(line, catalogue, locale);
}

/** Replies to an unknown command with the most similar command that the actor may run. */
async function offerNearestCommand(options: RouterOptions, call: LineCall, line: string): Promise<void> {
  const { feature, command } = options.helpCommand;
  const allowed = await options.permit(call, feature, { surface: 'command', command, text: '' });
  const parsed = parseLine(line, allowed.catalogue);
  if (parsed.kind === 'unknown')
    await options.fallbackReplies.offerSuggestion({ ...allowed, changes: call.changes }, parsed);
}

/** The acknowledgement of one request. Slack accepts only one. */
export type Acknowledgement = ReturnType<typeof createAcknowledgement>;

/**
 * Creates the acknowledgement of a request. If the acknowledgement isn't sent before the deadline, sends the result of
 * `fallback`. The deadline is the same for Socket Mode and HTTP, and counts from `arrivedAt` (`performance.now()`).
 */
export function createAcknowledgement(
  ack: (payload?: unknown) => Promise<void>,
  options: {
    arrivedAt: number;
    deadlineMs: number;
    fallback: () => unknown;
    onFailure: (error: unknown) => void;
  },
) {
  const { arrivedAt, deadlineMs, fallback, onFailure } = options;
  let isSent = false;
  const send = async (payload?: unknown) => {
    if (isSent) return false;
    isSent = true;
    clearTimeout(timer);
    await ack(payload);
    return true;
  };
  const timer = setTimeout(
    () => void send(fallback()).catch(onFailure),
    arrivedAt + deadlineMs - performance.now(),
  );
  return {
    // No getter, because V8 allocates those of an object literal in its old generation, with all that they refer to.
    isSent: () => isSent,
    /** Returns false if the request was already acknowledged. The caller must then reply in another way. */
    send,
    /** Stops the timer of the deadline. Call it when the request has been handled. */
    stopDeadline: () => clearTimeout(timer),
  };
}
