import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Role } from '../access/access.ts';
import type { Actor } from '../slack/actor.ts';
import type { Catalogue } from '../slack/catalogue.ts';
import type { ViewValues } from '../slack/interaction-values.ts';
import type { Log } from '../slack/log.ts';
import type { Message } from '../slack/message.ts';
import type { AppContext } from './context.ts';

/** An open modal, from Slack's payload. */
export interface OpenView {
  id: string;
  hash: string;
  callbackId: string;
  metadata: string;
  values: ViewValues;
  /** In the order of the modal. */
  blockIds: readonly string[];
}

/** A request of a person, as every handler gets it. */
export interface Call {
  readonly context: AppContext;
  readonly catalogue: Catalogue;
  readonly actor: Actor;
  readonly client: WebClient;
  readonly log: Log;
  /** Identifies this call in the log, and in the answer if it fails. */
  readonly reference: string;
  /** When the request arrived, ms on the monotonic clock (`performance.now()`). */
  readonly receivedAt: number;
  /** Opens one modal within 3 s. Options requests have none. */
  readonly trigger?: string;
  /** The channel of the request, if any. */
  readonly channel?: string;
  /** The thread of the request: the ts of its first message. */
  readonly thread?: string;
  now(): Date;
  /**
   * Whether the person has this role in the project (the project's id in the service), or without one in any project.
   */
  may(role: Role, project?: string): boolean;
  /**
   * Throws NotAllowed if the person doesn't have the role; that is answered and recorded. `what`: the action in the
   * audit record. `because`: a sentence that explains an unusually high role.
   */
  permit(role: Role, project: string | undefined, what: string, because?: string): Promise<void>;
  /** `permit` for the role that the feature's form requires. Needed again on submission: the role may have changed. */
  permitForm(project: string): Promise<void>;
  /** Counts a file, a preview or a message to others. Throws RateLimited, which is answered, if there were too many. */
  countCostly(): void;
  /** Acknowledges the request, unless that is done. Handlers call it first if work follows. */
  acknowledge(): Promise<void>;
  /** Answers the person privately, in the channel of the request or else as a direct message. */
  reply(message: Message, options?: { replace: boolean }): Promise<void>;
  /** Seals the button states in a view, so that they work for this person only. `reply` does it by itself. */
  sealButtons(message: Message): Message;
  /** Opens another feature's form or answer, by the feature's name. */
  open(feature: string, prefill: Prefill): Promise<void>;
  /** Runs a line as if the person had typed it here: `/upnext posts drafts`, `/schedule-post`. */
  type(line: string): Promise<void>;
}

/** Initial values for a form that another feature opens. The form's feature validates them. */
export type Prefill = Readonly<Record<string, string>>;

export interface CommandCall extends Call {
  /** The text after the command or subcommand, unescaped and trimmed. */
  readonly words: string;
}

export interface ActionCall extends Call {
  readonly action: { id: string; value?: string; chosen?: string };
  readonly view?: OpenView;
  /** The message that holds the button. */
  readonly message?: { channel: string; ts: string };
}

/** The answers that Slack accepts in the acknowledgement of a view submission. */
export type SubmissionAnswer = { view: ModalView } | { errors: Record<string, string> };

export interface SubmissionCall extends Call {
  readonly view: OpenView;
  /** False if errors come too late for Slack. A view is shown even then. */
  answer(answer: SubmissionAnswer): Promise<boolean>;
}

/** An event in Slack. `actor` is the person concerned; its user is '' if the event concerns nobody. */
export interface EventCall extends Call {
  /** `about`: the event as Slack sent it. */
  readonly event: { id: string; type: string; about: unknown };
  /** The bot's own user id. */
  readonly bot?: string;
}

export interface ShortcutCall extends Call {
  /** The message on which it was chosen. Undefined for a global shortcut. */
  readonly message?: ChosenMessage;
}

/** A message, from the payload of a message shortcut. */
export interface ChosenMessage {
  /** In Slack's mrkdwn. */
  text: string;
  blocks: unknown;
  files: unknown;
  channel: string;
  ts: string;
  /** The ts of its thread's first message, if it is in a thread. */
  thread?: string;
  /** The person or bot that wrote it. */
  user?: string;
  /** Its address; undefined if the bot may not know it. */
  permalink(): Promise<string | undefined>;
}

export interface OptionsCall extends Call {
  /** The text typed into the select menu. */
  readonly query: string;
  readonly view?: OpenView;
}
