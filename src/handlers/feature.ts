import type { PlainTextOption } from '@slack/types';
import type { RequiredRole } from '../access/access.ts';
import type { CommandDescription, OptionalScope, ShortcutDescription } from '../slack/catalogue.ts';
import type { ViewValues } from '../slack/interaction-values.ts';
import type { AnyKind } from '../submissions/kind.ts';
import type {
  ActionCall,
  Call,
  CommandCall,
  EventCall,
  Handler,
  OptionsCall,
  Prefill,
  ShortcutCall,
  SubmissionCall,
} from './call.ts';

export type RequestedAction =
  | { surface: 'command'; command: string; text: string }
  | { surface: 'open' }
  | { surface: 'options' | 'shortcut' | 'event'; id: string }
  | { surface: 'action'; id: string; isButton?: boolean }
  | { surface: 'view'; id: string; values: ViewValues; storesEntry?: boolean | undefined };

export interface Shortcut extends ShortcutDescription, Handler<ShortcutCall> {}

export interface Command extends CommandDescription, Handler<CommandCall> {
  /** Stores what a person has typed who isn't allowed to run the command yet, so that the next try offers it. */
  keepTyped?(call: Call, text: string, changes: CommandCall['changes']): Promise<unknown>;
}

/**
 * A feature: its commands, and its handlers by Slack's ids. All features are listed in features.ts. Help, suggestions,
 * permission checks, the audit log and the manifest read that list.
 */
export interface Feature {
  name: string;
  commands: readonly Command[];
  /** The lowest role that may use the feature. A handler can require another one. */
  role: RequiredRole;
  /** Opens the feature from another feature; see `Call.openFeature`. */
  open?: Omit<Handler<Call>, 'run'> & { run(call: Call, prefill: Prefill): Promise<void> };
  /** Does slow one-time work at startup, so that the first request doesn't wait for it. */
  warmUp?(): Promise<void>;
  submissions?: readonly AnyKind[];
  /** The OAuth scopes that the feature needs besides `commands`, each with its purpose: "to …". */
  scopes?: Readonly<Record<string, string>>;
  /** The OAuth scopes without which the feature still works, except for one ability. A workspace can decline them. */
  optionalScopes?: Readonly<Record<string, OptionalScope>>;
  /** Handlers by event type, such as `app_home_opened`. The manifest subscribes the app to these events. */
  events?: Readonly<Record<string, Handler<EventCall>>>;
  /** Shortcuts by callback_id. Replies to shortcuts are direct messages. */
  shortcuts?: Readonly<Record<string, Shortcut>>;
  /** Handlers of view submissions, by callback_id. */
  views?: Readonly<Record<string, Handler<SubmissionCall>>>;
  /** Handlers of actions, by action_id. */
  actions?: Readonly<Record<string, Handler<ActionCall>>>;
  /** Handlers that list the options of a select menu, by action_id. At most 100 options. */
  options?: Readonly<Record<string, Handler<OptionsCall, PlainTextOption[]>>>;
}
