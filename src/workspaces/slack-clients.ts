import { WebClient, type WebClientOptions } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import { limitEntries } from '../cache/cache.ts';
import type { BotAccess, WorkspaceDirectory } from './workspace-directory.ts';

/** Slack's clients of all workspaces. */
export interface SlackClients {
  get(workspace: string, bot: BotAccess): WebClient;
}

/**
 * Maximum number of clients. A client takes 26 KB, because it creates a function for each of Slack's methods. An evicted
 * client is created again, in a tenth of a millisecond. All clients share the connections of `fetch`.
 */
const MAX_CLIENTS = 1_000;

export function createSlackClients(clientOptions: WebClientOptions): SlackClients {
  const clients = new LRUCache<string, { token: string; client: WebClient }>(limitEntries(MAX_CLIENTS));
  return {
    get(workspace, { token, isOrgWide }) {
      const current = clients.get(workspace);
      if (current?.token === token) return current.client;
      // Calls with an organisation's token must name the workspace.
      const client = new WebClient(token, { ...clientOptions, ...(isOrgWide && { teamId: workspace }) });
      clients.set(workspace, { token, client });
      return client;
    },
  };
}

/**
 * Returns a lookup of each workspace's Slack client for background work. Its result is undefined if the app isn't
 * installed in the workspace, and `unknown` if the installation lookup failed. `onError` is called for a failed lookup.
 */
export function createSlackClientLookup(
  { findForWorkspace }: Pick<WorkspaceDirectory, 'findForWorkspace'>,
  clients: SlackClients,
  onError: (error: unknown) => void,
): (workspace: string) => Promise<WebClient | 'unknown' | undefined> {
  return async (workspace) => {
    const bot = await findForWorkspace(workspace).catch((error: unknown) => {
      onError(error);
      return 'unknown' as const;
    });
    return bot === undefined || bot === 'unknown' ? bot : clients.get(workspace, bot);
  };
}
