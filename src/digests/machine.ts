import type { WebClient } from '@slack/web-api';
import type { Kysely } from 'kysely';
import type { Encryption } from '../access/access.ts';
import type { ApiClient } from '../api/client.ts';
import type { Delivery } from '../delivery/delivery.ts';
import type { Exclusions } from '../delivery/exclusions.ts';
import type { Log } from '../slack/log.ts';
import type { BotSchema } from '../store/schema.ts';
import type { Composer } from './composer.ts';
import type { DigestReads } from './digest-reads.ts';
import type { SendState, State } from './lifecycle.ts';
import type { DigestPace } from './pace.ts';
import type { SendingLimits } from './sending-limits.ts';
import type { SharedChannels } from './shared-channels.ts';
import type { OccurrenceRow } from './sql/occurrences.ts';

/** What digests need from the rest of the app. */
export interface DigestsOptions {
  db: Kysely<BotSchema>;
  encryption: Encryption;
  compose: Composer;
  pace?: DigestPace;
  log: Log;
  /** The clock that people see: schedules and text use it. It may jump. */
  now: () => Date;
  /** The clock for leases and backoff. It never jumps. Defaults to the system clock. */
  clock?: () => Date;
  /** A client of the workspace's scheduling service; undefined if it isn't connected to one. */
  apiFor(workspace: string): Promise<ApiClient | undefined>;
  /**
   * A Slack client used for digests only, so that a rate limit here delays nothing else. Undefined if the app isn't
   * installed; `unknown` if that couldn't be found out.
   */
  slackFor(workspace: string): Promise<WebClient | 'unknown' | undefined>;
  fetch?: typeof fetch;
}

/** The state and the clients that all digests of an instance share. */
export interface Machine extends Required<DigestsOptions> {
  delivery: Delivery<State, SendState, OccurrenceRow>;
  limits: SendingLimits;
  shared: SharedChannels;
  /** When Slack accepts the next search of a channel's history after a rate limit, by workspace (ms since 1970). */
  searchBlockedUntil: Map<string, number>;
  /** When Slack first and last called the bot's account inactive, by workspace (ms since 1970). */
  inactiveAccounts: Map<string, { since: number; last: number }>;
  exclusions: Exclusions;
  /** Reads of the service, cached for a minute. */
  readsOf(api: ApiClient): DigestReads;
  /** Wakes the poll at this moment of `clock`. */
  wake(at: Date): void;
}
