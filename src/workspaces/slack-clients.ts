import { WebClient, type WebClientOptions } from '@slack/web-api';
import type { WorkspaceDirectory } from './workspace-directory.ts';

/**
 * Returns a lookup of each workspace's Slack client for background work. Its result is undefined if the app isn't
 * installed in the workspace, and `unknown` if the installation lookup failed. `onError` is called for a failed lookup.
 */
export function createSlackClientLookup(
  { findForWorkspace }: Pick<WorkspaceDirectory, 'findForWorkspace'>,
  clientOptions: WebClientOptions,
  onError: (error: unknown) => void,
): (workspace: string) => Promise<WebClient | 'unknown' | undefined> {
  const clients = new Map<string, { token: string; client: WebClient }>();
  return async (workspace) => {
    const access = await findForWorkspace(workspace).catch((error: unknown) => {
      onError(error);
      return 'unknown' as const;
    });
    if (access === 'unknown') return 'unknown';
    const current = clients.get(workspace);
    if (current && current.token === access?.token) return current.client;
    clients.delete(workspace);
    if (!access) return undefined;
    const { token, isOrgWide } = access;
    // Calls with an organisation's token must name the workspace.
    const client = new WebClient(token, { ...clientOptions, ...(isOrgWide && { teamId: workspace }) });
    clients.set(workspace, { token, client });
    return client;
  };
}
