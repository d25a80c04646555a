/** An app as the page shows it. */
export interface PageApp {
  name: string;
  description: string;
  botUserId: string;
  connected: boolean;
  isAssistant?: boolean;
  /** It has a Home tab. */
  hasHome: boolean;
}

/** What an app published as its Home tab for a person. */
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

/** Something that one of the apps offers. */
export interface OfAnApp {
  /** Id of the app, and of its user. */
  app: string;
  botUserId: string;
}
