/** Opening quotes, each with the quotes that can close it. */
const QUOTES: Readonly<Record<string, string>> = { '"': '"', '“': '”', '„': '“”', '«': '»', '»': '«' };

/** Matches text before a quote that contains a project's name, not the post: `for "Harbour Coffee"`. */
const NAME_PREFIX = /(?:^|\s)for\s*$/i;

/** Maximum length of the head, in UTF-16 units. A longer line without a colon or quotes is all text. */
const MAX_HEAD_LENGTH = 400;

/** A line, split into the head and the text of the post, both as typed. The head contains the moment and platforms. */
interface LineParts {
  head: string;
  /** Undefined if the line has no text. */
  text?: string;
}

/**
 * Finds the text of a post in a line. The text follows the first colon that has whitespace after it (unlike the colon
 * in "12:30"), or is in quotes. If a quote isn't closed, the text ends with the line.
 */
export function findText(line: string): LineParts {
  for (let index = 0; index < Math.min(line.length, MAX_HEAD_LENGTH); index += 1) {
    const character = line.charAt(index);
    if (character === ':' && /^(?:\s|$)/.test(line.slice(index + 1, index + 2))) {
      const text = line.slice(index + 1).trim();
      return { head: line.slice(0, index), ...(text !== '' && { text }) };
    }
    const closing = QUOTES[character];
    if (closing === undefined) continue;
    const end = findClosingQuote(line, index, closing);
    if (end !== undefined && NAME_PREFIX.test(line.slice(0, index))) {
      index = end;
      continue;
    }
    const text = line.slice(index + 1, end).trim();
    const remainder = end === undefined ? '' : line.slice(end + 1);
    // The part after the quotes is too long for a head, so the text includes that part and the quotes.
    if (remainder.length > MAX_HEAD_LENGTH) return { head: line.slice(0, index), text: line.slice(index) };
    const head = `${line.slice(0, index)} ${remainder}`;
    return { head, ...(text !== '' && { text }) };
  }
  return line.length > MAX_HEAD_LENGTH ? { head: '', text: line } : { head: line };
}

/**
 * Finds the index of the quote that closes the one at `openingIndex`. Skips nested quotes if opening and closing quotes
 * differ.
 */
function findClosingQuote(line: string, openingIndex: number, closing: string): number | undefined {
  const opening = line.charAt(openingIndex);
  let depth = 0;
  for (let index = openingIndex + 1; index < line.length; index += 1) {
    const character = line.charAt(index);
    if (closing.includes(character)) {
      if (depth === 0) return index;
      depth -= 1;
    } else if (character === opening) depth += 1;
  }
  return undefined;
}
