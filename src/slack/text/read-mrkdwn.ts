import { unescapeText } from '../escape.ts';
import {
  type NamedKind,
  type Reading,
  renderBroadcast,
  renderDate,
  renderLink,
  renderName,
} from './plain-names.ts';
import { replaceEmojiCodes } from './replace-emoji-codes.ts';

/** Placeholder for a part that was already read, so that no mark is found in it. A Unicode noncharacter. */
const PLACEHOLDER = '\uFDD0';
/** Escaped for a regular expression. */
const MARKS = [
  ['\\*', 'bold'],
  ['_', 'italic'],
  ['~', 'strikethrough'],
] as const;
const KINDS: readonly (readonly [NamedKind, RegExp])[] = [
  ['user', /^@([A-Z0-9]+)(?:\|(.*))?$/],
  ['channel', /^#([A-Z0-9]+)(?:\|(.*))?$/],
  ['usergroup', /^!subteam\^([A-Z0-9]+)(?:\|(.*))?$/],
];

/** Converts mrkdwn to the text that people see: https://docs.slack.dev/messaging/formatting-message-text/ */
export function readMrkdwn(text: string, reading: Reading): string {
  const parts = text.replaceAll(PLACEHOLDER, '').split(/```([\s\S]+?)```/);
  return parts
    .map((part, index) => {
      if (index % 2 === 0) return readLines(part, reading);
      reading.changes.formats.add('code');
      const code = readCode(part.replace(/^\n|\n$/g, ''), reading);
      const [before, after] = [parts[index - 1] ?? '', parts[index + 1] ?? ''];
      const [above, below] = [/[^\n]$/.test(before) ? '\n' : '', /^[^\n]/.test(after) ? '\n' : ''];
      return above + code + below;
    })
    .join('');
}

function readLines(text: string, reading: Reading): string {
  return text
    .split('\n')
    .map((line) => {
      const quoted = /^(?:&gt;(?:&gt;&gt;)?|>(?:>>)?) ?/.exec(line)?.[0] ?? '';
      if (quoted !== '') reading.changes.formats.add('quote');
      return readLine(line.slice(quoted.length), reading);
    })
    .join('\n');
}

function readLine(line: string, reading: Reading): string {
  const read: string[] = [];
  const masked = line.replace(/`([^`]+)`|<([^<>]+)>/g, (_, code?: string, entity?: string) => {
    if (code !== undefined) reading.changes.formats.add('code');
    read.push(code === undefined ? readEntity(entity ?? '', reading) : readCode(code, reading));
    return PLACEHOLDER;
  });
  const { text, unknown } = replaceEmojiCodes(masked);
  for (const name of unknown) reading.changes.ownEmoji.add(name);
  const unmarked = MARKS.reduce((words, [mark, format]) => dropMark(words, mark, format, reading), text);
  return unescapeText(unmarked).replaceAll(PLACEHOLDER, () => read.shift() ?? '');
}

/** Reads code: marks and emoji codes stay as they are, links and mentions are converted. */
function readCode(code: string, reading: Reading): string {
  return code
    .split(/<([^<>\n]+)>/)
    .map((part, index) => (index % 2 === 0 ? unescapeText(part) : readEntity(part, reading)))
    .join('');
}

/** Removes pairs of a mark directly around words. "2 * 3" and "snake_case" contain no such pair. */
function dropMark(line: string, mark: string, format: string, reading: Reading): string {
  const opening = new RegExp(`(?<![\\p{L}\\p{N}${mark}])${mark}(?=[^\\s${mark}])`, 'gu');
  const closing = new RegExp(`(?<=[^\\s${mark}])${mark}(?![\\p{L}\\p{N}${mark}])`, 'gu');
  let [words, at] = ['', 0];
  for (;;) {
    opening.lastIndex = at;
    const from = opening.exec(line)?.index;
    if (from === undefined) break;
    closing.lastIndex = from + 2;
    const to = closing.exec(line)?.index;
    if (to === undefined) break;
    reading.changes.formats.add(format);
    words += line.slice(at, from) + line.slice(from + 1, to);
    at = to + 1;
  }
  return words + line.slice(at);
}

/** Reads the part between `<` and `>`. */
function readEntity(entity: string, reading: Reading): string {
  for (const [kind, shape] of KINDS) {
    const [, id, label] = shape.exec(entity) ?? [];
    if (id !== undefined) return renderName(reading, kind, id, label && unescapeText(label));
  }
  const [head = '', ...rest] = entity.split('|');
  const label = rest.length === 0 ? undefined : unescapeText(rest.join('|'));
  const seconds = /^!date\^(-?\d{1,12})\^/.exec(head)?.[1];
  if (seconds !== undefined) return renderDate(reading, Number(seconds), label);
  if (/^!(?:here|channel|everyone)$/.test(head)) return renderBroadcast(reading, head.slice(1));
  if (head.startsWith('!')) return label ?? '';
  return renderLink(reading, unescapeText(head), label);
}
