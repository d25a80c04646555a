import type { RequestListener } from 'node:http';
import type { AuthorizeResult, AuthorizeSourceData } from '@slack/bolt';
import { z } from 'zod';
import type { FirstOwners } from '../access/access.ts';
import type { From, Leaving } from '../access/installations.ts';
import type { SlackConnection } from '../slack/bolt/transport.ts';

/** The app in a workspace. */
export interface Here {
  token: string;
  botUser?: string | undefined;
  botId?: string | undefined;
  /** The token is good for a whole organisation: calls say which workspace they mean. */
  orgWide: boolean;
  installedBy?: string | undefined;
}

/** `unknown`: whether the app is there could not be found out. Undefined where it is not. */
export type Found = Here | 'unknown' | undefined;

/** Where the app is: in the one workspace of a bot token, or wherever it was installed. */
export interface Presence {
  /** Rejects with SlackRefused where the settings' token is bad. */
  start(): Promise<void>;
  stop(): void;
  isReady(): boolean;
  find(from: From): Promise<Found>;
  /** In a workspace that it has heard of. */
  of(workspace: string): Promise<Found>;
  /** The workspace of the settings' own token. */
  isOwn(workspace: string): boolean;
  /** What leaving takes away. */
  leaving: Leaving;
  /** Where somebody can install it, if anywhere. */
  installUrl?: string;
  /** Its own pages; false for a path that is none of them. */
  pages?(...page: Parameters<RequestListener>): boolean;
}

/** Whether the app is installed where a request comes from could not be found out. */
class NotFoundOut extends Error {
  override name = 'NotFoundOut';
  constructor() {
    super('whether the app is installed could not be found out');
  }
}

const byPerson = z.object({ user: z.object({ team_id: z.string() }) });

/**
 * Bolt's `authorize`. A workspace that the app is not in gets no token, and is answered all the same. In a view by an
 * organisation's installation Bolt takes the organisation for the workspace, which is the person's own there.
 */
export function authorizeBy({ find }: Presence) {
  return async (source: AuthorizeSourceData<boolean>, body?: unknown): Promise<AuthorizeResult> => {
    const { teamId, enterpriseId: organisation, isEnterpriseInstall: orgWide } = source;
    const workspace = teamId?.startsWith('E') ? byPerson.safeParse(body).data?.user.team_id : teamId;
    const here = await find({ workspace, organisation, orgWide });
    if (here === 'unknown') throw new NotFoundOut();
    if (!here) return {};
    const { token: botToken, botUser: botUserId, botId } = here;
    return {
      botToken,
      ...(workspace !== undefined && { teamId: workspace }),
      ...(botUserId !== undefined && { botUserId }),
      ...(botId !== undefined && { botId }),
    };
  };
}

/** Who installed it owns it first; with a bot token, those who own the workspace in Slack. */
export function firstOwners(kind: SlackConnection['kind'], { of }: Presence): FirstOwners {
  if (kind !== 'oauth') return { kind: 'slack' };
  const known = async (workspace: string) => {
    const here = await of(workspace);
    if (here === 'unknown') throw new NotFoundOut();
    return here;
  };
  return { kind: 'installer', of: async (workspace) => (await known(workspace))?.installedBy };
}

/** The app's own pages, and everything else to `listener`. */
export function withPages({ pages }: Presence, listener: RequestListener): RequestListener {
  return (request, response) => {
    if (!pages?.(request, response)) listener(request, response);
  };
}
