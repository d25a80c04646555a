import type { Actor } from './acting/actor.ts';
import type { AppTraffic } from './acting/app-traffic.ts';
import type { SlackAdmin } from './acting/slack-admin.ts';
import type { Team } from './acting/team.ts';
import type { ExternalSwitch } from './faults/fault-switches.ts';
import type { SlackFaults } from './faults/slack-faults.ts';
import type { ManifestGap } from './rules/manifest-gaps.ts';
import type { Clock } from './state/clock.ts';

export interface BoltOptions {
  token: string;
  clientOptions: { slackApiUrl: string };
  /** In Socket Mode. */
  socketMode?: true;
  appToken?: string;
  /** Over HTTP. */
  signingSecret?: string;
}

/** What an app of the workspace connects with, and its side of the traffic. */
interface InstalledApp {
  /** For `new App(…)` of Bolt for JavaScript, in the workspace's mode of delivery. */
  boltOptions: BoltOptions;
  /** The app's token in the first workspace. Invalid if the workspace was started without the app. */
  botToken: string;
  appToken: string;
  signingSecret: string;
  /** The app's credentials for OAuth. */
  clientId: string;
  clientSecret: string;
  /** The parts of the app's manifest that this workspace doesn't support. */
  manifestGaps: readonly ManifestGap[];
  /** The traffic with this app: its calls, and the requests to it. */
  app: AppTraffic;
  /** Makes Slack fail for this app. */
  faults: SlackFaults;
  /** Waits until the app is connected or, over HTTP, until something listens at its address. */
  waitForApp(): Promise<void>;
}

/** An app besides the first one. */
export interface OtherApp extends InstalledApp {
  name: string;
}

/** A running local Slack workspace. Its first app is its own. */
export interface Workspace extends InstalledApp {
  /** `http://127.0.0.1:3001`. */
  url: string;
  /** The page for people: `url`, with a token if the workspace listens on another address than loopback. */
  pageUrl: string;
  /** For `slackApiUrl`: `http://127.0.0.1:3001/api/`. */
  apiUrl: string;
  /** The control API, for tests in other languages: `http://127.0.0.1:3001/control`. */
  controlUrl: string;
  /** The consent page: `http://127.0.0.1:3001/oauth/v2/authorize`. */
  authorizeUrl: string;
  /** The first workspace, which `as` and `admin` are about. */
  team: Team;
  /** Finds a person by name, such as `Ana`. Returns the same actor each time, who stays in the same channel. */
  as(name: string): Actor;
  /** The other apps, in the order of `otherApps` in the options. */
  otherApps: readonly OtherApp[];
  /** The actions of owners, such as adding people and channels, and other workspaces and organisations. */
  admin: SlackAdmin;
  /** Adds switches for other systems to the page. */
  offerSwitches(switches: readonly ExternalSwitch[]): void;
  /** The clock of everything but acknowledgements and signatures. Tests can move it. */
  clock: Pick<Clock, 'now' | 'offset' | 'advance' | 'set' | 'reset'>;
  /**
   * Restores the first workspace as it is at its first start, and removes all others. The app stays connected, and its
   * tokens stay valid.
   */
  reset(): void;
  close(): Promise<void>;
  /** Closes the workspace at the end of a block: `await using workspace = await startWorkspace(…)`. */
  [Symbol.asyncDispose](): Promise<void>;
}
