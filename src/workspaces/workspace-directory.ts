import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { AuthorizeResult, AuthorizeSourceData } from '@slack/bolt';
import { z } from 'zod';
import type { FirstOwners } from '../access/access.ts';
import type { Log } from '../slack/log.ts';
import { APP_NAME } from '../slack/name.ts';
import type { SlackConnection } from '../slack/slack-connection.ts';
import type { InstallationRemoval, RequestOrigin } from './installations.ts';

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

class InstallationLookupFailed extends Error {
  override name = 'InstallationLookupFailed';
  constructor() {
    super('could not find out whether the app is installed');
  }
}

const payloadWithUser = z.object({ user: z.object({ team_id: z.string() }) });

/**
 * Slack waits 3 s for an acknowledgement, and the handler needs most of that time. A lookup that takes longer than this
 * timeout continues in the background, so that the next request finds its result.
 */
const LOOKUP_TIMEOUT_MS = 1_500;

/**
 * Creates Bolt's `authorize` function. The function never rejects, because Bolt would then acknowledge the request
 * without a message to the person. A workspace without the app gets no token. After a failed lookup the result has a
 * `lookupReference`, which the log contains too.
 *
 * For a view of an organisation's installation, Bolt passes the organisation as the workspace. The workspace of the
 * person is used instead.
 */
export function createAuthorize(
  { find }: Pick<WorkspaceDirectory, 'find'>,
  log: Log,
  timeoutMs = LOOKUP_TIMEOUT_MS,
) {
  return async (source: AuthorizeSourceData<boolean>, body?: unknown): Promise<AuthorizeResult> => {
    const { teamId, enterpriseId: organisation, isEnterpriseInstall: isOrgWide } = source;
    // Bolt doesn't check the types of a request's fields.
    const team = typeof teamId === 'string' ? teamId : undefined;
    const workspace = team?.startsWith('E') ? payloadWithUser.safeParse(body).data?.user.team_id : team;
    const lookup = find({ workspace, organisation, isOrgWide });
    const access = await (isEvent(body) ? lookup : withTimeout(lookup, timeoutMs)).catch(createLookupError);
    if (!access) return {};
    if (access === 'unknown' || 'error' in access) {
      const lookupReference = randomUUID().slice(0, 8);
      const errorFields = access === 'unknown' ? {} : { err: access.error };
      log.error({ reference: lookupReference, workspace, ...errorFields }, 'installation lookup failed');
      return { lookupReference };
    }
    const { token: botToken, botUser: botUserId, botId } = access;
    return {
      botToken,
      ...(workspace !== undefined && { teamId: workspace }),
      ...(botUserId !== undefined && { botUserId }),
      ...(botId !== undefined && { botId }),
    };
  };
}

/** The reference of a failed lookup, from Bolt's context. */
export function getLookupErrorReference(context: Record<string, unknown>): string | undefined {
  return typeof context.lookupReference === 'string' ? context.lookupReference : undefined;
}

function createLookupError(error: unknown): { error: unknown } {
  return { error };
}

/** The lookup's result. Rejects if the lookup takes longer than `timeoutMs`. */
function withTimeout<T>(lookup: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`the installation lookup took longer than ${timeoutMs} ms`)),
      timeoutMs,
    ).unref();
    lookup.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Whether a request is an event. Its lookup has no timeout, because nobody waits for a response. */
function isEvent(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'event' in body;
}

/** The text for people in a workspace where the app isn't (or is no longer) installed. */
export function renderNotInstalledText(installUrl: string | undefined): string {
  return installUrl === undefined
    ? `${APP_NAME} is set up for a different workspace. Ask the person who runs it to add yours.`
    : `${APP_NAME} isn’t installed in this workspace. Install it here: <${installUrl}>`;
}

/**
 * With OAuth, the first owner is the person who installed the app. With a bot token, the workspace's owners in Slack.
 */
export function createFirstOwnerLookup(
  kind: SlackConnection['kind'],
  { findForWorkspace }: WorkspaceDirectory,
): FirstOwners {
  if (kind !== 'oauth') return { kind: 'slack' };
  const findInstaller = async (workspace: string) => {
    const access = await findForWorkspace(workspace);
    if (access === 'unknown') throw new InstallationLookupFailed();
    return access?.installedBy;
  };
  return { kind: 'installer', findInstaller };
}

/** Serves the install pages, and passes all other requests to `listener`. */
export function withInstallPages(
  { serveInstallPage }: WorkspaceDirectory,
  listener: RequestListener,
): RequestListener {
  return (request, response) => {
    if (!serveInstallPage?.(request, response)) listener(request, response);
  };
}
