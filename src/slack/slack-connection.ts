/** How the bot reaches Slack, and Slack the bot. */
export type SlackConnection =
  | ({ botToken: string; apiUrl?: string } & (
      | { kind: 'socket'; appToken: string }
      | { kind: 'http'; signingSecret: string }
    ))
  /** Many workspaces, by HTTP. */
  | {
      kind: 'oauth';
      signingSecret: string;
      clientId: string;
      clientSecret: string;
      publicUrl: string;
      apiUrl: string;
      trustedProxies: readonly string[];
    };
