import type { Moment, NullableMoment } from '../store/column-types.ts';

/** Installations by OAuth, in a workspace (`T…`) or in a whole organisation (`E…`). */
export interface InstallationTable {
  id: string;
  name: string;
  /** Encrypted JSON: the bot token, and the refresh token if tokens rotate. */
  tokens: string;
  /** Expiry of the bot token. Null if tokens don't rotate. */
  expires_at: NullableMoment;
  /** Lease of the instance that refreshes the tokens. */
  refreshing_until: NullableMoment;
  bot_user: string;
  installed_by: string;
  installed_at: Moment;
}

/** The installation that covers a workspace: its own, or its organisation's. */
export interface InstalledWorkspaceTable {
  workspace: string;
  installation: string;
}

/** Departures of the app that are not carried out completely yet. */
export interface DepartureTable {
  /** Slack's id of the event. */
  id: string;
  kind: string;
  /** A workspace (`T…`) or an organisation (`E…`). */
  installation: string;
  /** The organisation's workspaces that the event names, separated by spaces. */
  workspaces: string;
  left_at: Moment;
  /** When to carry it out next. */
  next_at: Moment;
}

/** Workspaces and organisations that the app has left, or where its tokens were revoked. */
export interface LeftWorkspaceTable {
  workspace: string;
  left_at: Moment;
  /** The installation that ended as a whole. Null if the app left only this workspace. */
  installation: string | null;
  /** When everything except the audit record was deleted. */
  data_deleted_at: NullableMoment;
}

/** Installations in progress. `state`, `browser` and `address` are hashes. */
export interface InstallStateTable {
  state: string;
  browser: string;
  address: string;
  expires_at: Moment;
}

/** A workspace's connections to scheduling services. */
export interface CredentialTable {
  id: string;
  workspace: string;
  /** The project's id in the service; '' for all projects without a connection of their own. */
  project: string;
  /** Encrypted JSON, bound to the workspace and the project: address, token, and the project's name. */
  connection: string;
  connected_by: string;
  connected_at: Moment;
}
