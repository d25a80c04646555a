import { uninstall } from '../interactions/end-app.ts';
import { installApp } from '../interactions/install-app.ts';
import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { refreshToken } from '../state/grants.ts';
import { findOrganisation } from '../state/organisations.ts';
import type { Grant } from '../state/saved-slack.ts';
import { type Call, type Method, textArg } from './call.ts';
import { sameSecret } from './same-secret.ts';

/** Refuses what is not the app: from the arguments, or by HTTP Basic. */
function demandClient(call: Call): void {
  const { clientId, clientSecret } = call.site.slack.tokens;
  if (textArg(call, 'client_id') !== clientId) throw new Refusal('invalid_client_id');
  if (!sameSecret(textArg(call, 'client_secret') ?? '', clientSecret)) throw new Refusal('bad_client_secret');
}

/** Where an installation is: in a workspace, or in a whole organisation and then in no workspace. */
function wherePart(site: Site, holder: string): Json {
  const ofAll = site.slack.organisations.find(({ id }) => id === holder);
  const { team } = site.slack.sites.find(({ state }) => state.team.id === holder)?.state ?? site.state;
  const at = site.slack.sites.find(({ state }) => state.team.id === holder) ?? site;
  const organisation = ofAll ?? findOrganisation(at);
  return {
    team: ofAll ? null : { id: team.id, name: team.name },
    enterprise: organisation ? { id: organisation.id, name: organisation.name } : null,
    is_enterprise_install: ofAll !== undefined,
  };
}

function tokenPart(grant: Grant, now: number): Json {
  const expires = grant.expiresAt;
  return {
    access_token: grant.token,
    token_type: grant.kind,
    scope: (grant.scopes ?? []).join(','),
    ...(grant.refresh !== undefined && expires !== undefined
      ? { refresh_token: grant.refresh, expires_in: Math.round((expires - now) / 1000) }
      : {}),
  };
}

function refreshed(call: Call): Json {
  const { site } = call;
  const grant = refreshToken(site.slack, textArg(call, 'refresh_token') ?? '', site.now());
  if (!grant) throw new Refusal('invalid_refresh_token');
  site.touch();
  return {
    ...tokenPart(grant, site.now()),
    ...(grant.kind === 'bot' ? { bot_user_id: grant.user } : {}),
    app_id: site.state.app.id,
    ...wherePart(site, grant.holder),
  };
}

/** A code, or a refresh token, becomes a token (docs.slack.dev, "oauth.v2.access"). */
export const oauthAccess: Method = (call) => {
  const { site } = call;
  demandClient(call);
  const type = textArg(call, 'grant_type') ?? 'authorization_code';
  if (type === 'refresh_token') return refreshed(call);
  if (type !== 'authorization_code') throw new Refusal('invalid_grant_type');
  const consent = site.slack.codes.exchange(textArg(call, 'code') ?? '', textArg(call, 'redirect_uri'));
  const { bot, user } = installApp(site.slack, consent, site.now());
  site.touch();
  return {
    ...(bot ? { ...tokenPart(bot, site.now()), bot_user_id: bot.user } : {}),
    app_id: site.state.app.id,
    ...wherePart(site, consent.holder),
    authed_user: { id: consent.person, ...(user ? tokenPart(user, site.now()) : {}) },
  };
};

/** All tokens of this installation end. */
export const appsUninstall: Method = (call) => {
  demandClient(call);
  uninstall(call.site);
  return {};
};
