import type { AppManifest } from './app-manifest.ts';
import type { Courier } from './deliver/courier.ts';
import type { SocketDelivery } from './deliver/socket-delivery.ts';
import type { FaultSwitches } from './faults/fault-switches.ts';
import type { SlackFaults } from './faults/slack-faults.ts';
import type { PageRequest } from './page-request.ts';
import type { Upload } from './recording/recording.ts';
import type { Audience } from './state/audience.ts';
import type { FileStore } from './state/file-store.ts';
import type { OAuthCodes } from './state/oauth-codes.ts';
import type { RateLimits } from './state/rate-limits.ts';
import type { Grant, Organisation, SavedSlack } from './state/saved-slack.ts';
import type { SavedState } from './state/saved-state.ts';
import type { Tokens } from './state/state-folder.ts';
import type { ThreadStatuses } from './state/thread-statuses.ts';
import type { Triggers } from './state/triggers.ts';
import type { TrafficLog } from './traffic/traffic-log.ts';
import type { TrafficRecord } from './traffic/traffic-record.ts';
import type { OptionsState } from './workspace-options.ts';

/** One running workspace, as one of its apps sees it. */
export interface Site {
  /** All workspaces, of which this is one. */
  readonly slack: Slack;
  /** ms since the epoch. */
  readonly now: () => number;
  /** Runs this so many ms later by the same clock. */
  readonly runAfter: (ms: number, run: () => void) => void;
  /** `http://127.0.0.1:3001`, without a slash at the end. */
  readonly url: string;
  readonly manifest: AppManifest;
  /** This workspace as each of its apps sees it. The first app sees the workspace itself. */
  readonly apps: Site[];
  /** Undefined in HTTP mode. */
  readonly sockets: SocketDelivery | undefined;
  readonly appToken: string;
  readonly signingSecret: string;
  /** The app's credentials for OAuth. */
  readonly clientId: string;
  readonly clientSecret: string;
  readonly audience: Audience;
  readonly triggers: Triggers;
  readonly statuses: ThreadStatuses;
  readonly courier: Courier;
  /** What the inspector shows. */
  readonly traffic: TrafficLog;
  readonly fileStore: FileStore;
  /** Undefined without rate limits. */
  readonly rateLimits: RateLimits | undefined;
  /** Failures on purpose, of this app. */
  readonly faults: SlackFaults;
  /** The page's switches for failures on purpose. */
  readonly switches: FaultSwitches;
  /** What `view.state` contains in requests for options. */
  readonly optionsState: OptionsState;
  /** Time that Slack takes to process a completed upload, ms. */
  readonly fileProcessingMs: number;
  /** How long a person in a test waits for something to become visible. */
  readonly waitMs: number;
  state: SavedState;
  /** Stores the changed state soon. */
  touch(): void;
}

/** All workspaces, and what they share. */
export interface Slack {
  /** The first one always exists. */
  readonly sites: readonly Site[];
  readonly organisations: Organisation[];
  /** The tokens of all installations. */
  readonly grants: Grant[];
  readonly codes: OAuthCodes;
  /** The first app's own tokens and secrets. */
  readonly tokens: Tokens;
  /** The token that a browser needs. Undefined on loopback. */
  readonly pageToken: string | undefined;
  /** They get each record of all workspaces when it begins, and whenever it changes. */
  readonly trafficListeners: Set<(record: TrafficRecord) => void>;
  readonly recorder: SessionRecorder;
  /** The whole state, as it is stored. */
  buildSavedState(): SavedSlack;
  /** Replaces everything but the app's own tokens. */
  restore(saved: SavedSlack): void;
  /** Opens a further workspace. */
  open(team: SavedState): Site;
  /** Moves the clock to a time (ms since the epoch), or back to the computer's. */
  setClock(to: number | 'now'): void;
}

/** Writes what people do, and what the app was sent and called, from `start` until `stop`. */
export interface SessionRecorder {
  readonly isRecording: boolean;
  /** `write` gets one line at a time. Refuses with `already_recording`. */
  start(slack: Slack, write: (line: string) => void): void;
  stop(): void;
  /** Runs what a person does, and records it. */
  recordAction<T>(
    site: Site,
    person: string,
    request: PageRequest | Upload,
    run: () => Promise<T>,
  ): Promise<T>;
}
