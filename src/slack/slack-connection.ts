export type SlackConnection =
  | ({ botToken: string; apiUrl?: string } & (
      | { kind: 'socket'; appToken: string }
      | { kind: 'http'; signingSecret: string }
    ))
  /** For any number of workspaces, over HTTP. */
  | {
      kind: 'oauth';
      signingSecret: string;
      clientId: string;
      clientSecret: string;
      publicUrl: string;
      apiUrl: string;
    };
