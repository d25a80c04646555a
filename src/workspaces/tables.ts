import type { Generated } from 'kysely';
import type { AccessTables } from '../access/access.ts';
import type { DigestTables } from '../digests/occurrence.ts';
import type { NullableText, NullableTimestamp, Timestamp } from '../store/column-values.ts';

/** The tables that this module reads or writes by their types. */
export interface WorkspaceTables extends AccessTables, DigestTables {
  installation: {
    /** A workspace (`T…`), or a whole organisation (`E…`). */
    id: string;
    name: string;
    /** Encrypted JSON: the bot token, and the refresh token if tokens rotate. */
    tokens: string;
    /** Expiry of the bot token. Null if tokens don't rotate. */
    expires_at: NullableTimestamp;
    /** Lease of the instance that refreshes the tokens. */
    refreshing_until: NullableTimestamp;
    bot_user: string;
    installed_by: string;
    installed_at: Timestamp;
  };
  /** The workspaces that have the app, and the installation that covers each: the workspace's or its organisation's. */
  installed_workspace: {
    workspace: string;
    installation: string;
    /** When the first request came, since the app was last installed. */
    since: Timestamp;
  };
  /** Workspaces and organisations that the app has left, or where its tokens were revoked. */
  uninstalled_workspace: {
    workspace: string;
    uninstalled_at: Timestamp;
    /** The installation that was removed. Null if the app left only this workspace of an organisation. */
    installation: NullableText;
    /** When all data except the audit log was deleted. */
    data_deleted_at: NullableTimestamp;
  };
  /** Credentials: the stored connections of workspaces to scheduling services. */
  credential: {
    id: string;
    workspace: string;
    /** The project's id; '' for the workspace's connection, which projects without one use. */
    project: string;
    /** Encrypted JSON, bound to the workspace and the project: address, token, and the project's name. */
    connection: string;
    connected_by: string;
    connected_at: Timestamp;
  };
  /** The services that a workspace has used, with their marks in the ids of projects. */
  known_service: {
    workspace: string;
    /** Hash of the address. A service that has moved has several. */
    endpoint: string;
    /** '' for the first service of the workspace. */
    service: string;
  };
  /** The projects that a service has listed. */
  known_project: {
    workspace: string;
    service: string;
    /** The project's id in the service. */
    project: string;
    /** When the service made the project. Null if it hasn't said so. */
    created_at: NullableTimestamp;
    /** When a complete list lacked the project, or it was made again. Null if an owner has answered since. */
    missing_since: NullableTimestamp;
    /** When the owners were asked whether the listed project is the same one. */
    asked_at: NullableTimestamp;
    /** How often an owner has said that it is a new one. */
    remade: Generated<number>;
  };
}
