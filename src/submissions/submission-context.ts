import type { WebClient } from '@slack/web-api';
import type { Kysely } from 'kysely';
import type { Encryption, Permission, Role } from '../access/access.ts';
import type { ApiClient } from '../api/client.ts';
import type { Outcome } from '../api/outcome.ts';
import type { Delivery } from '../delivery/delivery.ts';
import type { Exclusions } from '../delivery/exclusions.ts';
import type { Actor } from '../slack/actor.ts';
import type { Log } from '../slack/log.ts';
import type { Message } from '../slack/message.ts';
import type { BotSchema } from '../store/schema.ts';
import type { Breaker, EndpointLimits } from './breaker.ts';
import type { Fingerprints, TenantService } from './fingerprint.ts';
import type { AnyKind } from './kind.ts';
import type { SendingState, State } from './lifecycle.ts';
import type { Pace } from './pace.ts';
import type { SubmissionRow } from './sql/submissions.ts';
import type { UncertainSaves } from './uncertain-saves.ts';

/** The subject of a permission check: the submission that the actor wants to send, or to look for in the service. */
export interface PermissionSubject {
  project: string | undefined;
  kind: string;
  /** The submission's id; undefined before its row is claimed. */
  submission?: string;
  /** Whether this check repeats a failed check, which the audit record already contains. */
  isRecheck?: boolean;
}

/** The settings and dependencies from which `createSubmissions` creates the context. */
export interface SubmissionOptions {
  db: Kysely<BotSchema>;
  encryption: Encryption;
  kinds: readonly AnyKind[];
  pace: Pace;
  /** Whether the scheduling service is the emulator. */
  isEmulated: boolean;
  log: Log;
  /** The clock that people see, for publishing times and text. */
  now: () => Date;
  /** Monotonic clock for leases and backoff. Defaults to the database clock, which all instances share. */
  clock?: () => Date;
  /** Reads this computer's clock, ms. The database clock is computed from it. */
  readLocalTime?: () => number;
  random?: () => number;
  /** Finds the client of the project's or else the workspace's service. Undefined if neither is connected. */
  findApiClient(workspace: string, project?: string): Promise<ApiClient | undefined>;
  /**
   * Finds the Slack client. Undefined if the app isn't installed in the workspace, and `unknown` if that couldn't be
   * checked.
   */
  findSlackClient(workspace: string): Promise<WebClient | 'unknown' | undefined>;
  /** Checks the author's permission before each send, because an owner may have revoked it. */
  checkPermission(actor: Actor, role: Role, subject?: PermissionSubject): Promise<Permission>;
  /** Whether an operator has switched off this kind of submission. Submissions of that kind are then not sent. */
  isSwitchedOff?: (kind: string) => boolean;
  /** Runs when a submission has ended in the background, so that the author's Home can be updated. */
  onEnded?: (actor: Actor) => void;
  /**
   * Notifies the owners, who can replace a token. `token` identifies the refused token: a project's id, or '' for the
   * workspace's token.
   */
  notifyOwners(workspace: string, message: Message, token?: string): Promise<void>;
}

/** An open form. Posts equal to its content may be counted before the form is submitted. */
export interface OpenForm {
  id: string;
  workspace: string;
  kind: AnyKind;
  /** Reads the contents of the form; empty while the form isn't valid. Called after a pause in typing. */
  getContents(): readonly unknown[];
}

/** Counts of equal posts, taken while a form is open and stored in this instance's memory. */
export interface EarlyCounts {
  /** Schedules a count after a pause in typing. Returns at once. */
  onFormChange(form: OpenForm): void;
  /** Finds the count for a row. Resolves with undefined if there is no valid count. */
  findCount(
    api: ApiClient,
    row: SubmissionRow,
    kind: AnyKind,
    submission: { content: unknown; lockKey: string },
  ): Promise<Outcome<number | 'cannot-tell'> | undefined>;
  stop(): void;
}

/** The dependencies and shared state of the functions that save, send and reconcile submissions. */
export interface SubmissionContext extends Required<Omit<SubmissionOptions, 'readLocalTime'>>, Fingerprints {
  exclusions: Exclusions;
  endpointLimits: EndpointLimits;
  delivery: Delivery<State, SendingState, SubmissionRow>;
  findKind(name: string): AnyKind | undefined;
  /** Separate circuit breakers for reads and writes, because a service may answer reads while all writes fail. */
  getBreaker(service: TenantService, calls: 'reads' | 'writes'): Breaker;
  /** Finds the address of the project's or else the workspace's service; '' if neither is connected. */
  findAddress(workspace: string, project: string | undefined): Promise<string>;
  /** Saves whose outcome isn't known. */
  readonly uncertainSaves: UncertainSaves;
  readonly earlyCounts: EarlyCounts;
  /** Schedules a scan of the poll for `time` or earlier. */
  wake(time: Date): void;
}
