import { WebClient, type WebClientOptions } from '@slack/web-api';
import { z } from 'zod';
import { slackErrorCode } from '../../slack/slack-trouble.ts';
import type { Tokens } from '../refresh-tokens.ts';

/** What Slack's OAuth needs of this app; the address is where people come back to. */
export interface OAuthSettings {
  clientId: string;
  clientSecret: string;
  /** Where everybody reaches this app; Slack comes back below it. */
  publicUrl: string;
  /** Slack's Web API; its page for installing stands beside it. */
  apiUrl: string;
}

/** What Slack tells of an installation (https://docs.slack.dev/reference/methods/oauth.v2.access). */
export interface Granted {
  /** The workspace (`T…`), or the organisation (`E…`) of which all may use it. */
  id: string;
  name: string;
  botUser: string;
  installedBy: string;
  app: string;
  tokens: Tokens;
}

const named = z.object({ id: z.string().min(1), name: z.string().default('') });

const tokenFields = {
  access_token: z.string().min(1),
  refresh_token: z.string().optional(),
  expires_in: z.number().positive().optional(),
};

const access = z.object({
  ...tokenFields,
  token_type: z.literal('bot'),
  app_id: z.string(),
  bot_user_id: z.string(),
  team: named.nullish(),
  enterprise: named.nullish(),
  is_enterprise_install: z.boolean().default(false),
  authed_user: z.object({ id: z.string().min(1) }),
});

/** An address of this app, by its path below where everybody reaches it. */
export function publicAddress(publicUrl: string, path: string): string {
  return new URL(path.replace(/^\//, ''), publicUrl.replace(/\/*$/, '/')).href;
}

export const INSTALL_PATH = '/slack/install';
export const REDIRECT_PATH = '/slack/oauth_redirect';

/**
 * The errors with which Slack refuses a refresh token for good; what is not listed may pass, or is a fault of our
 * settings (bad_client_secret). https://docs.slack.dev/reference/methods/oauth.v2.access#errors
 */
const REFRESH_REFUSALS: readonly (string | undefined)[] = [
  'invalid_refresh_token',
  'token_expired',
  'token_revoked',
];

/** Slack's OAuth v2, as this app uses it: a bot token, and no person's. */
export function slackOAuth(
  settings: OAuthSettings,
  options: { scopes: readonly string[]; clientOptions: WebClientOptions; now: () => Date },
) {
  const { clientId, clientSecret, publicUrl, apiUrl } = settings;
  const client = new WebClient(undefined, { ...options.clientOptions, slackApiUrl: apiUrl });
  const redirectUri = publicAddress(publicUrl, REDIRECT_PATH);
  const credentials = { client_id: clientId, client_secret: clientSecret };
  const tokensOf = (said: {
    access_token: string;
    refresh_token?: string | undefined;
    expires_in?: number | undefined;
  }): Tokens => ({
    bot: said.access_token,
    refresh: said.refresh_token,
    expiresAt:
      said.expires_in === undefined ? undefined : new Date(options.now().getTime() + said.expires_in * 1000),
  });
  return {
    /** Slack's own page, where somebody says yes. */
    authorizeUrl(state: string): string {
      const url = new URL('/oauth/v2/authorize', apiUrl);
      url.search = new URLSearchParams({
        client_id: clientId,
        scope: options.scopes.join(','),
        redirect_uri: redirectUri,
        state,
      }).toString();
      return url.href;
    },
    /** Throws what Slack refuses the code with. */
    async exchange(code: string): Promise<Granted> {
      const said = access.parse(
        await client.oauth.v2.access({ ...credentials, code, redirect_uri: redirectUri }),
      );
      const { id, name } = named.parse(said.is_enterprise_install ? said.enterprise : said.team);
      return {
        id,
        name,
        botUser: said.bot_user_id,
        installedBy: said.authed_user.id,
        app: said.app_id,
        tokens: tokensOf(said),
      };
    },
    /**
     * Rejects where Slack may give the next tokens another time. A refresh token works once, but is revoked only after
     * "a short grace period" (https://docs.slack.dev/authentication/using-token-rotation): where an answer is lost,
     * Slack is asked for another at once.
     */
    async refresh(refreshToken: string): Promise<Tokens | 'refused'> {
      const grant = { grant_type: 'refresh_token', refresh_token: refreshToken } as const;
      const ask = async () =>
        z.object(tokenFields).parse(await client.oauth.v2.access({ ...credentials, ...grant }));
      try {
        return tokensOf(
          await ask().catch((error) => (slackErrorCode(error) === undefined ? ask() : Promise.reject(error))),
        );
      } catch (error) {
        if (REFRESH_REFUSALS.includes(slackErrorCode(error))) return 'refused';
        throw error;
      }
    },
  };
}

export type SlackOAuth = ReturnType<typeof slackOAuth>;
