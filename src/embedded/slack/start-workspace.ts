import { once } from 'node:events';
import { Actor } from './acting/actor.ts';
import { Admin } from './acting/admin.ts';
import { appFacts } from './app-facts.ts';
import { Courier } from './deliver/courier.ts';
import { HttpDelivery } from './deliver/http-delivery.ts';
import { SocketDelivery } from './deliver/socket-delivery.ts';
import { createWorkspaceServer, type Served } from './http/server.ts';
import { snapshot } from './http/snapshot.ts';
import { demandManifest } from './rules/invalid-manifest.ts';
import type { Site } from './site.ts';
import { Audience } from './state/audience.ts';
import { Clock } from './state/clock.ts';
import { personByName } from './state/directory.ts';
import { bytesInFolder, bytesInMemory } from './state/file-bytes.ts';
import { keptTokens, loadState, makeTokens, saveInto, type Tokens } from './state/folder.ts';
import { Limits } from './state/limits.ts';
import { sampleTeam, withBot } from './state/sample-team.ts';
import { type ExpirySpelling, Triggers } from './state/triggers.ts';

export interface WorkspaceOptions {
  /** 0: any free one. */
  port: number;
  /** State and tokens are kept here; without it they end with the workspace. */
  folder?: string;
  /** The app's manifest, parsed: commands, shortcuts, scopes, events, the bot's name. */
  manifest: unknown;
  /** How the app is reached: over Socket Mode, or by signed requests to its address. */
  delivery: { kind: 'socket' } | { kind: 'http'; url: string };
  /** ms since the epoch. */
  now?: () => number;
  tokens?: Tokens;
  /** Calls are counted, and too many answered with 429, as Slack does. `unlisted`: also as for an app that is sold outside the Marketplace. */
  limits?: boolean | 'unlisted';
  /** How a trigger_id that is too old is refused; Slack does both. `expired_trigger_id` unless told. */
  expiredTrigger?: ExpirySpelling;
  /** ms that Slack takes to look through an uploaded file before a block may show it; 250 unless told. */
  fileProcessingMs?: number;
}

/** A moment, as far as is known: what is posted right after an upload fails, what is tried again does not. */
const FILE_PROCESSING_MS = 250;

export interface Workspace {
  /** The page: `http://127.0.0.1:3001`. */
  url: string;
  /** For `slackApiUrl`: `http://127.0.0.1:3001/api/`. */
  apiUrl: string;
  botToken: string;
  appToken: string;
  signingSecret: string;
  /** A person to act as, by name: `Ana`. The same one each time, so that they stay where they went. */
  as(name: string): Actor;
  /** What only the owners of a workspace can do. */
  admin: Admin;
  /** Moves the time of everything but acknowledgements and signatures. */
  clock: Pick<Clock, 'now' | 'advance' | 'set'>;
  close(): Promise<void>;
}

async function openSite(options: WorkspaceOptions, url: () => string) {
  demandManifest(options.manifest);
  const base = options.now ?? Date.now;
  const facts = appFacts(options.manifest);
  const tokens =
    options.tokens ?? (options.folder === undefined ? makeTokens() : await keptTokens(options.folder));
  const kept = options.folder === undefined ? undefined : await loadState(options.folder);
  const audience = new Audience();
  const clock = new Clock(base, (moved) => audience.tellAll({ type: 'clock', now: moved }));
  const now = () => clock.now();
  const state = kept ? withBot(kept, facts) : sampleTeam(facts, now());
  const tellConnected = () => audience.tellAll({ type: 'app', connected: delivery.connected });
  const { kind } = options.delivery;
  const sockets = kind === 'socket' ? new SocketDelivery(state.app.id, tellConnected) : undefined;
  const delivery =
    options.delivery.kind === 'http'
      ? new HttpDelivery({
          url: options.delivery.url,
          signingSecret: tokens.signingSecret,
          // The app checks signatures by a clock that nobody moved.
          now: base,
          changed: tellConnected,
        })
      : (sockets ?? new SocketDelivery(state.app.id, tellConnected));
  const saver = options.folder === undefined ? undefined : saveInto(options.folder, () => site.state);
  const site: Site = {
    now,
    after: (ms, run) => clock.after(ms, run),
    get url() {
      return url();
    },
    facts,
    tokens,
    audience,
    triggers: new Triggers(now, options.expiredTrigger ?? 'expired_trigger_id'),
    courier: new Courier(delivery, audience, now),
    fileBytes: options.folder === undefined ? bytesInMemory() : bytesInFolder(options.folder),
    limits: options.limits ? new Limits(now, options.limits === 'unlisted') : undefined,
    fileProcessingMs: options.fileProcessingMs ?? FILE_PROCESSING_MS,
    state,
    touch: () => saver?.touch(),
  };
  return { site, sockets, saver, delivery, clock };
}

/** The sample team again, as on the first day. Open pages begin anew. */
function reset(site: Site): void {
  site.state = sampleTeam(site.facts, site.now());
  void site.fileBytes.clear();
  site.touch();
  site.audience.tellEach((person) => snapshot(site, person));
}

function actorNamed(site: Site, actors: Map<string, Actor>, name: string): Actor {
  const person = personByName(site, name);
  if (!person) throw new Error(`Nobody in this workspace is called ${name}`);
  if (person.deactivated) throw new Error(`The account of ${name} was deactivated`);
  const actor = actors.get(person.id) ?? new Actor(site, person);
  actors.set(person.id, actor);
  return actor;
}

/**
 * A local Slack workspace, on loopback only. Rejects when the port is taken, the folder cannot be read, or Slack would
 * not take the manifest.
 */
export async function startWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  let port = options.port;
  const url = () => `http://127.0.0.1:${port}`;
  const { site, sockets, saver, delivery, clock } = await openSite(options, url);
  const served = (): Served => ({ site, port, sockets, reset: () => reset(site) });
  const { server, sockets: pages } = createWorkspaceServer(served);
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address !== null && typeof address === 'object') port = address.port;
  const actors = new Map<string, Actor>();
  return {
    url: url(),
    apiUrl: `${url()}/api/`,
    botToken: site.tokens.bot,
    appToken: site.tokens.app,
    signingSecret: site.tokens.signingSecret,
    as: (name) => actorNamed(site, actors, name),
    admin: new Admin(site),
    clock,
    async close() {
      clock.close();
      delivery.close();
      for (const page of pages.clients) page.terminate();
      server.closeAllConnections();
      const closed = once(server, 'close');
      server.close();
      await closed;
      await saver?.close();
    },
  };
}
