import type { PlainTextOption } from '@slack/types';
import type { RequiredRole } from '../access/access.ts';
import type { CommandDescription, ShortcutDescription } from '../slack/catalogue.ts';
import type { ViewValues } from '../slack/interaction-values.ts';
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

/** What a person attempts. It decides the required role. */
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
 * One thing that people can do: its commands, and its handlers by Slack's ids. It is listed in features.ts, which help,
 * suggestions, permission checks and the manifest read.
 */
export interface Feature {
  name: string;
  commands: readonly Command[];
  /** The lowest role that may do it. */
  role(attempt: Attempt): RequiredRole;
  /** Opens it from another feature; see `Call.open`. */
  open?(call: Call, prefill: Prefill): Promise<void>;
  /** Does slow one-time work at startup, before anybody waits for it. */
  warmUp?(): Promise<void>;
  /** Its kinds of submissions. */
  submissions?: readonly AnyKind[];
  /** OAuth scopes that it needs besides the one for commands, each with its reason: "to …". */
  scopes?: Readonly<Record<string, string>>;
  /** By event type, such as `app_home_opened`. The manifest subscribes the app to these. */
  events?: Readonly<Record<string, (call: EventCall) => Promise<void>>>;
  /** By callback_id. Answers are direct messages. */
  shortcuts?: Readonly<Record<string, Shortcut>>;
  /** By callback_id. */
  views?: Readonly<Record<string, (call: SubmissionCall) => Promise<void>>>;
  /** By action_id. */
  actions?: Readonly<Record<string, (call: ActionCall) => Promise<void>>>;
  /** By action_id; at most 100 options. */
  options?: Readonly<Record<string, (call: OptionsCall) => Promise<PlainTextOption[]>>>;
}
