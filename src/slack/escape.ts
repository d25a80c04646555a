const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const PLAIN: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** Unicode's Bidi_Control characters: https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters */
const DIRECTION = /\p{Bidi_Control}/gu;

/** Removes the characters that change the direction of the text around them. */
export function stripBidiControls(text: string): string {
  return text.replace(DIRECTION, '');
}

/**
 * Escapes text from people or from the service for a mrkdwn object, so that no part of it becomes a mention, a link or
 * a broadcast, or changes the direction of the text around it:
 * https://docs.slack.dev/messaging/formatting-message-text/#escaping
 */
export function escapeText(text: string): string {
  return stripBidiControls(text.toWellFormed()).replace(
    /[&<>]/g,
    (character) => ESCAPED[character] ?? character,
  );
}

/** Cuts an escaped text to `limit` UTF-16 units, ellipsis included. Never splits an entity. */
export function clipEscaped(escaped: string, limit: number): string {
  return clip(escaped, limit).replace(/&[a-z]{0,3}…$/, '…');
}

/** Restores text as it was typed: Slack sends `& < >` escaped. */
export function unescapeText(text: string): string {
  return text.replace(/&(?:amp|lt|gt);/g, (entity) => PLAIN[entity] ?? entity);
}

/** One line without control, invisible or direction-changing characters: for quoting text that somebody typed. */
export function sanitizeLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\p{Cf}/gu, '')
    .trim();
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Cuts the text to `limit` UTF-16 units, ellipsis included. Never splits a grapheme. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const room = limit - 1;
  let end = 0;
  // Segment only the part that can fit: the whole text may have 100 kB.
  for (const { index, segment } of graphemes.segment(text.slice(0, limit + 1))) {
    const next = index + segment.length;
    if (next > room) break;
    end = next;
  }
  return `${text.slice(0, end)}…`;
}
