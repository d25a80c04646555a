import { type AppManifest, readManifest } from './app-manifest.ts';
import { FaultSwitches } from './faults/fault-switches.ts';
import { openDelivery } from './faults/faulty-delivery.ts';
import { derivePageToken } from './http/page-access.ts';
import { buildSnapshot } from './http/snapshot.ts';
import { type AppParts, addAppToWorkspace, createApps, openApp } from './open-app.ts';
import { openSite, type SharedContext } from './open-site.ts';
import type { ServerMessage } from './protocol.ts';
import { validateManifest } from './rules/manifest-rules.ts';
import type { Site, Slack } from './site.ts';
import { Clock } from './state/clock.ts';
import { createSampleTeam, withBotUser } from './state/new-team.ts';
import type { Grant, SavedSlack, SavedState } from './state/saved-state.ts';
import {
  createFolderFileStore,
  createMemoryFileStore,
  createSaver,
  createTokens,
  loadState,
  readOrCreateTokens,
  type Saver,
  type Tokens,
} from './state/state-folder.ts';
import { DEFAULT_HOST, type WorkspaceOptions } from './workspace-options.ts';

interface FirstStart {
  manifest: AppManifest;
  installed: boolean;
  /** The app's bot token if it is installed. It has all scopes of the manifest, except the declined ones. */
  botToken: string;
  declinedScopes: readonly string[];
}

function withoutApp(team: SavedState): SavedState {
  const { botUserId } = team.app;
  const channels = team.channels.map((channel) => ({
    ...channel,
    members: channel.members.filter((member) => member !== botUserId),
  }));
  const people = team.people.filter(({ id }) => id !== botUserId);
  return { ...team, people, channels, app: { ...team.app, absent: true } };
}

/** The first workspace at its first start. `now` in ms since the epoch. */
function createFirstTeam(start: FirstStart, now: number): { team: SavedState; grants: Grant[] } {
  const team = createSampleTeam(start.manifest, now);
  if (!start.installed) return { team: withoutApp(team), grants: [] };
  return { team, grants: [createFirstGrant(team, start)] };
}

/** The app's bot token in the first workspace, where the app is installed without OAuth. */
function createFirstGrant(
  { team, app }: SavedState,
  { botToken: token, manifest, declinedScopes }: FirstStart,
): Grant {
  const { ended, botUserId: user } = app;
  const required = declinedScopes.find((scope) => !manifest.optionalScopes.includes(scope));
  if (required !== undefined) throw new Error(`${required} isn't optional in the manifest`);
  const scopes = manifest.scopes?.filter((scope) => !declinedScopes.includes(scope));
  return {
    ...{ token, kind: 'bot' as const, holder: team.id, user },
    ...(declinedScopes.length > 0 && scopes ? { scopes } : {}),
    ...(ended ? { ended } : {}),
  };
}

/** Creates the state of a first start. Throws if a declined scope isn't optional. `now` in ms since the epoch. */
function createFirstState(start: FirstStart, now: number): SavedSlack {
  const { team, grants } = createFirstTeam(start, now);
  return { version: 2, teams: [team], organisations: [], grants, clockOffset: 0 };
}

async function loadOrCreateState(options: WorkspaceOptions) {
  const {
    folder,
    tokens,
    installed = true,
    declinedScopes = [],
    now = Date.now,
    onMovedAside = () => undefined,
  } = options;
  validateManifest(options.manifest);
  const manifest = readManifest(options.manifest);
  const validTokens = tokens ?? (folder === undefined ? createTokens() : await readOrCreateTokens(folder));
  const start = { manifest, installed, botToken: validTokens.bot, declinedScopes };
  const stored = folder === undefined ? undefined : await loadState(folder, onMovedAside);
  if (!stored) return { start, tokens: validTokens, state: createFirstState(start, now()) };
  const teams = stored.teams.map((team) => withBotUser(team, manifest));
  return { start, tokens: validTokens, state: { ...stored, teams } };
}

function buildSavedState(slack: Slack, clock: Clock): SavedSlack {
  const { organisations, grants } = slack;
  const teams = slack.sites.map(({ state }) => state);
  return { version: 2, teams, organisations, grants, clockOffset: clock.offset };
}

/** Replaces all workspaces, turns faults off, and sends each open page a new snapshot. */
function restore(
  shared: SharedContext,
  slack: Slack & { sites: Site[] },
  saved: SavedSlack,
  otherApps: readonly AppParts[],
): void {
  const [first, ...others] = saved.teams.map((team) => withBotUser(team, shared.manifest));
  const [site] = slack.sites;
  if (!first || !site) throw new Error('the emulator has no workspace');
  slack.sites.splice(1);
  slack.organisations.splice(0, Infinity, ...saved.organisations);
  slack.grants.splice(0, Infinity, ...saved.grants);
  site.traffic.clear();
  site.statuses.clear();
  site.state = first;
  for (const app of site.apps.slice(1)) {
    app.traffic.clear();
    app.statuses.clear();
    const parts = otherApps.find(({ id }) => id === app.state.app.id);
    if (parts) addAppToWorkspace(parts, app);
  }
  for (const team of others) slack.open(team);
  shared.fileStore.clear().catch((error: unknown) => {
    console.error('could not delete the files of the workspace:', error);
  });
  shared.switches.clear().catch((error: unknown) => {
    console.error('could not reset the fault switches:', error);
  });
  site.audience.sendToEach((person) => buildSnapshot(site, person));
  shared.touch();
}

function openSites(
  shared: SharedContext,
  otherApps: readonly AppParts[],
  state: SavedSlack,
  tokens: Tokens,
  clock: Clock,
  sites: Site[],
): Slack & { sites: Site[] } {
  const slack = {
    sites,
    organisations: state.organisations,
    grants: state.grants,
    codes: new Map(),
    tokens,
    pageToken: derivePageToken(shared.options.host ?? DEFAULT_HOST, tokens.signingSecret),
    open(team: SavedSlack['teams'][number]): Site {
      const site = openSite(shared, slack, team);
      sites.push(site);
      for (const app of otherApps) openApp(app, site);
      shared.touch();
      return site;
    },
    setClock: (to: number | 'now') => (to === 'now' ? clock.reset() : clock.set(to)),
    buildSavedState: () => buildSavedState(slack, clock),
  };
  for (const team of state.teams) slack.open(team);
  return slack;
}

/** Opens all workspaces, and the connections to their apps. */
export async function openSlack(options: WorkspaceOptions, url: () => string) {
  const { folder, now: systemNow = Date.now } = options;
  const { start, tokens, state } = await loadOrCreateState(options);
  const sites: Site[] = [];
  const sendToAll = (message: ServerMessage) => {
    for (const { audience } of slack.sites) audience.sendToAll(message);
  };
  const handleMovedClock = () => {
    options.onClock?.(clock.offset);
    sendToAll({ type: 'clock', now: clock.now() });
    saver?.touch();
  };
  const clock = new Clock(systemNow, handleMovedClock, state.clockOffset);
  const sendConnectionState = () => {
    for (const { audience, connection } of slack.sites) {
      audience.sendToAll({ type: 'app', connected: connection.connected });
    }
  };
  const { app: appToken, signingSecret, clientId, clientSecret } = tokens;
  const firstDelivery = openDelivery(options.delivery, {
    appId: state.teams[0]?.app.id ?? '',
    signingSecret,
    now: systemNow,
    onChange: sendConnectionState,
  });
  const saver: Saver | undefined =
    folder === undefined ? undefined : createSaver(folder, () => buildSavedState(slack, clock));
  const fileStore = folder === undefined ? createMemoryFileStore() : createFolderFileStore(folder);
  const allFaults = () => sites[0]?.apps.map((app) => app.faults) ?? [];
  const switches = new FaultSwitches(allFaults, (all) => sendToAll({ type: 'faults', switches: all }));
  const touch = () => saver?.touch();
  const { manifest } = start;
  const shared: SharedContext = {
    ...{ options, url, clock, systemNow, manifest, fileStore, switches, touch },
    ...{ appToken, signingSecret, clientId, clientSecret },
    ...firstDelivery,
  };
  const otherApps = createApps(shared, () => sites, options.otherApps ?? []);
  const slack = openSites(shared, otherApps, state, tokens, clock, sites);
  const [site] = slack.sites;
  if (!site) throw new Error('the emulator has no workspace');
  if (clock.offset !== 0) options.onClock?.(clock.offset);
  /**
   * Restores the first workspace to its initial state, and removes all others. Cancels scheduled messages, retries of
   * events, and faults.
   */
  const reset = () => {
    clock.cancelTimers();
    clock.reset();
    for (const app of site.apps) {
      app.faults.reset();
      app.rateLimits?.clear();
    }
    restore(shared, slack, createFirstState(start, clock.now()), otherApps);
  };
  const closeConnections = () => {
    for (const { connection } of slack.sites.flatMap(({ apps }) => apps)) connection.close();
  };
  return { site, saver, closeConnections, clock, reset };
}
