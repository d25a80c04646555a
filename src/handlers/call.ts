import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Kysely } from 'kysely';
import type {
  AccessControl,
  AuditAction,
  AuditRecord,
  Deed,
  Encryption,
  PreparedEntry,
  RequiredRole,
  Role,
} from '../access/access.ts';
import type { CachedReads } from '../api/cached-reads.ts';
import type { ApiClient } from '../api/client.ts';
import type { ProbeLink } from '../api/probe-link.ts';
import type { Digests } from '../digests/digests.ts';
import type { Engine } from '../engine/engine.ts';
import type { HeldPosts } from '../held-posts/held-posts.ts';
import type { ImportContext } from '../imports/import-context.ts';
import type { Media } from '../media/media.ts';
import type { Actor } from '../slack/actor.ts';
import type { Catalogue } from '../slack/catalogue.ts';
import type { ViewValues } from '../slack/interaction-values.ts';
import type { Log } from '../slack/log.ts';
import type { Message } from '../slack/message.ts';
import type { Pace } from '../submissions/pace.ts';
import type { Submissions } from '../submissions/submissions.ts';
import type { Web } from '../web/web.ts';
import type { Services } from '../workspaces/workspaces.ts';
import type { BotSchema } from './schema.ts';

/** What a person typed: the text after a command, or the values of a form. Both are empty for other requests. */
export interface TypedInput {
  text: string;
  values: ViewValues;
}

export interface Handler<C extends Call, Result = void> {
  /** What the request does, as the audit log shows it: "open the audit log". */
  readonly deed: Deed;
  /** The lowest role that may send the request. Defaults to the role of the feature. */
  readonly role?: RequiredRole | ((input: TypedInput) => RequiredRole);
  /** The role that a refusal names and offers to request. Defaults to `role`. */
  readonly roleToRequest?: Role | ((input: TypedInput) => Role);
  /** Whether the handler sees to the audit entry of an allowed request, see `Call.entry`. Defaults to false. */
  readonly storesEntry?: boolean;
  run(call: C): Promise<Result>;
}

export interface OpenView {
  id: string;
  hash: string;
  callbackId: string;
  metadata: string;
  values: ViewValues;
  /** The ids of the blocks, in the order of the modal. */
  blockIds: readonly string[];
  /** The ids of the input blocks that may stay empty. */
  optionalBlockIds: readonly string[];
}

export interface OpenedView {
  id: string;
  hash?: string;
}

export interface ReplyOptions {
  /** Whether the reply replaces the message or modal with the pressed button. Defaults to false. */
  replace?: boolean;
  /** Whether the reply only says that the result follows. In a modal, the result replaces it. Defaults to false. */
  isInterim?: boolean;
}

/** The input of every handler: a person's request, the app context, and functions for responding. */
export interface Call {
  readonly context: AppContext;
  readonly catalogue: Catalogue;
  readonly actor: Actor;
  readonly client: WebClient;
  readonly log: Log;
  /** Identifies this call in the log, and in the reply to the person if the call fails. */
  readonly reference: string;
  /** When the request arrived, ms on the monotonic clock (`performance.now()`). */
  readonly receivedAt: number;
  /**
   * The audit entry of this request, if its handler stores the entry together with what it is about. Otherwise the entry
   * is recorded before the handler runs.
   */
  readonly entry?: PreparedEntry;
  /** Adds to the audit log that this request, which reads as done, wasn't. Absent if its entry says nothing of that. */
  recordOutcome?(outcome: 'unchanged' | 'unknown', project?: string): void;
  /** When Slack sent the request, on Slack's clock, in whole seconds. Absent in Socket Mode. */
  readonly sentAt?: Date;
  /** Slack's trigger_id, which can open one modal within 3 s. Options requests have none. */
  readonly trigger?: string;
  /** The id of the channel in which the request was made, if any. */
  readonly channel?: string;
  /** The name of this channel. Slack doesn't send the names of private channels and direct messages. */
  readonly channelName?: string;
  now(): Date;
  /** Whether the person has this role in the project (its id at the service), or without one in any project. */
  may(role: Role, project?: string): boolean;
  /** Whether the person is known not to have this role. Unlike `!may`, false if the roles couldn't be looked up. */
  lacks(role: Role, project?: string): boolean;
  /**
   * Throws NotAllowed if the person doesn't have the role. The router replies to the person and records the refusal.
   * `action`: the action in the audit log. `explanation`: a sentence that explains an unusually high role.
   */
  permit(role: Role, project: string | undefined, action: AuditAction, explanation?: string): Promise<void>;
  /**
   * Throws NotAllowed if the person doesn't have the role that the feature's form requires. Submissions check the role
   * again, because it may have changed since the form was opened.
   */
  requireFormPermission(project: string): Promise<void>;
  /** Counts a file, a preview or a message to others towards the rate limit. Throws RateLimited above the limit. */
  countCostlyAction(): void;
  /** Acknowledges the request, unless it is already acknowledged. Handlers with slow work call `acknowledge` first. */
  acknowledge(): Promise<void>;
  /**
   * Shows the person a message where the request was made: in a modal after a press on Home or in a modal, in an
   * ephemeral message in a channel, or else in a direct message.
   */
  reply(message: Message, options?: ReplyOptions): Promise<void>;
  /** Opens a modal, on top of that with the pressed button. `isForm` leaves room for a message on top of the form. */
  openView(view: ModalView, options?: { isForm?: boolean }): Promise<OpenedView>;
  /** Seals the button states in a view, so that they work only for this person. `reply` also seals them. */
  sealButtons(message: Message): Message;
  /** Opens another feature's form, or replies with its message. `feature`: its name. */
  openFeature(feature: string, prefill: Prefill): Promise<void>;
  /** Runs a line as if the person had typed it in this channel: `/upnext posts drafts`, `/schedule-post`. */
  runLine(line: string, changes?: CommandCall['changes']): Promise<void>;
}

/** Initial values for a form that another feature opens. The feature with the form validates them. */
export type Prefill = Readonly<Record<string, string | undefined>>;

export interface CommandCall extends Call {
  /** The text after the command or subcommand, unescaped and trimmed. */
  readonly text: string;
  /** Sentences about differences between the text and the message in Slack, if it is from one (plain text). */
  readonly changes: readonly string[];
}

export interface ActionCall extends Call {
  readonly action: {
    id: string;
    value?: string;
    selectedValue?: string;
    /** Whether the button is an entry of a menu, so that no dialog asked for a confirmation. */
    isFromMenu?: boolean;
    /** When the person acted, on Slack's clock, s (`action_ts`). Requests arrive in any order (bolt-python #668). */
    actedAt?: number;
  };
  readonly view?: OpenView;
  /** The message with the button. Absent for an ephemeral message, which chat.update can't change. */
  readonly message?: { channel: string; ts: string };
}

/**
 * A response that Slack accepts in the acknowledgement of a view submission. `view` replaces the submitted view. `push`
 * is opened on top of it. `close`: closes all views.
 */
export type SubmissionResponse =
  | { view: ModalView }
  | { push: ModalView }
  | { errors: Record<string, string> }
  | { close: true };

export interface SubmissionCall extends Call {
  readonly view: OpenView;
  /** Responds to the submission. False if it is too late for errors or closing; a late view is shown anyway. */
  answer(response: SubmissionResponse): Promise<boolean>;
  /** The time until the acknowledgement is due, ms. */
  getRemainingMs(): number;
  /** Resolves like `work`, or with undefined when the acknowledgement is due. The work then goes on. */
  inTime<Value>(work: Promise<Value>): Promise<Value | undefined>;
}

/** An event in Slack. `actor` is the person in the event; its user is '' for an event without a person. */
export interface EventCall extends Call {
  /** `payload`: the event as Slack sent it. */
  readonly event: { payload: unknown };
  /** The bot's own user id. */
  readonly bot?: string;
}

export interface ShortcutCall extends Call {
  /** The message on which the shortcut was chosen. Undefined for a global shortcut. */
  readonly message?: ChosenMessage;
}

/** A message, from the payload of a message shortcut. */
export interface ChosenMessage {
  /** Mrkdwn. */
  text: string;
  blocks?: unknown;
  attachments?: unknown;
  files?: unknown;
}

export interface OptionsCall extends Call {
  /** The text typed into the select menu. */
  readonly query: string;
  readonly view?: OpenView;
}

export interface AppContext {
  api: ApiClient;
  services: Services;
  /** Cached lists of the service, each for as long as `CachedReads` says. */
  reads: CachedReads;
  db: Kysely<BotSchema>;
  encryption: Encryption;
  /** Whether the scheduling service is the built-in emulator, which publishes nothing. */
  isEmulated: boolean;
  /** Whether people may delete files, although the API doesn't document which file it deletes. */
  allowFileDeletion: boolean;
  pace: Pace;
  submissions: Submissions;
  digests: Digests;
  engine: Engine;
  heldPosts: HeldPosts;
  /**
   * Applies changed roles: to posts that somebody has planned, and to what Home shows. `people`: whose roles have changed;
   * everybody's by default. `afterMs`: when cached facts are outdated; defaults to 0.
   */
  applyRoles(
    workspace: string,
    changed?: { people?: readonly string[] | undefined; afterMs?: number },
  ): Promise<void>;
  imports: ImportContext;
  media: Media;
  /** Pages outside of Slack, each behind a personal link. */
  web: Web;
  /** Finds out where a typed link leads. Undefined if links aren't asked. */
  probeLink: ProbeLink | undefined;
  access: AccessControl;
  record: AuditRecord;
  /** What the audit log says about each request. See `listDeeds`. */
  deeds: ReadonlyMap<string, Deed>;
}
