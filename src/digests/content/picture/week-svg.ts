import { FONT_FAMILY, fitText, measureText, removeUndrawable, type TextStyle } from './fonts.ts';
import { MAX_POSTS_PER_DAY, POST_STATES, type Week, type WeekDay, type WeekPost } from './week.ts';

/**
 * Width of the picture in px, like all sizes in this file. Slack shows the picture about 500 px wide, or full-screen if
 * a person opens it.
 */
const WIDTH = 1260;
const MARGIN = 24;
const GAP_SIZE = 8;
const COLUMN_WIDTH = (WIDTH - 2 * MARGIN - 6 * GAP_SIZE) / 7;
const HEADER_HEIGHT = 92;
const DAY_HEADER_HEIGHT = 56;
/** Height of the line about a clock change, below the number of posts. */
const CLOCK_CHANGE_HEIGHT = 18;
const CARD_HEIGHT = 54;
/** Height of a card with a line for the project's name. */
const PROJECT_CARD_HEIGHT = 74;
const PADDING = 10;
const FOOTER_HEIGHT = 48;
/** Minimum number of rows, so that the picture of a quiet week isn't a narrow strip. */
const MIN_ROWS = 3;

const TIME_STYLE: TextStyle = { size: 16, bold: true };
const BODY_STYLE: TextStyle = { size: 15 };
const PROJECT_STYLE: TextStyle = { size: 13 };

const INK = '#1d1c1d';
const FAINT = '#5c5a5e';
/** The background keeps a card readable in a dark client. The mark tells states apart without colours. */
const STATE_STYLES = {
  scheduled: { fill: '#e8f1fc', bar: '#1f66b3', mark: '', name: 'Scheduled' },
  published: { fill: '#e7f4ea', bar: '#2b7a3d', mark: '✓ ', name: '✓ Published' },
  late: { fill: '#fdeae8', bar: '#b3261e', mark: '! ', name: '! Not out yet' },
  draft: { fill: '#ffffff', bar: '#6b696d', mark: '', name: 'Draft' },
} as const;

/** Draws a week as a calendar. Returns SVG. */
export function drawWeek(week: Week): string {
  const rows = Math.max(MIN_ROWS, ...week.days.map(({ posts }) => posts.length));
  const cardHeight = week.hasSeveralProjects ? PROJECT_CARD_HEIGHT : CARD_HEIGHT;
  const cardsTop =
    HEADER_HEIGHT +
    DAY_HEADER_HEIGHT +
    (week.days.some(({ clockChange }) => clockChange !== undefined) ? CLOCK_CHANGE_HEIGHT : 0);
  const bottom = cardsTop + rows * (cardHeight + GAP_SIZE) + GAP_SIZE;
  const height = bottom + FOOTER_HEIGHT;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" font-family="${FONT_FAMILY}" fill="${INK}">`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    drawText(week.projects, { x: MARGIN, y: 44, width: WIDTH - 2 * MARGIN }, { size: 26, bold: true }),
    drawText(
      `${week.firstDay} to ${week.lastDay}, times in ${week.zone}`,
      { x: MARGIN, y: 72, width: WIDTH - 2 * MARGIN, fill: FAINT },
      { size: 17 },
    ),
    ...week.days.map((day, index) =>
      drawColumn(day, { x: MARGIN + index * (COLUMN_WIDTH + GAP_SIZE), cardsTop, bottom, cardHeight }),
    ),
    ...drawLegend(week, height - FOOTER_HEIGHT / 2 + 6),
    '</svg>',
  ].join('\n');
}

function drawColumn(
  day: WeekDay,
  { x, cardsTop, bottom, cardHeight }: { x: number; cardsTop: number; bottom: number; cardHeight: number },
): string {
  const { posts, count, clockChange } = day;
  // The number of hidden posts replaces the last card.
  const shownPosts = count > MAX_POSTS_PER_DAY ? posts.slice(0, MAX_POSTS_PER_DAY - 1) : posts;
  const hiddenCount = count - shownPosts.length;
  const countText =
    count === 0 ? 'no post' : count === 1 ? '1 post' : `${count.toLocaleString('en-GB')} posts`;
  const width = COLUMN_WIDTH - 2 * PADDING;
  return [
    `<rect x="${x}" y="${HEADER_HEIGHT}" width="${COLUMN_WIDTH}" height="${bottom - HEADER_HEIGHT}" rx="8" fill="${day.isWeekend ? '#f0eff1' : '#f8f8f9'}"/>`,
    drawText(day.title, { x: x + PADDING, y: HEADER_HEIGHT + 24, width }, { size: 18, bold: true }),
    drawText(countText, { x: x + PADDING, y: HEADER_HEIGHT + 44, width, fill: FAINT }, { size: 15 }),
    clockChange === undefined
      ? ''
      : drawText(
          `clocks ${clockChange}`,
          { x: x + PADDING, y: HEADER_HEIGHT + 62, width, fill: '#8a4b00' },
          { size: 13 },
        ),
    ...shownPosts.map((post, index) =>
      drawCard(post, { x: x + 4, y: cardsTop + index * (cardHeight + GAP_SIZE), height: cardHeight }),
    ),
    hiddenCount > 0
      ? drawText(
          `+ ${hiddenCount.toLocaleString('en-GB')} more`,
          { x: x + PADDING, y: cardsTop + shownPosts.length * (cardHeight + GAP_SIZE) + 26, width },
          { size: 16, bold: true },
        )
      : '',
  ].join('\n');
}

function drawCard(post: WeekPost, { x, y, height }: { x: number; y: number; height: number }): string {
  const { time, excerpt, project, state } = post;
  const { fill, bar, mark } = STATE_STYLES[state];
  const width = COLUMN_WIDTH - 8;
  const innerWidth = width - 2 * PADDING - 2;
  const left = x + PADDING + 4;
  const timeLabel = `${mark}${time}`;
  const timeWidth = measureText(timeLabel, TIME_STYLE) + 8;
  const isDraft = state === 'draft';
  const border = isDraft ? `stroke="${bar}" stroke-dasharray="5 4"` : '';
  return [
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="5" fill="${fill}" ${border}/>`,
    isDraft ? '' : `<rect x="${x}" y="${y}" width="5" height="${height}" rx="2" fill="${bar}"/>`,
    drawText(timeLabel, { x: left, y: y + 22, width: innerWidth }, TIME_STYLE),
    drawText(
      fitPlatforms(post, innerWidth - timeWidth),
      { x: left + timeWidth, y: y + 22, width: innerWidth - timeWidth, fill: FAINT },
      BODY_STYLE,
    ),
    drawText(excerpt, { x: left, y: y + 43, width: innerWidth }, BODY_STYLE),
    height > CARD_HEIGHT
      ? drawText(project, { x: left, y: y + 63, width: innerWidth, fill: FAINT }, PROJECT_STYLE)
      : '',
  ].join('');
}

/**
 * Fits the platforms of a post into a width: all names, or the first and the number of others. "Draft" is left out if
 * it doesn't fit, because the dashed border also shows it.
 */
function fitPlatforms({ platforms, offset, state }: WeekPost, width: number): string {
  const prefix = offset === undefined ? [] : [offset];
  const [first, ...others] = platforms;
  const shortNames = others.length > 0 ? `${first} +${others.length}` : (first ?? '');
  const candidates = [platforms.join(', '), shortNames].flatMap((names) => {
    const label = [...prefix, names].join(', ');
    return state === 'draft' ? [[...prefix, 'Draft', names].join(', '), label] : [label];
  });
  return candidates.find((label) => measureText(label, BODY_STYLE) <= width) ?? candidates.at(-1) ?? '';
}

/** Draws the legend of the states that occur in the week. */
function drawLegend({ days }: Week, y: number): string[] {
  let x = MARGIN;
  return POST_STATES.filter((state) =>
    days.some(({ posts }) => posts.some((post) => post.state === state)),
  ).map((state) => {
    const { fill, bar, name } = STATE_STYLES[state];
    const dashes = state === 'draft' ? 'stroke-dasharray="4 3"' : '';
    const box = `<rect x="${x}" y="${y - 14}" width="18" height="16" rx="3" fill="${fill}" stroke="${bar}" ${dashes}/>`;
    const label = drawText(name, { x: x + 26, y, width: 200, fill: FAINT }, { size: 15 });
    x += 26 + measureText(name, { size: 15 }) + 28;
    return `${box}${label}`;
  });
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
