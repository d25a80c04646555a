import type { AppManifest } from './app-manifest.ts';
import type { AppConnection } from './deliver/app-connection.ts';
import type { SocketDelivery } from './deliver/socket-delivery.ts';
import type { FaultSwitches } from './faults/fault-switches.ts';
import type { SlackFaults } from './faults/slack-faults.ts';
import type { ThreadStatus } from './protocol.ts';
import type { Audience } from './state/audience.ts';
import type { RateLimits } from './state/rate-limits.ts';
import type { Grant, Organisation, SavedState } from './state/saved-state.ts';
import type { FileStore, Tokens } from './state/state-folder.ts';
import type { TrafficLog } from './traffic/traffic-log.ts';
import type { OptionsState } from './workspace-options.ts';

/** The parts of an app that are the same in all workspaces, and those that all apps share. */
export interface AppContext {
  readonly manifest: AppManifest;
  /** Undefined in HTTP mode. */
  readonly sockets: SocketDelivery | undefined;
  readonly appToken: string;
  readonly signingSecret: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Faults that tests inject for this app. */
  readonly faults: SlackFaults;
  /** The page's switches for faults. */
  readonly switches: FaultSwitches;
  readonly fileStore: FileStore;
  /** Marks the state as changed, so that it is stored soon. */
  touch(): void;
}

/**
 * A running workspace for one of its apps. It is called a site because `Workspace` is the public interface of the
 * emulator. The apps of a workspace share its people, channels and messages. Each app has its own connection, tokens,
 * Home tabs and scheduled messages.
 */
export interface Site extends AppContext {
  /** All workspaces, including this one. */
  readonly slack: Slack;
  /** ms since the epoch. */
  readonly now: () => number;
  /** Calls a function when the same clock has advanced by `ms`. */
  readonly runAfter: (ms: number, run: () => void) => void;
  /** `http://127.0.0.1:3001`, without a slash at the end. */
  readonly url: string;
  /** This workspace for each of its apps. Requests that are for no app go to the first one. */
  readonly apps: Site[];
  readonly audience: Audience;
  readonly triggers: Map<string, Trigger>;
  /** The app's statuses, by channel and thread. */
  readonly statuses: Map<string, ThreadStatus>;
  readonly connection: AppConnection;
  /** The records of the inspector. */
  readonly traffic: TrafficLog;
  /** Undefined without rate limits. */
  readonly rateLimits: RateLimits | undefined;
  readonly optionsState: OptionsState;
  readonly fileProcessingMs: number;
  /** The origin of this machine from which apps show pictures. Undefined if there is none. */
  readonly pictureOrigin: string | undefined;
  readonly waitMs: number;
  state: SavedState;
}

/** All workspaces, and the parts that they share. */
export interface Slack {
  /** The first one always exists. */
  readonly sites: readonly Site[];
  readonly organisations: Organisation[];
  /** The tokens of all installations. */
  readonly grants: Grant[];
  readonly codes: Map<string, OAuthCode>;
  /** The first app's own tokens and secrets. */
  readonly tokens: Tokens;
  /** The token that a browser needs. Undefined on loopback. */
  readonly pageToken: string | undefined;
  open(team: SavedState): Site;
  /** Moves the clock to a time (ms since the epoch), or back to the computer's. */
  setClock(to: number | 'now'): void;
}

/** The rights that a person allowed, which the app gets for its code. */
export interface Consent {
  client: string;
  person: string;
  /** The workspace or organisation in which the app is installed: `T…`, `E…`. */
  holder: string;
  /** For an organisation: the workspaces that get the app. */
  teams: readonly string[];
  scopes: readonly string[];
  userScopes: readonly string[];
  /** The address of the redirect, and whether the app's request contained it. */
  redirectUri: string;
  hasRedirectUri: boolean;
}

/** The code of a consent, and its use. */
export interface OAuthCode {
  consent: Consent;
  madeAt: number;
  isUsed: boolean;
}

export interface Trigger {
  person: string;
  /** Id of the view of the interaction. */
  fromView: string | undefined;
  madeAt: number;
  isUsed: boolean;
}
