import { clip } from './clip.ts';

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const PLAIN: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** Unicode's Bidi_Control characters: https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters */
const DIRECTION = /\p{Bidi_Control}/gu;

/** Without the characters that change the direction of the text around them. */
export function stripBidiControls(text: string): string {
  return text.replace(DIRECTION, '');
}

/**
 * Text from a person or the service for a mrkdwn object: nothing in it becomes a mention, a link or a broadcast, or
 * changes the direction of the words around it.
 * https://docs.slack.dev/messaging/formatting-message-text/#escaping
 */
export function escapeText(text: string): string {
  return stripBidiControls(text.toWellFormed()).replace(
    /[&<>]/g,
    (character) => ESCAPED[character] ?? character,
  );
}

/** As much of an escaped text as fits `limit` UTF-16 units, with an ellipsis. Never cuts through an entity. */
export function clipEscaped(escaped: string, limit: number): string {
  return clip(escaped, limit).replace(/&[a-z]{0,3}…$/, '…');
}

/** The text of a slash command as it was typed: Slack sends `& < >` escaped. */
export function unescapeText(text: string): string {
  return text.replace(/&(?:amp|lt|gt);/g, (entity) => PLAIN[entity] ?? entity);
}

/** One line without control, invisible or direction-changing characters, for quoting what somebody typed. */
export function sanitizeLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\p{Cf}/gu, '')
    .trim();
}
