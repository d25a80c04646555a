import type { WebClient } from '@slack/web-api';
import type { Kysely } from 'kysely';
import type { Encryption, Permission, Role } from '../access/access.ts';
import type { ApiClient } from '../api/client.ts';
import type { Outcome } from '../api/outcome.ts';
import type { Delivery } from '../delivery/delivery.ts';
import type { SetAside } from '../delivery/set-aside.ts';
import type { Actor } from '../slack/actor.ts';
import type { Log } from '../slack/log.ts';
import type { Message } from '../slack/message.ts';
import type { BotSchema } from '../store/schema.ts';
import type { Breaker } from './breaker.ts';
import type { EndpointLimits } from './endpoint-limit.ts';
import type { Fingerprints, TenantService } from './fingerprint.ts';
import type { AnyKind } from './kind.ts';
import type { Sending as SendingState, State } from './lifecycle.ts';
import type { Pace } from './pace.ts';
import type { SubmissionRow } from './sql/submissions.ts';
import type { Unsettled } from './unsettled.ts';

/** What is about to be sent. */
export interface Sending {
  project: string | undefined;
  kind: string;
  /** Absent where it is not claimed yet. */
  submission?: string;
  /** It could not be checked the last time either, which is recorded already. */
  isRecheck?: boolean;
}

/** What submissions are brought on their way with. */
export interface MachineOptions {
  db: Kysely<BotSchema>;
  encryption: Encryption;
  kinds: readonly AnyKind[];
  pace: Pace;
  practice: boolean;
  log: Log;
  /** The moment for people: what is past, what is said. */
  now: () => Date;
  /** The moment for leases and waits; it must go on. Without, the database's, which all instances share. */
  clock?: () => Date;
  /** This computer's clock, ms, by which the database's is told. */
  ownClock?: () => number;
  random?: () => number;
  /** The service of a project, or else of its workspace; undefined where neither is connected to one. */
  apiFor(workspace: string, project?: string): Promise<ApiClient | undefined>;
  /** `unknown`: whether the app is installed there could not be found out. */
  slackFor(workspace: string): Promise<WebClient | 'unknown' | undefined>;
  /** Asked before each sending: who was allowed yesterday may not be today. */
  may(who: Actor, role: Role, what?: Sending): Promise<Permission>;
  /** Whether this kind is switched off: whatever waits of it is not sent. */
  isOff?: (kind: string) => boolean;
  /** Something of this person's has ended while nobody waited for it: what shows it elsewhere is out of date. */
  ended?: (who: Actor) => void;
  /** Who can put in another token. `token`: it is refused, a project's own by its id, the workspace's as ''. */
  notifyOwners(workspace: string, message: Message, token?: string): Promise<void>;
}

/** A form that is still open: what would be sent if it were sent as it stands. */
export interface OpenForm {
  id: string;
  workspace: string;
  kind: AnyKind;
  /** Asked once nobody has changed anything for a moment; none where it could not be sent. */
  contents(): readonly unknown[];
}

/** How many equal ones there are, looked up while a form is still open; in this instance's memory. */
export interface EarlyCounts {
  /** It has changed: soon it is looked at. Returns at once. */
  changed(form: OpenForm): void;
  /** What was found for this, where that can still be trusted; else it is counted now. */
  take(
    api: ApiClient,
    row: SubmissionRow,
    kind: AnyKind,
    sent: { content: unknown; lockKey: string },
  ): Promise<Outcome<number | 'cannot-tell'> | undefined>;
  stop(): void;
}

export interface Machine extends Required<Omit<MachineOptions, 'ownClock'>>, Fingerprints {
  setAside: SetAside;
  endpoints: EndpointLimits;
  delivery: Delivery<State, SendingState, SubmissionRow>;
  kindOf(name: string): AnyKind | undefined;
  /** Reads and writes fail apart: a service that lists well may still take nothing. */
  breakerOf(of: TenantService, calls: 'reads' | 'writes'): Breaker;
  /** The address of a project's service, or of its workspace's; '' while none is connected. */
  addressOf(workspace: string, project: string | undefined): Promise<string>;
  /** What may have been saved or not. */
  readonly unsettled: Unsettled;
  /** What was counted while forms were open. */
  readonly early: EarlyCounts;
  /** Something is due at this moment. */
  wake(at: Date): void;
}
