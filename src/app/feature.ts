import type { PlainTextOption } from '@slack/types';
import type { Needed } from '../access/access.ts';
import type { CommandDescription, ShortcutDescription } from '../slack/catalogue.ts';
import type { ViewValues } from '../slack/view-values.ts';
import type { AnyKind } from '../submissions/kind.ts';
import type {
  ActionCall,
  Call,
  CommandCall,
  EventCall,
  OptionsCall,
  Prefill,
  ShortcutCall,
  SubmissionCall,
} from './call.ts';

/** What a person attempts, for the role that it needs. */
export type Attempt =
  | { surface: 'command'; command: string; words: string }
  | { surface: 'open' }
  | { surface: 'options' | 'shortcut' | 'event'; id: string }
  | { surface: 'action'; id: string; isButton?: boolean }
  | { surface: 'view'; id: string; values: ViewValues };

export interface Shortcut extends ShortcutDescription {
  run(call: ShortcutCall): Promise<void>;
}

export interface Command extends CommandDescription {
  run(call: CommandCall): Promise<void>;
}

/**
 * One thing that a person can do: its commands and its handlers, keyed by Slack's own ids. features.ts lists it;
 * help, suggestions and the manifest read the same entry.
 */
export interface Feature {
  name: string;
  commands: readonly Command[];
  /** The least role that may do it. */
  role(attempt: Attempt): Needed;
  /** How others open it: see `Call.open`. */
  open?(call: Call, prefill: Prefill): Promise<void>;
  /** Does once, before anybody waits, what takes long the first time. */
  warmUp?(): Promise<void>;
  /** The kinds of things that people submit with it. */
  submissions?: readonly AnyKind[];
  /** The rights that it needs beside those of the commands themselves, each with its reason: "to …". */
  scopes?: Readonly<Record<string, string>>;
  /** By Slack's name of what happened, e.g. `app_home_opened`; the app is subscribed to it for this. */
  events?: Readonly<Record<string, (call: EventCall) => Promise<void>>>;
  /** By callback_id. Answers come as a direct message. */
  shortcuts?: Readonly<Record<string, Shortcut>>;
  /** By callback_id. */
  views?: Readonly<Record<string, (call: SubmissionCall) => Promise<void>>>;
  /** By action_id. */
  actions?: Readonly<Record<string, (call: ActionCall) => Promise<void>>>;
  /** By action_id; at most 100 options. */
  options?: Readonly<Record<string, (call: OptionsCall) => Promise<PlainTextOption[]>>>;
}
