import type { FirstOwners, Role } from '../access/access.ts';
import type { ApiClient, ApiClientOptions } from '../api/client.ts';
import type { ProbeLink } from '../api/probe-link.ts';
import type { BucketSettings } from '../config/config.ts';
import type { Clock } from '../engine/clock.ts';
import type { createTransport, SendToSlack } from '../handlers/bolt/bolt.ts';
import type { AppContext } from '../handlers/call.ts';
import type { Log } from '../slack/log.ts';
import type { Rates, ReachedLimit } from '../slack/rate-limits.ts';
import type { SlackConnection } from '../slack/slack-connection.ts';
import type { ServiceAddressRules } from '../workspaces/workspaces.ts';

/** The options of a bot: the external systems, the settings, and callbacks for metrics. */
export interface BotOptions extends Pick<AppContext, 'db' | 'encryption' | 'isEmulated'> {
  /** The client of the scheduling service in the settings. Only the workspace of the bot token uses this client. */
  api?: ApiClient;
  /** The service addresses that may be connected from Slack. Defaults to any public address. */
  serviceAddressRules?: ServiceAddressRules;
  /** Called for each call to a service that was connected from Slack. */
  onServiceCall?: ApiClientOptions['onCall'];
  slack: SlackConnection;
  /** Sends the calls of Slack's Web API. Defaults to the network. For simulations. */
  sendToSlack?: SendToSlack;
  log: Log;
  /** Defaults to the database's time. */
  clock?: Clock;
  /** Whether this instance sends digests. Defaults to true. */
  sendsDigests?: boolean;
  /** The address under which everybody reaches this app. Without it, no file is taken from Slack. */
  publicUrl?: string | undefined;
  /** Where files from Slack are stored. Defaults to the database. */
  bucket?: BucketSettings | undefined;
  /** Finds out where a typed link leads. Without it, links are checked by their text only. */
  probeLink?: ProbeLink;
  /** Defaults to false. */
  allowFileDeletion?: boolean;
  /** The owners of a workspace without grants. Defaults to the installer (OAuth) or the owners in Slack (bot token). */
  owners?: FirstOwners;
  /** The role of full members without a role of their own. Defaults to none. */
  membersDefaultRole?: Role | undefined;
  /** Shorter delays for tests. Defaults to PACE. */
  pace?: AppContext['pace'];
  /** Replaces all intervals between scans for what other instances have left, ms. For simulations, in which days pass. */
  scanIntervalMs?: number;
  /** Called for each request over HTTP. */
  onSlackRequest?: Parameters<typeof createTransport>[0]['onSlackRequest'];
  /** `waiting`: current audit entries that wait for the database. `dropped`: entries dropped since the last call. */
  onAuditEntries?: (entries: { waiting: number; dropped: number }) => void;
  /** Rate limits of one member and one workspace. Defaults to RATES. */
  rates?: Rates;
  /** Called for each request that exceeds a rate limit. */
  onRateLimited?: (refused: Pick<ReachedLimit, 'limit' | 'scope'>) => void;
  /** Called when Slack permanently refuses the connection while the bot is running. */
  onFatal?: (reason: Error) => void;
}
