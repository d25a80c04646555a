import { quoted, section } from '../../../slack/blocks.ts';
import { clip } from '../../../slack/clip.ts';
import { escapeText } from '../../../slack/escape.ts';
import { LIMITS } from '../../../slack/limits.ts';
import type { Message } from '../../../slack/message.ts';

/** A part of the details. Plain text. */
export interface Detail {
  title: string;
  lines: readonly string[];
  /** How many there are besides. */
  more: number;
}

/** Of one part; a person who wants more looks at the list of posts. */
const MOST_LINES = 60;
/** Slack refuses a message whose blocks hold about 11,000 characters. */
const MOST_CHARACTERS = 9_000;
const MOST_MESSAGES = 4;
const ROOM = 2_900;

/** A line for each, as far as anybody reads them: there may be thousands. */
export function detailOf<Item>(title: string, items: readonly Item[], line: (item: Item) => string): Detail {
  const lines = items.slice(0, MOST_LINES).map(line);
  return { title, lines, more: items.length - lines.length };
}

/** Details as messages; `about` (plain) is how each begins for phones. */
export function threadOf(about: string, details: readonly Detail[]): Message[] {
  const pieces = details.flatMap(piecesOf);
  const messages: { title: string; text: string }[][] = [];
  let room = 0;
  for (const piece of pieces) {
    const size = piece.title.length + piece.text.length;
    if (size > room) {
      messages.push([]);
      room = MOST_CHARACTERS;
    }
    messages.at(-1)?.push(piece);
    room -= size;
  }
  return messages.slice(0, MOST_MESSAGES).map((together) => ({
    text: escapeText(`${about}: ${together.map(({ title }) => title.toLowerCase()).join('; ')}`),
    blocks: together.flatMap(({ title, text }) => [section(`*${escapeText(title)}*`), quoted(text)]),
  }));
}

/** Each fits a section. */
function piecesOf({ title, lines, more }: Detail): { title: string; text: string }[] {
  const shown = [
    ...lines,
    ...(more > 0 ? [`…and ${more.toLocaleString('en-GB')} more: /upnext posts lists them.`] : []),
  ];
  const texts: string[] = [];
  for (const line of shown.map((one) => clip(one, LIMITS.sectionText / 2))) {
    const last = texts.at(-1);
    if (last !== undefined && last.length + line.length + 1 <= ROOM)
      texts[texts.length - 1] = `${last}\n${line}`;
    else texts.push(line);
  }
  return texts.map((text, index) => ({ title: index === 0 ? title : `${title}, further`, text }));
}
