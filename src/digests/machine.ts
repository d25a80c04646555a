import type { WebClient } from '@slack/web-api';
import type { Kysely } from 'kysely';
import type { Encryption } from '../access/access.ts';
import type { ApiClient } from '../api/client.ts';
import type { Delivery } from '../delivery/delivery.ts';
import type { SetAside } from '../delivery/set-aside.ts';
import type { Log } from '../slack/log.ts';
import type { BotSchema } from '../store/schema.ts';
import type { Composer } from './compose.ts';
import type { DigestReads } from './digest-reads.ts';
import type { Sending, State } from './lifecycle.ts';
import type { DigestPace } from './pace.ts';
import type { SendingLimits } from './sending-limits.ts';
import type { SharedChannels } from './shared-channels.ts';
import type { OccurrenceRow } from './sql/occurrences.ts';

/** What digests are posted with. */
export interface DigestsOptions {
  db: Kysely<BotSchema>;
  encryption: Encryption;
  compose: Composer;
  pace?: DigestPace;
  log: Log;
  /** The moment for people: what is due, what is said. It may jump. */
  now: () => Date;
  /** The moment for leases and waits; it must go on. */
  clock?: () => Date;
  /** A workspace's service; undefined where it is connected to none. */
  apiFor(workspace: string): Promise<ApiClient | undefined>;
  /**
   * For digests alone, so that a rate limit here delays nothing else. `unknown`: whether the app is installed could not
   * be found out.
   */
  slackFor(workspace: string): Promise<WebClient | 'unknown' | undefined>;
  fetch?: typeof fetch;
}

export interface Machine extends Required<DigestsOptions> {
  delivery: Delivery<State, Sending, OccurrenceRow>;
  limits: SendingLimits;
  shared: SharedChannels;
  /** Until when Slack lets nobody look into its channels, by workspace (ms). */
  looksHeld: Map<string, number>;
  /** Since when, and until when last, Slack has called the bot's account inactive, by workspace (ms). */
  inactive: Map<string, { since: number; last: number }>;
  setAside: SetAside;
  /** What the service lists, asked once a minute. */
  readsOf(api: ApiClient): DigestReads;
  /** Something is due at this moment of the clock. */
  wake(at: Date): void;
}
