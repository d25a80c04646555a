import type { Site } from '../site.ts';
import { findPerson } from '../state/directory.ts';
import { findValidGrants } from '../state/grants.ts';
import { findSitesOfHolder, getHolder, isOrgWide } from '../state/organisations.ts';
import type { Grant } from '../state/saved-slack.ts';
import { removeFromAllChannels, storePerson } from '../state/team-changes.ts';
import { eventTs, sendEvent } from './send-event.ts';

function tellRevoked(site: Site, grants: readonly Grant[]): void {
  const users = (kind: Grant['kind']) => [
    ...new Set(grants.filter((grant) => grant.kind === kind).map(({ user }) => user)),
  ];
  const tokens = { oauth: users('user'), bot: users('bot') };
  const event = { type: 'tokens_revoked', tokens, event_ts: eventTs(site) };
  sendEvent(site, 'tokens_revoked', event, { orgLevel: isOrgWide(site) });
}

/** The app is out of a workspace: its user is in no channel any more, and its commands are gone. */
export function leaveWorkspace(site: Site): void {
  const { app } = site.state;
  app.absent = true;
  removeFromAllChannels(site, app.botUserId);
  const bot = findPerson(site, app.botUserId);
  if (bot) storePerson(site, { ...bot, deactivated: true });
}

/** The installation by which the app is in this workspace ends, in all workspaces that it reaches. */
function endInstallation(
  site: Site,
  how: 'token_revoked' | 'account_inactive',
  grants: readonly Grant[],
): void {
  const sites = findSitesOfHolder(getHolder(site), site.slack.sites);
  for (const grant of grants) grant.ended = how;
  for (const each of sites) each.state.app.ended = how;
  const event = { type: 'app_uninstalled', event_ts: eventTs(site) };
  // The order of the two is not promised by Slack.
  sendEvent(site, 'app_uninstalled', event, { orgLevel: isOrgWide(site) });
  tellRevoked(site, grants);
  for (const each of sites) leaveWorkspace(each);
}

/** The app's own token is good for nothing from now on; the app stays, and is told. */
export function revokeToken(site: Site): void {
  const grants = findValidGrants(site.slack, getHolder(site), site.now()).filter(
    ({ kind }) => kind === 'bot',
  );
  for (const grant of grants) grant.ended = 'token_revoked';
  for (const each of findSitesOfHolder(getHolder(site), site.slack.sites))
    each.state.app.ended = 'token_revoked';
  site.touch();
  tellRevoked(site, grants);
}

/** The app is taken out of the workspace, or out of the organisation that has it. */
export function uninstall(site: Site): void {
  endInstallation(site, 'account_inactive', findValidGrants(site.slack, getHolder(site), site.now()));
}

/** One token ends; with the last one the app is uninstalled (docs.slack.dev, "app_uninstalled"). */
export function revokeGrant(site: Site, grant: Grant): void {
  const left = findValidGrants(site.slack, grant.holder, site.now()).filter((entry) => entry !== grant);
  if (left.length === 0) {
    endInstallation(site, 'token_revoked', [grant]);
    return;
  }
  grant.ended = 'token_revoked';
  site.touch();
  tellRevoked(site, [grant]);
}
