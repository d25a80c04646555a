import type { Tokens } from './state/state-folder.ts';
import type { TriggerExpiryError } from './state/triggers.ts';

/**
 * What `view.state` holds in a request for options. Slack sends no newer state than the view was opened or updated
 * with, and none at all was seen as well (bolt-js #1146 and #660, bolt-python #336, java-slack-sdk #1292):
 *
 * - `stale`: what each element began with in the view that the app sent last.
 * - `missing`: there is no `state`.
 * - `current`: what was chosen up to now.
 */
export const OPTIONS_STATES = ['stale', 'missing', 'current'] as const;
export type OptionsState = (typeof OPTIONS_STATES)[number];

export const DEFAULT_HOST = '127.0.0.1';

/** How long a person in a test waits for something to become visible, unless the workspace is told otherwise. */
export const DEFAULT_WAIT_MS = 1_000;

/** An app beside the first one. */
export interface OtherAppOptions {
  manifest: unknown;
  /** Defaults to Socket Mode. */
  delivery?: WorkspaceOptions['delivery'];
  /** False: the app is nowhere until somebody installs it by OAuth. Defaults to true: it is in the first workspace. */
  installed?: boolean;
}

export interface WorkspaceOptions {
  /** Defaults to 0: any free port. */
  port?: number;
  /**
   * The address or name of this machine to listen on, such as `0.0.0.0` in a container. Then the page needs the token
   * in `Workspace.pageUrl`. Defaults to loopback, without a token.
   */
  host?: string;
  /** State and tokens are kept here; without it they end with the workspace. */
  folder?: string;
  /** False: the folder only holds the tokens, and its state stays as it is. Defaults to true. */
  keepsState?: boolean;
  /** The app's manifest, parsed: commands, shortcuts, scopes, events, the bot's name. */
  manifest: unknown;
  /** How the app is reached: over Socket Mode, or by signed requests to its address. Defaults to Socket Mode. */
  delivery?: { kind: 'socket' } | { kind: 'http'; url: string };
  /** Further apps, each with its own bot user, tokens and connection. */
  otherApps?: readonly OtherAppOptions[];
  /** ms since the epoch. */
  now?: () => number;
  tokens?: Tokens;
  /** False: the app is nowhere until somebody installs it by OAuth. */
  installed?: boolean;
  /** Optional scopes of the manifest that the first workspace left out when it let the app in. */
  declinedScopes?: readonly string[];
  /**
   * Calls are counted, and too many answered with 429, as Slack does. `unlisted`: also as for an app that is sold
   * outside the Marketplace.
   */
  limits?: boolean | 'unlisted';
  /** How a trigger_id that is too old is refused; Slack does both. `expired_trigger_id` unless told. */
  expiredTrigger?: TriggerExpiryError;
  /** What `view.state` holds in requests for options. Defaults to `stale`. */
  optionsState?: OptionsState;
  /** ms that Slack takes to look through an uploaded file before a block may show it; 250 unless told. */
  fileProcessingMs?: number;
  /** How long a person in a test waits for something to become visible. Defaults to one second. */
  waitMs?: number;
  /**
   * Told when the clock was moved, and by how many ms it is ahead of the computer's now; at the start too where it is.
   */
  onClock?: (offsetMs: number) => void;
  /** Told when an earlier version's state was moved aside, and to which folder. */
  onMovedAside?: (to: string) => void;
}
