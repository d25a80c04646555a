/**
 * A part of a text in standard markdown. Its `text` can contain inline markdown.
 * @typedef {{ text: string, depth: number, isDone?: boolean }} ListItem `isDone`: the state of its checkbox, if it has one
 * @typedef {{ type: 'text', text: string }
 *   | { type: 'heading', level: number, text: string }
 *   | { type: 'list', isOrdered: boolean, items: ListItem[] }
 *   | { type: 'table', head: string[], rows: string[][] }
 *   | { type: 'quote', text: string }
 *   | { type: 'code', text: string }
 *   | { type: 'rule' }} MarkdownPart
 */

const FENCE = /^\s*```/;
const HEADING = /^(#{1,6})\s+(.+?)\s*#*$/;
const RULE = /^\s*([-*_])(\s*\1){2,}\s*$/;
const ITEM = /^(\s*)([-*+]|\d+[.)])\s+(.*)$/;
const CHECKBOX = /^\[([ xX])\]\s+/;
const QUOTE = /^\s*>\s?/;
const ROW = /^\s*\|.*\|\s*$/;
const TABLE_RULE = /^\s*\|(\s*:?-+:?\s*\|)+\s*$/;

/**
 * Splits markdown into the parts that a markdown block can have
 * (docs.slack.dev/reference/block-kit/blocks/markdown-block). All other lines are text.
 * @param {string} markdown
 * @returns {MarkdownPart[]}
 */
export function readMarkdown(markdown) {
  const lines = markdown.split('\n');
  /** @type {MarkdownPart[]} */
  const parts = [];
  while (lines.length > 0) parts.push(takePart(lines));
  return parts.filter((part) => part.type !== 'text' || part.text.trim() !== '');
}

/**
 * Removes the lines of the next part.
 * @param {string[]} lines
 * @returns {MarkdownPart}
 */
function takePart(lines) {
  const [line = '', next = ''] = lines;
  if (FENCE.test(line)) return takeCode(lines);
  const heading = HEADING.exec(line);
  if (heading) {
    lines.shift();
    return { type: 'heading', level: heading[1]?.length ?? 1, text: heading[2] ?? '' };
  }
  if (RULE.test(line)) {
    lines.shift();
    return { type: 'rule' };
  }
  if (ROW.test(line) && TABLE_RULE.test(next)) return takeTable(lines);
  if (ITEM.test(line)) return takeList(lines);
  if (QUOTE.test(line)) {
    const quoted = takeWhile(lines, (other) => QUOTE.test(other)).map((other) => other.replace(QUOTE, ''));
    return { type: 'quote', text: quoted.join('\n') };
  }
  return { type: 'text', text: takeText(lines) };
}

/**
 * @param {string[]} lines
 * @param {(line: string) => boolean} isPart
 */
function takeWhile(lines, isPart) {
  const end = lines.findIndex((line) => !isPart(line));
  return lines.splice(0, end < 0 ? lines.length : end);
}

/**
 * Removes the lines up to the closing fence. A message that is still being streamed may have none.
 * @param {string[]} lines
 * @returns {MarkdownPart}
 */
function takeCode(lines) {
  lines.shift();
  const code = takeWhile(lines, (line) => !FENCE.test(line));
  lines.shift();
  return { type: 'code', text: code.join('\n') };
}

/**
 * @param {string[]} lines
 * @returns {MarkdownPart}
 */
function takeTable(lines) {
  const [head = [], , ...rows] = takeWhile(lines, (line) => ROW.test(line)).map(readCells);
  return { type: 'table', head, rows };
}

/** @param {string} row */
const readCells = (row) =>
  row
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));

/**
 * @param {string[]} lines
 * @returns {MarkdownPart}
 */
function takeList(lines) {
  const isOrdered = isNumbered(lines[0] ?? '');
  // An unindented item of the other type starts a new list.
  const isItem = (/** @type {string} */ line) =>
    ITEM.test(line) && (/^\s/.test(line) || isNumbered(line) === isOrdered);
  const items = takeWhile(lines, isItem).map((line) => {
    const [, indent = '', , text = ''] = ITEM.exec(line) ?? [];
    const checkbox = CHECKBOX.exec(text);
    const isDone = checkbox ? { isDone: checkbox[1] !== ' ' } : {};
    const depth = Math.floor(indent.replaceAll('\t', '  ').length / 2);
    return { text: text.replace(CHECKBOX, ''), depth, ...isDone };
  });
  return { type: 'list', isOrdered, items };
}

/** @param {string} line */
const isNumbered = (line) => /^\s*\d/.test(line);

/**
 * Removes the lines up to the next part, but at least one.
 * @param {string[]} lines
 */
function takeText(lines) {
  const [first = ''] = lines.splice(0, 1);
  const starts = [FENCE, HEADING, RULE, ITEM, QUOTE];
  const more = takeWhile(lines, (line) => !starts.some((pattern) => pattern.test(line)) && !ROW.test(line));
  return [first, ...more].join('\n');
}
