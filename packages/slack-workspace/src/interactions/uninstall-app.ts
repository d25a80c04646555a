import type { Site } from '../site.ts';
import { findPerson } from '../state/directory.ts';
import { findValidGrants } from '../state/grants.ts';
import { findSitesOfHolder, getHolder, isOrgWide } from '../state/organisations.ts';
import type { Grant } from '../state/saved-state.ts';
import { removeFromAllChannels, storePerson } from '../state/team-changes.ts';
import { sendEvent } from './send-event.ts';

function sendTokensRevoked(site: Site, grants: readonly Grant[]): void {
  const users = (kind: Grant['kind']) => [
    ...new Set(grants.filter((grant) => grant.kind === kind).map(({ user }) => user)),
  ];
  const tokens = { oauth: users('user'), bot: users('bot') };
  sendEvent(site, 'tokens_revoked', { tokens }, { orgLevel: isOrgWide(site) });
}

/** Removes the app from a workspace: from all channels, and with its commands. */
export function removeAppFromWorkspace(site: Site): void {
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
  const sites = findSitesOfHolder(getHolder(site), site.slack.sites);
  for (const grant of grants) grant.ended = reason;
  for (const each of sites) each.state.app.ended = reason;
  // Slack doesn't guarantee the order of these two events.
  sendEvent(site, 'app_uninstalled', {}, { orgLevel: isOrgWide(site) });
  sendTokensRevoked(site, grants);
  for (const each of sites) removeAppFromWorkspace(each);
}

/** Revokes the bot tokens of an installation, and sends tokens_revoked. The app stays in the workspace. */
export function revokeBotToken(site: Site): void {
  const grants = findValidGrants(site.slack, getHolder(site), site.now()).filter(
    ({ kind }) => kind === 'bot',
  );
  for (const grant of grants) grant.ended = 'token_revoked';
  for (const each of findSitesOfHolder(getHolder(site), site.slack.sites))
    each.state.app.ended = 'token_revoked';
  site.touch();
  sendTokensRevoked(site, grants);
}

/** Uninstalls the app from the workspace, or from the organisation that installed it. */
export function uninstallApp(site: Site): void {
  endInstallation(site, 'account_inactive', findValidGrants(site.slack, getHolder(site), site.now()));
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
