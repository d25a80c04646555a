/** Where people read something. `errors` are those beneath the fields of a form. */
export type Surface = 'message' | 'ephemeral' | 'form' | 'errors' | 'home';

/** Something that people can read from now on. */
export interface Shown {
  workspace: string;
  /** The channel of a message, otherwise ''. */
  channel: string;
  /** The only reader, '' if everybody in the channel reads it. A direct message has one. */
  reader: string;
  surface: Surface;
  /** The ts of a message, or the id of a view. */
  id: string;
  /** Whether it is a new message, which notifies people, or a form that opens. Otherwise it replaces an earlier text. */
  isNew: boolean;
  /** All texts in reading order, a line each, with buttons in square brackets. */
  text: string;
  /** Its buttons with what they send, by which the app knows what they are about. Absent without buttons. */
  buttons?: readonly ShownButton[];
  /** Which date of which digest a message is for, as the app has stored in it. */
  occurrence?: string;
}

export interface ShownButton {
  actionId: string;
  value: string;
}

/** A request to the service to create a post. */
export interface CreatedPost {
  workspace: string;
  project: string;
  content: string;
  platforms: readonly string[];
  /** The address of its picture. */
  media?: string | undefined;
  /** Ms since the epoch. Undefined for a draft without a time. */
  publishAt: number | undefined;
  isDraft: boolean;
  /** When Upnext sent the request, ms since the epoch. The service may carry it out minutes later. */
  sentAt: number;
  /** Whether the service stored the post. */
  isApplied: boolean;
}

/** What a person does. */
export interface Deed {
  workspace: string;
  person: string;
  text: string;
  /** What they pressed: the label of a button, `submit` or `close`. */
  pressed?: string;
  /** What they saw when they pressed, and the id of the message or view. */
  saw?: string;
  place?: string;
  /** What the button sends, and what the app has stored in the form that they submit. */
  button?: ShownButton;
  metadata?: string;
  /** The id of the form that they submit. */
  form?: string;
  /** The texts of posts that they send with it. */
  wrote?: readonly string[];
  /** The text of each platform, in a form about a post. */
  texts?: Readonly<Record<string, string>>;
  /** The version of the text of most platforms, in such a form. */
  mainText?: string;
  /** The width of the picture in that form, by which it is known, or that it is the one that the post has. */
  picture?: number | 'kept';
  /** The time that they typed. */
  when?: string;
}

/** What happened in a simulation, in order. Times are ms since the epoch, on the true clock. */
export type Entry = { at: number } & (
  | ({ kind: 'deed' } & Deed)
  | ({ kind: 'shown' } & Shown)
  | ({ kind: 'created' } & CreatedPost)
  /** `picture`: the width of its picture as the service got it, or that there was none at its address. */
  | { kind: 'published'; workspace: string; content: string; picture?: number | 'missing' | undefined }
  /** What breaks, what ends, and other lines that a reader of the history needs. */
  | { kind: 'note'; text: string; trouble?: Trouble }
);

/** What breaks, and for how long work may be late because of it. */
export interface Trouble {
  forMs: number;
  /** Whether only the service is concerned. Defaults to false. */
  isOfService?: boolean;
  /** Whether the service lists posts all the same. Defaults to false. */
  leavesLists?: boolean;
}
