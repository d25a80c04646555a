import type { ProjectList } from '../../../posts/project.ts';
import { findNames, type MomentReader, skipKnownProject } from './line-names.ts';
import { skipUncertainNames } from './skip-platform.ts';
import { MAX_TIME_LENGTH, splitAfterHead } from './split-after-head.ts';

/** Opening quotes, each with the quotes that can close it. */
const QUOTES: Readonly<Record<string, string>> = { '"': '"', '“': '”', '„': '“”', '«': '»', '»': '«' };

/** Matches the text before a quoted project name: `for "Harbour Coffee"`. Other quotes contain the text of the post. */
const PROJECT_PREFIX = /(?:^|\s)for\s*$/i;

/** Maximum length of the head, in UTF-16 units. A longer line without a colon or quotes contains only the text. */
const MAX_HEAD_LENGTH = 400;

/** A line, split into the head and the text of the post. The head names the moment, the platforms and the project. */
export interface LineParts {
  head: string;
  /** Undefined if the line has no text. */
  text?: string;
  /** The words before and after the quotes that the text is in. */
  around?: { before: string; after: string };
}

/**
 * Splits a line into the head and the text of the post. The text is in quotes, or follows the first colon with
 * whitespace after it (unlike the colon in "12:30"), or the first full-width colon, which needs none. If a quote isn't
 * closed, the text ends with the line.
 */
export function splitLine(line: string): LineParts {
  for (let index = 0; index < Math.min(line.length, MAX_HEAD_LENGTH); index += 1) {
    const character = line.charAt(index);
    if (isColon(line, index)) {
      const text = line.slice(index + 1).trim();
      return { head: line.slice(0, index), ...(text !== '' && { text }) };
    }
    const closingQuotes = QUOTES[character];
    // The inches of “12" pizza” open no quote, unlike “at 10"Hi"”.
    const isInches = character === '"' && /^\d"(?![\p{L}\p{N}])/u.test(line.slice(Math.max(0, index - 1)));
    if (closingQuotes === undefined || isInches) continue;
    const end = findClosingQuote(line, index, closingQuotes);
    if (end !== undefined && PROJECT_PREFIX.test(line.slice(0, index))) {
      index = end;
      continue;
    }
    const text = line.slice(index + 1, end).trim();
    const remainder = end === undefined ? '' : line.slice(end + 1);
    // The part after the quotes is too long for a head, so the text includes the quotes and the part after them.
    if (remainder.length > MAX_HEAD_LENGTH) return { head: line.slice(0, index), text: line.slice(index) };
    const head = `${line.slice(0, index)} ${remainder}`;
    const around = { before: line.slice(0, index), after: remainder };
    return { head, ...(text !== '' && { text, around }) };
  }
  return line.length > MAX_HEAD_LENGTH ? { head: '', text: line } : { head: line };
}

/** Slack's code of an emoji, such as ":tada:", at the end of the text. */
const EMOJI_CODE_END = /(?<![^\s:([]):[\p{L}\d_'+-]+:$/u;

export function isColon(line: string, index: number): boolean {
  const character = line.charAt(index);
  const next = line.charAt(index + 1);
  // "9：30" is a time, unlike "9:30：5つのコツ".
  if (character === '：') return !/\d/.test(next) || !/(?<!\d[:：]\d)\d$/.test(line.slice(0, index));
  return character === ':' && /^\s?$/.test(next) && !EMOJI_CODE_END.test(line.slice(0, index + 1));
}

/**
 * Finds the index of the quote that closes the quote at `openingIndex`. Skips nested quotes, which can be recognized if
 * opening and closing quotes differ.
 */
function findClosingQuote(line: string, openingIndex: number, closingQuotes: string): number | undefined {
  const opening = line.charAt(openingIndex);
  let depth = 0;
  for (let index = openingIndex + 1; index < line.length; index += 1) {
    const character = line.charAt(index);
    if (closingQuotes.includes(character)) {
      if (depth === 0) return index;
      depth -= 1;
    } else if (character === opening) depth += 1;
  }
  return undefined;
}

/** Between the cells of a row: "Fri 9:00 | LinkedIn | We are hiring". A dash follows a time with its platforms. */
const BETWEEN_CELLS = /\n|\s(?:\||[-–—](?=\s))/g;

/** "[tomorrow 9am] [x] Hello" is a row too. */
const BRACKETED_CELLS = /^\s*(?:\[[^[\]\n]+\]\s*)+(?=\S)/;

/** Puts a colon before the text of a row or of lines. Otherwise, writes names in brackets without them. */
export function joinCells(typed: string, projects: ProjectList, reader: MomentReader): string {
  const joined = joinRow(typed, projects, reader);
  return joined === typed ? joinRow(unwrapNames(typed, projects, reader), projects, reader) : joined;
}

/** Puts a colon before the text of a row or of lines whose first cells are the time and the platforms. */
function joinRow(typed: string, projects: ProjectList, reader: MomentReader): string {
  const line = typed.replace(BRACKETED_CELLS, (row) => row.replaceAll(/\]\s*/g, ' | ').replaceAll('[', ''));
  const saysTime = (words: string) => reader.findLeadingMoments(words, false)?.said?.saysTime === true;
  let head = '';
  let cells = '';
  let start = 0;
  let end = 0;
  let isNamed = false;
  let saysHour = false;
  for (const { 0: separator, index } of line.slice(0, MAX_TIME_LENGTH).matchAll(BETWEEN_CELLS)) {
    const cell = line.slice(end, index).trim();
    const { platforms, project, isDraft, momentHead: time, unknown } = findNames(cell, projects, reader);
    isNamed ||= platforms.length > 0 || project !== undefined;
    const isTimed = time !== '' && reader.isWholeMoment(time);
    if (/[:：]$/.test(cell) || unknown || !(isTimed || ((isNamed || isDraft) && time === ''))) break;
    cells = `${cells} ${cell}`;
    end = index + separator.length;
    // A text can begin with "Draft".
    if (isDraft && !isNamed) continue;
    // "9am - 11am" is a range, and "X - 9am - Hello" and "9am - X - Hello" are rows.
    if (/[-–—]/.test(separator)) {
      const isAfterHour = saysHour;
      saysHour ||= isTimed && saysTime(time);
      if (!(isNamed && (time === '' ? isAfterHour : saysHour))) continue;
      if (time !== '' && saysTime(line.slice(end).trim())) break;
    }
    // A first line such as "Friday" can be a title.
    if (separator === '\n' && !isNamed && !saysTime(time)) break;
    head = cells;
    start = end;
  }
  return head === '' ? typed : `${head.trim()}: ${line.slice(start).trimStart()}`;
}

/** Names in brackets, with the words before and after them. */
const BRACKETED = /[([]([^()[\]\n]+)[)\]]/g;

/**
 * Writes names in brackets between the words of a head without the brackets: "9am (x, linkedin): Hi", "(draft) friday 9am
 * on x Hi", unlike "9am (x) marks the spot". Keeps the length.
 */
function unwrapNames(line: string, projects: ProjectList, momentReader: MomentReader): string {
  let unwrapped = line;
  for (const { 0: brackets, 1: inner = '', index } of line.slice(0, MAX_TIME_LENGTH).matchAll(BRACKETED)) {
    const before = unwrapped.slice(0, index).trim();
    const after = line.slice(index + brackets.length);
    const { platforms, project, isDraft, momentHead, unknown } = findNames(inner, projects, momentReader);
    if (momentHead !== '' || unknown || !(platforms.length > 0 || project || isDraft)) continue;
    const next = after.trimStart();
    const [nextHead = ''] = next.split(/[:：]/, 1);
    const goesOn = () =>
      skipUncertainNames(nextHead, momentReader) !== nextHead ||
      skipKnownProject(nextHead, projects, momentReader) !== undefined ||
      momentReader.findLeadingMoments(next, false) !== undefined;
    const ends = before === '' ? /^[:：]/.test(next) : /^(?:$|[^\p{Ll}])/u.test(next);
    if (!(ends || goesOn()) || splitAfterHead(before, projects, momentReader).text !== '') continue;
    const words = project ? inner : inner.toLowerCase();
    unwrapped = `${unwrapped.slice(0, index)} ${words}${platforms.length > 0 ? ',' : ' '}${after}`;
  }
  return unwrapped;
}
