import type { Channel } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import type { Consent, Site, Slack } from '../site.ts';
import { getHolder } from './apps.ts';
import { makeSecret } from './ids.ts';
import type { Grant } from './saved-state.ts';

/** The number of ended tokens that are stored, because Slack has different errors for ended and for unknown tokens. */
const MAX_ENDED_GRANTS = 100;

type TokenOwner = Pick<Grant, 'holder' | 'user'> & { kind: 'bot' | 'user' };

const TOKEN_PREFIXES = { bot: 'xoxb', user: 'xoxp' };

function isOwnedBy(grant: Grant, about: TokenOwner): boolean {
  return grant.kind === about.kind && grant.holder === about.holder && grant.user === about.user;
}

/** Finds the valid tokens of an installation (of the bot and of people), oldest first. `now` in ms since the epoch. */
export function findValidGrants(slack: Slack, holder: string, now: number): Grant[] {
  return slack.grants.filter(
    (grant) => grant.holder === holder && !grant.ended && (grant.expiresAt ?? Infinity) > now,
  );
}

/** The valid tokens of the installation of an app in this workspace. */
export const findGrantsOfApp = (app: Site): Grant[] => findValidGrants(app.slack, getHolder(app), app.now());

/** The app's token in a workspace or its whole organisation. Undefined if the app isn't installed. */
export function findBotToken(app: Site): string | undefined {
  if (app.state.app.absent === true) return undefined;
  return findGrantsOfApp(app).findLast(({ kind }) => kind === 'bot')?.token;
}

function storeGrant(slack: Slack, grant: Grant): Grant {
  slack.grants.push(grant);
  const ended = slack.grants.filter((entry) => entry.ended);
  for (const oldest of ended.slice(0, -MAX_ENDED_GRANTS))
    slack.grants.splice(slack.grants.indexOf(oldest), 1);
  return grant;
}

function createRotatingGrant(slack: Slack, about: TokenOwner & { scopes: string[] }, now: number): Grant {
  const created = storeGrant(slack, {
    ...about,
    token: `xoxe.${TOKEN_PREFIXES[about.kind]}-1-${makeSecret(24)}`,
    refresh: `xoxe-1-${makeSecret(24)}`,
    expiresAt: now + SLACK_LIMITS.accessTokenMs.value,
  });
  const valid = findValidGrants(slack, about.holder, now).filter((grant) => isOwnedBy(grant, about));
  for (const old of valid.slice(0, -SLACK_LIMITS.accessTokens.value)) old.ended = 'token_revoked';
  return created;
}

/**
 * Grants a token for an installation. Without token rotation, an existing token gets the new scopes in addition to its
 * own (docs.slack.dev, "Installing with OAuth").
 */
export function grantToken(
  slack: Slack,
  about: TokenOwner & { scopes: readonly string[] },
  { rotation, now }: { rotation: boolean; now: number },
): Grant {
  const existing = findValidGrants(slack, about.holder, now).findLast((grant) => isOwnedBy(grant, about));
  const scopes = [...new Set([...(existing?.scopes ?? []), ...about.scopes])];
  if (rotation) return createRotatingGrant(slack, { ...about, scopes }, now);
  if (!existing)
    return storeGrant(slack, { ...about, scopes, token: `${TOKEN_PREFIXES[about.kind]}-${makeSecret()}` });
  existing.scopes = scopes;
  return existing;
}

function isGrantOfApp({ state: { app } }: Site, { holder }: Grant): boolean {
  const [, id] = holder.split('/');
  return app.holder === undefined ? id === undefined : id === app.id;
}

/** Exchanges a refresh token. It works again during a short grace period. Undefined if it is unknown or was used. */
export function refreshToken(app: Site, refresh: string): Grant | undefined {
  const { slack } = app;
  const now = app.now();
  const old = slack.grants.find((grant) => grant.refresh === refresh);
  if (!old || !isGrantOfApp(app, old) || old.kind === 'step' || old.ended === 'account_inactive')
    return undefined;
  old.refreshedAt ??= now;
  if (now - old.refreshedAt > SLACK_LIMITS.refreshGraceMs.value) return undefined;
  const { kind, holder, user, scopes = [] } = old;
  return createRotatingGrant(slack, { kind, holder, user, scopes }, now);
}

/** Grants the token of one run of a step. It expires after 15 minutes (slackapi/bolt-python #1075). */
export function grantStepToken(
  slack: Slack,
  about: Pick<Grant, 'holder' | 'user'> & { run: string; scopes: string[] },
  now: number,
): Grant {
  const expiresAt = now + SLACK_LIMITS.stepTokenMs.value;
  return storeGrant(slack, { ...about, kind: 'step', token: `xwfp-${makeSecret()}`, expiresAt });
}

export function findStepToken(slack: Slack, run: string): string | undefined {
  return slack.grants.find((grant) => grant.run === run)?.token;
}

export function endStepToken(slack: Slack, run: string): void {
  const grant = slack.grants.find((entry) => entry.run === run);
  if (grant) grant.ended ??= 'token_revoked';
}

/** The app's scopes in this workspace: those of its installation, or of its manifest. Undefined if it lists none. */
function findGrantedScopes(site: Site): readonly string[] | undefined {
  const holder = getHolder(site);
  const grant = site.slack.grants.findLast((entry) => entry.kind === 'bot' && entry.holder === holder);
  return grant?.scopes ?? site.manifest.scopes;
}

/** Whether the app has one of these scopes. An app whose manifest lists no scopes needs none. */
export function hasAnyScope(site: Site, needed: readonly string[]): boolean {
  const scopes = findGrantedScopes(site);
  return !scopes || needed.length === 0 || needed.some((scope) => scopes.includes(scope));
}

/** Whether the app was granted this scope. An app whose manifest lists no scopes doesn't have it. */
export function hasScope(site: Site, scope: string): boolean {
  return findGrantedScopes(site)?.includes(scope) ?? false;
}

/** Makes a code, which the app can exchange once, within ten minutes. */
export function makeCode({ slack, now }: Site, consent: Consent): string {
  const code = `${makeSecret(6)}.${makeSecret(6)}.${makeSecret(32)}`;
  slack.codes.set(code, { consent, madeAt: now(), isUsed: false });
  return code;
}

/** Exchanges a code. It is used then, even if the redirect_uri is wrong. Throws the errors of oauth.v2.access. */
export function exchangeCode(app: Site, code: string, redirectUri: string | undefined): Consent {
  const found = app.slack.codes.get(code);
  const isValid = found && app.now() - found.madeAt <= SLACK_LIMITS.oauthCodeMs.value;
  if (!isValid || found.consent.client !== app.clientId) throw new Refusal('invalid_code');
  // This error isn't documented (omniauth-slack #54).
  if (found.isUsed) throw new Refusal('code_already_used');
  found.isUsed = true;
  const { consent } = found;
  const expected = redirectUri ?? (consent.hasRedirectUri ? '' : consent.redirectUri);
  if (expected !== consent.redirectUri) throw new Refusal('bad_redirect_uri');
  return consent;
}

/** Requires one of these scopes. An app whose manifest lists no scopes isn't checked. */
export function requireScope(site: Site, needed: readonly string[]): void {
  if (hasAnyScope(site, needed)) return;
  const provided = (findGrantedScopes(site) ?? []).join(',');
  throw new Refusal('missing_scope', { needed: needed.join(','), provided });
}

/** Each kind of conversation has its own scopes, such as `groups:history`. */
const SCOPE_FAMILIES = { public: 'channels', private: 'groups', im: 'im', mpim: 'mpim' };

const WRITE_SCOPES = {
  public: ['channels:manage', 'channels:write'],
  private: ['groups:write'],
  im: ['im:write'],
  mpim: ['mpim:write'],
};

export function requireScopeIn(site: Site, kind: Channel['kind'], right: 'read' | 'history'): void {
  requireScope(site, [`${SCOPE_FAMILIES[kind]}:${right}`]);
}

/**
 * Requires a scope to change a conversation of this kind. With `subScope`, the smaller scope is also enough, such as
 * `channels:write.topic` (docs.slack.dev/reference/methods/conversations.invite and conversations.setTopic).
 */
export function requireWriteIn(site: Site, kind: Channel['kind'], subScope?: 'invites' | 'topic'): void {
  const smaller = subScope ? [`${SCOPE_FAMILIES[kind]}:write.${subScope}`] : [];
  requireScope(site, [...WRITE_SCOPES[kind], ...smaller]);
}
