import type { FirstOwners, Role } from '../access/access.ts';
import type { ApiClient, ApiClientOptions } from '../api/client.ts';
import type { createTransport } from '../slack/bolt/bolt.ts';
import type { Log } from '../slack/log.ts';
import type { ReachedLimit } from '../slack/rate-limits.ts';
import type { Rates } from '../slack/rates.ts';
import type { SlackConnection } from '../slack/slack-connection.ts';
import type { ServiceAccess } from '../workspaces/workspaces.ts';
import type { AppContext } from './context.ts';

export interface BotOptions extends Pick<AppContext, 'db' | 'encryption' | 'practice'> {
  /** The settings' own service: for the workspace of the bot token, and no other. */
  api?: ApiClient;
  /** What may be connected from Slack; any public address without. */
  serviceAccess?: ServiceAccess;
  /** Told of each call to what was connected from Slack. */
  onServiceCall?: ApiClientOptions['onCall'];
  /** No other instance can use this database; false without. */
  isAlone?: boolean;
  slack: SlackConnection;
  log: Log;
  now?: () => Date;
  /** False without. */
  allowFileDeletion?: boolean;
  /** Who owns a workspace before anything was given; who installed it there, or those who own it in Slack, without. */
  owners?: FirstOwners;
  /** Of full members who were given no role; none without. */
  membersDefaultRole?: Role | undefined;
  /** Shorter waits, for tests. */
  pace?: AppContext['pace'];
  /** Told what came of each request over HTTP. */
  onSlackRequest?: Parameters<typeof createTransport>[0]['onSlackRequest'];
  /** Told how many audit entries wait for the database, and how many were dropped just now. */
  onAuditEntries?: (entries: { waiting: number; dropped: number }) => void;
  /** Other limits of what one member and one tenant may ask for, for tests. Defaults to RATES. */
  rates?: Rates;
  /** Told of each request that met one of those limits. */
  onRateLimited?: (refused: Pick<ReachedLimit, 'limit' | 'scope'>) => void;
  /** Slack refuses for good while the bot is running. */
  onFatal?: (reason: Error) => void;
}
