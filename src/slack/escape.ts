const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const CHARACTERS: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** Unicode's Bidi_Control property: https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters */
const BIDI_CONTROLS = /\p{Bidi_Control}/gu;

/** Removes the characters that change the writing direction of the text around them. */
export function stripBidiControls(text: string): string {
  return text.replace(BIDI_CONTROLS, '');
}

/**
 * Escapes text from people or from the service for a mrkdwn object. No part of the result becomes a mention, a link or
 * a broadcast, or changes the writing direction of the text around it:
 * https://docs.slack.dev/messaging/formatting-message-text/#escaping
 */
export function escapeText(text: string): string {
  return stripBidiControls(text.toWellFormed()).replace(
    /[&<>]/g,
    (character) => ENTITIES[character] ?? character,
  );
}

/** Cuts an escaped text to `limit` UTF-16 units, including the ellipsis. Never splits an entity. */
export function clipEscaped(escaped: string, limit: number): string {
  return clip(escaped, limit).replace(/&[a-z]{0,3}…$/, '…');
}

/** Decodes the entities for `& < >`, which Slack escapes in typed text. */
export function unescapeText(text: string): string {
  return text.replace(/&(?:amp|lt|gt);/g, (entity) => CHARACTERS[entity] ?? entity);
}

/** Turns typed text into one line for quoting, without control, invisible or bidi control characters. */
export function sanitizeLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\p{Cf}/gu, '')
    .trim();
}

const graphemeSegmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Cuts the text to `limit` UTF-16 units, including the ellipsis. Never splits a grapheme. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const room = limit - 1;
  let end = 0;
  // Segments only the part that can fit, because the whole text may have 100 kB.
  for (const { index, segment } of graphemeSegmenter.segment(text.slice(0, limit + 1))) {
    const next = index + segment.length;
    if (next > room) break;
    end = next;
  }
  return `${text.slice(0, end)}…`;
}
