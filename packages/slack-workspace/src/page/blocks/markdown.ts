import type { MarkdownBlock } from '@slack/types';
import { html } from '../html.ts';
import { Mrkdwn } from '../mrkdwn.ts';
import { TableFrame } from './table.ts';

/**
 * A part of a text in standard markdown. Its `text` can contain inline markdown.
 * `isDone`: the state of its checkbox, if it has one.
 */
type ListItem = { text: string; depth: number; isDone?: boolean };

type MarkdownPart =
  | { type: 'text'; text: string }
  | { type: 'heading'; level: number; text: string }
  | { type: 'list'; isOrdered: boolean; items: ListItem[] }
  | { type: 'table'; head: string[]; rows: string[][] }
  | { type: 'quote'; text: string }
  | { type: 'code'; text: string }
  | { type: 'rule' };

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
 */
export function readMarkdown(markdown: string): MarkdownPart[] {
  const lines = markdown.split('\n');
  const parts: MarkdownPart[] = [];
  while (lines.length > 0) parts.push(takePart(lines));
  return parts.filter((part) => part.type !== 'text' || part.text.trim() !== '');
}

/** Removes the lines of the next part. */
function takePart(lines: string[]): MarkdownPart {
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

function takeWhile(lines: string[], isPart: (line: string) => boolean) {
  const end = lines.findIndex((line) => !isPart(line));
  return lines.splice(0, end < 0 ? lines.length : end);
}

/** Removes the lines up to the closing fence. A message that is still being streamed may have none. */
function takeCode(lines: string[]): MarkdownPart {
  lines.shift();
  const code = takeWhile(lines, (line) => !FENCE.test(line));
  lines.shift();
  return { type: 'code', text: code.join('\n') };
}

function takeTable(lines: string[]): MarkdownPart {
  const [head = [], , ...rows] = takeWhile(lines, (line) => ROW.test(line)).map(readCells);
  return { type: 'table', head, rows };
}

const readCells = (row: string) =>
  row
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));

function takeList(lines: string[]): MarkdownPart {
  const isOrdered = isNumbered(lines[0] ?? '');
  // An unindented item of the other type starts a new list.
  const isItem = (line: string) => ITEM.test(line) && (/^\s/.test(line) || isNumbered(line) === isOrdered);
  const items = takeWhile(lines, isItem).map((line) => {
    const [, indent = '', , text = ''] = ITEM.exec(line) ?? [];
    const checkbox = CHECKBOX.exec(text);
    const isDone = checkbox ? { isDone: checkbox[1] !== ' ' } : {};
    const depth = Math.floor(indent.replaceAll('\t', '  ').length / 2);
    return { text: text.replace(CHECKBOX, ''), depth, ...isDone };
  });
  return { type: 'list', isOrdered, items };
}

const isNumbered = (line: string) => /^\s*\d/.test(line);

/** Removes the lines up to the next part, but at least one. */
function takeText(lines: string[]) {
  const [first = ''] = lines.splice(0, 1);
  const starts = [FENCE, HEADING, RULE, ITEM, QUOTE];
  const more = takeWhile(lines, (line) => !starts.some((pattern) => pattern.test(line)) && !ROW.test(line));
  return [first, ...more].join('\n');
}

/** Converts the inline formatting of standard markdown to mrkdwn. */
export function convertToMrkdwn(markdown: string) {
  return markdown
    .split(/(```[\s\S]+?```|`[^`\n]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : convertFormatting(part)))
    .join('');
}

function convertFormatting(text: string) {
  return text
    .replaceAll('&', '&amp;')
    .replace(/<(?!https?:)/g, '&lt;')
    .replace(/(^|[^*])\*([^*\s][^*\n]*)\*(?!\*)/g, '$1_$2_')
    .replace(/\*\*([^*\n]+)\*\*/g, '*$1*')
    .replace(/~~([^~\n]+)~~/g, '~$1~')
    .replace(/!?\[([^\]\n]+)\]\((https?:[^)\s]+)\)/g, '<$2|$1>');
}

/** Standard markdown. */
export function Markdown({ block }: { block: MarkdownBlock }) {
  return html`<div class="markdown mrkdwn rich-text">
    ${readMarkdown(block.text).map((part, index) => html`<${Part} key=${index} part=${part} />`)}
  </div>`;
}

const Inline = ({ text }: { text: string }) => html`<${Mrkdwn} text=${convertToMrkdwn(text)} />`;

function Part({ part }: { part: MarkdownPart }) {
  switch (part.type) {
    case 'heading':
      return html`<p class=${`markdown-heading markdown-heading-${part.level}`}><${Inline} text=${part.text} /></p>`;
    case 'rule':
      return html`<hr />`;
    case 'code':
      return html`<pre><code>${part.text}</code></pre>`;
    case 'quote':
      return html`<blockquote class="quote"><${Inline} text=${part.text} /></blockquote>`;
    case 'list':
      return html`<${List} items=${part.items} isOrdered=${part.isOrdered} />`;
    case 'table':
      return html`<${TableFrame}
        head=${part.head.map((cell, index) => html`<th key=${index} scope="col"><${Inline} text=${cell} /></th>`)}
        rows=${part.rows.map((row) => row.map((cell, index) => html`<td key=${index}><${Inline} text=${cell} /></td>`))}
      />`;
    case 'text':
      return html`<p><${Inline} text=${part.text.trim()} /></p>`;
  }
}

function List({ items, isOrdered }: { items: readonly ListItem[]; isOrdered: boolean }) {
  const drawn = items.map(
    ({ text, depth, isDone }, index) => html`<li key=${index} class=${`indent-${Math.min(depth, 4)}`}>
      ${isDone === undefined ? null : html`<input type="checkbox" disabled checked=${isDone} aria-label=${isDone ? 'Done' : 'Open'} /> `}
      <${Inline} text=${text} />
    </li>`,
  );
  return isOrdered ? html`<ol>${drawn}</ol>` : html`<ul>${drawn}</ul>`;
}
