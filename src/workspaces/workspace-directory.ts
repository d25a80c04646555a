import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { FirstOwners } from '../access/access.ts';
import { within } from '../promises.ts';
import { isEvent } from '../slack/actor.ts';
import type { Log } from '../slack/log.ts';
import { APP_NAME } from '../slack/name.ts';
import type { SlackConnection } from '../slack/slack-connection.ts';
import { type InstallationRemoval, type RequestOrigin, readOrigin } from './installations.ts';

/** The bot of one workspace, or of its organisation. */
export interface BotAccess {
  token: string;
  botUser?: string | undefined;
  botId?: string | undefined;
  /** Whether the token is valid for a whole organisation. Calls must then name the workspace. */
  isOrgWide: boolean;
  installedBy?: string | undefined;
}

/** `unknown`: the lookup failed. Undefined: the app isn't installed. */
export type BotAccessLookup = BotAccess | 'unknown' | undefined;

/** The workspaces that have the app: the workspace of the bot token in the settings, or all that have installed it. */
export interface WorkspaceDirectory {
  /** Rejects with SlackRefused if Slack refuses the token in the settings. */
  start(): Promise<void>;
  stop(): void;
  isReady(): boolean;
  find(origin: RequestOrigin): Promise<BotAccessLookup>;
  /** Finds only workspaces from which a request has come. */
  findForWorkspace(workspace: string): Promise<BotAccessLookup>;
  /** Whether the workspace is the one of the bot token in the settings. */
  isConfiguredWorkspace(workspace: string): boolean;
  removal: InstallationRemoval;
  /** The address of the install page. Undefined with a bot token. */
  installUrl?: string;
  /** Serves the install pages. Returns false for any other path. */
  serveInstallPage?(...exchange: Parameters<RequestListener>): boolean;
}

/**
 * Slack waits 3 s for an acknowledgement, and the handler needs most of that time. A lookup that takes longer than this
 * timeout continues in the background, so that the next request finds its result.
 */
const LOOKUP_TIMEOUT_MS = 1_500;

/** The bot of the workspace that a request comes from. `reference`: in the log, too. */
type RequestBot =
  | { kind: 'installed'; workspace: string | undefined; bot: BotAccess }
  | { kind: 'not-installed' }
  | { kind: 'unknown'; reference: string };

/** Creates the lookup of a request's bot. It never rejects, because the person must be told about a failed lookup. */
export function createRequestBotLookup(
  { find }: Pick<WorkspaceDirectory, 'find'>,
  log: Log,
  timeoutMs = LOOKUP_TIMEOUT_MS,
): (body: unknown) => Promise<RequestBot> {
  return async (body) => {
    const origin = readOrigin(body);
    const { workspace } = origin;
    const lookup = find(origin).catch(createLookupError);
    // An event needs no response for a person. It only has to be acknowledged before Slack's limit.
    const found = isEvent(body) ? await lookup : await within(timeoutMs, lookup, 'late' as const);
    const bot = found === 'late' ? createLookupError(new Error(`no result within ${timeoutMs} ms`)) : found;
    if (!bot) return { kind: 'not-installed' };
    if (bot !== 'unknown' && !('error' in bot)) return { kind: 'installed', workspace, bot };
    const reference = randomUUID().slice(0, 8);
    const errorFields = bot === 'unknown' ? {} : { err: bot.error };
    log.error({ reference, workspace, ...errorFields }, 'installation lookup failed');
    return { kind: 'unknown', reference };
  };
}

function createLookupError(error: unknown): { error: unknown } {
  return { error };
}

/** The text for people in a workspace where the app isn't (or is no longer) installed. */
export function renderNotInstalledText(installUrl: string | undefined): string {
  return installUrl === undefined
    ? `${APP_NAME} is set up for a different workspace. Ask the person who runs it to add yours.`
    : `${APP_NAME} isn’t installed in this workspace. Install it here: <${installUrl}>`;
}

/** With OAuth, the first owner is the person who installed the app; with a bot token, the owners in Slack. */
export function createFirstOwnerLookup(
  kind: SlackConnection['kind'],
  { findForWorkspace }: WorkspaceDirectory,
): FirstOwners {
  if (kind !== 'oauth') return { kind: 'slack' };
  const findInstaller = async (workspace: string) => {
    const access = await findForWorkspace(workspace);
    if (access === 'unknown') throw new Error('could not find out whether the app is installed');
    return access?.installedBy;
  };
  return { kind: 'installer', findInstaller };
}

export function withInstallPages(
  { serveInstallPage }: WorkspaceDirectory,
  listener: RequestListener,
): RequestListener {
  return (request, response) => {
    if (!serveInstallPage?.(request, response)) listener(request, response);
  };
}
