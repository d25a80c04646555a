/** Converts Slack messages to plain text. Modules outside src/slack import only this file. */

export { replaceEmojiCodes } from './emoji-names.ts';
export type { NamedKind } from './plain-names.ts';
export { readSlackText } from './read-slack-text.ts';
