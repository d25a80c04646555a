import type { ModalView, PlainTextOption } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Catalogue, CommandWords, ShortcutWords } from './catalogue.ts';
import type { Message } from './message.ts';
import type { ViewValues } from './view-values.ts';

/** pino's shape: facts first, then a sentence. */
export interface Log {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** Who asks: ids of Slack's team and user. */
export interface Asker {
  workspace: string;
  user: string;
}

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
export interface Call<Parts> {
  readonly parts: Parts;
  readonly catalogue: Catalogue;
  readonly who: Asker;
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
  may(role: string, project?: string): boolean;
  /**
   * Throws NotAllowed, which is answered and recorded, where they may not. `what`: for the record. `because`: why it
   * needs more than usual, a sentence of ours.
   */
  permit(role: string, project: string | undefined, what: string, because?: string): Promise<void>;
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

export interface CommandCall<Parts> extends Call<Parts> {
  /** What was typed after the command or subcommand, unescaped and trimmed. */
  readonly words: string;
}

export interface ActionCall<Parts> extends Call<Parts> {
  readonly action: { id: string; value?: string; chosen?: string };
  readonly view?: OpenView;
  /** The message that holds the button. */
  readonly message?: { channel: string; ts: string };
}

/** The answers that Slack takes in the acknowledgement of a submission. */
export type SubmissionAnswer = { view: ModalView } | { errors: Record<string, string> };

export interface SubmissionCall<Parts> extends Call<Parts> {
  readonly view: OpenView;
  /** False for errors that come too late for Slack; a view is shown all the same. */
  answer(answer: SubmissionAnswer): Promise<boolean>;
}

/** Something that happened in Slack; `who` is the person whom it is about, '' where it is about none. */
export interface EventCall<Parts> extends Call<Parts> {
  /** `about` is the event as Slack sent it. */
  readonly event: { id: string; type: string; about: unknown };
  /** The bot's own user id. */
  readonly bot?: string;
}

export interface ShortcutCall<Parts> extends Call<Parts> {
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

export interface OptionsCall<Parts> extends Call<Parts> {
  /** What was typed into the select. */
  readonly query: string;
  readonly view?: OpenView;
}

/** What a person attempts, for the role that it needs. */
export type Attempt =
  | { surface: 'command'; command: string; words: string }
  | { surface: 'open' }
  | { surface: 'options' | 'shortcut' | 'event'; id: string }
  | { surface: 'action'; id: string; isButton?: boolean }
  | { surface: 'view'; id: string; values: ViewValues };

export interface Shortcut<Parts> extends ShortcutWords {
  run(call: ShortcutCall<Parts>): Promise<void>;
}

export interface Command<Parts> extends CommandWords {
  run(call: CommandCall<Parts>): Promise<void>;
}

/** What the parts take as a kind of submission. */
type KindOf<Parts> = Parts extends { submissions: { kinds: readonly (infer Kind)[] } } ? Kind : never;

/**
 * One thing that a person can do: its commands and its handlers, keyed by Slack's own ids. app.ts registers it;
 * help, suggestions and the manifest read the same entry.
 */
export interface Feature<Parts, Role extends string = string, Kind = KindOf<Parts>> {
  name: string;
  commands: readonly Command<Parts>[];
  /** The least role that may do it. */
  role(attempt: Attempt): Role;
  /** How others open it: see `Call.open`. */
  open?(call: Call<Parts>, prefill: Prefill): Promise<void>;
  /** Does once, before anybody waits, what takes long the first time. */
  warmUp?(): Promise<void>;
  /** The kinds of things that people submit with it. */
  submissions?: readonly Kind[];
  /** The rights that it needs beside those of the commands themselves, each with its reason: "to …". */
  scopes?: Readonly<Record<string, string>>;
  /** By Slack's name of what happened, e.g. `app_home_opened`; the app is subscribed to it for this. */
  events?: Readonly<Record<string, (call: EventCall<Parts>) => Promise<void>>>;
  /** By callback_id. Answers come as a direct message. */
  shortcuts?: Readonly<Record<string, Shortcut<Parts>>>;
  /** By callback_id. */
  views?: Readonly<Record<string, (call: SubmissionCall<Parts>) => Promise<void>>>;
  /** By action_id. */
  actions?: Readonly<Record<string, (call: ActionCall<Parts>) => Promise<void>>>;
  /** By action_id; at most 100 options. */
  options?: Readonly<Record<string, (call: OptionsCall<Parts>) => Promise<PlainTextOption[]>>>;
}
