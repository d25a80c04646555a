import type { ModalView, PlainTextOption } from '@slack/types';
import type { WebClient } from '@slack/web-api';
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
  now(): Date;
  /** Tells Slack that the request has arrived, if nothing has yet: first of all where work follows. */
  acknowledge(): Promise<void>;
  /** To the person alone, where they asked: in the channel, else as a direct message. */
  reply(message: Message, options?: { replace: boolean }): Promise<void>;
  /** Another feature's form or answer, by the feature's name. */
  open(feature: string, prefill: Prefill): Promise<void>;
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

export interface OptionsCall<Parts> extends Call<Parts> {
  /** What was typed into the select. */
  readonly query: string;
  readonly view?: OpenView;
}

/** What a person attempts, for the role that it needs. */
export type Attempt =
  | { surface: 'command' | 'open' }
  | { surface: 'action' | 'options'; id: string }
  | { surface: 'view'; id: string; values: ViewValues };

/** What help, suggestions and the manifest say of a subcommand. */
export interface CommandWords {
  /** After `/upnext`. */
  name: string;
  aliases: readonly string[];
  summary: string;
  /** What follows the subcommand, as help and Slack's hint show it; '' where nothing does. */
  usage: string;
  examples: readonly string[];
  /** The slash command of its own, where it has one, e.g. `/schedule-post`. */
  ownCommand?: string;
}

export interface Command<Parts> extends CommandWords {
  run(call: CommandCall<Parts>): Promise<void>;
}

/** The commands that there are, in the order in which help lists them. */
export type Catalogue = readonly { readonly name: string; readonly commands: readonly CommandWords[] }[];

/**
 * One thing that a person can do: its commands and its handlers, keyed by Slack's own ids. app.ts registers it;
 * help, suggestions and the manifest read the same entry.
 */
export interface Feature<Parts, Role extends string = string> {
  name: string;
  commands: readonly Command<Parts>[];
  /** The least role that may do it. */
  role(attempt: Attempt): Role;
  /** How others open it: see `Call.open`. */
  open?(call: Call<Parts>, prefill: Prefill): Promise<void>;
  /** Does once, before anybody waits, what takes long the first time. */
  warmUp?(): void;
  /** By callback_id. */
  views?: Readonly<Record<string, (call: SubmissionCall<Parts>) => Promise<void>>>;
  /** By action_id. */
  actions?: Readonly<Record<string, (call: ActionCall<Parts>) => Promise<void>>>;
  /** By action_id; at most 100 options. */
  options?: Readonly<Record<string, (call: OptionsCall<Parts>) => Promise<PlainTextOption[]>>>;
}
