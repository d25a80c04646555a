import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { findAppIn } from '../state/apps.ts';
import { findPerson } from '../state/directory.ts';
import { findValidGrants, grantToken } from '../state/grants.ts';
import { buildBotUser } from '../state/new-team.ts';
import type { Consent } from '../state/oauth-codes.ts';
import type { Grant, Organisation } from '../state/saved-state.ts';
import { storePerson } from '../state/team-changes.ts';
import { sendEvent } from './send-event.ts';
import { removeAppFromWorkspace } from './uninstall-app.ts';

/** Adds the app's bot user to a workspace. It is in no channel yet. */
function addBotUser(site: Site): void {
  const { app } = site.state;
  delete app.absent;
  delete app.ended;
  if (findPerson(site, app.botUserId)?.deactivated !== false)
    storePerson(site, buildBotUser(site.manifest, app.botUserId));
  site.touch();
}

/**
 * Time from an installation to its event, so that the app has its token before the event arrives. Slack doesn't
 * document the time.
 */
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

interface InstalledTokens {
  /** Undefined if the app only asked for user scopes. */
  bot: Grant | undefined;
  user: Grant | undefined;
}

/** Installs the app with the scopes that a person allowed, and returns its tokens. */
export function installApp(app: Site, consent: Omit<Consent, 'client'>): InstalledTokens {
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
