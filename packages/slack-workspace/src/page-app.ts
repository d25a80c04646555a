/** An app, for the page. */
export interface PageApp {
  name: string;
  description: string;
  botUserId: string;
  connected: boolean;
  isAssistant?: boolean;
  /** Whether the app has a Home tab. */
  hasHome: boolean;
}

/** The Home tab that an app published for a person. */
export interface PageHome {
  view: Record<string, unknown>;
  hash: string;
}

export interface CommandEntry {
  /** With the slash. */
  command: string;
  description: string;
  usageHint: string;
}

export interface ShortcutEntry {
  name: string;
  description: string;
  callbackId: string;
  type: 'global' | 'message';
}

/** The app of a shortcut or step. */
export interface WithApp {
  /** Ids of the app and of its bot user. */
  app: string;
  botUserId: string;
}
