/** A link at the top of a channel. */
export interface Bookmark {
  id: string;
  title: string;
  link: string;
  /** The name with colons, such as `:memo:`. */
  emoji?: string;
  /** Id of the user who changed it last. */
  by: string;
  /** ms since the epoch. */
  createdAt: number;
  updatedAt?: number;
}

export interface Channel {
  id: string;
  name: string;
  /** `mpim` is a group direct message. */
  kind: 'public' | 'private' | 'im' | 'mpim';
  topic: string;
  /** The last change of the topic: user id, and ms since the epoch. */
  /** The last change of the topic: user id, and ms since the epoch. */
  topicSet?: { by: string; at: number };
  /** Shown as the channel's description. */
  purpose?: string;
  purposeSet?: { by: string; at: number };
  /** Id of the user who created it. */
  creator?: string;
  /** ms since the epoch. */
  createdAt?: number;
  updatedAt?: number;
  /** Newest first. */
  previousNames?: string[];
  bookmarks?: Bookmark[];
  /** User ids. */
  members: string[];
  /** People can still read an archived channel, but nobody can write there. */
  archived?: boolean;
  /** Shared with another workspace (Slack Connect). */
  shared?: boolean;
  /** Ids of workspaces and organisations that share the channel, besides those of its members. */
  sharedWith?: string[];
  /** True if another workspace was invited to share it, and hasn't accepted yet. */
  sharePending?: boolean;
  /** Shared between the workspaces of one organisation. */
  orgShared?: boolean;
  /** Only owners and admins can write here. */
  restricted?: boolean;
}
