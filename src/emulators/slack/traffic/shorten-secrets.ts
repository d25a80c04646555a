/** A token of Slack's: its kind, the secret, and the last characters, by which people recognize it. */
const TOKEN = /\b(xapp|xwfp|xox[a-z](?:\.xox[a-z])?)-[\w-]{6,}([\w-]{4})/g;
/** Values of keys that hold a secret without such a prefix, in JSON or in JSON within JSON. */
const SECRET_VALUE = /("(?:client_secret|refresh_token)\\*":\s*\\*")[^"\\]+/g;
/** The one-use ticket in the address of a Socket Mode connection. */
const TICKET = /(\/link\?ticket=)\w+/g;

/** Replaces the secret part of every token in a text: `xoxb-…a1b2`. */
export function shortenSecrets(text: string): string {
  return text.replace(TOKEN, '$1-…$2').replace(SECRET_VALUE, '$1…').replace(TICKET, '$1…');
}
