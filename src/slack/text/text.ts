/** What a Slack message says, as plain text. Everything outside src/slack imports this file alone. */

export type { NamedKind } from './plain-names.ts';
export { readSlackText } from './read-slack-text.ts';
export { replaceEmojiCodes } from './replace-emoji-codes.ts';
