import { appFacts } from './app-facts.ts';
import { FaultSwitches } from './faults/fault-switches.ts';
import { FaultyDelivery } from './faults/faulty-delivery.ts';
import { SlackFaults } from './faults/slack-faults.ts';
import { pageToken } from './http/page-access.ts';
import { snapshot } from './http/snapshot.ts';
import { enterWorkspace, openApp } from './open-app.ts';
import { openSite, type Shared } from './open-site.ts';
import { openWire } from './open-wire.ts';
import type { ServerMessage } from './protocol.ts';
import { Recorder } from './recording/recorder.ts';
import { demandManifest } from './rules/invalid-manifest.ts';
import type { Site, Slack } from './site.ts';
import { Clock } from './state/clock.ts';
import { bytesInFolder, bytesInMemory } from './state/file-bytes.ts';
import { beginning } from './state/first-team.ts';
import { createTokens, loadState, readOrCreateTokens, saveInto, type Tokens } from './state/folder.ts';
import { OAuthCodes } from './state/oauth-codes.ts';
import { withBot } from './state/sample-team.ts';
import type { Grant, SavedSlack } from './state/saved-slack.ts';
import type { TrafficRecord } from './traffic/traffic-record.ts';
import { DEFAULT_HOST, type WorkspaceOptions } from './workspace-options.ts';

const stateFolderOf = ({ folder, keepsState = true }: WorkspaceOptions) => (keepsState ? folder : undefined);

/** Reads the stored state, or creates that of the first start. */
async function readStart(options: WorkspaceOptions) {
  const {
    folder,
    manifest,
    tokens,
    installed = true,
    declinedScopes = [],
    now = Date.now,
    onMovedAside = () => undefined,
  } = options;
  demandManifest(manifest);
  const facts = appFacts(manifest);
  const given = tokens ?? (folder === undefined ? createTokens() : await readOrCreateTokens(folder));
  const start = { facts, installed, botToken: given.bot, declinedScopes };
  const stateFolder = stateFolderOf(options);
  const kept = stateFolder === undefined ? undefined : await loadState(stateFolder, onMovedAside);
  if (!kept) return { start, tokens: given, state: beginning(start, now()) };
  const teams = kept.teams.map((team) => withBot(team, facts));
  return { start, tokens: given, state: { ...kept, teams } };
}

/** The whole state, as it is stored. */
function stateOf(slack: Slack, clock: Clock): SavedSlack {
  const { organisations, grants } = slack;
  const teams = slack.sites.map(({ state }) => state);
  return { version: 2, teams, organisations, grants, clockOffset: clock.offset };
}

/** Replaces all workspaces. Faults are off then, and open pages begin anew. */
function restore(shared: Shared, slack: Slack & { sites: Site[] }, saved: SavedSlack): void {
  const [first, ...others] = saved.teams.map((team) => withBot(team, shared.facts));
  const [site] = slack.sites;
  if (!first || !site) throw new Error('A practice Slack has a workspace at least');
  slack.sites.splice(1);
  slack.organisations.splice(0, Infinity, ...saved.organisations);
  slack.grants.splice(0, Infinity, ...withTokens(saved.grants, first.team.id, slack.tokens.bot));
  site.traffic.clear();
  site.statuses.reset();
  site.state = first;
  for (const app of site.apps.slice(1)) {
    app.traffic.clear();
    enterWorkspace(app);
  }
  for (const team of others) slack.open(team);
  shared.fileBytes.clear().catch((error: unknown) => {
    console.error('The files of the workspace could not be removed:', error);
  });
  shared.switches.clear().catch((error: unknown) => {
    console.error('The switches of the workspace could not be reset:', error);
  });
  site.audience.tellEach((person) => snapshot(site, person));
  shared.touch();
}

/** A recording contains no tokens: the first installation gets the app's own, others get new ones. */
function withTokens(grants: readonly Grant[], firstTeam: string, botToken: string): Grant[] {
  const isFirst = ({ kind, holder }: Grant) => kind === 'bot' && holder === firstTeam;
  const own = grants.find(isFirst);
  return grants.map((grant) =>
    grant.token !== '' ? grant : { ...grant, token: grant === own ? botToken : createTokens().bot },
  );
}

/** Opens all workspaces. */
function openSites(
  shared: Shared,
  state: SavedSlack,
  tokens: Tokens,
  clock: Clock,
): Slack & { sites: Site[] } {
  const sites: Site[] = [];
  const slack = {
    sites,
    organisations: state.organisations,
    grants: state.grants,
    codes: new OAuthCodes(() => clock.now()),
    tokens,
    pageToken: pageToken(shared.options.host ?? DEFAULT_HOST, tokens.signingSecret),
    open(team: SavedSlack['teams'][number]): Site {
      const site = openSite(shared, slack, team);
      sites.push(site);
      shared.touch();
      return site;
    },
    setClock: (to: number | 'now') => (to === 'now' ? clock.reset() : clock.set(to)),
    trafficListeners: new Set<(record: TrafficRecord) => void>(),
    recorder: new Recorder(),
    saved: () => stateOf(slack, clock),
    restore: (saved: SavedSlack) => restore(shared, slack, saved),
  };
  for (const team of state.teams) slack.open(team);
  return slack;
}

/** Opens all workspaces with the connections to their apps. */
export async function openSlack(options: WorkspaceOptions, url: () => string) {
  const { now: base = Date.now } = options;
  const folder = stateFolderOf(options);
  const { start, tokens, state } = await readStart(options);
  const tellAll = (message: ServerMessage) => {
    for (const { audience } of slack.sites) audience.tellAll(message);
  };
  const moved = () => {
    options.onClock?.(clock.offset);
    tellAll({ type: 'clock', now: clock.now() });
    saver?.touch();
  };
  const clock = new Clock(base, moved, state.clockOffset);
  const tellConnected = () => {
    for (const { audience, courier } of slack.sites) {
      audience.tellAll({ type: 'app', connected: courier.connected });
    }
  };
  const { sockets, wire } = openWire(options.delivery ?? { kind: 'socket' }, {
    appId: state.teams[0]?.app.id ?? '',
    signingSecret: tokens.signingSecret,
    // The app checks signatures by the computer's clock, which nobody moves.
    now: base,
    changed: tellConnected,
  });
  const faults = new SlackFaults();
  const delivery = new FaultyDelivery(wire, faults, base);
  const saver = folder === undefined ? undefined : saveInto(folder, () => stateOf(slack, clock));
  const fileBytes = folder === undefined ? bytesInMemory() : bytesInFolder(folder);
  const switches = new FaultSwitches(faults, (all) => tellAll({ type: 'faults', switches: all }));
  const touch = () => saver?.touch();
  const { facts } = start;
  const { app: appToken, signingSecret } = tokens;
  const connection = { base, delivery, sockets, appToken, signingSecret };
  const shared: Shared = { options, url, clock, facts, fileBytes, faults, switches, touch, ...connection };
  const slack = openSites(shared, state, tokens, clock);
  const [site] = slack.sites;
  if (!site) throw new Error('A practice Slack has a workspace at least');
  for (const app of options.otherApps ?? []) openApp(shared, site, app);
  if (clock.offset !== 0) options.onClock?.(clock.offset);
  /**
   * Restores the first workspace as its manifest makes it, and removes all others. Nothing that was waiting happens any
   * more: scheduled messages, retries of events, faults.
   */
  const reset = () => {
    clock.forget();
    clock.reset();
    faults.reset();
    site.limits?.clear();
    slack.restore(beginning(start, clock.now()));
  };
  const closeDeliveries = () => {
    for (const { courier } of slack.sites.flatMap(({ apps }) => apps)) courier.close();
  };
  return { site, saver, closeDeliveries, clock, reset };
}
