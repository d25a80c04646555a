import { clip } from '../../words.ts';
import type { Picture } from '../send-message.ts';
import {
  createRasterizer,
  FONT_FAMILY,
  fitText,
  measureText,
  type Rasterizer,
  removeUndrawable,
  type TextStyle,
} from './picture/drawing.ts';
import {
  buildWeek,
  POST_STATES,
  type PostState,
  STATE_NAMES,
  type Week,
  type WeekDay,
  type WeekPost,
} from './picture/week.ts';
import { clipAtWord } from './text/lines.ts';

/** Draws all pictures of the process, so that only a few are drawn concurrently. */
const SHARED_RASTERIZER = createRasterizer();

export async function drawWeekPicture(
  ...[plan, options, rasterizer = SHARED_RASTERIZER]: [
    ...Parameters<typeof buildWeek>,
    rasterizer?: Rasterizer,
  ]
): Promise<Picture> {
  const week = buildWeek(plan, options);
  const png = await rasterizer.rasterize(renderWeekSvg(week));
  return { png, alt: describeWeek(week), name: `week-${options.date}.png` };
}

/** Slack's limit for `alt_text` of an image block. https://docs.slack.dev/reference/block-kit/blocks/image-block */
const MAX_ALT_TEXT_LENGTH = 2000;
/** Candidates for the maximum length of an excerpt. Long names of platforms and projects leave less for excerpts. */
const EXCERPT_LENGTHS = [40, 20, 0];

/** Describes a week's picture for people who can't see it. Plain text. */
export function describeWeek(week: Week): string {
  const candidates = EXCERPT_LENGTHS.map((maxLength) =>
    [
      `Calendar of ${week.projects}, ${week.range}. ${week.zoneText}.`,
      ...week.days.map((day) => describeDay(day, { ...week, maxLength })),
    ].join(' '),
  );
  const description =
    candidates.find((text) => text.length <= MAX_ALT_TEXT_LENGTH) ?? candidates.at(-1) ?? '';
  return clip(description, MAX_ALT_TEXT_LENGTH);
}

interface Detail extends Pick<Week, 'hasSeveralProjects' | 'emptyText'> {
  /** Maximum length of an excerpt. 0 leaves out all excerpts. */
  maxLength: number;
}

function describeDay({ title, clockChange, posts, hiddenCount }: WeekDay, detail: Detail): string {
  const clockText = clockChange === undefined ? '' : ` (clocks ${clockChange})`;
  const postsText =
    posts.map((post) => describeWeekPost(post, detail)).join('; ') || detail.emptyText.toLowerCase();
  const hiddenText = hiddenCount > 0 ? `; ${hiddenCount.toLocaleString('en-GB')} more` : '';
  return `${title}${clockText}: ${postsText}${hiddenText}.`;
}

function describeWeekPost(
  { time, offset, platforms, project, state, excerpt }: WeekPost,
  { hasSeveralProjects, maxLength }: Detail,
): string {
  const parts = [
    time,
    offset ?? '',
    platforms.join(', '),
    hasSeveralProjects ? `for ${project}` : '',
    maxLength > 0 ? `“${clipAtWord(excerpt, maxLength)}”` : '',
    state === 'scheduled' ? '' : `(${STATE_NAMES[state].toLowerCase()})`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/**
 * Width of the picture in px, like all sizes in this file. A phone scales the picture down to about 300 px, so the text
 * is drawn at twice the size that it needs on a phone.
 */
const WIDTH = 660;
const MARGIN = 20;
const HEADER_HEIGHT = 98;
const ROW_HEIGHT = 42;
const ROW_GAP = 4;
/** The gap between two days, in addition to `ROW_GAP`. */
const DAY_GAP = 4;
/** Width of the column with the days and the numbers of hidden posts. */
const DAY_WIDTH = 114;
const LEGEND_ROW_HEIGHT = 32;
/** Distance from the top of a row to the baseline of its text. */
const BASELINE = 30;
const PADDING = 14;
/** The part of a row's width that platforms and projects may take. The text of the post gets the rest. */
const MAX_LABEL_SHARE = 0.45;
/** The share in a digest of several projects, in which each row also names its project. */
const MAX_LABEL_SHARE_WITH_PROJECT = 0.6;
/** Minimum width of an excerpt. A narrower one would be only an ellipsis. */
const MIN_EXCERPT_WIDTH = 60;

const ROW_STYLE: TextStyle = { size: 26 };
const BOLD_STYLE: TextStyle = { size: 26, bold: true };
const LABEL_STYLE: TextStyle = { size: 23 };
const SMALL_STYLE: TextStyle = { size: 20 };

/** A mid-tone, which neither glares in a dark client nor looks like a hole in a light one. */
const BACKGROUND = '#4d5462';
const INK = '#ffffff';
const FAINT = '#e3e7ee';
/** The mark tells states apart without colours. */
const STATE_STYLES: Readonly<Record<PostState, { fill: string; bar: string; mark: string }>> = {
  scheduled: { fill: '#5d6575', bar: '#9cc4ff', mark: '' },
  editable: { fill: '#5d6575', bar: '#ffd98a', mark: '~ ' },
  sending: { fill: '#5d6575', bar: '#9cc4ff', mark: '> ' },
  stopped: { fill: '#7a4a4d', bar: '#ffaea6', mark: '= ' },
  review: { fill: '#665c74', bar: '#d9b8ff', mark: '? ' },
  undecided: { fill: '#7a4a4d', bar: '#ffaea6', mark: '?! ' },
  published: { fill: '#4b6a58', bar: '#8fe3aa', mark: '✓ ' },
  failed: { fill: '#7a4a4d', bar: '#ffaea6', mark: '!! ' },
  overdue: { fill: '#7a4a4d', bar: '#ffaea6', mark: '! ' },
  unconfirmed: { fill: '#7a4a4d', bar: '#ffaea6', mark: '?? ' },
  draft: { fill: BACKGROUND, bar: '#cfd5df', mark: '' },
};

/** Draws a week as a list of days. Returns SVG. */
export function renderWeekSvg(week: Week): string {
  const rows: string[] = [];
  let y = HEADER_HEIGHT;
  for (const day of week.days) {
    rows.push(drawDay(day, y, week));
    const rowCount = Math.max(1, day.posts.length) + (day.clockChange === undefined ? 0 : 1);
    y += rowCount * (ROW_HEIGHT + ROW_GAP) + DAY_GAP;
  }
  const legend = drawLegend(week, y + BASELINE - 4);
  const height = y + legend.height + MARGIN / 2;
  const width = WIDTH - 2 * MARGIN;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" font-family="${FONT_FAMILY}" fill="${INK}">`,
    `<rect width="${WIDTH}" height="${height}" fill="${BACKGROUND}"/>`,
    drawText(week.projects, { x: MARGIN, y: 46, width }, { size: 32, bold: true }),
    drawText(`${week.zoneText} · ${week.range}`, { x: MARGIN, y: 80, width, fill: FAINT }, LABEL_STYLE),
    ...rows,
    ...legend.entries,
    '</svg>',
  ].join('\n');
}

function drawDay(day: WeekDay, top: number, { hasSeveralProjects, emptyText }: Week): string {
  const { title, isWeekend, posts, hiddenCount, clockChange } = day;
  const rowTop = (row: number) => top + row * (ROW_HEIGHT + ROW_GAP);
  const note = { x: MARGIN + DAY_WIDTH + PADDING, width: WIDTH - 2 * MARGIN - DAY_WIDTH, fill: FAINT };
  const lastRow = Math.max(1, posts.length);
  // The month is in the heading: "Mon 23 Nov" becomes "Mon 23".
  const [weekday, dayOfMonth] = title.split(' ');
  return [
    drawText(
      `${weekday} ${dayOfMonth}`,
      { x: MARGIN, y: top + BASELINE, width: DAY_WIDTH, ...(isWeekend && { fill: FAINT }) },
      BOLD_STYLE,
    ),
    posts.length === 0 ? drawText(emptyText, { ...note, y: top + BASELINE }, LABEL_STYLE) : '',
    ...posts.map((post, index) => drawPost(post, { y: rowTop(index), hasSeveralProjects })),
    // The count can't overlap the day, because a day with hidden posts has at least two rows.
    hiddenCount === 0
      ? ''
      : drawText(
          // A larger number leaves no room for "more".
          `+${hiddenCount.toLocaleString('en-GB')}${hiddenCount > 999 ? '' : ' more'}`,
          { x: MARGIN, y: rowTop(posts.length - 1) + BASELINE, width: DAY_WIDTH, fill: FAINT },
          SMALL_STYLE,
        ),
    clockChange === undefined
      ? ''
      : drawText(`Clocks ${clockChange}`, { ...note, y: rowTop(lastRow) + BASELINE }, LABEL_STYLE),
  ].join('\n');
}

function drawPost(
  post: WeekPost,
  { y, hasSeveralProjects }: { y: number; hasSeveralProjects: boolean },
): string {
  const { time, excerpt, state } = post;
  const { fill, bar, mark } = STATE_STYLES[state];
  const x = MARGIN + DAY_WIDTH;
  const width = WIDTH - MARGIN - x;
  const isDraft = state === 'draft';
  const baseline = y + BASELINE;
  const right = x + width - PADDING;
  const timeText = `${mark}${time}`;
  const labelLeft = x + PADDING + measureText(timeText, BOLD_STYLE) + PADDING;
  const freeWidth = right - labelLeft;
  const maxShare = hasSeveralProjects ? MAX_LABEL_SHARE_WITH_PROJECT : MAX_LABEL_SHARE;
  const label = fitLabel(post, hasSeveralProjects, freeWidth * maxShare);
  const excerptLeft = labelLeft + measureText(label, LABEL_STYLE) + PADDING;
  const excerptWidth = right - excerptLeft;
  return [
    `<rect x="${x}" y="${y}" width="${width}" height="${ROW_HEIGHT}" rx="6" fill="${fill}"${isDraft ? ` stroke="${bar}" stroke-dasharray="6 5"` : ''}/>`,
    isDraft ? '' : `<rect x="${x}" y="${y}" width="6" height="${ROW_HEIGHT}" rx="3" fill="${bar}"/>`,
    drawText(timeText, { x: x + PADDING, y: baseline, width }, BOLD_STYLE),
    drawText(label, { x: labelLeft, y: baseline, width: freeWidth, fill: FAINT }, LABEL_STYLE),
    excerptWidth < MIN_EXCERPT_WIDTH
      ? ''
      : drawText(excerpt, { x: excerptLeft, y: baseline, width: excerptWidth }, ROW_STYLE),
  ].join('');
}

/**
 * Fits the platforms and the project of a post into a width: all platforms, or the first and the number of others, or
 * only the project. "Draft" is left out if it doesn't fit, because the dashed border also shows it.
 */
function fitLabel(
  { platforms, offset, state, project }: WeekPost,
  hasSeveralProjects: boolean,
  width: number,
): string {
  const allNames = platforms.join(', ');
  const [first = '', ...others] = platforms;
  const shortNames = others.length > 0 ? `${first} +${others.length}` : first;
  const draftMark = state === 'draft' ? 'Draft' : '';
  const candidates = [
    [draftMark, allNames],
    [draftMark, shortNames],
    ['', shortNames],
    ...(hasSeveralProjects ? [['', '']] : []),
  ].map((parts) =>
    [offset ?? '', ...parts, hasSeveralProjects ? project : ''].filter((part) => part !== '').join(' · '),
  );
  const label = candidates.find((candidate) => measureText(candidate, LABEL_STYLE) <= width);
  return fitText(removeUndrawable(label ?? candidates.at(-1) ?? ''), width, LABEL_STYLE);
}

/** Draws the legend of the states that occur in the week, in as many rows as it needs. Scheduled posts alone need none. */
function drawLegend({ days }: Week, top: number): { entries: string[]; height: number } {
  const states = POST_STATES.filter((state) =>
    days.some(({ posts }) => posts.some((post) => post.state === state)),
  );
  if (states.every((state) => state === 'scheduled')) return { entries: [], height: 0 };
  let [x, y] = [MARGIN, top];
  const entries = states.map((state) => {
    const { fill, bar, mark } = STATE_STYLES[state];
    const name = `${mark}${STATE_NAMES[state]}`;
    const width = 28 + measureText(name, SMALL_STYLE);
    if (x > MARGIN && x + width > WIDTH - MARGIN) [x, y] = [MARGIN, y + LEGEND_ROW_HEIGHT];
    const dashes = state === 'draft' ? ' stroke-dasharray="4 3"' : '';
    const box = `<rect x="${x}" y="${y - 16}" width="20" height="18" rx="3" fill="${fill}" stroke="${bar}"${dashes}/>`;
    const label = drawText(name, { x: x + 28, y, width: 240, fill: FAINT }, SMALL_STYLE);
    x += width + 24;
    return `${box}${label}`;
  });
  return { entries, height: y - top + LEGEND_ROW_HEIGHT + 8 };
}

/** Draws one line of text. Right-to-left text is aligned to the right. */
function drawText(
  text: string,
  { x, y, width, fill }: { x: number; y: number; width: number; fill?: string },
  style: TextStyle,
): string {
  const fittedText = fitText(removeUndrawable(text), width, style);
  const isRightToLeft = RIGHT_TO_LEFT.test(fittedText);
  const anchor = isRightToLeft ? `x="${x + width}" text-anchor="end"` : `x="${x}"`;
  const weight = style.bold ? ' font-weight="bold"' : '';
  return `<text ${anchor} y="${y}" font-size="${style.size}"${weight}${fill === undefined ? '' : ` fill="${fill}"`}>${escapeXml(isRightToLeft ? `${fittedText}${RIGHT_TO_LEFT_MARK}` : fittedText)}</text>`;
}

/** Keeps the ellipsis at the left end of right-to-left text. */
const RIGHT_TO_LEFT_MARK = '\u200f';

/** Matches text whose first letter belongs to a right-to-left script. */
const RIGHT_TO_LEFT = /^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Nko}]/u;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
