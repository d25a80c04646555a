import { type AppManifest, readManifest } from './app-manifest.ts';
import { FaultSwitches } from './faults/fault-switches.ts';
import { derivePageToken } from './http/page-access.ts';
import { buildSnapshot } from './http/snapshot.ts';
import {
  type AppParts,
  addAppToWorkspace,
  createApps,
  openApp,
  openDelivery,
  openSite,
  type SharedContext,
} from './open-app.ts';
import type { ServerMessage } from './protocol.ts';
import { validateManifest } from './rules/manifest-rules.ts';
import type { Site, Slack } from './site.ts';
import { findAppIn } from './state/apps.ts';
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
} from './state/state-folder.ts';
import { DEFAULT_HOST, type WorkspaceOptions } from './workspace-options.ts';

/**
 * The state of a first start, with one workspace. The app's token there has all scopes of the manifest except the
 * declined ones. Throws if one of those isn't optional.
 */
function createFirstState(
  { installed = true, declinedScopes = [] }: WorkspaceOptions,
  manifest: AppManifest,
  token: string,
  now: number,
) {
  const team = createSampleTeam(manifest, now);
  const { botUserId: user } = team.app;
  const grants: Grant[] = [];
  if (installed) {
    const required = declinedScopes.find((scope) => !manifest.optionalScopes.includes(scope));
    if (required !== undefined) throw new Error(`${required} isn't optional in the manifest`);
    const scopes = manifest.scopes?.filter((scope) => !declinedScopes.includes(scope));
    const isLimited = declinedScopes.length > 0 && scopes !== undefined;
    grants.push({ token, kind: 'bot', holder: team.team.id, user, ...(isLimited && { scopes }) });
  } else {
    team.app.absent = true;
    team.people = team.people.filter(({ id }) => id !== user);
    for (const channel of team.channels) channel.members = channel.members.filter((id) => id !== user);
  }
  const teams: [SavedState] = [team];
  return { version: 2, teams, organisations: [], grants, clockOffset: 0 } satisfies SavedSlack;
}

/** Ends the faults and the traffic of all apps, deletes all files, and sends each open page a new snapshot. */
function restoreApps(site: Site, otherApps: readonly AppParts[]): void {
  for (const app of site.apps) {
    app.faults.reset();
    app.rateLimits?.clear();
    app.traffic.clear();
    app.statuses.clear();
    app.triggers.clear();
  }
  for (const parts of otherApps) {
    const app = findAppIn(site, parts.id);
    if (app) addAppToWorkspace(parts, app);
  }
  Promise.all([site.fileStore.clear(), site.switches.clear()]).catch((error: unknown) => {
    console.error('could not reset the files or faults of the workspace:', error);
  });
  site.audience.sendToEach((person) => buildSnapshot(site, person));
  site.touch();
}

/** Opens all workspaces, and the connections to their apps. */
export async function openSlack(options: WorkspaceOptions, url: () => string) {
  const { folder, now: systemNow = Date.now, onMovedAside = () => undefined } = options;
  validateManifest(options.manifest);
  const manifest = readManifest(options.manifest);
  const tokens = options.tokens ?? (folder === undefined ? createTokens() : await readOrCreateTokens(folder));
  const { bot, app: appToken, signingSecret, clientId, clientSecret } = tokens;
  const stored = folder === undefined ? undefined : await loadState(folder, onMovedAside);
  const state: SavedSlack = stored ?? createFirstState(options, manifest, bot, systemNow());
  const [firstTeam, ...otherTeams] = state.teams.map((team) => withBotUser(team, manifest));
  if (!firstTeam) throw new Error('the emulator has no workspace');
  const sites: Site[] = [];
  const sendToAll = (message: ServerMessage) => {
    for (const { audience } of sites) audience.sendToAll(message);
  };
  const handleMovedClock = () => {
    options.onClock?.(clock.offset);
    sendToAll({ type: 'clock', now: clock.now() });
    touch();
  };
  const clock = new Clock(systemNow, handleMovedClock, state.clockOffset);
  const buildState = (): SavedSlack => {
    const { organisations, grants } = slack;
    const teams = sites.map((site) => site.state);
    return { version: 2, teams, organisations, grants, clockOffset: clock.offset };
  };
  const saver: Saver | undefined = folder === undefined ? undefined : createSaver(folder, buildState);
  const touch = () => saver?.touch();
  const shared: SharedContext = {
    ...{ options, url, clock, systemNow, manifest, touch },
    ...{ appToken, signingSecret, clientId, clientSecret },
    fileStore: folder === undefined ? createMemoryFileStore() : createFolderFileStore(folder),
    switches: new FaultSwitches(
      () => sites[0]?.apps.map((app) => app.faults) ?? [],
      (switches) => sendToAll({ type: 'changed', parts: { faults: switches } }),
    ),
    ...openDelivery(options.delivery, {
      appId: firstTeam.app.id,
      signingSecret,
      now: systemNow,
      onChange() {
        for (const {
          audience,
          connection,
          state: { app },
        } of sites)
          audience.sendToAll({ type: 'app', app: app.botUserId, connected: connection.connected });
      },
    }),
  };
  const otherApps = createApps(shared, () => sites, options.otherApps ?? []);
  const slack: Slack = {
    sites,
    organisations: state.organisations,
    grants: state.grants,
    codes: new Map(),
    tokens,
    pageToken: derivePageToken(options.host ?? DEFAULT_HOST, signingSecret),
    open(team) {
      const site = openSite(shared, slack, team);
      sites.push(site);
      for (const app of otherApps) openApp(app, site);
      touch();
      return site;
    },
    setClock: (to) => (to === 'now' ? clock.reset() : clock.set(to)),
  };
  const [site = slack.open(firstTeam)] = sites;
  for (const team of otherTeams) slack.open(team);
  if (clock.offset !== 0) options.onClock?.(clock.offset);
  const reset = () => {
    clock.cancelTimers();
    clock.reset();
    const first = createFirstState(options, manifest, bot, clock.now());
    for (const { connection } of sites.flatMap(({ apps }) => apps)) connection.cancel();
    sites.splice(1);
    slack.codes.clear();
    slack.organisations.splice(0);
    slack.grants.splice(0, Infinity, ...first.grants);
    [site.state] = first.teams;
    restoreApps(site, otherApps);
  };
  const closeConnections = () => {
    for (const { connection } of sites.flatMap(({ apps }) => apps)) connection.close();
  };
  return { site, saver, closeConnections, clock, reset };
}
