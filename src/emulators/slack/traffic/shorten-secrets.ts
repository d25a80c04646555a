/** A Slack token: its kind, and the last four characters, by which people recognize it. */
const TOKEN = /\b(xapp|xwfp|xox[a-z](?:\.xox[a-z])?)-[\w-]{6,}([\w-]{4})/g;
/** Values of keys with secrets that aren't tokens, in JSON or in JSON within JSON. */
const SECRET_VALUE = /("(?:client_secret|refresh_token)\\*":\s*\\*")[^"\\]+/g;
/** The ticket in the address of a Socket Mode connection. */
const TICKET = /(\/link\?ticket=)\w+/g;

/** Replaces the secret part of tokens, such as `xoxb-…a1b2`, and all of other secrets. */
export function shortenSecrets(text: string): string {
  return text.replace(TOKEN, '$1-…$2').replace(SECRET_VALUE, '$1…').replace(TICKET, '$1…');
}
