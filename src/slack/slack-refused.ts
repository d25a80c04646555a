/** Slack refuses a token permanently, so somebody has to change the token or the app. `code` is Slack's error code. */
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
