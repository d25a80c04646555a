/** Quotes that begin a text, with those that end it. */
const QUOTES: Readonly<Record<string, string>> = { '"': '"', '“': '”', '„': '“”', '«': '»', '»': '«' };

/** After it a quoted name follows, and no text: `for "Harbour Coffee"`. */
const BEFORE_NAME = /(?:^|\s)for\s*$/i;

/** Nobody says when and where in more characters (UTF-16 units): what goes on longer is a text itself. */
const LONGEST_HEAD = 400;

/** A line in two: what says when and where, and the words of the post, as they were written. */
interface LineParts {
  head: string;
  /** Undefined where the line has none. */
  text?: string;
}

/**
 * The text begins after the first colon that a blank or a new line follows, which that of "12:30" is not, or stands in
 * quotes; with a quote that is not closed the rest of the line is the text. A long line without either is all text.
 */
export function findText(line: string): LineParts {
  for (let at = 0; at < Math.min(line.length, LONGEST_HEAD); at += 1) {
    const sign = line.charAt(at);
    if (sign === ':' && /^(?:\s|$)/.test(line.slice(at + 1, at + 2))) {
      const text = line.slice(at + 1).trim();
      return { head: line.slice(0, at), ...(text !== '' && { text }) };
    }
    const closing = QUOTES[sign];
    if (closing === undefined) continue;
    const end = closedAt(line, at, closing);
    if (end !== undefined && BEFORE_NAME.test(line.slice(0, at))) {
      at = end;
      continue;
    }
    const text = line.slice(at + 1, end).trim();
    const after = end === undefined ? '' : line.slice(end + 1);
    // Too much to say when and where: it belongs to the text, quotes and all.
    if (after.length > LONGEST_HEAD) return { head: line.slice(0, at), text: line.slice(at) };
    const head = `${line.slice(0, at)} ${after}`;
    return { head, ...(text !== '' && { text }) };
  }
  return line.length > LONGEST_HEAD ? { head: '', text: line } : { head: line };
}

/** Where the quote that opens at `at` is closed; quotes within it are passed over where they can be told apart. */
function closedAt(line: string, at: number, closing: string): number | undefined {
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
