import { once } from 'node:events';
import type { Actor } from './acting/actor.ts';
import { SlackAdmin } from './acting/slack-admin.ts';
import { Team } from './acting/team.ts';
import { type ManifestGap, manifestGaps } from './coverage/manifest-gaps.ts';
import type { OutsideSwitch } from './faults/outside-switch.ts';
import type { SlackFaults } from './faults/slack-faults.ts';
import { publicName } from './http/page-access.ts';
import { createWorkspaceServer, type Served } from './http/server.ts';
import { openSlack } from './open-slack.ts';
import type { ReplayOptions } from './recording/replay.ts';
import type { ReplayReport } from './recording/report.ts';
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
  /** Settles once the app is connected in Socket Mode; over HTTP at once. */
  connected(): Promise<void>;
  /** Records what people do and what the app makes of it: `write` gets JSON lines. Returns how to stop. */
  record(write: (line: string) => void): () => void;
  /**
   * Begins as the recording began, does again what people did in it, and reports what the app does differently. Rejects
   * a text that isn't a recording.
   */
  replay(recording: string, options?: ReplayOptions): Promise<ReplayReport>;
  /**
   * Restores the first workspace as its manifest makes it, and removes all others. The app stays connected, and its
   * tokens stay valid.
   */
  reset(): void;
  close(): Promise<void>;
  /** Closes the workspace at the end of a block: `await using workspace = await startWorkspace(…)`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** The longest time of a timer: 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * A local Slack workspace. Rejects if the port is taken, the folder can't be read, or Slack would refuse the manifest.
 */
export async function startWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  let { port = 0 } = options;
  const { host = DEFAULT_HOST } = options;
  const url = () => `http://${publicName(host)}:${port}`;
  const { site, sockets, saver, delivery, clock, reset } = await openSlack(options, url);
  const served = (): Served => ({ site, port, sockets, reset });
  const { server, sockets: pages } = createWorkspaceServer(served);
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  if (address !== null && typeof address === 'object') port = address.port;
  const team = new Team(site);
  const { tokens, pageToken } = site.slack;
  const close = async () => {
    clock.close();
    delivery.close();
    for (const page of pages.clients) page.terminate();
    server.closeAllConnections();
    const closed = once(server, 'close');
    server.close();
    await closed;
    await saver?.close();
  };
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
    connected: () => delivery.ready(MAX_TIMER_MS),
    record(write) {
      site.slack.recorder.start(site.slack, write);
      return () => site.slack.recorder.stop();
    },
    async replay(text, options) {
      const { parseRecording } = await import('./recording/recording.ts');
      const { replay } = await import('./recording/replay.ts');
      return replay(site.slack, parseRecording(text), options);
    },
    reset,
    close,
    [Symbol.asyncDispose]: close,
  };
}
