/** A subcommand as help, suggestions and the manifest describe it. */
export interface CommandDescription {
  /** The word after `/upnext`. */
  name: string;
  /** Other words that people may try for the same subcommand. */
  aliases: readonly string[];
  /** Words that stand for the subcommand and an argument: `/upnext drafts` is `/upnext posts drafts`. */
  shorthands?: readonly string[];
  summary: string;
  /** The arguments, as help and Slack's usage hint show them; '' if there are none. */
  usage: string;
  examples: readonly string[];
  /** A separate slash command for the same, e.g. `/schedule-post`. */
  ownCommand?: string;
  /**
   * Whether the command opens a form, possibly depending on its arguments. A form needs a trigger: without one, the
   * person is offered a button that opens the form.
   */
  opensForm?: boolean | ((words: string) => boolean);
  /** Label of its button on Home. Defaults to its name; false if the command is about the channel it is typed in. */
  button?: string | false;
}

/** A shortcut as the manifest describes it. */
export interface ShortcutDescription {
  /** At most 24 characters, a limit of Slack's. */
  name: string;
  /** At most 150 characters, a limit of Slack's. */
  description: string;
  /** `message`: in the menu of a message. `anything`: a global shortcut. */
  on: 'message' | 'anything';
}

/** The features as help, suggestions and the manifest describe them, in the order in which help lists them. */
export type Catalogue = readonly {
  readonly name: string;
  readonly commands: readonly CommandDescription[];
  readonly scopes?: Readonly<Record<string, string>>;
  readonly events?: Readonly<Record<string, unknown>>;
  readonly shortcuts?: Readonly<Record<string, ShortcutDescription>>;
}[];
