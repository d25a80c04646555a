import { WebClient, type WebClientOptions } from '@slack/web-api';
import type { Presence } from './presence.ts';

/**
 * Each workspace's own client of Slack, for what nobody waits for; undefined where the app is not there, `unknown` where
 * that could not be found out.
 */
export function slackClients(
  { of }: Pick<Presence, 'of'>,
  clientOptions: WebClientOptions,
  failed: (error: unknown) => void,
): (workspace: string) => Promise<WebClient | 'unknown' | undefined> {
  const made = new Map<string, { token: string; client: WebClient }>();
  return async (workspace) => {
    const here = await of(workspace).catch((error: unknown) => {
      failed(error);
      return 'unknown' as const;
    });
    if (here === 'unknown') return 'unknown';
    const before = made.get(workspace);
    if (before && before.token === here?.token) return before.client;
    made.delete(workspace);
    if (!here) return undefined;
    const { token, orgWide } = here;
    // An organisation's token wants to hear which workspace is meant.
    const client = new WebClient(token, { ...clientOptions, ...(orgWide && { teamId: workspace }) });
    made.set(workspace, { token, client });
    return client;
  };
}
