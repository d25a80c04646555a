import type { WebClient } from '@slack/web-api';
import type { Kysely } from 'kysely';
import type { Encryption } from '../access/access.ts';
import type { ApiClient } from '../api/client.ts';
import type { Clock } from '../engine/clock.ts';
import type { Engine, Registered } from '../engine/engine.ts';
import type { Exclusions } from '../engine/exclusions.ts';
import type { Log } from '../slack/log.ts';
import type { Composer } from './composer.ts';
import type { DigestReads } from './digest-reads.ts';
import type { DigestTables, OccurrenceRow, SendState, State } from './occurrence.ts';
import type { DigestPace } from './pace.ts';
import type { SendingLimits } from './sending-limits.ts';
import type { SharedChannels } from './shared-channels.ts';

/** The dependencies of digests on other modules. */
export interface DigestsOptions {
  db: Kysely<DigestTables>;
  encryption: Encryption;
  compose: Composer;
  pace?: DigestPace;
  log: Log;
  clock: Clock;
  engine: Engine;
  /** Finds the client of the workspace's scheduling service. Undefined if the workspace isn't connected to one. */
  findApiClient(workspace: string): Promise<ApiClient | undefined>;
  /**
   * Finds the workspace's Slack client for digests. Digests have a client of their own, so its rate limit delays no
   * other calls. Undefined if the app isn't installed, and `unknown` if that couldn't be checked.
   */
  findSlackClient(workspace: string): Promise<WebClient | 'unknown' | undefined>;
  fetch?: typeof fetch;
  /** Whether other instances send the digests, and this one only stores their settings. Defaults to false. */
  isIdle?: boolean;
}

/** The shared state and the clients of all digests of an instance. The lifecycle is in `occurrence.ts`. */
export interface DigestContext extends Required<Omit<DigestsOptions, 'engine' | 'isIdle'>> {
  verbs: Registered<State, SendState, OccurrenceRow>;
  limits: SendingLimits;
  /** The limits for uploads of pictures. An upload is a message in a channel of its own. */
  uploads: SendingLimits;
  sharedChannels: SharedChannels;
  /** When Slack accepts the next search of a channel's history after a rate limit, by workspace (ms since 1970). */
  searchBlockedUntil: Map<string, number>;
  /** When Slack first and last returned `account_inactive` for the bot, by workspace (ms since 1970). */
  inactiveAccounts: Map<string, { firstAt: number; lastAt: number }>;
  exclusions: Exclusions;
  /** Creates the cached reads of a workspace's service. */
  createReads(api: ApiClient): DigestReads;
}
