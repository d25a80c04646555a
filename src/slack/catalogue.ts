import type { Button } from '@slack/types';
import { button } from './blocks.ts';
export interface CommandDescription {
  /** The word after `/upnext`. */
  name: string;
  /** Other names that people may try for the subcommand. */
  aliases: readonly string[];
  /** Names that stand for the subcommand and its first argument: `/upnext drafts` means `/upnext posts drafts`. */
  shorthands?: readonly string[];
  /**
   * Matches lines of ordinary language that mean the subcommand, such as "when is the next post?". The line is then the
   * command's argument. It may have 80 kB, so a pattern has to be linear, or to limit the length. `locale`: the person's,
   * once it is known; a pattern may know other languages than English.
   */
  phrases?: { test(line: string, locale?: string): boolean };
  summary: string;
  /** The arguments as shown in help and in Slack's usage hint. Absent if there are none. */
  usage?: string;
  /** Lines that show how to use the command, each with a short description. */
  examples: Readonly<Record<string, string>>;
  /** A separate slash command for the same subcommand, for example `/schedule-post`. */
  slashCommand?: string;
  /**
   * Whether the command opens a form. May depend on the arguments. A form needs a trigger id, so in a place without
   * trigger ids the app replies with a button that opens the form.
   */
  opensForm?: boolean | ((args: string) => boolean);
  /** True if the command never changes anything: Home isn't refreshed after it, and help runs it without a question. */
  isReadOnly?: boolean;
  /** Label of the button on Home. Defaults to `name`. False if Home has no button for the command. */
  button?: string | false;
  /** Whether help, Home and the manifest name the command. Defaults to true. `/upnext admin` has the others. */
  isListed?: boolean;
}

/** Returns the one spelling with which texts name a command: `/schedule-post`, `/upnext` or `/upnext use`. */
export function renderCommandName(command: Pick<CommandDescription, 'name' | 'slashCommand'>): string {
  const { name, slashCommand } = command;
  if (slashCommand !== undefined) return slashCommand;
  return name === BARE_COMMAND ? '/upnext' : `/upnext ${name}`;
}

/** Whether a line of the command opens a form. */
export function needsForm({ opensForm = false }: CommandDescription, args: string): boolean {
  return typeof opensForm === 'boolean' ? opensForm : opensForm(args);
}

/** The command that `/upnext` runs without a subcommand. */
export const BARE_COMMAND = 'next';

/** Lists the commands that help, Home and the manifest name. */
export function listNamedCommands(catalogue: Catalogue): CommandDescription[] {
  return catalogue.flatMap(({ commands }) => commands.filter(({ isListed = true }) => isListed));
}

/** Finds a command by name. Undefined if the catalogue doesn't have it. */
export function findCommand(catalogue: Catalogue, name: string): CommandDescription | undefined {
  return catalogue.flatMap(({ commands }) => commands).find((command) => command.name === name);
}

export interface ShortcutDescription {
  /** At most 24 characters, which is Slack's limit. */
  name: string;
  /** At most 150 characters, which is Slack's limit. */
  description: string;
  /** `message`: the shortcut is in the menu of each message. `global`: it is available everywhere in Slack. */
  type: 'message' | 'global';
}

/** A scope that a workspace can decline, because only some features need it. */
export interface OptionalScope {
  /** Why the app asks for the scope: "to …". */
  purpose: string;
  /** What the app can't do without the scope, after "can't": "send CSV files". */
  missingAbility: string;
}

/** Description of all features for help, suggestions and the manifest, in the order of the help text. */
export type Catalogue = readonly {
  readonly name: string;
  readonly commands: readonly CommandDescription[];
  readonly scopes?: Readonly<Record<string, string>>;
  readonly optionalScopes?: Readonly<Record<string, OptionalScope>>;
  readonly events?: Readonly<Record<string, unknown>>;
  readonly shortcuts?: Readonly<Record<string, ShortcutDescription>>;
}[];

/** The action ids of buttons that run their value as a typed line. A row has at most three, which need unique ids. */
export const RUN_LINE_ACTIONS = ['help.run.0', 'help.run.1', 'help.run.2'] as const;

/** Builds a button that runs a line as if the person had typed it. `index`: its position among those of its row. */
export function runLineButton(label: string, line: string, index = 0, style?: Button['style']): Button {
  return button(label, RUN_LINE_ACTIONS[index] ?? RUN_LINE_ACTIONS[0], line, style);
}
