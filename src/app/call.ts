import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Role } from '../access/access.ts';
import type { Actor } from '../slack/actor.ts';
import type { Catalogue } from '../slack/catalogue.ts';
import type { Log } from '../slack/log.ts';
import type { Message } from '../slack/message.ts';
import type { ViewValues } from '../slack/view-values.ts';
import type { AppContext } from './context.ts';

/** An open modal as Slack describes it in a payload. */
export interface OpenView {
  id: string;
  hash: string;
  callbackId: string;
  metadata: string;
  values: ViewValues;
  /** In the order in which they stand. */
  blockIds: readonly string[];
}

/** What every handler gets, wherever the person asked from. */
export interface Call {
  readonly context: AppContext;
  readonly catalogue: Catalogue;
  readonly who: Actor;
  readonly client: WebClient;
  readonly log: Log;
  /** Stands in the log beside everything that this call did, and in the answer when it failed. */
  readonly reference: string;
  /** When the request came in, ms since the epoch on a clock that never jumps (`performance.now()`). */
  readonly receivedAt: number;
  /** Opens one modal within 3 s; options requests have none. */
  readonly trigger?: string;
  /** The channel that the person asked from, where there is one. */
  readonly channel?: string;
  /** The thread that the person asked from: the ts of its first message. */
  readonly thread?: string;
  now(): Date;
  /** Whether the person may do what this role may; with a project (an id of the service's), there. */
  may(role: Role, project?: string): boolean;
  /**
   * Throws NotAllowed, which is answered and recorded, where they may not. `what`: for the record. `because`: why it
   * needs more than usual, a sentence of ours.
   */
  permit(role: Role, project: string | undefined, what: string, because?: string): Promise<void>;
  /** The same for what opening the feature's form needs: what a form shows and sends may have been allowed days ago. */
  permitForm(project: string): Promise<void>;
  /** Counts a file, a preview or a message to others. Throws RateLimited, which is answered, where those were too many. */
  countCostly(): void;
  /** Tells Slack that the request has arrived, if nothing has yet: first of all where work follows. */
  acknowledge(): Promise<void>;
  /** To the person alone, where they asked: in the channel, else as a direct message. */
  reply(message: Message, options?: { replace: boolean }): Promise<void>;
  /** For a view: what its buttons tell of a list is for this person alone. `reply` does it by itself. */
  sealed(message: Message): Message;
  /** Another feature's form or answer, by the feature's name. */
  open(feature: string, prefill: Prefill): Promise<void>;
  /** Does what this line would do if the person had typed it here: `/upnext posts drafts`, `/schedule-post`. */
  type(line: string): Promise<void>;
}

/** Facts for a form that another feature opens; the form's own feature reads what it knows and checks it. */
export type Prefill = Readonly<Record<string, string>>;

export interface CommandCall extends Call {
  /** What was typed after the command or subcommand, unescaped and trimmed. */
  readonly words: string;
}

export interface ActionCall extends Call {
  readonly action: { id: string; value?: string; chosen?: string };
  readonly view?: OpenView;
  /** The message that holds the button. */
  readonly message?: { channel: string; ts: string };
}

/** The answers that Slack takes in the acknowledgement of a submission. */
export type SubmissionAnswer = { view: ModalView } | { errors: Record<string, string> };

export interface SubmissionCall extends Call {
  readonly view: OpenView;
  /** False for errors that come too late for Slack; a view is shown all the same. */
  answer(answer: SubmissionAnswer): Promise<boolean>;
}

/** Something that happened in Slack; `who` is the person whom it is about, '' where it is about none. */
export interface EventCall extends Call {
  /** `about` is the event as Slack sent it. */
  readonly event: { id: string; type: string; about: unknown };
  /** The bot's own user id. */
  readonly bot?: string;
}

export interface ShortcutCall extends Call {
  /** What it was chosen on; absent for a global one. */
  readonly message?: ChosenMessage;
}

/** A message as Slack describes it in the payload of a shortcut. */
export interface ChosenMessage {
  /** In Slack's markup. */
  text: string;
  blocks: unknown;
  files: unknown;
  channel: string;
  ts: string;
  /** The ts of its thread's first message, where it is in one. */
  thread?: string;
  /** The person or bot that wrote it. */
  user?: string;
  /** Its address; undefined where Slack does not let the bot know. */
  permalink(): Promise<string | undefined>;
}

export interface OptionsCall extends Call {
  /** What was typed into the select. */
  readonly query: string;
  readonly view?: OpenView;
}
