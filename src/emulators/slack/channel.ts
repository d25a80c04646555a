/** A link at the top of a channel. */
export interface Bookmark {
  id: string;
  title: string;
  link: string;
  /** With colons. */
  emoji?: string;
  /** User id of whoever changed it last. */
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
  topicSet?: { by: string; at: number };
  /** People read it as the channel's description. */
  purpose?: string;
  purposeSet?: { by: string; at: number };
  /** User id of whoever created it. */
  creator?: string;
  /** ms since the epoch. */
  createdAt?: number;
  updatedAt?: number;
  /** Newest first. */
  previousNames?: string[];
  bookmarks?: Bookmark[];
  /** User ids. */
  members: string[];
  /** Nobody writes here any more. */
  archived?: boolean;
  /** Shared with another workspace (Slack Connect). */
  shared?: boolean;
  /** Ids of workspaces and organisations that it is shared with, beside those of its members. */
  sharedWith?: string[];
  /** Another workspace was asked to share it, and has not said yes. */
  sharePending?: boolean;
  /** Shared between the workspaces of one organisation. */
  orgShared?: boolean;
  /** Only owners and admins write here. */
  restricted?: boolean;
}
