import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { AppTraffic } from './acting/app-traffic.ts';
import { SlackAdmin } from './acting/slack-admin.ts';
import { Team } from './acting/team.ts';
import { Control } from './control/control.ts';
import { getPublicName } from './http/page-access.ts';
import { createWorkspaceServer, type ServerContext } from './http/server.ts';
import { buildFirstToken } from './open-app.ts';
import { openSlack } from './open-slack.ts';
import { findManifestGaps } from './rules/manifest-gaps.ts';
import type { Site } from './site.ts';
import type { BoltOptions, OtherApp, Workspace } from './workspace.ts';
import { DEFAULT_HOST, type OtherAppOptions, type WorkspaceOptions } from './workspace-options.ts';

/** The longest timeout that Node.js supports: 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

function buildBoltOptions({ sockets, appToken, signingSecret, url }: Site, token: string): BoltOptions {
  const connection = sockets ? { socketMode: true as const, appToken } : { signingSecret };
  return { token, clientOptions: { slackApiUrl: `${url}/api/` }, ...connection };
}

function buildApp(site: Site, { manifest: input, delivery }: OtherAppOptions, botToken: string): OtherApp {
  const { manifest, appToken, signingSecret, clientId, clientSecret, faults } = site;
  return {
    ...{ botToken, appToken, signingSecret, clientId, clientSecret, faults },
    name: manifest.name,
    boltOptions: buildBoltOptions(site, botToken),
    manifestGaps: findManifestGaps(input),
    app: new AppTraffic(site),
    waitForApp: () => waitUntilReachable(site, delivery),
  };
}

const ATTEMPT_INTERVAL_MS = 200;

async function waitForServer(address: string): Promise<void> {
  const { protocol, hostname, port } = new URL(address);
  const socket = connect(Number(port) || (protocol === 'https:' ? 443 : 80), hostname);
  const isListening = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  if (isListening) return;
  await setTimeout(ATTEMPT_INTERVAL_MS);
  return waitForServer(address);
}

function waitUntilReachable({ connection }: Site, delivery: WorkspaceOptions['delivery']): Promise<void> {
  return delivery?.kind === 'http' ? waitForServer(delivery.url) : connection.ready(MAX_TIMER_MS);
}

/** Rejects if the port is taken, the folder can't be read, or Slack would refuse the manifest. */
export async function startWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  let { port = 0 } = options;
  const { host = DEFAULT_HOST, otherApps = [] } = options;
  const url = () => `http://${getPublicName(host)}:${port}`;
  const { site, saver, closeConnections, clock, reset } = await openSlack(options, url);
  const getContext = (): ServerContext => ({ site, port, control, reset });
  const { server, sockets: pages } = createWorkspaceServer(getContext);
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  if (address !== null && typeof address === 'object') port = address.port;
  const team = new Team(site);
  const { tokens, pageToken } = site.slack;
  const close = async () => {
    clock.close();
    closeConnections();
    for (const page of pages.clients) page.terminate();
    server.closeAllConnections();
    const closed = once(server, 'close');
    server.close();
    await closed;
    await saver?.close();
  };
  const workspace: Workspace = {
    ...buildApp(site, options, tokens.bot),
    url: url(),
    pageUrl: pageToken === undefined ? url() : `${url()}/?token=${pageToken}`,
    apiUrl: `${url()}/api/`,
    controlUrl: `${url()}/control`,
    authorizeUrl: `${url()}/oauth/v2/authorize`,
    team,
    as: (name) => team.as(name),
    otherApps: site.apps
      .slice(1)
      .flatMap((app, index) =>
        otherApps[index] ? buildApp(app, otherApps[index], buildFirstToken(app.signingSecret)) : [],
      ),
    admin: new SlackAdmin(site),
    offerSwitches: (switches) => site.switches.offer(switches),
    clock,
    reset,
    close,
    [Symbol.asyncDispose]: close,
  };
  const control = new Control(workspace, site.slack.sites);
  return workspace;
}
