import { getRecords, type Json, type ViewValues } from './read-blocks.ts';

export interface Person {
  id: string;
  name: string;
  timeZone: string;
  isOwner?: boolean;
  isAdmin?: boolean;
  isGuest?: boolean;
}

export interface Channel {
  id: string;
  name: string;
  kind: 'public' | 'private' | 'im';
  /** People, without the bot. */
  members: string[];
  botIsMember: boolean;
}

export interface UserGroup {
  id: string;
  handle: string;
  users: string[];
}

/** The content of a message from a moment on. */
export interface Version {
  at: number;
  text: string;
  blocks: readonly Json[];
}

export interface Message {
  channel: string;
  ts: string;
  user: string;
  isByApp: boolean;
  threadTs: string | undefined;
  /** The only reader. */
  ephemeralTo: string | undefined;
  metadata: Json | undefined;
  /** Oldest first. The last one is current. */
  versions: Version[];
}

export interface View {
  id: string;
  hash: string;
  workspace: string;
  person: string;
  /** The view as the app sent it, with an id for each block and element. */
  content: Json;
  rootId: string;
  previousId: string | null;
  values: ViewValues;
  /** block_id → the error under it. */
  errors: Record<string, string>;
  /** The options of external menus, by block_id and action_id. */
  loadedOptions: Map<string, Json[]>;
  /** Slack's client is locked while it waits for the response to a submission. */
  isSubmitting: boolean;
  /** What people have read of it, without the values of inputs. */
  shownText: string | undefined;
  /** Whether they have pressed a button in it, so that they read what comes next, also if it is the same. */
  isPressed: boolean;
  /** Whether they read it although its text may be the same: for example, its inputs have new values. */
  isUnread: boolean;
}

export interface SlackFile {
  id: string;
  ticket: string;
  name: string;
  size: number;
  status: 'announced' | 'received' | 'complete' | 'deleted';
  /** Of a file that somebody has chosen in a form. */
  bytes?: Buffer;
}

export interface Workspace {
  id: string;
  name: string;
  domain: string;
  botUser: string;
  botId: string;
  isInstalled: boolean;
  people: Map<string, Person & { isActive: boolean }>;
  channels: Map<string, Channel>;
  usergroups: Map<string, UserGroup>;
  /** In order of their ts. */
  messages: Message[];
  /** person → open modals, the top one last. */
  stacks: Map<string, View[]>;
  homes: Map<string, View>;
  files: Map<string, SlackFile>;
  lastMicro: number;
}

/** Where a response_url writes. `ts`: the message of the interaction. */
export interface ResponseTarget {
  workspace: Workspace;
  channel: Channel;
  person: string;
  ts: string | undefined;
}

export function currentVersion(message: Message): Version {
  return message.versions.at(-1) ?? { at: 0, text: '', blocks: [] };
}

export const blocksOf = (view: View) => getRecords(view.content, 'blocks');

export const optionsKey = (blockId: string, actionId: string) => `${blockId} ${actionId}`;
