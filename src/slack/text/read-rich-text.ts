import { z } from 'zod';
import { emojiOf, fromCodePoints } from './emoji-names.ts';
import { type Reading, renderBroadcast, renderDate, renderLink, renderName } from './plain-names.ts';

const words = z.string().optional().catch(undefined);
const number = z.number().optional().catch(undefined);

/** All fields of all kinds of elements. A field of the wrong type counts as absent. */
const element = z.object({
  type: z.string(),
  elements: z.array(z.unknown()).optional().catch(undefined),
  style: z
    .union([z.string(), z.record(z.string(), z.unknown())])
    .optional()
    .catch(undefined),
  text: words,
  url: words,
  user_id: words,
  channel_id: words,
  usergroup_id: words,
  range: words,
  name: words,
  unicode: words,
  skin_tone: number,
  timestamp: number,
  fallback: words,
  value: words,
  indent: number,
  offset: number,
});
type Element = z.infer<typeof element>;

const FORMATS: Readonly<Record<string, string>> = {
  bold: 'bold',
  italic: 'italic',
  strike: 'strikethrough',
  code: 'code',
  underline: 'underline',
};

/** Converts the elements of a rich_text block to the text that people see: https://docs.slack.dev/reference/block-kit/blocks/rich-text-block */
export function readRichText(elements: readonly unknown[], reading: Reading): string {
  let text = '';
  let wasBlock = false;
  for (const part of parseElements(elements, reading)) {
    const isSection = part.type === 'rich_text_section';
    const block = readPart(part, reading);
    if (block === '') continue;
    // Lists, quotes and code start on a new line. Sections contain their own line breaks.
    if (text !== '' && !text.endsWith('\n') && (wasBlock || !isSection)) text += '\n';
    text += block;
    wasBlock = !isSection;
  }
  return text;
}

function readPart(part: Element, reading: Reading): string {
  const { formats } = reading.changes;
  if (part.type === 'rich_text_list') return readList(part, reading);
  if (part.type === 'rich_text_quote') formats.add('quote');
  if (part.type === 'rich_text_preformatted') formats.add('code');
  if (part.elements) return readInlines(part.elements, reading);
  reading.changes.unreadable = true;
  return '';
}

function readList({ elements = [], style, indent = 0, offset = 0 }: Element, reading: Reading): string {
  const before = '  '.repeat(Math.min(Math.max(indent, 0), 8));
  return parseElements(elements, reading)
    .map((item, index) => {
      const mark = style === 'ordered' ? `${offset + index + 1}.` : '•';
      return `${before}${mark} ${readInlines(item.elements ?? [], reading)}`;
    })
    .join('\n');
}

function readInlines(elements: readonly unknown[], reading: Reading): string {
  return parseElements(elements, reading)
    .map((inline) => {
      for (const [style, on] of Object.entries(typeof inline.style === 'object' ? inline.style : {})) {
        const format = on === true ? FORMATS[style] : undefined;
        if (format !== undefined) reading.changes.formats.add(format);
      }
      return readInline(inline, reading);
    })
    .join('');
}

function readInline(inline: Element, reading: Reading): string {
  switch (inline.type) {
    case 'text':
      return inline.text ?? '';
    case 'link':
      return renderLink(reading, inline.url ?? '', inline.text);
    case 'emoji':
      return renderEmoji(inline, reading);
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
      reading.changes.unreadable = true;
      return inline.text ?? '';
  }
}

function renderEmoji({ name = '', unicode, skin_tone }: Element, reading: Reading): string {
  const [base = '', tone] = name.split('::skin-tone-');
  const tones = [skin_tone ?? Number(tone)].filter((number) => number >= 2 && number <= 6);
  const character = (unicode && fromCodePoints(unicode)) || emojiOf(base, tones);
  if (character !== undefined) return character;
  if (base !== '') reading.changes.ownEmoji.add(base);
  return base === '' ? '' : `:${base}:`;
}

function parseElements(elements: readonly unknown[], reading: Reading): Element[] {
  return elements.flatMap((value) => {
    const read = element.safeParse(value);
    if (!read.success) reading.changes.unreadable = true;
    return read.success ? [read.data] : [];
  });
}
