import { Refusal } from '../refusal.ts';
import type { Consent, Site } from '../site.ts';
import { findAppIn, findSitesOfApp, isOrgWide } from '../state/apps.ts';
import { findPerson, removeFromAllChannels, storePerson } from '../state/directory.ts';
import { findGrantsOfApp, findValidGrants, grantToken } from '../state/grants.ts';
import { buildBotUser } from '../state/new-team.ts';
import type { Grant, Organisation } from '../state/saved-state.ts';
import { sendEvent } from './payloads.ts';

/** Adds the app's bot user to a workspace. It is in no channel yet. */
function addBotUser(site: Site): void {
  const { app } = site.state;
  delete app.absent;
  delete app.ended;
  if (findPerson(site, app.botUserId)?.deactivated !== false)
    storePerson(site, buildBotUser(site.manifest, app.botUserId));
  site.touch();
}

/** The app has its token before the event of its installation arrives. Slack doesn't document this time. */
const ACCESS_EVENT_DELAY_MS = 100;

function sendAccessEvent(type: 'team_access_granted' | 'team_access_revoked', sites: readonly Site[]): void {
  const [site] = sites;
  if (!site) return;
  const send = () =>
    sendEvent(site, type, { team_ids: sites.map(({ state }) => state.team.id) }, { orgLevel: true });
  if (type === 'team_access_revoked') send();
  else site.runAfter(ACCESS_EVENT_DELAY_MS, send);
}

/** Grants an organisation's app access to some of its workspaces. The app is one user in all of them. */
export function grantAccess(sites: readonly Site[], { id, botId, botUserId }: Organisation): void {
  const others = sites.filter(({ state }) => state.app.organisation !== id || state.app.absent === true);
  for (const site of others) {
    // The installation of the organisation replaces the workspace's own.
    for (const grant of findValidGrants(site.slack, site.state.team.id, site.now()))
      grant.ended = 'token_revoked';
    if (site.state.app.absent !== true) removeAppFromWorkspace(site);
    Object.assign(site.state.app, { organisation: id, botId, botUserId });
    addBotUser(site);
  }
  sendAccessEvent('team_access_granted', others);
}

export function revokeAccess(site: Site): void {
  sendAccessEvent('team_access_revoked', [site]);
  removeAppFromWorkspace(site);
}

/** Returns the tokens. The bot has none if the app only asked for user scopes. */
export function installApp(app: Site, consent: Omit<Consent, 'client'>) {
  const { slack } = app;
  const organisation = slack.organisations.find(({ id }) => id === consent.holder);
  const workspace = slack.sites.find(({ state }) => state.team.id === consent.holder);
  const site = organisation ? app : workspace && findAppIn(workspace, app.state.app.id);
  if (!site) throw new Refusal('invalid_code');
  const tokenOptions = { rotation: site.manifest.hasTokenRotation, now: app.now() };
  const { holder = consent.holder } = site.state.app;
  const grant = (kind: 'bot' | 'user', user: string, scopes: readonly string[]) =>
    scopes.length > 0 ? grantToken(slack, { kind, holder, user, scopes }, tokenOptions) : undefined;
  const bot = grant('bot', (organisation ?? site.state.app).botUserId, consent.scopes);
  const user = grant('user', consent.person, consent.userScopes);
  if (organisation) {
    const chosen = slack.sites.filter(({ state }) => consent.teams.includes(state.team.id));
    grantAccess(chosen, organisation);
  } else {
    delete site.state.app.organisation;
    addBotUser(site);
  }
  return { bot, user };
}

function sendTokensRevoked(site: Site, grants: readonly Grant[]): void {
  const users = (kind: Grant['kind']) => [
    ...new Set(grants.filter((grant) => grant.kind === kind).map(({ user }) => user)),
  ];
  const tokens = { oauth: users('user'), bot: users('bot') };
  sendEvent(site, 'tokens_revoked', { tokens }, { orgLevel: isOrgWide(site) });
}

/** Removes the app from a workspace: from all channels, and with its commands. */
function removeAppFromWorkspace(site: Site): void {
  const { app } = site.state;
  app.absent = true;
  removeFromAllChannels(site, app.botUserId);
  const bot = findPerson(site, app.botUserId);
  if (bot) storePerson(site, { ...bot, deactivated: true });
}

/** Ends the installation of the app in this workspace. If it is an organisation's, in all workspaces of it. */
function endInstallation(
  site: Site,
  reason: 'token_revoked' | 'account_inactive',
  grants: readonly Grant[],
): void {
  const sites = findSitesOfApp(site);
  for (const grant of grants) grant.ended = reason;
  for (const each of sites) each.state.app.ended = reason;
  // Slack doesn't guarantee the order of these two events.
  sendEvent(site, 'app_uninstalled', {}, { orgLevel: isOrgWide(site) });
  sendTokensRevoked(site, grants);
  for (const each of sites) removeAppFromWorkspace(each);
}

/** Revokes the bot tokens of an installation, and sends tokens_revoked. The app stays in the workspace. */
export function revokeBotToken(site: Site): void {
  const grants = findGrantsOfApp(site).filter(({ kind }) => kind === 'bot');
  for (const grant of grants) grant.ended = 'token_revoked';
  for (const each of findSitesOfApp(site)) each.state.app.ended = 'token_revoked';
  site.touch();
  sendTokensRevoked(site, grants);
}

export function uninstallApp(site: Site): void {
  endInstallation(site, 'account_inactive', findGrantsOfApp(site));
}

/** Revokes one token. Revoking the last one uninstalls the app (docs.slack.dev, "app_uninstalled"). */
export function revokeGrant(site: Site, grant: Grant): void {
  const otherGrants = findValidGrants(site.slack, grant.holder, site.now()).filter(
    (entry) => entry !== grant,
  );
  if (otherGrants.length === 0) {
    endInstallation(site, 'token_revoked', [grant]);
    return;
  }
  grant.ended = 'token_revoked';
  site.touch();
  sendTokensRevoked(site, [grant]);
}
