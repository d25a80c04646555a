import { createHmac } from 'node:crypto';
import { readManifest } from './app-manifest.ts';
import { AppConnection, type Delivery } from './deliver/app-connection.ts';
import { HttpDelivery } from './deliver/http-delivery.ts';
import { SocketDelivery } from './deliver/socket-delivery.ts';
import { SlackFaults } from './faults/slack-faults.ts';
import { validateManifest } from './rules/manifest-rules.ts';
import type { AppContext, Site, Slack } from './site.ts';
import { findAppIn, getHolder } from './state/apps.ts';
import { Audience } from './state/audience.ts';
import type { Clock } from './state/clock.ts';
import { storePerson } from './state/directory.ts';
import { findValidGrants } from './state/grants.ts';
import { buildBotUser } from './state/new-team.ts';
import { RateLimits } from './state/rate-limits.ts';
import type { SavedState } from './state/saved-state.ts';
import { TrafficLog } from './traffic/traffic-log.ts';
import { resumeScheduled } from './web-api/scheduled-messages.ts';
import { DEFAULT_WAIT_MS, type OtherAppOptions, type WorkspaceOptions } from './workspace-options.ts';

/** The part of a workspace's state that each app has of its own. Apps share the rest. */
type OwnAppState = Pick<SavedState, 'app' | 'homes' | 'responseUrls' | 'scheduled'>;

/** An app besides the first one: the parts that are the same in all workspaces. */
export interface AppParts {
  id: string;
  isInstalled: boolean;
  shared: SharedContext;
}

/** Derives an id, a token or a secret, which stays the same after a restart. `length` in characters. */
function derive(secret: string, purpose: string, length: number): string {
  return createHmac('sha256', secret).update(purpose).digest('hex').slice(0, length);
}

/** A client id consists of two numbers. */
function deriveClientId(secret: string): string {
  const digits = BigInt(`0x1${derive(secret, 'client id', 24)}`).toString();
  return `${digits.slice(0, 12)}.${digits.slice(12, 24)}`;
}

/**
 * Opens the delivery to an app, with its faults. `onChange` is called when the app connects or disconnects. The app
 * checks signatures by `now`, the computer's clock, which tests can't move.
 */
export function openDelivery(
  to: WorkspaceOptions['delivery'],
  about: { appId: string; signingSecret: string; now: () => number; onChange: () => void },
): Pick<SharedContext, 'delivery' | 'sockets' | 'faults'> {
  const faults = new SlackFaults();
  if (to?.kind === 'http')
    return { faults, sockets: undefined, delivery: new HttpDelivery({ url: to.url, ...about }) };
  const sockets = new SocketDelivery(about.appId, about.onChange);
  return { faults, sockets, delivery: sockets };
}

/** Creates the connections and the secrets of the other apps. `sites` returns all workspaces. */
export function createApps(
  shared: SharedContext,
  sites: () => readonly Site[],
  apps: readonly OtherAppOptions[],
): AppParts[] {
  const created = apps.map((app) => createApp(shared, sites, app));
  // Tests find apps and bot users by their names, so the names must be unique.
  for (const key of ['name', 'botName'] as const) {
    const names = [shared.manifest[key], ...created.map((app) => app.shared.manifest[key])];
    const duplicate = names.find((name, index) => names.indexOf(name) !== index);
    if (duplicate !== undefined) throw new Error(`Two apps are called ${duplicate}`);
  }
  return created;
}

function createApp(shared: SharedContext, sites: () => readonly Site[], options: OtherAppOptions): AppParts {
  validateManifest(options.manifest);
  const manifest = readManifest(options.manifest);
  const signingSecret = derive(shared.signingSecret, `${manifest.botName} signing secret`, 32);
  const id = `A${derive(signingSecret, 'id', 10).toUpperCase()}`;
  const onChange = () => {
    for (const app of sites().flatMap((site) => findAppIn(site, id) ?? [])) {
      const { botUserId } = app.state.app;
      app.audience.sendToAll({ type: 'app', app: botUserId, connected: app.connection.connected });
    }
  };
  const about = { appId: id, signingSecret, onChange, now: shared.systemNow };
  const own = {
    ...openDelivery(options.delivery, about),
    ...{ manifest, signingSecret },
    appToken: `xapp-1-${derive(signingSecret, 'app token', 36)}`,
    clientId: deriveClientId(signingSecret),
    clientSecret: derive(signingSecret, 'client secret', 32),
  };
  return { id, isInstalled: options.installed ?? true, shared: { ...shared, ...own } };
}

/**
 * Opens a workspace for another app. The app shares people, channels and messages with the first app, and has its own
 * bot user. Its Home tabs and scheduled messages aren't stored.
 */
export function openApp(parts: AppParts, first: Site): void {
  const site = openSite(
    parts.shared,
    first.slack,
    buildSharedState(first, buildOwnState(parts, first)),
    first,
  );
  addAppToWorkspace(parts, site);
}

/** The app's bot user has different ids in each workspace. */
function buildOwnState({ id, shared }: AppParts, { state: { team } }: Site): OwnAppState {
  const deriveId = (kind: string) =>
    `${kind}${derive(shared.signingSecret, `${kind} ${team.id}`, 10).toUpperCase()}`;
  return {
    app: { id, botId: deriveId('B'), botUserId: deriveId('U'), holder: `${team.id}/${id}` },
    homes: {},
    responseUrls: [],
    scheduled: [],
  };
}

/** The state of the workspace, with the app's own part in place of the first app's. */
function buildSharedState(first: Site, own: OwnAppState): SavedState {
  const findOwner = (key: string | symbol): object => (key in own ? own : first.state);
  return new Proxy(first.state, {
    get: (_, key): unknown => Reflect.get(findOwner(key), key),
    set: (_, key, value) => Reflect.set(findOwner(key), key, value),
  });
}

/** Resets the app's part of a workspace, at the start and after a restore. Adds its bot user if it is installed. */
export function addAppToWorkspace(parts: AppParts, site: Site): void {
  const { slack, state, signingSecret, apps } = site;
  Object.assign(state, buildOwnState(parts, site));
  const { botUserId: user } = state.app;
  const token = buildFirstToken(signingSecret);
  const holder = getHolder(site);
  const isFirst = apps[0] === slack.sites[0];
  if (isFirst && parts.isInstalled && !slack.grants.some((grant) => grant.token === token))
    slack.grants.push({ token, kind: 'bot', holder, user });
  if (findValidGrants(slack, holder, site.now()).length > 0)
    storePerson(site, buildBotUser(site.manifest, user));
  else state.app.absent = true;
}

/** The app's bot token in the first workspace, if it is installed there from the start. */
export function buildFirstToken(signingSecret: string): string {
  return `xoxb-${derive(signingSecret, 'bot token', 36)}`;
}

/** Slack takes about this time: messages right after an upload fail, and later attempts succeed. */
const FILE_PROCESSING_MS = 250;

/** The parts that all workspaces share. */
export interface SharedContext extends AppContext {
  options: WorkspaceOptions;
  url: () => string;
  clock: Clock;
  /** The computer's clock, for signatures. Tests can't move it. ms since the epoch. */
  systemNow: () => number;
  delivery: Delivery;
}

/** Opens a workspace. With `first`, opens the same workspace for another app. */
export function openSite(shared: SharedContext, slack: Slack, state: SavedState, first?: Site): Site {
  const apps = first?.apps ?? [];
  const { options, url, clock, systemNow, delivery, ...own } = shared;
  const now = () => clock.now();
  const audience = first?.audience ?? new Audience();
  const traffic = new TrafficLog(audience, now, own.manifest.name);
  const site: Site = {
    ...own,
    slack,
    now,
    runAfter: (ms, run) => clock.runAfter(ms, run),
    get url() {
      return url();
    },
    apps,
    audience,
    triggers: new Map(),
    statuses: new Map(),
    connection: new AppConnection({
      ...{ delivery, traffic, faults: own.faults, now: systemNow },
      isInstalled: () => site.state.app.absent !== true,
    }),
    traffic,
    rateLimits: options.limits ? new RateLimits(now, options.limits === 'unlisted') : undefined,
    optionsState: options.optionsState ?? 'stale',
    fileProcessingMs: options.fileProcessingMs ?? FILE_PROCESSING_MS,
    pictureOrigin: options.picturesFrom === undefined ? undefined : new URL(options.picturesFrom).origin,
    waitMs: options.waitMs ?? DEFAULT_WAIT_MS,
    state,
  };
  apps.push(site);
  resumeScheduled(site);
  return site;
}
