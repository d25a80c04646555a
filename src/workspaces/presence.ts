import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { AuthorizeResult, AuthorizeSourceData } from '@slack/bolt';
import { z } from 'zod';
import type { FirstOwners } from '../access/access.ts';
import type { Log } from '../slack/log.ts';
import { APP_NAME } from '../slack/name.ts';
import type { SlackConnection } from '../slack/slack-connection.ts';
import type { From, Leaving } from './installations.ts';

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
 * Slack waits 3 s for an acknowledgement, and the handler needs most of them. A lookup that takes longer continues, so
 * that the next request finds its result.
 */
const LOOKUP_MS = 1_500;

/**
 * Bolt's `authorize`; never rejects, because Bolt would acknowledge with nothing. A workspace that the app is not in
 * gets no token, and is answered all the same; where the lookup failed there is a `lookupReference`, which is in the
 * log too. In a view by an organisation's installation Bolt takes the organisation for the workspace, which is the
 * person's own there.
 */
export function authorizeBy({ find }: Pick<Presence, 'find'>, log: Log, lookupMs = LOOKUP_MS) {
  return async (source: AuthorizeSourceData<boolean>, body?: unknown): Promise<AuthorizeResult> => {
    const { teamId, enterpriseId: organisation, isEnterpriseInstall: orgWide } = source;
    const workspace = teamId?.startsWith('E') ? byPerson.safeParse(body).data?.user.team_id : teamId;
    const lookup = find({ workspace, organisation, orgWide });
    const found = await (isEvent(body) ? lookup : inTime(lookup, lookupMs)).catch(unknownBecause);
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

function unknownBecause(error: unknown): { error: unknown } {
  return { error };
}

/** The lookup's result; rejects after `ms` without one. */
function inTime<T>(lookup: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`the installation lookup took longer than ${ms} ms`)),
      ms,
    ).unref();
    lookup.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Nobody waits for an answer to an event. */
function isEvent(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'event' in body;
}

/** For people in a workspace that the app is not, or no longer, installed in. */
export function notInstalledText(installUrl: string | undefined): string {
  const there = `${APP_NAME} is not installed in this workspace.`;
  return installUrl === undefined
    ? `${there} It serves another one alone.`
    : `${there} Somebody who may install apps here can do it: <${installUrl}>`;
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
