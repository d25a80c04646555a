import type { Tokens } from './state/folder.ts';
import type { ExpirySpelling } from './state/triggers.ts';

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
  /** False: the app is nowhere until somebody installs it by OAuth. */
  installed?: boolean;
  /** Calls are counted, and too many answered with 429, as Slack does. `unlisted`: also as for an app that is sold outside the Marketplace. */
  limits?: boolean | 'unlisted';
  /** How a trigger_id that is too old is refused; Slack does both. `expired_trigger_id` unless told. */
  expiredTrigger?: ExpirySpelling;
  /** ms that Slack takes to look through an uploaded file before a block may show it; 250 unless told. */
  fileProcessingMs?: number;
  /** Told when the clock was moved, and by how many ms it is ahead of the computer's now; at the start too where it is. */
  onClock?: (offsetMs: number) => void;
}
