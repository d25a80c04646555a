import { WebClient, type WebClientOptions } from '@slack/web-api';
import type { WorkspaceDirectory } from './workspace-directory.ts';

/**
 * Each workspace's Slack client, for background work. Undefined if the app isn't installed there; `unknown` if the
 * lookup failed, which `onError` is called for.
 */
export function createSlackClients(
  { of }: Pick<WorkspaceDirectory, 'of'>,
  clientOptions: WebClientOptions,
  onError: (error: unknown) => void,
): (workspace: string) => Promise<WebClient | 'unknown' | undefined> {
  const clients = new Map<string, { token: string; client: WebClient }>();
  return async (workspace) => {
    const access = await of(workspace).catch((error: unknown) => {
      onError(error);
      return 'unknown' as const;
    });
    if (access === 'unknown') return 'unknown';
    const before = clients.get(workspace);
    if (before && before.token === access?.token) return before.client;
    clients.delete(workspace);
    if (!access) return undefined;
    const { token, orgWide } = access;
    // Calls with an organisation's token must name the workspace.
    const client = new WebClient(token, { ...clientOptions, ...(orgWide && { teamId: workspace }) });
    clients.set(workspace, { token, client });
    return client;
  };
}
