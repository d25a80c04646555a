import { once } from 'node:events';
import type { Actor } from './acting/actor.ts';
import { SlackAdmin } from './acting/slack-admin.ts';
import { Team } from './acting/team.ts';
import { type ManifestGap, manifestGaps } from './coverage/manifest-gaps.ts';
import type { OutsideSwitch } from './faults/outside-switch.ts';
import type { SlackFaults } from './faults/slack-faults.ts';
import { publicName } from './http/page-access.ts';
import { createWorkspaceServer, type Served } from './http/server.ts';
import { snapshot } from './http/snapshot.ts';
import { openSlack } from './open-slack.ts';
import type { Clock } from './state/clock.ts';
import { DEFAULT_HOST, type WorkspaceOptions } from './workspace-options.ts';

export interface Workspace {
  /** `http://127.0.0.1:3001`. */
  url: string;
  /** The page for people: `url`, with a token if the workspace listens on another address than loopback. */
  pageUrl: string;
  /** For `slackApiUrl`: `http://127.0.0.1:3001/api/`. */
  apiUrl: string;
  /** The app's in the first workspace; of no use where it was started without the app. */
  botToken: string;
  appToken: string;
  signingSecret: string;
  /** For OAuth. */
  clientId: string;
  clientSecret: string;
  /** Where people are asked: `http://127.0.0.1:3001/oauth/v2/authorize`. */
  authorizeUrl: string;
  /** What the manifest asks for and this workspace doesn't have. */
  manifestGaps: readonly ManifestGap[];
  /** The first workspace: the one that `as` and `admin` are about. */
  team: Team;
  /** A person to act as, by name: `Ana`. The same one each time, so that they stay where they went. */
  as(name: string): Actor;
  /** What only the owners of a workspace can do; and other workspaces and organisations come. */
  admin: SlackAdmin;
  /** How Slack is made to fail. */
  faults: SlackFaults;
  /** More switches on the page, of what stands beside Slack. */
  offerSwitches(switches: readonly OutsideSwitch[]): void;
  /** Moves the time of everything but acknowledgements and signatures. */
  clock: Pick<Clock, 'now' | 'advance' | 'set' | 'reset'>;
  close(): Promise<void>;
}

/**
 * A local Slack workspace. Rejects if the port is taken, the folder can't be read, or Slack would refuse the manifest.
 */
export async function startWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  let { port } = options;
  const { host = DEFAULT_HOST } = options;
  const url = () => `http://${publicName(host)}:${port}`;
  const { site, sockets, saver, delivery, clock, reset } = await openSlack(options, url);
  const begin = () => {
    reset();
    site.switches.clear().catch((error: unknown) => {
      console.error('The switches of the workspace could not be reset:', error);
    });
    // Open pages begin anew.
    site.audience.tellEach((person) => snapshot(site, person));
  };
  const served = (): Served => ({ site, port, sockets, reset: begin });
  const { server, sockets: pages } = createWorkspaceServer(served);
  server.listen(options.port, host);
  await once(server, 'listening');
  const address = server.address();
  if (address !== null && typeof address === 'object') port = address.port;
  const team = new Team(site);
  const { tokens, pageToken } = site.slack;
  return {
    url: url(),
    pageUrl: pageToken === undefined ? url() : `${url()}/?token=${pageToken}`,
    apiUrl: `${url()}/api/`,
    botToken: tokens.bot,
    appToken: tokens.app,
    signingSecret: tokens.signingSecret,
    clientId: tokens.clientId,
    clientSecret: tokens.clientSecret,
    manifestGaps: manifestGaps(options.manifest),
    authorizeUrl: `${url()}/oauth/v2/authorize`,
    team,
    as: (name) => team.as(name),
    admin: new SlackAdmin(site),
    faults: site.faults,
    offerSwitches: (switches) => site.switches.offer(switches),
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
