import { createHmac } from 'node:crypto';
import { appFacts } from './app-facts.ts';
import { FaultyDelivery } from './faults/faulty-delivery.ts';
import { openSite, type Shared } from './open-site.ts';
import { openWire } from './open-wire.ts';
import { demandManifest } from './rules/invalid-manifest.ts';
import type { Site } from './site.ts';
import { botOf } from './state/app-user.ts';
import type { SavedState } from './state/saved-state.ts';
import { putPerson } from './state/team-changes.ts';
import type { FurtherApp } from './workspace-options.ts';

/** What each app has for itself. All else belongs to the workspace. */
type OwnState = Pick<SavedState, 'app' | 'homes' | 'responseUrls' | 'scheduled'>;

/** An id, token or secret of an app, the same after each start. */
type Derive = (purpose: string, length: number) => string;

/**
 * Opens the first workspace once more, as a further app sees it: with the same people, channels and messages, and with
 * a bot user, tokens and a connection of its own. Its Home tabs and scheduled messages end with the process.
 */
export function openApp(shared: Shared, first: Site, { manifest, delivery: to }: FurtherApp): Site {
  demandManifest(manifest);
  const facts = appFacts(manifest);
  if (first.apps.some((app) => app.facts.botName === facts.botName))
    throw new Error(`Two apps are called ${facts.botName}`);
  const derive: Derive = (purpose, length) =>
    createHmac('sha256', shared.signingSecret)
      .update(`${facts.botName} ${purpose}`)
      .digest('hex')
      .slice(0, length);
  const signingSecret = derive('signing secret', 32);
  const own = ownState(first, derive);
  const { sockets, wire } = openWire(to ?? { kind: 'socket' }, {
    appId: own.app.id,
    signingSecret,
    now: shared.base,
    changed: () => {
      const { botUserId } = own.app;
      first.audience.tellAll({ type: 'app', app: botUserId, connected: site.courier.connected });
    },
  });
  const delivery = new FaultyDelivery(wire, shared.faults, shared.base);
  const appToken = `xapp-1-${derive('app token', 36)}`;
  const site = openSite(
    { ...shared, facts, delivery, sockets, appToken, signingSecret },
    first.slack,
    sharedState(first, own),
    first,
  );
  enterWorkspace(site);
  return site;
}

function ownState(first: Site, derive: Derive): OwnState {
  const id = (kind: string) => `${kind}${derive(`id ${kind}`, 10).toUpperCase()}`;
  const appId = id('A');
  return {
    app: { id: appId, botId: id('B'), botUserId: id('U'), holder: `${first.state.team.id}/${appId}` },
    homes: {},
    responseUrls: [],
    scheduled: [],
  };
}

/** The state of a workspace with parts of an app's own in place of the first app's. */
function sharedState(first: Site, own: OwnState): SavedState {
  const ownerOf = (key: string | symbol): object => (key in own ? own : first.state);
  return new Proxy(first.state, {
    get: (_, key): unknown => Reflect.get(ownerOf(key), key),
    set: (_, key, value) => Reflect.set(ownerOf(key), key, value),
  });
}

/** The app's user and token are there, and it has shown nothing yet. Also after the workspace was restored. */
export function enterWorkspace({ state, slack, facts, signingSecret, apps }: Site): void {
  const { botUserId, holder = '' } = state.app;
  Object.assign(state, { homes: {}, responseUrls: [], scheduled: [] } satisfies Omit<OwnState, 'app'>);
  const [first] = apps;
  if (first) putPerson(first, botOf(facts, botUserId));
  const token = `xoxb-${createHmac('sha256', signingSecret).update('bot token').digest('hex').slice(0, 36)}`;
  if (slack.grants.some((grant) => grant.token === token)) return;
  slack.grants.push({ token, kind: 'bot', holder, user: botUserId });
}
