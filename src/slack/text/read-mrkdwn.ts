import { unescapeText } from '../blocks.ts';
import { replaceEmojiCodes } from './emoji-names.ts';
import {
  type NamedKind,
  type ReadingContext,
  renderBroadcast,
  renderDate,
  renderLink,
  renderName,
} from './plain-names.ts';

/** Stands for an already converted part of a line while marks are searched. A Unicode noncharacter. */
const PLACEHOLDER = '\uFDD0';
/** Formatting marks, escaped for a regular expression. */
const MARKS = [
  ['\\*', 'bold'],
  ['_', 'italic'],
  ['~', 'strikethrough'],
] as const;
const MENTION_PATTERNS: readonly (readonly [NamedKind, RegExp])[] = [
  ['user', /^@([A-Z0-9]+)(?:\|(.*))?$/],
  ['channel', /^#([A-Z0-9]+)(?:\|(.*))?$/],
  ['usergroup', /^!subteam\^([A-Z0-9]+)(?:\|(.*))?$/],
];

/** Converts mrkdwn to the text that people see: https://docs.slack.dev/messaging/formatting-message-text/ */
export function readMrkdwn(text: string, reading: ReadingContext): string {
  const parts = text.replaceAll(PLACEHOLDER, '').split(/```([\s\S]+?)```/);
  return parts
    .map((part, index) => {
      if (index % 2 === 0) return readLines(part, reading);
      reading.changes.formats.add('code');
      const code = readCode(part.replace(/^\n|\n$/g, ''), reading);
      const [textBefore, textAfter] = [parts[index - 1] ?? '', parts[index + 1] ?? ''];
      const [breakBefore, breakAfter] = [
        /[^\n]$/.test(textBefore) ? '\n' : '',
        /^[^\n]/.test(textAfter) ? '\n' : '',
      ];
      return breakBefore + code + breakAfter;
    })
    .join('');
}

function readLines(text: string, reading: ReadingContext): string {
  return text
    .split('\n')
    .map((line) => {
      const quoteMark = /^(?:&gt;(?:&gt;&gt;)?|>(?:>>)?) ?/.exec(line)?.[0] ?? '';
      if (quoteMark !== '') reading.changes.formats.add('quote');
      return readLine(line.slice(quoteMark.length), reading);
    })
    .join('\n');
}

function readLine(line: string, reading: ReadingContext): string {
  const convertedParts: string[] = [];
  const maskedLine = line.replace(/`([^`]+)`|<([^<>]+)>/g, (_, code?: string, entity?: string) => {
    if (code !== undefined) reading.changes.formats.add('code');
    convertedParts.push(code === undefined ? readEntity(entity ?? '', reading) : readCode(code, reading));
    return PLACEHOLDER;
  });
  const { text, customEmoji } = replaceEmojiCodes(maskedLine);
  for (const name of customEmoji) reading.changes.customEmoji.add(name);
  const unmarkedText = MARKS.reduce((rest, [mark, format]) => dropMark(rest, mark, format, reading), text);
  return unescapeText(unmarkedText).replaceAll(PLACEHOLDER, () => convertedParts.shift() ?? '');
}

/** Reads code. Marks and emoji codes stay unchanged, links and mentions are converted. */
function readCode(code: string, reading: ReadingContext): string {
  return code
    .split(/<([^<>\n]+)>/)
    .map((part, index) => (index % 2 === 0 ? unescapeText(part) : readEntity(part, reading)))
    .join('');
}

/** Removes pairs of a mark that directly enclose words. "2 * 3" and "snake_case" contain no such pair. */
function dropMark(line: string, mark: string, format: string, reading: ReadingContext): string {
  const opening = new RegExp(`(?<![\\p{L}\\p{N}${mark}])${mark}(?=[^\\s${mark}])`, 'gu');
  const closing = new RegExp(`(?<=[^\\s${mark}])${mark}(?![\\p{L}\\p{N}${mark}])`, 'gu');
  let [text, position] = ['', 0];
  for (;;) {
    opening.lastIndex = position;
    const start = opening.exec(line)?.index;
    if (start === undefined) break;
    closing.lastIndex = start + 2;
    const end = closing.exec(line)?.index;
    if (end === undefined) break;
    reading.changes.formats.add(format);
    text += line.slice(position, start) + line.slice(start + 1, end);
    position = end + 1;
  }
  return text + line.slice(position);
}

/** Reads the part between `<` and `>`. */
function readEntity(entity: string, reading: ReadingContext): string {
  for (const [kind, pattern] of MENTION_PATTERNS) {
    const [, id, label] = pattern.exec(entity) ?? [];
    if (id !== undefined) return renderName(reading, kind, id, label && unescapeText(label));
  }
  const [target = '', ...labelParts] = entity.split('|');
  const label = labelParts.length === 0 ? undefined : unescapeText(labelParts.join('|'));
  const seconds = /^!date\^(-?\d{1,12})\^/.exec(target)?.[1];
  if (seconds !== undefined) return renderDate(reading, Number(seconds), label);
  if (/^!(?:here|channel|everyone)$/.test(target)) return renderBroadcast(reading, target.slice(1));
  if (target.startsWith('!')) return label ?? '';
  return renderLink(reading, unescapeText(target), label);
}
