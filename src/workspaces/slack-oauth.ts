import { WebClient, type WebClientOptions } from '@slack/web-api';
import { z } from 'zod';
import { getSlackErrorCode } from '../slack/slack-errors.ts';
import type { Tokens } from './refresh-tokens.ts';

export interface OAuthSettings {
  clientId: string;
  clientSecret: string;
  /** The app's public address. Slack redirects to a path below it. */
  publicUrl: string;
  /** The address of Slack's Web API. Slack's authorization page has the same origin. */
  apiUrl: string;
}

/** An installation that Slack has just granted (https://docs.slack.dev/reference/methods/oauth.v2.access). */
export interface NewInstallation {
  /** The workspace (`T…`), or the organisation (`E…`) for all its workspaces. */
  id: string;
  name: string;
  botUser: string;
  installedBy: string;
  /** Slack's id of the app. */
  app: string;
  tokens: Tokens;
}

const teamOrEnterprise = z.object({ id: z.string().min(1), name: z.string().default('') });

const tokenFields = {
  access_token: z.string().min(1),
  refresh_token: z.string().optional(),
  /** Seconds. */
  expires_in: z.number().positive().optional(),
};
const tokenResponse = z.object(tokenFields);

const installationResponse = z.object({
  ...tokenFields,
  token_type: z.literal('bot'),
  app_id: z.string(),
  bot_user_id: z.string(),
  team: teamOrEnterprise.nullish(),
  enterprise: teamOrEnterprise.nullish(),
  is_enterprise_install: z.boolean().default(false),
  authed_user: z.object({ id: z.string().min(1) }),
});

/** The public address of a path of this app. */
export function buildPublicUrl(publicUrl: string, path: string): string {
  return new URL(path.replace(/^\//, ''), publicUrl.replace(/(?<!\/)\/*$/, '/')).href;
}

export const INSTALL_PATH = '/slack/install';
export const REDIRECT_PATH = '/slack/oauth_redirect';

/**
 * The errors with which Slack permanently refuses a refresh token. Other errors are temporary, or are caused by wrong
 * settings (bad_client_secret). https://docs.slack.dev/reference/methods/oauth.v2.access#errors
 */
const REFRESH_REFUSALS: readonly (string | undefined)[] = [
  'invalid_refresh_token',
  'token_expired',
  'token_revoked',
];

/** The part of Slack's OAuth v2 that this app uses: bot tokens, without user tokens. */
export function createSlackOAuth(
  { clientId, clientSecret, publicUrl, apiUrl }: OAuthSettings,
  options: { scopes: readonly string[]; clientOptions: WebClientOptions; now: () => Date },
) {
  const client = new WebClient(undefined, { ...options.clientOptions, slackApiUrl: apiUrl });
  const redirectUri = buildPublicUrl(publicUrl, REDIRECT_PATH);
  const clientCredentials = { client_id: clientId, client_secret: clientSecret };
  const toTokens = (response: z.infer<typeof tokenResponse>): Tokens => ({
    bot: response.access_token,
    refresh: response.refresh_token,
    expiresAt:
      response.expires_in === undefined
        ? undefined
        : new Date(options.now().getTime() + response.expires_in * 1000),
  });
  return {
    /** The address of Slack's page on which the person allows the installation. */
    buildAuthorizeUrl(state: string): string {
      const url = new URL('/oauth/v2/authorize', apiUrl);
      url.search = new URLSearchParams({
        client_id: clientId,
        scope: options.scopes.join(','),
        redirect_uri: redirectUri,
        state,
      }).toString();
      return url.href;
    },
    /** Exchanges the code of a redirect for tokens. Throws Slack's error if Slack refuses the code. */
    async exchangeCode(code: string): Promise<NewInstallation> {
      const response = installationResponse.parse(
        await client.oauth.v2.access({ ...clientCredentials, code, redirect_uri: redirectUri }),
      );
      const installationTarget = response.is_enterprise_install ? response.enterprise : response.team;
      const { id, name } = teamOrEnterprise.parse(installationTarget);
      return {
        id,
        name,
        botUser: response.bot_user_id,
        installedBy: response.authed_user.id,
        app: response.app_id,
        tokens: toTokens(response),
      };
    },
    /**
     * Exchanges a refresh token for new tokens. Rejects for a temporary failure. A refresh token works once, but Slack
     * revokes it only after "a short grace period" (https://docs.slack.dev/authentication/using-token-rotation). A
     * request whose response is lost is therefore repeated at once.
     */
    async refresh(refreshToken: string): Promise<Tokens | 'refused'> {
      const grant = { grant_type: 'refresh_token', refresh_token: refreshToken } as const;
      const requestTokens = async () =>
        toTokens(tokenResponse.parse(await client.oauth.v2.access({ ...clientCredentials, ...grant })));
      try {
        return await requestTokens().catch((error) => {
          if (getSlackErrorCode(error) !== undefined) throw error;
          return requestTokens();
        });
      } catch (error) {
        if (REFRESH_REFUSALS.includes(getSlackErrorCode(error))) return 'refused';
        throw error;
      }
    },
  };
}

export type SlackOAuth = ReturnType<typeof createSlackOAuth>;
