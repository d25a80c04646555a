import type { Workspace } from '../../src/emulators/slack/slack.ts';
import { clientFor } from './workspace.ts';
import { SCOPES } from './workspace-oauth.ts';

/** The app's redirect URL. */
export const REDIRECT = 'https://app.example.com/slack/oauth_redirect';

type AccessResponse = Record<string, unknown> & {
  ok: boolean;
  error?: string;
  access_token?: string;
  refresh_token?: string;
};

/** The steps of OAuth, from the app's side. */
export function createOAuthSteps(workspace: Workspace) {
  /** Builds the address to which the app redirects a person. */
  function authorizeUrl(more: Record<string, string | undefined> = {}): string {
    const defaults = { scope: SCOPES.join(','), redirect_uri: REDIRECT, state: 's1' };
    const parameters = { client_id: workspace.clientId, ...defaults, ...more };
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value);
    return `${workspace.authorizeUrl}?${query}`;
  }

  const codeFrom = async (more: Record<string, string | undefined> = {}): Promise<string> =>
    new URL(await workspace.as('Ana').consent(authorizeUrl(more))).searchParams.get('code') ?? '';

  async function access(
    args: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<AccessResponse> {
    const body = new URLSearchParams(args);
    const response = await fetch(`${workspace.apiUrl}oauth.v2.access`, { method: 'POST', body, headers });
    return (await response.json()) as AccessResponse;
  }

  const credentials = { client_id: workspace.clientId, client_secret: workspace.clientSecret };
  const exchange = async (more: Record<string, string> = {}): Promise<AccessResponse> =>
    access({ ...credentials, code: await codeFrom(), redirect_uri: REDIRECT, ...more });
  const clientWith = (response: AccessResponse) => clientFor(workspace, response.access_token ?? '');
  return { authorizeUrl, codeFrom, access, credentials, exchange, clientWith };
}
