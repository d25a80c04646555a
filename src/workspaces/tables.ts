import type { Moment, NullableMoment } from '../store/column-types.ts';

/** Where the app was installed by OAuth: in a workspace (`T…`), or in a whole organisation (`E…`). */
export interface InstallationTable {
  id: string;
  name: string;
  /** Sealed JSON: the bot token, and the one that it is refreshed with where tokens rotate. */
  tokens: string;
  /** Where tokens rotate. */
  expires_at: NullableMoment;
  /** Somebody is asking for the next token. */
  refreshing_until: NullableMoment;
  bot_user: string;
  installed_by: string;
  installed_at: Moment;
}

/** By which installation the app is in a workspace: its own, or its organisation's. */
export interface InstalledWorkspaceTable {
  workspace: string;
  installation: string;
}

/** The app has left somewhere, and what must go is not gone yet. */
export interface DepartureTable {
  /** Slack's id of the event. */
  id: string;
  kind: string;
  /** A workspace (`T…`) or an organisation (`E…`). */
  installation: string;
  /** Those of the organisation's workspaces that the event names, separated by blanks. */
  workspaces: string;
  left_at: Moment;
  /** When to try next. */
  next_at: Moment;
}

/** The app has left a workspace or an organisation, or its tokens there were revoked. */
export interface LeftWorkspaceTable {
  workspace: string;
  left_at: Moment;
  /** The installation that ended there and everywhere else. Null where the app lost this workspace alone. */
  installation: string | null;
  /** When all but its record was deleted. */
  forgotten_at: NullableMoment;
}

/** Somebody is about to install the app; all three are hashed. */
export interface InstallStateTable {
  state: string;
  browser: string;
  address: string;
  expires_at: Moment;
}

/** Where the scheduling service of a workspace is, and its token there. */
export interface CredentialTable {
  id: string;
  workspace: string;
  /** The project's id in the service; '' for all that have none of their own. */
  project: string;
  /** Sealed JSON, bound to the project too: address, token, and the project's name. */
  connection: string;
  connected_by: string;
  connected_at: Moment;
}
