import type { AppFacts } from './app-facts.ts';
import type { Courier } from './deliver/courier.ts';
import type { SocketDelivery } from './deliver/socket-delivery.ts';
import type { FaultSwitches } from './faults/fault-switches.ts';
import type { SlackFaults } from './faults/slack-faults.ts';
import type { PageRequest } from './page-request.ts';
import type { Upload } from './recording/recording.ts';
import type { Audience } from './state/audience.ts';
import type { FileBytes } from './state/file-bytes.ts';
import type { Tokens } from './state/folder.ts';
import type { Limits } from './state/limits.ts';
import type { OAuthCodes } from './state/oauth-codes.ts';
import type { Grant, Organisation, SavedSlack } from './state/saved-slack.ts';
import type { SavedState } from './state/saved-state.ts';
import type { ThreadStatuses } from './state/thread-statuses.ts';
import type { Triggers } from './state/triggers.ts';
import type { TrafficLog } from './traffic/traffic-log.ts';
import type { TrafficRecord } from './traffic/traffic-record.ts';
import type { OptionsState } from './workspace-options.ts';

/** What the rooms of one running workspace share. */
export interface Site {
  /** The practice Slack that it is a workspace of. */
  readonly slack: Slack;
  /** ms since the epoch. */
  readonly now: () => number;
  /** Runs this so many ms later by the same clock. */
  readonly after: (ms: number, run: () => void) => void;
  /** `http://127.0.0.1:3001`, without a slash at the end. */
  readonly url: string;
  readonly facts: AppFacts;
  /** This workspace as each of its apps sees it. The first app sees the workspace itself. */
  readonly apps: Site[];
  /** Undefined in HTTP mode. */
  readonly sockets: SocketDelivery | undefined;
  readonly appToken: string;
  readonly signingSecret: string;
  readonly audience: Audience;
  readonly triggers: Triggers;
  readonly statuses: ThreadStatuses;
  readonly courier: Courier;
  /** What the inspector shows. */
  readonly traffic: TrafficLog;
  readonly fileBytes: FileBytes;
  /** Undefined: calls are not counted. */
  readonly limits: Limits | undefined;
  /** What fails on purpose. */
  readonly faults: SlackFaults;
  /** The same by hand, on the page. */
  readonly switches: FaultSwitches;
  /** What `view.state` holds in requests for options. */
  readonly optionsState: OptionsState;
  /** ms that a file takes to be looked through after its upload was completed. */
  readonly fileProcessingMs: number;
  /** How long a person in a test waits for something to become visible. */
  readonly waitMs: number;
  state: SavedState;
  /** The state changed and wants to be kept. */
  touch(): void;
}

/** What the workspaces of one practice Slack share. */
export interface Slack {
  /** The first is there from the start. */
  readonly sites: readonly Site[];
  readonly organisations: Organisation[];
  /** The app's tokens, in all its installations. */
  readonly grants: Grant[];
  readonly codes: OAuthCodes;
  /** Those of the app itself. */
  readonly tokens: Tokens;
  /** What a browser has to present. Undefined on loopback. */
  readonly pageToken: string | undefined;
  /** They get each record of all workspaces when it begins, and whenever it changes. */
  readonly trafficListeners: Set<(record: TrafficRecord) => void>;
  readonly recorder: SessionRecorder;
  /** All that it remembers. */
  saved(): SavedSlack;
  /** Replaces everything but the app's own tokens. */
  restore(saved: SavedSlack): void;
  /** A further workspace. */
  open(team: SavedState): Site;
  /** Moves everything to a moment (ms), or back to the computer's own time. */
  setClock(to: number | 'now'): void;
}

/** Writes what people do, and what the app was sent and called, from `start` until `stop`. */
export interface SessionRecorder {
  readonly isRecording: boolean;
  /** `write` gets one line at a time. Refuses with `already_recording`. */
  start(slack: Slack, write: (line: string) => void): void;
  stop(): void;
  /** Runs what a person does, and records it. */
  deed<T>(site: Site, person: string, request: PageRequest | Upload, run: () => Promise<T>): Promise<T>;
}
