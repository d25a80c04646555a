import { createHmac } from 'node:crypto';
import { readManifest } from './app-manifest.ts';
import { FaultyDelivery } from './faults/faulty-delivery.ts';
import { openDelivery } from './open-delivery.ts';
import { openSite, type SharedContext } from './open-site.ts';
import { validateManifest } from './rules/manifest-rules.ts';
import type { Site } from './site.ts';
import { buildBotUser } from './state/bot-user.ts';
import type { SavedState } from './state/saved-state.ts';
import { storePerson } from './state/team-changes.ts';
import type { OtherAppOptions } from './workspace-options.ts';

/** The part of the state that each app has of its own. Apps share the rest of the workspace. */
type OwnAppState = Pick<SavedState, 'app' | 'homes' | 'responseUrls' | 'scheduled'>;

/** Derives an id, a token or a secret of an app, which stays the same after a restart. `length` in characters. */
type DeriveSecret = (purpose: string, length: number) => string;

/**
 * Adds another app to the first workspace. It shares people, channels and messages with the first app, and has its own
 * bot user, tokens and connection. Its Home tabs and scheduled messages aren't stored. Throws if Slack would refuse the
 * manifest, or if another app has the same bot name.
 */
export function openApp(shared: SharedContext, first: Site, options: OtherAppOptions): Site {
  validateManifest(options.manifest);
  const manifest = readManifest(options.manifest);
  if (first.apps.some((app) => app.manifest.botName === manifest.botName))
    throw new Error(`Two apps are called ${manifest.botName}`);
  const derive: DeriveSecret = (purpose, length) =>
    createHmac('sha256', shared.signingSecret)
      .update(`${manifest.botName} ${purpose}`)
      .digest('hex')
      .slice(0, length);
  const signingSecret = derive('signing secret', 32);
  const own = ownState(first, derive);
  const { sockets, wire } = openDelivery(options.delivery ?? { kind: 'socket' }, {
    appId: own.app.id,
    signingSecret,
    now: shared.systemNow,
    onChange: () => {
      const { botUserId } = own.app;
      first.audience.sendToAll({ type: 'app', app: botUserId, connected: site.courier.connected });
    },
  });
  const delivery = new FaultyDelivery(wire, shared.faults, shared.systemNow);
  const appToken = `xapp-1-${derive('app token', 36)}`;
  const site = openSite(
    { ...shared, manifest, delivery, sockets, appToken, signingSecret },
    first.slack,
    sharedState(first, own),
    first,
  );
  addAppToWorkspace(site);
  return site;
}

function ownState(first: Site, derive: DeriveSecret): OwnAppState {
  const id = (kind: string) => `${kind}${derive(`id ${kind}`, 10).toUpperCase()}`;
  const appId = id('A');
  return {
    app: { id: appId, botId: id('B'), botUserId: id('U'), holder: `${first.state.team.id}/${appId}` },
    homes: {},
    responseUrls: [],
    scheduled: [],
  };
}

/** The state of the workspace, with an app's own part in place of the first app's. */
function sharedState(first: Site, own: OwnAppState): SavedState {
  const ownerOf = (key: string | symbol): object => (key in own ? own : first.state);
  return new Proxy(first.state, {
    get: (_, key): unknown => Reflect.get(ownerOf(key), key),
    set: (_, key, value) => Reflect.set(ownerOf(key), key, value),
  });
}

/** Adds the app's bot user and token to the workspace, at its first start and after the workspace was restored. */
export function addAppToWorkspace({ state, slack, manifest, signingSecret, apps }: Site): void {
  const { botUserId, holder = '' } = state.app;
  Object.assign(state, { homes: {}, responseUrls: [], scheduled: [] } satisfies Omit<OwnAppState, 'app'>);
  const [first] = apps;
  if (first) storePerson(first, buildBotUser(manifest, botUserId));
  const token = `xoxb-${createHmac('sha256', signingSecret).update('bot token').digest('hex').slice(0, 36)}`;
  if (slack.grants.some((grant) => grant.token === token)) return;
  slack.grants.push({ token, kind: 'bot', holder, user: botUserId });
}
