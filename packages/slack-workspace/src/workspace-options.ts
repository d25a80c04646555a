import type { Tokens } from './state/state-folder.ts';

/**
 * The content of `view.state` in a request for options. Slack sends the state with which the app opened or last updated
 * the view, and sometimes none (bolt-js #1146 and #660, bolt-python #336, java-slack-sdk #1292):
 *
 * - `stale`: the initial values of the view that the app sent last.
 * - `missing`: no `state`.
 * - `current`: the current values.
 */
export const OPTIONS_STATES = ['stale', 'missing', 'current'] as const;
export type OptionsState = (typeof OPTIONS_STATES)[number];

export const DEFAULT_HOST = '127.0.0.1';

/** The default of `waitMs`. */
export const DEFAULT_WAIT_MS = 1_000;

/** An app besides the first one. */
export interface OtherAppOptions {
  manifest: unknown;
  /** Defaults to Socket Mode. */
  delivery?: WorkspaceOptions['delivery'];
  /** Whether the app is installed in the first workspace from the start, without OAuth. Defaults to true. */
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
  /** Where the state and the tokens are stored. Without a folder, they are lost when the workspace closes. */
  folder?: string;
  /** The app's parsed manifest: commands, shortcuts, scopes, events, the bot's name. */
  manifest: unknown;
  /** Delivery to the app: Socket Mode, or signed HTTP requests to its address. Defaults to Socket Mode. */
  delivery?: { kind: 'socket' } | { kind: 'http'; url: string };
  /** Other apps, each with its own bot user, tokens and connection. */
  otherApps?: readonly OtherAppOptions[];
  /** The computer's clock, in ms since the epoch. Defaults to `Date.now`. */
  now?: () => number;
  tokens?: Tokens;
  /** Whether the app is installed in the first workspace from the start, without OAuth. Defaults to true. */
  installed?: boolean;
  /** Optional scopes of the manifest that the app doesn't get in the first workspace. */
  declinedScopes?: readonly string[];
  /**
   * Whether calls are limited as in Slack, with the status 429. `unlisted` adds the limits for apps that are
   * distributed outside the Marketplace. Defaults to false.
   */
  limits?: boolean | 'unlisted';
  /** The content of `view.state` in requests for options. Defaults to `stale`. */
  optionsState?: OptionsState;
  /** Slack's time to process an uploaded file before a block can show it, in ms. Defaults to 250. */
  fileProcessingMs?: number;
  /** An address of this machine from which apps show pictures, as if Slack could reach it. */
  picturesFrom?: string;
  /** The time that a person in a test waits for something to become visible, in ms. Defaults to 1,000. */
  waitMs?: number;
  /**
   * Called when the clock was moved, with its lead over the computer's in ms. Also called at the start if it has a
   * lead.
   */
  onClock?: (offsetMs: number) => void;
  /** Called when the state of an earlier version was moved aside, with its new folder. */
  onMovedAside?: (to: string) => void;
}
