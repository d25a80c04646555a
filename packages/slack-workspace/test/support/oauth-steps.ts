import type { Workspace } from '../../src/slack.ts';
import { createSlackClient } from './workspace.ts';
import { SCOPES } from './workspace-oauth.ts';

/** The app's redirect URL. */
export const REDIRECT = 'https://app.example.com/slack/oauth_redirect';

type AccessResponse = Record<string, unknown> & {
  ok: boolean;
  error?: string;
  access_token?: string;
  refresh_token?: string;
};

/** The steps of OAuth, from the side of an app. Defaults to the first. */
export function createOAuthSteps(
  workspace: Workspace,
  app: Pick<Workspace, 'clientId' | 'clientSecret'> = workspace,
) {
  /** Builds the address to which the app redirects a person. */
  function buildAuthorizeUrl(changes: Record<string, string | undefined> = {}): string {
    const defaults = { scope: SCOPES.join(','), redirect_uri: REDIRECT, state: 's1' };
    const parameters = { client_id: app.clientId, ...defaults, ...changes };
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value);
    return `${workspace.authorizeUrl}?${query}`;
  }

  const requestCode = async (changes: Record<string, string | undefined> = {}): Promise<string> =>
    new URL(await workspace.as('Ana').consent(buildAuthorizeUrl(changes))).searchParams.get('code') ?? '';

  async function requestToken(
    args: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<AccessResponse> {
    const response = await fetch(`${workspace.apiUrl}oauth.v2.access`, {
      method: 'POST',
      body: new URLSearchParams(args),
      // fetch would add a charset, about which Slack warns.
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });
    return (await response.json()) as AccessResponse;
  }

  const credentials = { client_id: app.clientId, client_secret: app.clientSecret };
  /** `request`: changes of the request for the code. */
  const exchangeCode = async (
    changes: Record<string, string> = {},
    request: Record<string, string | undefined> = {},
  ): Promise<AccessResponse> =>
    requestToken({ ...credentials, code: await requestCode(request), redirect_uri: REDIRECT, ...changes });
  const createClient = (response: AccessResponse) =>
    createSlackClient(workspace, response.access_token ?? '');
  return { buildAuthorizeUrl, requestCode, requestToken, credentials, exchangeCode, createClient };
}
