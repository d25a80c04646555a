/** What help, suggestions and the manifest say of a subcommand. */
export interface CommandDescription {
  /** After `/upnext`. */
  name: string;
  /** Other words for it, as people try them. */
  aliases: readonly string[];
  /** Words that mean the command and say something to it besides: `/upnext drafts` is `/upnext posts drafts`. */
  shorthands?: readonly string[];
  summary: string;
  /** What follows the subcommand, as help and Slack's hint show it; '' where nothing does. */
  usage: string;
  examples: readonly string[];
  /** The slash command of its own, where it has one, e.g. `/schedule-post`. */
  ownCommand?: string;
  /** With these words it opens a form: where nobody pressed anything, a button is offered that does. */
  opensForm?: boolean | ((words: string) => boolean);
  /** What its button on Home says, its name without; false where it is about the channel that it is typed in. */
  button?: string | false;
}

/** What the manifest says of a shortcut. */
export interface ShortcutDescription {
  /** At most 24 characters. */
  name: string;
  /** At most 150 characters. */
  description: string;
  /** From the menu of a message, or from anywhere. */
  on: 'message' | 'anything';
}

/** What there is, in the order in which help lists it; of features, what help, suggestions and the manifest say. */
export type Catalogue = readonly {
  readonly name: string;
  readonly commands: readonly CommandDescription[];
  readonly scopes?: Readonly<Record<string, string>>;
  readonly events?: Readonly<Record<string, unknown>>;
  readonly shortcuts?: Readonly<Record<string, ShortcutDescription>>;
}[];
