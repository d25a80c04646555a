import { clip, context, escapeText, plain, plainSection, section } from '../../../slack/blocks.ts';
import { LIMITS } from '../../../slack/limits.ts';
import type { Message } from '../../../slack/message.ts';

/** A list with a title in the digest's thread. Plain text. */
export interface Detail {
  title: string;
  lines: readonly string[];
  /** Number of items that aren't in `lines`. */
  hiddenCount: number;
}

/** Maximum number of lines in a list. `/upnext posts` lists all posts. */
const MAX_LINES = 60;
/** Maximum number of characters in the blocks of a message. Slack refuses messages longer than about 11,000. */
const MAX_CHARACTERS = 9_000;
const MAX_MESSAGES = 4;
/** Maximum number of characters in a section block. Slack's limit is 3,000; see `LIMITS.sectionText`. */
const MAX_SECTION_LENGTH = 2_900;

/** Renders the first `MAX_LINES` items as lines, and counts the others. */
export function buildDetail<Item>(
  title: string,
  items: readonly Item[],
  renderItem: (item: Item) => string,
): Detail {
  const lines = items.slice(0, MAX_LINES).map(renderItem);
  return { title, lines, hiddenCount: items.length - lines.length };
}

/**
 * Renders details as messages. Each message starts with `zone`, the time zone of its times, and its fallback text
 * starts with `heading`. Both parameters are plain text.
 */
export function renderThread(
  { heading, zone }: { heading: string; zone: string },
  details: readonly Detail[],
): Message[] {
  const pieces = details.flatMap(splitDetail);
  const messages: { title: string; text: string }[][] = [];
  let remainingCharacters = 0;
  for (const piece of pieces) {
    const size = piece.title.length + piece.text.length;
    if (size > remainingCharacters) {
      messages.push([]);
      remainingCharacters = MAX_CHARACTERS;
    }
    messages.at(-1)?.push(piece);
    remainingCharacters -= size;
  }
  return messages.slice(0, MAX_MESSAGES).map((group) => ({
    text: escapeText(`${heading}: ${group.map(({ title }) => title.toLowerCase()).join('; ')}`),
    blocks: [
      context(plain(zone)),
      ...group.flatMap(({ title, text }) => [section(`*${escapeText(title)}*`), plainSection(text)]),
    ],
  }));
}

/** Splits a list into pieces that fit a section block. */
function splitDetail({ title, lines, hiddenCount }: Detail): { title: string; text: string }[] {
  const allLines = [
    ...lines,
    ...(hiddenCount > 0
      ? [`…and ${hiddenCount.toLocaleString('en-GB')} more. See them all with /upnext posts.`]
      : []),
  ];
  const texts: string[] = [];
  for (const line of allLines.map((text) => clip(text, LIMITS.sectionText / 2))) {
    const lastText = texts.at(-1);
    if (lastText !== undefined && lastText.length + line.length + 1 <= MAX_SECTION_LENGTH)
      texts[texts.length - 1] = `${lastText}\n${line}`;
    else texts.push(line);
  }
  return texts.map((text, index) => ({ title: index === 0 ? title : `${title}, further`, text }));
}
