import { plainSection, section } from '../../../slack/blocks.ts';
import { clip, escapeText } from '../../../slack/escape.ts';
import { LIMITS } from '../../../slack/limits.ts';
import type { Message } from '../../../slack/message.ts';

/** A titled list in the thread. Plain text. */
export interface Detail {
  title: string;
  lines: readonly string[];
  /** The number of items without a line. */
  more: number;
}

/** Lines of one list. The list of posts in Slack shows the rest. */
const MAX_LINES = 60;
/** Slack refuses a message whose blocks hold about 11,000 characters. */
const MAX_CHARACTERS = 9_000;
const MAX_MESSAGES = 4;
/** Characters of one section; Slack's limit is 3,000. See `LIMITS.sectionText`. */
const MAX_SECTION_LENGTH = 2_900;

/** Renders the first items as lines and counts the rest: there may be thousands. */
export function detailOf<Item>(title: string, items: readonly Item[], line: (item: Item) => string): Detail {
  const lines = items.slice(0, MAX_LINES).map(line);
  return { title, lines, more: items.length - lines.length };
}

/** Splits details into messages. `about` (plain text) starts each message's plain text. */
export function threadOf(about: string, details: readonly Detail[]): Message[] {
  const pieces = details.flatMap(piecesOf);
  const messages: { title: string; text: string }[][] = [];
  let room = 0;
  for (const piece of pieces) {
    const size = piece.title.length + piece.text.length;
    if (size > room) {
      messages.push([]);
      room = MAX_CHARACTERS;
    }
    messages.at(-1)?.push(piece);
    room -= size;
  }
  return messages.slice(0, MAX_MESSAGES).map((together) => ({
    text: escapeText(`${about}: ${together.map(({ title }) => title.toLowerCase()).join('; ')}`),
    blocks: together.flatMap(({ title, text }) => [section(`*${escapeText(title)}*`), plainSection(text)]),
  }));
}

/** Splits a list into pieces that fit a section block. */
function piecesOf({ title, lines, more }: Detail): { title: string; text: string }[] {
  const shown = [
    ...lines,
    ...(more > 0 ? [`…and ${more.toLocaleString('en-GB')} more: /upnext posts lists them.`] : []),
  ];
  const texts: string[] = [];
  for (const line of shown.map((one) => clip(one, LIMITS.sectionText / 2))) {
    const last = texts.at(-1);
    if (last !== undefined && last.length + line.length + 1 <= MAX_SECTION_LENGTH)
      texts[texts.length - 1] = `${last}\n${line}`;
    else texts.push(line);
  }
  return texts.map((text, index) => ({ title: index === 0 ? title : `${title}, further`, text }));
}
