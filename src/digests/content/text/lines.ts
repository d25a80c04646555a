import type { SectionBlock } from '@slack/types';
import type { Project } from '../../../api/projects.ts';
import { describePost } from '../../../posts/describe-post.ts';
import { renderPlatformNames } from '../../../posts/platforms.ts';
import { HELD_STATUSES, STATUS_EMOJI } from '../../../posts/post-status.ts';
import { renderExcerpt as renderPostExcerpt } from '../../../posts/post-text.ts';
import {
  clipLine,
  context,
  escapeFormatting,
  escapeText,
  plain,
  plainSection,
  section,
} from '../../../slack/blocks.ts';
import { LIMITS } from '../../../slack/limits.ts';
import type { Message } from '../../../slack/message.ts';
import { joinNames } from '../../../slack/name.ts';
import { zoneName } from '../../../when/zones.ts';
import { clip } from '../../../words.ts';
import { addDays, getLocalDate, type LocalDate, renderDay, renderTime } from '../days.ts';
import { getPublicationStatus, type PlannedPost } from '../plan.ts';

export interface RenderOptions {
  zone: string;
  now: Date;
  date: LocalDate;
  /** Whether the digest covers several projects. Each line then names its project. */
  hasSeveralProjects: boolean;
}

const MAX_EXCERPT_LENGTH = 80;
const MAX_NAMES = 3;

/** Renders "Harbour Coffee", "A, B and C" or "A, B and 4 more". */
export function renderProjectNames(projects: readonly Project[]): string {
  const names = projects.map(({ name }) => clipLine(name));
  return joinNames(names, names.length > MAX_NAMES ? MAX_NAMES - 1 : MAX_NAMES);
}

export function renderExcerpt({ post }: PlannedPost): string {
  return clipAtWord(renderPostExcerpt(post), MAX_EXCERPT_LENGTH);
}

/** Cuts a text to `limit` characters after a whole word. Cuts inside the first word if that alone is longer. */
export function clipAtWord(text: string, limit: number): string {
  const clipped = clip(text, limit);
  if (clipped === text) return text;
  const isCutInWord = text.charAt(clipped.length - 1) !== ' ';
  const wholeWords = isCutInWord ? `${dropCutWord(clipped.slice(0, -'…'.length))}…` : clipped;
  return wholeWords.replace(/(?<![.,;:…])[.,;:…]+…$/, '…');
}

/** Drops the word in which a text was cut, unless it's the only one. Japanese may be cut anywhere: it has no spaces. */
export function dropCutWord(text: string): string {
  return text.replace(/(\S)\s+[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]*$/u, '$1');
}

/** Renders the day and the time in the digest's zone: "Fri 20 Nov, 14:00". */
export function renderDayAndTime(at: Date, { zone }: Pick<RenderOptions, 'zone'>): string {
  return `${renderDay(getLocalDate(at, zone))}, ${renderTime(at, zone)}`;
}

/** Renders "Today", "Tomorrow, Sat 21 Nov" or "Sun 22 Nov". */
export function renderDayHeading(date: LocalDate, { date: today }: RenderOptions): string {
  if (date === today) return 'Today';
  return date === addDays(today, 1) ? `Tomorrow, ${renderDay(date)}` : renderDay(date);
}

/** Whether a post's time is rendered with its day: "14:00", or "Fri 20 Nov, 14:00". */
type TimeFormat = 'time' | 'day and time';

function renderPostTime({ scheduledAt }: PlannedPost, options: RenderOptions, format: TimeFormat): string {
  return format === 'time' ? renderTime(scheduledAt, options.zone) : renderDayAndTime(scheduledAt, options);
}

/** Renders a post in one block, like the rows of lists: its time, status and platforms, and an excerpt below. */
export function renderPostRow(
  planned: PlannedPost,
  options: RenderOptions,
  { heading = '', format, notes }: { heading?: string; format: TimeFormat; notes: readonly string[] },
): SectionBlock {
  const { project } = planned;
  const { zone, now } = options;
  const { post, scheduledAt: at, facts = { status: post.status, readAt: now } } = planned;
  const columns = [
    ...notes.map(escapeText),
    describePost({ at, ...facts, zone }, { viewers: { zone }, now }).status,
    escapeText(renderPlatforms(planned)),
    ...(options.hasSeveralProjects ? [escapeText(clipLine(project.name))] : []),
  ];
  const time = `*${heading}${escapeText(renderPostTime(planned, options, format))}*`;
  const excerpt = escapeFormatting(renderExcerpt(planned));
  return section(`${[time, ...columns].join(' · ')}\n${excerpt}`.trim());
}

/** The statuses that a line of a thread shows. The others are scheduled posts. */
const LINE_STATUSES = ['PUBLISHED', ...HELD_STATUSES] as const;

/** Renders a post as plain text: "Fri 20 Nov, 14:00 · X and LinkedIn · Harbour Coffee · Our winter blend…" */
export function renderPostLine(planned: PlannedPost, options: RenderOptions, format: TimeFormat): string {
  const time = renderPostTime(planned, options, format);
  const status =
    // A note about a failed post says so itself, and a list by days doesn't.
    format === 'time' && getPublicationStatus(planned) === 'failed'
      ? 'FAILED'
      : LINE_STATUSES.find((candidate) => candidate === planned.post.status);
  const columns = [
    status ? `${STATUS_EMOJI[status]} ${time}` : time,
    renderPlatforms(planned),
    ...(options.hasSeveralProjects ? [clipLine(planned.project.name)] : []),
    renderExcerpt(planned),
  ];
  return columns.join(' · ');
}

function renderPlatforms({ post }: PlannedPost): string {
  const names = post.platforms.map((platform) => clipLine(platform));
  return renderPlatformNames(names) || 'No platform';
}

/** Renders the zone of all times in a digest: "Times in Berlin". Plain text. */
export function renderZone({ zone }: Pick<RenderOptions, 'zone'>): string {
  return `Times in ${zoneName(zone)}`;
}

/** A list with a title in the digest's thread. Plain text. */
export interface Detail {
  title: string;
  /** The first lines, which may all be shown. */
  lines: readonly string[];
  /** Number of all lines. */
  count: number;
}

/** Maximum numbers of lines in a list: the first with which the thread isn't too long. `/upnext posts` lists all posts. */
const MAX_LINES = [60, 30, 15, 8, 4, 2, 0] as const;
/** Maximum number of characters in the blocks of a message. Slack refuses messages longer than about 11,000. */
const MAX_CHARACTERS = 9_000;
const MAX_MESSAGES = 4;
/** Maximum number of characters in a section block. Slack's limit is 3,000; see `LIMITS.sectionText`. */
const MAX_SECTION_LENGTH = 2_900;

/** Builds a list with a line for each item. Renders only the lines that may be shown. */
export function buildDetail<Item>(
  title: string,
  items: readonly Item[],
  renderItem: (item: Item) => string,
): Detail {
  return { title, lines: items.slice(0, MAX_LINES[0]).map(renderItem), count: items.length };
}

/**
 * Renders details as messages. Each message starts with `zone`, the time zone of its times, and its fallback text
 * starts with `heading`. Both parameters are plain text.
 */
export function renderThread(
  { heading, zone }: { heading: string; zone: string },
  details: readonly Detail[],
): Message[] {
  let groups: Piece[][] = [];
  for (const maxLines of MAX_LINES) {
    groups = groupPieces(details.flatMap((detail) => splitDetail(detail, maxLines)));
    if (groups.length <= MAX_MESSAGES) break;
  }
  return groups.slice(0, MAX_MESSAGES).map((pieces) => ({
    text: escapeText(`${heading}: ${pieces.map(({ title }) => title.toLowerCase()).join('; ')}`),
    blocks: [
      context(plain(zone)),
      ...pieces.flatMap(({ title, text }) => [section(`*${escapeText(title)}*`), plainSection(text)]),
    ],
  }));
}

/** A part of a list that fits a section block. */
interface Piece {
  title: string;
  text: string;
}

function groupPieces(pieces: readonly Piece[]): Piece[][] {
  const messages: Piece[][] = [];
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
  return messages;
}

/** Splits the first lines of a list, and the number of the others. */
function splitDetail({ title, lines, count }: Detail, maxLines: number): Piece[] {
  const hiddenCount = count - maxLines;
  const shownLines = [
    ...lines.slice(0, maxLines),
    ...(hiddenCount > 0
      ? [`…and ${hiddenCount.toLocaleString('en-GB')} more. See them all with /upnext posts.`]
      : []),
  ];
  const texts: string[] = [];
  for (const line of shownLines.map((text) => clip(text, LIMITS.sectionText / 2))) {
    const lastText = texts.at(-1);
    if (lastText !== undefined && lastText.length + line.length + 1 <= MAX_SECTION_LENGTH)
      texts[texts.length - 1] = `${lastText}\n${line}`;
    else texts.push(line);
  }
  return texts.map((text, index) => ({ title: index === 0 ? title : `${title}, further`, text }));
}
