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
  /** The token is valid for a whole organisation, so calls must name the workspace. */
  orgWide: boolean;
  installedBy?: string | undefined;
}

/** `unknown`: the lookup failed. Undefined: the app isn't installed there. */
export type BotAccessLookup = BotAccess | 'unknown' | undefined;

/** The workspaces that have the app: the one of the settings' bot token, or all where it was installed. */
export interface WorkspaceDirectory {
  /** Rejects with SlackRefused if Slack refuses the settings' token. */
  start(): Promise<void>;
  stop(): void;
  isReady(): boolean;
  find(from: RequestOrigin): Promise<BotAccessLookup>;
  /** For a workspace from which a request has come. */
  of(workspace: string): Promise<BotAccessLookup>;
  /** Whether it is the workspace of the settings' bot token. */
  isOwn(workspace: string): boolean;
  removal: InstallationRemoval;
  /** The page where people install the app. Undefined with a bot token. */
  installUrl?: string;
  /** Serves the install pages; returns false for any other path. */
  pages?(...page: Parameters<RequestListener>): boolean;
}

class InstallationLookupFailed extends Error {
  override name = 'InstallationLookupFailed';
  constructor() {
    super('could not find out whether the app is installed');
  }
}

const userOfPayload = z.object({ user: z.object({ team_id: z.string() }) });

/**
 * Slack waits 3 s for an acknowledgement, and the handler needs most of that. A lookup that takes longer continues in
 * the background, so that the next request finds its result.
 */
const LOOKUP_TIMEOUT_MS = 1_500;

/**
 * Bolt's `authorize`. It never rejects, because Bolt would then acknowledge the request without an answer. A workspace
 * without the app gets no token. After a failed lookup the result has a `lookupReference`, which is in the log too. For
 * a view of an organisation's installation Bolt passes the organisation as the workspace; the person's own workspace is
 * used instead.
 */
export function authorizeBy(
  { find }: Pick<WorkspaceDirectory, 'find'>,
  log: Log,
  timeoutMs = LOOKUP_TIMEOUT_MS,
) {
  return async (source: AuthorizeSourceData<boolean>, body?: unknown): Promise<AuthorizeResult> => {
    const { teamId, enterpriseId: organisation, isEnterpriseInstall: orgWide } = source;
    const workspace = teamId?.startsWith('E') ? userOfPayload.safeParse(body).data?.user.team_id : teamId;
    const lookup = find({ workspace, organisation, orgWide });
    const found = await (isEvent(body) ? lookup : withTimeout(lookup, timeoutMs)).catch(toLookupError);
    if (!found) return {};
    if (found === 'unknown' || 'error' in found) {
      const lookupReference = randomUUID().slice(0, 8);
      const reason = found === 'unknown' ? {} : { err: found.error };
      log.error({ reference: lookupReference, workspace, ...reason }, 'installation lookup failed');
      return { lookupReference };
    }
    const { token: botToken, botUser: botUserId, botId } = found;
    return {
      botToken,
      ...(workspace !== undefined && { teamId: workspace }),
      ...(botUserId !== undefined && { botUserId }),
      ...(botId !== undefined && { botId }),
    };
  };
}

/** The reference of a failed lookup, from Bolt's context. */
export function lookupReferenceIn(context: Record<string, unknown>): string | undefined {
  return typeof context.lookupReference === 'string' ? context.lookupReference : undefined;
}

function toLookupError(error: unknown): { error: unknown } {
  return { error };
}

/** The lookup's result; rejects after `ms` without one. */
function withTimeout<T>(lookup: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`the installation lookup took longer than ${ms} ms`)),
      ms,
    ).unref();
    lookup.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Nobody waits for an answer to an event, so its lookup has no timeout. */
function isEvent(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'event' in body;
}

/** The answer to people in a workspace where the app isn't (or is no longer) installed. */
export function notInstalledText(installUrl: string | undefined): string {
  const there = `${APP_NAME} is not installed in this workspace.`;
  return installUrl === undefined
    ? `${there} It serves another one alone.`
    : `${there} Somebody who may install apps here can do it: <${installUrl}>`;
}

/** With OAuth, the person who installed the app; with a bot token, the workspace's owners in Slack. */
export function firstOwners(kind: SlackConnection['kind'], { of }: WorkspaceDirectory): FirstOwners {
  if (kind !== 'oauth') return { kind: 'slack' };
  const findOrThrow = async (workspace: string) => {
    const access = await of(workspace);
    if (access === 'unknown') throw new InstallationLookupFailed();
    return access;
  };
  return { kind: 'installer', of: async (workspace) => (await findOrThrow(workspace))?.installedBy };
}

/** Serves the install pages, and passes all other requests to `listener`. */
export function withInstallPages({ pages }: WorkspaceDirectory, listener: RequestListener): RequestListener {
  return (request, response) => {
    if (!pages?.(request, response)) listener(request, response);
  };
}
