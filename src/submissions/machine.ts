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
import type { UncertainSaves } from './uncertain-saves.ts';

/** A submission that is about to be sent, for the permission check. */
export interface Sending {
  project: string | undefined;
  kind: string;
  /** The submission's id; absent before its row is claimed. */
  submission?: string;
  /** Whether the previous check failed too. The audit record has that already. */
  isRecheck?: boolean;
}

/** The dependencies of submissions. */
export interface MachineOptions {
  db: Kysely<BotSchema>;
  encryption: Encryption;
  kinds: readonly AnyKind[];
  pace: Pace;
  practice: boolean;
  log: Log;
  /** The clock of people, for publishing times and text. */
  now: () => Date;
  /** Monotonic clock for leases and backoff. Defaults to the database clock, which all instances share. */
  clock?: () => Date;
  /** This computer's clock, ms, from which the database clock is computed. */
  ownClock?: () => number;
  random?: () => number;
  /** The client for a project's service, or else for the workspace's; undefined if neither is connected. */
  apiFor(workspace: string, project?: string): Promise<ApiClient | undefined>;
  /** Undefined if the app isn't installed there; `unknown` if that couldn't be found out. */
  slackFor(workspace: string): Promise<WebClient | 'unknown' | undefined>;
  /** Checks the author's permission before each send, because it may have been taken away. */
  may(actor: Actor, role: Role, what?: Sending): Promise<Permission>;
  /** Whether an operator has switched off this kind of submission. Waiting ones are not sent. */
  isOff?: (kind: string) => boolean;
  /** Called when a submission ended in the background. The author's Home is outdated then. */
  ended?: (actor: Actor) => void;
  /**
   * Notifies the owners, who can replace a token. `token` is the refused one: a project's id, or '' for the
   * workspace's.
   */
  notifyOwners(workspace: string, message: Message, token?: string): Promise<void>;
}

/** An open form whose content may be counted in advance. */
export interface OpenForm {
  id: string;
  workspace: string;
  kind: AnyKind;
  /** The contents that would be submitted now; empty if the form isn't valid yet. Called after a pause in typing. */
  contents(): readonly unknown[];
}

/** Counts of equal posts, taken while a form is open. Stored in this instance's memory. */
export interface EarlyCounts {
  /** Schedules a count after a pause in typing. Returns at once. */
  onFormChange(form: OpenForm): void;
  /** The count for a row; undefined if there is none that is still valid. */
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
  /** Separate circuit breakers for reads and writes, because a service may list well and still accept nothing. */
  breakerOf(of: TenantService, calls: 'reads' | 'writes'): Breaker;
  /** The address of a project's service, or else of the workspace's; '' if none is connected. */
  addressOf(workspace: string, project: string | undefined): Promise<string>;
  /** Saves whose outcome isn't known yet. */
  readonly uncertainSaves: UncertainSaves;
  readonly early: EarlyCounts;
  /** Makes the poll scan at this moment at the latest. */
  wake(at: Date): void;
}
