import { isLink } from './address.ts';

/** The text between < and > in Slack's mrkdwn. */
export type Entity =
  | { type: 'link'; url: string; label: string }
  | { type: 'user' | 'channel' | 'usergroup'; id: string; label?: string | undefined }
  | { type: 'broadcast'; name: string }
  | { type: 'date'; ms: number; format: string; url?: string | undefined; fallback: string }
  | { type: 'text'; text: string };

/** Reads the text between angle brackets. Undefined if it isn't Slack's markup, so the brackets are text. */
export function readEntity(inside: string): Entity | undefined {
  const [head = '', label] = splitOnce(inside, '|');
  // Slack leaves out the names of channels: `<#C01|>`.
  const text = label ? unescapeText(label) : undefined;
  if (/^@[UW][A-Z0-9]+$/.test(head)) return { type: 'user', id: head.slice(1), label: text };
  if (/^#[CGD][A-Z0-9]+$/.test(head)) return { type: 'channel', id: head.slice(1), label: text };
  if (/^!(?:here|channel|everyone)$/.test(head)) return { type: 'broadcast', name: head.slice(1) };
  if (head.startsWith('!subteam^')) return { type: 'usergroup', id: head.slice(9), label: text };
  if (head.startsWith('!date^')) return readDate(head, text ?? '');
  if (isLink(head)) {
    const url = unescapeText(head);
    return { type: 'link', url, label: text || url.replace(/^(?:mailto|tel):/i, '') };
  }
  return text === undefined || head.startsWith('!') ? undefined : { type: 'text', text };
}

/** `!date^1392734382^{date_short} at {time}^https://example.com` */
function readDate(head: string, fallback: string): Entity {
  const [, seconds = '', format = '', link] = head.split('^');
  if (!/^\d{1,12}$/.test(seconds)) return { type: 'text', text: fallback };
  const url = link && isLink(link) ? unescapeText(link) : undefined;
  return { type: 'date', ms: Number(seconds) * 1000, format: unescapeText(format), url, fallback };
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const index = text.indexOf(separator);
  return index < 0 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)];
}

/** Slack escapes only three characters. */
const unescapeText = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** Parses Slack's mrkdwn into a tree. Another file renders the tree, so no text becomes HTML. */
export type Piece =
  | Entity
  | { type: 'text'; text: string }
  | { type: 'bold' | 'italic' | 'strike'; children: Piece[] }
  | { type: 'code' | 'pre'; text: string }
  | { type: 'quote'; children: Piece[] }
  | { type: 'item'; mark: string; children: Piece[] }
  | { type: 'emoji'; name: string }
  | { type: 'break' };

export function readMrkdwn(text: string): Piece[] {
  return text.split(/(```[\s\S]+?```)/).flatMap((part, index) => {
    if (index % 2 === 1)
      return [{ type: 'pre', text: unescapeText(part.slice(3, -3).replace(/^\n|\n$/g, '')) }];
    // The line breaks around a code block belong to it.
    return part === '' ? [] : readLines(part.replace(index > 0 ? /^\n/ : /^(?!)/, '').split('\n'));
  });
}

function readLines(lines: string[]): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const all = /^(?:>>>|&gt;&gt;&gt;)\s?/.exec(line);
    if (all) {
      const rest = [line.slice(all[0].length), ...lines.slice(at + 1)];
      return [...pieces, { type: 'quote', children: joinLines(rest.map(readInline)) }];
    }
    if (QUOTE.test(line)) {
      const quoted = [];
      for (; QUOTE.test(lines[at] ?? ''); at += 1) quoted.push((lines[at] ?? '').replace(QUOTE, ''));
      at -= 1;
      pieces.push({ type: 'quote', children: joinLines(quoted.map(readInline)) });
      continue;
    }
    const item = /^([•◦▪‣]|\d{1,3}\.)\s+/.exec(line);
    if (item) {
      pieces.push({ type: 'item', mark: item[1] ?? '•', children: readInline(line.slice(item[0].length)) });
      continue;
    }
    const previous = pieces.at(-1);
    if (previous && previous.type !== 'quote' && previous.type !== 'item') pieces.push({ type: 'break' });
    pieces.push(...(line === '' && previous === undefined ? [{ type: 'break' as const }] : readInline(line)));
  }
  return pieces;
}

const QUOTE = /^(?:>|&gt;)\s?/;

const joinLines = (lines: Piece[][]): Piece[] =>
  lines.flatMap((line, index) => (index === 0 ? line : [{ type: 'break' }, ...line]));

const FORMATS: Record<string, 'bold' | 'italic' | 'strike'> = { '*': 'bold', _: 'italic', '~': 'strike' };

/** One line: formatting, code, entities, emoji. */
export function readInline(line: string): Piece[] {
  const pieces: Piece[] = [];
  let text = '';
  const flush = () => {
    if (text !== '') pieces.push({ type: 'text', text: unescapeText(text) });
    text = '';
  };
  /** Marks that aren't closed on this line. They aren't searched for again, so that long lines stay fast. */
  const unclosed = new Set();
  for (let at = 0; at < line.length; ) {
    const found = unclosed.has(line[at]) ? undefined : readPiece(line, at, unclosed);
    if (found === undefined) {
      text += line[at];
      at += 1;
      continue;
    }
    flush();
    pieces.push(found.piece);
    at = found.end;
  }
  flush();
  return pieces;
}

function readPiece(
  line: string,
  at: number,
  unclosed: Set<unknown>,
): { piece: Piece; end: number } | undefined {
  const sign = line.charAt(at);
  if (sign === '`' || sign === '<') {
    const end = line.indexOf(sign === '<' ? '>' : '`', at + 1);
    if (end < 0) unclosed.add(sign);
    if (end <= at + 1) return undefined;
    const inside = line.slice(at + 1, end);
    const piece = sign === '<' ? readEntity(inside) : { type: 'code' as const, text: unescapeText(inside) };
    return piece && { piece, end: end + 1 };
  }
  if (sign === ':') {
    const name = /^:([a-z0-9_+'-]{1,40}):/.exec(line.slice(at, at + 42))?.[1];
    return name === undefined ? undefined : { piece: { type: 'emoji', name }, end: at + name.length + 2 };
  }
  const type = FORMATS[sign];
  if (type === undefined || isWordCharacter(line[at - 1]) || /\s|^$/.test(line.charAt(at + 1)))
    return undefined;
  const end = findClosing(line, at, sign);
  if (end === undefined) unclosed.add(sign);
  if (end === undefined || end === at + 1) return undefined;
  return { piece: { type, children: readInline(line.slice(at + 1, end)) }, end: end + 1 };
}

/** Finds the end of the formatting that begins at `at`. Marks inside code or an entity don't count. */
function findClosing(line: string, at: number, sign: string) {
  for (let end = at + 1; end < line.length; end += 1) {
    const here = line.charAt(end);
    if (here === '`' || here === '<') {
      const over = line.indexOf(here === '<' ? '>' : '`', end + 1);
      if (over > 0) end = over;
    } else if (here === sign && !/\s/.test(line.charAt(end - 1)) && !isWordCharacter(line[end + 1]))
      return end;
  }
  return undefined;
}

const isWordCharacter = (letter: string | undefined) => letter !== undefined && /[\p{L}\p{N}]/u.test(letter);
