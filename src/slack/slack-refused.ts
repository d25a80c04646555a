/** Slack does not let this app connect, and will not until somebody changes something. */
export class SlackRefused extends Error {
  readonly code: string;
  readonly token: 'bot' | 'app';
  constructor(code: string, token: 'bot' | 'app') {
    super(`Slack refuses the ${token} token: ${code}`);
    this.name = 'SlackRefused';
    this.code = code;
    this.token = token;
  }
}
