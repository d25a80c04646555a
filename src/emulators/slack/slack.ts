import type { Site } from './site.ts';
import type { Tokens } from './state/folder.ts';
import type { OAuthCodes } from './state/oauth-codes.ts';
import type { Grant, Organisation } from './state/saved-slack.ts';
import type { SavedState } from './state/saved-state.ts';

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
  /** A further workspace. */
  open(team: SavedState): Site;
  /** Moves everything to a moment (ms), or back to the computer's own time. */
  setClock(to: number | 'now'): void;
}
