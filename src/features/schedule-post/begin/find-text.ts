/** Opening quotes, each with the quotes that can close it. */
const QUOTES: Readonly<Record<string, string>> = { '"': '"', '“': '”', '„': '“”', '«': '»', '»': '«' };

/** A quote after this is a project's name, not the text: `for "Harbour Coffee"`. */
const BEFORE_NAME = /(?:^|\s)for\s*$/i;

/** The part with moment and platforms, in UTF-16 units. A longer line is all text. Our own limit. */
const MAX_HEAD_LENGTH = 400;

/** A line split into its head, which says when and where, and the text of the post, both as written. */
interface LineParts {
  head: string;
  /** Undefined if the line has no text. */
  text?: string;
}

/**
 * The text follows the first colon before whitespace (so not the colon of "12:30"), or is in quotes. After an unclosed
 * quote, the rest of the line is the text. A long line without colon or quotes is all text.
 */
export function findText(line: string): LineParts {
  for (let at = 0; at < Math.min(line.length, MAX_HEAD_LENGTH); at += 1) {
    const sign = line.charAt(at);
    if (sign === ':' && /^(?:\s|$)/.test(line.slice(at + 1, at + 2))) {
      const text = line.slice(at + 1).trim();
      return { head: line.slice(0, at), ...(text !== '' && { text }) };
    }
    const closing = QUOTES[sign];
    if (closing === undefined) continue;
    const end = findClosing(line, at, closing);
    if (end !== undefined && BEFORE_NAME.test(line.slice(0, at))) {
      at = end;
      continue;
    }
    const text = line.slice(at + 1, end).trim();
    const after = end === undefined ? '' : line.slice(end + 1);
    // Too long for a head, so it belongs to the text, including the quotes.
    if (after.length > MAX_HEAD_LENGTH) return { head: line.slice(0, at), text: line.slice(at) };
    const head = `${line.slice(0, at)} ${after}`;
    return { head, ...(text !== '' && { text }) };
  }
  return line.length > MAX_HEAD_LENGTH ? { head: '', text: line } : { head: line };
}

/** The index of the quote that closes the one at `at`. Skips nested quotes if opening and closing quotes differ. */
function findClosing(line: string, at: number, closing: string): number | undefined {
  const opening = line.charAt(at);
  let depth = 0;
  for (let index = at + 1; index < line.length; index += 1) {
    const sign = line.charAt(index);
    if (closing.includes(sign)) {
      if (depth === 0) return index;
      depth -= 1;
    } else if (sign === opening) depth += 1;
  }
  return undefined;
}
