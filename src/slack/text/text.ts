import { z } from 'zod';
import { unescapeText } from '../blocks.ts';
import { decodeCodePoints, findEmoji, replaceEmojiCodes } from './emoji-names.ts';
import {
  createChanges,
  type NamedKind,
  type ReadingContext,
  renderBroadcast,
  renderChanges,
  renderDate,
  renderLink,
  renderName,
} from './plain-names.ts';

const optionalText = z.string().optional().catch(undefined);
const textObject = z.object({ type: z.string(), text: z.string() });
const block = z.object({
  type: z.string(),
  elements: z.array(z.unknown()).optional().catch(undefined),
  /** A "markdown" block has a string, and all others have an object. */
  text: z.union([textObject, z.string()]).optional().catch(undefined),
  fields: z.unknown().optional(),
});
const attachment = z.object({
  pretext: optionalText,
  title: optionalText,
  text: optionalText,
  fallback: optionalText,
  fields: z.unknown().optional(),
  blocks: z.unknown().optional(),
  /** The address of a link in the message. Slack attaches a preview of its page, which isn't part of the message. */
  from_url: optionalText,
  /** Whether it is a message that somebody has forwarded, and not the preview of a link. */
  is_share: z.boolean().optional().catch(undefined),
});
const attachmentField = z.object({ title: optionalText, value: optionalText });
const file = z.object({ name: optionalText, title: optionalText });

/**
 * Converts a message to plain text, as people see it. In the result, `changes` are sentences about differences from the
 * message in Slack, whose files stay there.
 */
export function readSlackText(message: {
  text: string;
  blocks?: unknown;
  attachments?: unknown;
  files?: unknown;
  findName: ReadingContext['findName'];
}): { text: string; changes: string[] } {
  const changes = createChanges();
  const reading = { findName: message.findName, changes };
  const files = parseList(file, message.files).map(({ title, name }) => title || name || 'a file');
  const ownText = readBlocks(message.blocks, reading) ?? readMrkdwn(message.text, reading);
  const attachedTexts = parseList(attachment, message.attachments).map((each) =>
    readAttachment(each, reading),
  );
  const text = [ownText, ...attachedTexts].filter((part) => part !== '').join('\n');
  return { text: text.toWellFormed().trim(), changes: renderChanges(changes, files) };
}

/** Reads the blocks. Undefined if they have no text, because then people see the message's `text`. */
function readBlocks(value: unknown, reading: ReadingContext): string | undefined {
  const blocks = parseList(block, value);
  const text = blocks
    .map((each) => readBlock(each, reading))
    .filter((part) => part !== '')
    .join('\n');
  return text === '' && !blocks.some(({ type }) => type === 'rich_text') ? undefined : text;
}

function readBlock(
  { type, elements = [], text, fields }: z.infer<typeof block>,
  reading: ReadingContext,
): string {
  if (type === 'rich_text') return readRichText(elements, reading);
  const texts = [
    ...(text === undefined ? [] : [typeof text === 'string' ? { type: 'mrkdwn', text } : text]),
    ...parseList(textObject, fields),
    ...(type === 'context' ? parseList(textObject, elements) : []),
  ];
  if (texts.length === 0 && type !== 'divider') reading.changes.hasUnreadablePart = true;
  return (
    texts
      // Slack escapes plain text too in what it sends.
      .map((each) => (each.type === 'mrkdwn' ? readMrkdwn(each.text, reading) : unescapeText(each.text)))
      .join('\n')
  );
}

/** Reads an attachment of an app, or a message that somebody has forwarded. */
function readAttachment(
  { pretext, title, text, fallback, fields, blocks, from_url, is_share }: z.infer<typeof attachment>,
  reading: ReadingContext,
): string {
  if (from_url !== undefined && is_share !== true) return '';
  const fromBlocks = readBlocks(blocks, reading);
  if (fromBlocks !== undefined) return fromBlocks;
  const lines = parseList(attachmentField, fields).map((field) =>
    [field.title, field.value].filter((part) => part).join(': '),
  );
  const parts = [pretext, title, text, ...lines].filter((part) => part !== undefined && part !== '');
  return readMrkdwn(parts.length > 0 ? parts.join('\n') : (fallback ?? ''), reading);
}

function parseList<T>(shape: z.ZodType<T>, value: unknown): T[] {
  return (Array.isArray(value) ? value : []).flatMap((entry) => {
    const result = shape.safeParse(entry);
    return result.success ? [result.data] : [];
  });
}

const optionalNumber = z.number().optional().catch(undefined);

/** All fields of all kinds of elements. A field of the wrong type counts as absent. */
const element = z.object({
  type: z.string(),
  elements: z.array(z.unknown()).optional().catch(undefined),
  style: z
    .union([z.string(), z.record(z.string(), z.unknown())])
    .optional()
    .catch(undefined),
  text: optionalText,
  url: optionalText,
  user_id: optionalText,
  channel_id: optionalText,
  usergroup_id: optionalText,
  range: optionalText,
  name: optionalText,
  unicode: optionalText,
  skin_tone: optionalNumber,
  timestamp: optionalNumber,
  fallback: optionalText,
  value: optionalText,
  indent: optionalNumber,
  offset: optionalNumber,
});
type Element = z.infer<typeof element>;

const FORMATS: Readonly<Record<string, string>> = {
  bold: 'bold',
  italic: 'italic',
  strike: 'strikethrough',
  code: 'code',
  underline: 'underline',
};

/**
 * Converts the elements of a rich_text block to visible text:
 * https://docs.slack.dev/reference/block-kit/blocks/rich-text-block
 */
function readRichText(elements: readonly unknown[], reading: ReadingContext): string {
  let text = '';
  let isAfterBlock = false;
  for (const part of parseElements(elements, reading)) {
    const isSection = part.type === 'rich_text_section';
    const block = readPart(part, reading);
    if (block === '') continue;
    // Lists, quotes and code start on a new line. Sections contain their own line breaks.
    if (text !== '' && !text.endsWith('\n') && (isAfterBlock || !isSection)) text += '\n';
    text += block;
    isAfterBlock = !isSection;
  }
  return text;
}

function readPart(part: Element, reading: ReadingContext): string {
  const { formats } = reading.changes;
  if (part.type === 'rich_text_list') return readList(part, reading);
  if (part.type === 'rich_text_quote') formats.add('quote');
  if (part.type === 'rich_text_preformatted') formats.add('code');
  if (part.elements) return readInlines(part.elements, reading);
  reading.changes.hasUnreadablePart = true;
  return '';
}

function readList(
  { elements = [], style, indent = 0, offset = 0 }: Element,
  reading: ReadingContext,
): string {
  const indentation = '  '.repeat(Math.min(Math.max(indent, 0), 8));
  return parseElements(elements, reading)
    .map((item, index) => {
      const mark = style === 'ordered' ? `${offset + index + 1}.` : '•';
      return `${indentation}${mark} ${readInlines(item.elements ?? [], reading)}`;
    })
    .join('\n');
}

function readInlines(elements: readonly unknown[], reading: ReadingContext): string {
  return parseElements(elements, reading)
    .map((inline) => {
      for (const [style, isOn] of Object.entries(typeof inline.style === 'object' ? inline.style : {})) {
        const format = isOn === true ? FORMATS[style] : undefined;
        if (format !== undefined) reading.changes.formats.add(format);
      }
      return readInline(inline, reading);
    })
    .join('');
}

function readInline(inline: Element, reading: ReadingContext): string {
  switch (inline.type) {
    case 'text':
      return inline.text ?? '';
    case 'link':
      return renderLink(reading, inline.url ?? '', inline.text);
    case 'emoji':
      return renderEmoji(inline);
    case 'user':
      return renderName(reading, 'user', inline.user_id ?? '');
    case 'channel':
      return renderName(reading, 'channel', inline.channel_id ?? '');
    case 'usergroup':
      return renderName(reading, 'usergroup', inline.usergroup_id ?? '');
    case 'broadcast':
      return renderBroadcast(reading, inline.range ?? 'here');
    case 'date':
      return renderDate(reading, inline.timestamp ?? Number.NaN, inline.fallback);
    case 'color':
      return inline.value ?? '';
    default:
      reading.changes.hasUnreadablePart = true;
      return inline.text ?? '';
  }
}

function renderEmoji({ name = '', unicode, skin_tone }: Element): string {
  const [base = '', tone] = name.split('::skin-tone-');
  const tones = [skin_tone ?? Number(tone)].filter((number) => number >= 2 && number <= 6);
  const character = (unicode && decodeCodePoints(unicode)) || findEmoji(base, tones);
  return character ?? (base === '' ? '' : `:${base}:`);
}

function parseElements(elements: readonly unknown[], reading: ReadingContext): Element[] {
  return elements.flatMap((value) => {
    const result = element.safeParse(value);
    if (!result.success) reading.changes.hasUnreadablePart = true;
    return result.success ? [result.data] : [];
  });
}

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
function readMrkdwn(text: string, reading: ReadingContext): string {
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
  const { text } = replaceEmojiCodes(maskedLine);
  const unmarkedText = MARK_PATTERNS.reduce((rest, pattern) => dropMark(rest, pattern, reading), text);
  return unescapeText(unmarkedText).replaceAll(PLACEHOLDER, () => convertedParts.shift() ?? '');
}

/** Reads code. Marks and emoji codes stay unchanged, links and mentions are converted. */
function readCode(code: string, reading: ReadingContext): string {
  return code
    .split(/<([^<>\n]+)>/)
    .map((part, index) => (index % 2 === 0 ? unescapeText(part) : readEntity(part, reading)))
    .join('');
}

/** Compiled once for each mark: a message may have thousands of lines. */
const MARK_PATTERNS = MARKS.map(([mark, format]) => ({
  format,
  opening: new RegExp(`(?<![\\p{L}\\p{N}${mark}])${mark}(?=[^\\s${mark}])`, 'gu'),
  closing: new RegExp(`(?<=[^\\s${mark}])${mark}(?![\\p{L}\\p{N}${mark}])`, 'gu'),
}));

/** Removes pairs of a mark that directly enclose words. "2 * 3" and "snake_case" contain no such pair. */
function dropMark(
  line: string,
  { format, opening, closing }: (typeof MARK_PATTERNS)[number],
  reading: ReadingContext,
): string {
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

// What other modules use of this folder, besides what this file declares.
export { POSSIBLE_CODE, replaceEmojiCodes } from './emoji-names.ts';
export type { NamedKind } from './plain-names.ts';
