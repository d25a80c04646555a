import { Refusal } from '../refusal.ts';
import type { Site, Slack } from '../site.ts';
import { buildBotUser } from '../state/bot-user.ts';
import { findPerson } from '../state/directory.ts';
import { findValidGrants, grantToken } from '../state/grants.ts';
import type { Consent } from '../state/oauth-codes.ts';
import type { Grant, Organisation } from '../state/saved-slack.ts';
import { storePerson } from '../state/team-changes.ts';
import { leaveWorkspace } from './end-app.ts';
import { eventTs, sendEvent } from './send-event.ts';

/** The app comes into a workspace: its user is there, in no channel. */
function enterWorkspace(site: Site): void {
  const { app } = site.state;
  delete app.absent;
  delete app.ended;
  if (findPerson(site, app.botUserId)?.deactivated !== false)
    storePerson(site, buildBotUser(site.manifest, app.botUserId));
  site.touch();
}

/**
 * Time from an installation to its event: with less, the event overtakes the answer that brings the app its token. Slack
 * doesn't say how long it takes.
 */
const GRANTED_EVENT_MS = 100;

function notifyOfAccess(type: 'team_access_granted' | 'team_access_revoked', sites: readonly Site[]): void {
  const [site] = sites;
  if (!site) return;
  const event = { type, team_ids: sites.map(({ state }) => state.team.id), event_ts: eventTs(site) };
  if (type === 'team_access_revoked') sendEvent(site, 'team_access_revoked', event, { orgLevel: true });
  else {
    site.runAfter(GRANTED_EVENT_MS, () => sendEvent(site, 'team_access_granted', event, { orgLevel: true }));
  }
}

/** Grants an organisation's app access to some of its workspaces. The app is one user in all of them. */
export function grantAccess(sites: readonly Site[], { id, botId, botUserId }: Organisation): void {
  const others = sites.filter(({ state }) => state.app.organisation !== id || state.app.absent === true);
  for (const site of others) {
    // Its own installation gives way.
    for (const grant of findValidGrants(site.slack, site.state.team.id, site.now()))
      grant.ended = 'token_revoked';
    if (site.state.app.absent !== true) leaveWorkspace(site);
    Object.assign(site.state.app, { organisation: id, botId, botUserId });
    enterWorkspace(site);
  }
  notifyOfAccess('team_access_granted', others);
}

export function revokeAccess(site: Site): void {
  notifyOfAccess('team_access_revoked', [site]);
  leaveWorkspace(site);
}

interface Installed {
  /** Undefined where only a person's own rights were asked for. */
  bot: Grant | undefined;
  user: Grant | undefined;
}

/** What a person allowed comes true: the app is there, and has its tokens. */
export function installApp(slack: Slack, consent: Consent, now: number): Installed {
  const [any] = slack.sites;
  const organisation = slack.organisations.find(({ id }) => id === consent.holder);
  const site = slack.sites.find(({ state }) => state.team.id === consent.holder) ?? any;
  if (!any || !site) throw new Refusal('invalid_code');
  const how = { rotation: site.manifest.hasTokenRotation, now };
  const { holder } = consent;
  const about = (kind: 'bot' | 'user', user: string, scopes: readonly string[]) =>
    scopes.length > 0 ? grantToken(slack, { kind, holder, user, scopes }, how) : undefined;
  const bot = about('bot', (organisation ?? site.state.app).botUserId, consent.scopes);
  const user = about('user', consent.person, consent.userScopes);
  if (organisation) {
    const chosen = slack.sites.filter(({ state }) => consent.teams.includes(state.team.id));
    grantAccess(chosen, organisation);
  } else {
    delete site.state.app.organisation;
    enterWorkspace(site);
  }
  return { bot, user };
}
