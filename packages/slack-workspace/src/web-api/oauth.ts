import { installApp } from '../interactions/installation.ts';
import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { findAppOfClient, findOrganisation, getTeamOfHolder } from '../state/apps.ts';
import { exchangeCode, refreshToken } from '../state/grants.ts';
import { isSameSecret } from '../state/ids.ts';
import type { Grant } from '../state/saved-state.ts';
import { acceptToken, type Call, type Methods } from './call.ts';

/** Requires the app's client id and secret, from the arguments or from HTTP Basic authentication. */
export function requireClient(call: Call): void {
  const { slack, clientId, clientSecret } = call.site;
  const given = call.readText('client_id');
  if (!findAppOfClient(slack, given)) throw new Refusal('invalid_client_id');
  if (given !== clientId) throw new Refusal('client_id_token_mismatch');
  if (!isSameSecret(call.readText('client_secret') ?? '', clientSecret))
    throw new Refusal('bad_client_secret');
}

/** The place of an installation. `holder` is the id of a workspace or organisation. */
function buildPlacePart(site: Site, holder: string): Json {
  const orgWide = site.slack.organisations.find(({ id }) => id === holder);
  const workspace = site.slack.sites.find(({ state }) => state.team.id === getTeamOfHolder(holder)) ?? site;
  const { team } = workspace.state;
  const organisation = orgWide ?? findOrganisation(workspace);
  return {
    team: orgWide ? null : { id: team.id, name: team.name },
    enterprise: organisation ? { id: organisation.id, name: organisation.name } : null,
    is_enterprise_install: orgWide !== undefined,
  };
}

function buildTokenPart(grant: Grant, now: number): Json {
  const { refresh, expiresAt } = grant;
  return {
    access_token: grant.token,
    token_type: grant.kind,
    scope: (grant.scopes ?? []).join(','),
    ...(refresh !== undefined && expiresAt !== undefined
      ? { refresh_token: refresh, expires_in: Math.round((expiresAt - now) / 1000) }
      : {}),
  };
}

function exchangeRefreshToken(call: Call): Json {
  const { site } = call;
  const grant = refreshToken(site, call.readText('refresh_token') ?? '');
  if (!grant) throw new Refusal('invalid_refresh_token');
  site.touch();
  return {
    ...buildTokenPart(grant, site.now()),
    ...(grant.kind === 'bot' ? { bot_user_id: grant.user } : {}),
    app_id: site.state.app.id,
    ...buildPlacePart(site, grant.holder),
  };
}

export const OAUTH_METHODS: Methods = {
  /** Exchanges a code or a refresh token for tokens (docs.slack.dev/reference/methods/oauth.v2.access). */
  'oauth.v2.access': acceptToken('none', 'special', (call) => {
    const { site } = call;
    requireClient(call);
    const type = call.readText('grant_type') ?? 'authorization_code';
    if (type === 'refresh_token') return exchangeRefreshToken(call);
    if (type !== 'authorization_code') throw new Refusal('invalid_grant_type');
    const consent = exchangeCode(site, call.readText('code') ?? '', call.readText('redirect_uri'));
    const { bot, user } = installApp(site, consent);
    site.touch();
    return {
      ...(bot ? { ...buildTokenPart(bot, site.now()), bot_user_id: bot.user } : {}),
      app_id: site.state.app.id,
      ...buildPlacePart(site, consent.holder),
      authed_user: { id: consent.person, ...(user ? buildTokenPart(user, site.now()) : {}) },
    };
  }),
};
