/** Converts Slack messages to plain text. Modules outside src/slack import only this file. */

export type { NamedKind } from './plain-names.ts';
export { readSlackText } from './read-slack-text.ts';
export { replaceEmojiCodes } from './replace-emoji-codes.ts';
