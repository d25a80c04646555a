import { FONT_FAMILY, fitText, keepDrawable, type TextStyle, textWidth } from './fonts.ts';
import { MAX_POSTS_PER_DAY, STATES, type Week, type WeekDay, type WeekPost } from './week.ts';

/** In px, like all sizes below. Slack shows the picture about 500 px wide, and full-screen when it is opened. */
const WIDTH = 1260;
const MARGIN = 24;
const GAP = 8;
const COLUMN = (WIDTH - 2 * MARGIN - 6 * GAP) / 7;
const TOP = 92;
const DAY_HEAD = 56;
/** The line about a clock change, below the number of posts. */
const CLOCK_CHANGE = 18;
const CARD = 54;
/** A card with a line for the project's name. */
const MIXED_CARD = 74;
const PADDING = 10;
const FOOT = 48;
/** Rows of cards, so that the picture of a quiet week isn't a narrow strip. */
const MIN_ROWS = 3;

const TIME: TextStyle = { size: 16, bold: true };
const BODY: TextStyle = { size: 15 };
const PROJECT: TextStyle = { size: 13 };

const INK = '#1d1c1d';
const FAINT = '#5c5a5e';
/** Styles of the states. Each has a background, for dark clients, and a mark in addition to its colour. */
const STATE_STYLES = {
  scheduled: { fill: '#e8f1fc', bar: '#1f66b3', mark: '', name: 'Scheduled' },
  published: { fill: '#e7f4ea', bar: '#2b7a3d', mark: '✓ ', name: '✓ Published' },
  late: { fill: '#fdeae8', bar: '#b3261e', mark: '! ', name: '! Not out yet' },
  draft: { fill: '#ffffff', bar: '#6b696d', mark: '', name: 'Draft' },
} as const;

/** Draws a week as a calendar. */
export function weekSvg(week: Week): string {
  const rows = Math.max(MIN_ROWS, ...week.days.map(({ posts }) => posts.length));
  const cardHeight = week.isMixed ? MIXED_CARD : CARD;
  const first = TOP + DAY_HEAD + (week.days.some(({ change }) => change !== undefined) ? CLOCK_CHANGE : 0);
  const bottom = first + rows * (cardHeight + GAP) + GAP;
  const height = bottom + FOOT;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" font-family="${FONT_FAMILY}" fill="${INK}">`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    text(week.projects, { x: MARGIN, y: 44, width: WIDTH - 2 * MARGIN }, { size: 26, bold: true }),
    text(
      `${week.from} to ${week.to}, times in ${week.zone}`,
      { x: MARGIN, y: 72, width: WIDTH - 2 * MARGIN, fill: FAINT },
      { size: 17 },
    ),
    ...week.days.map((day, index) =>
      column(day, { x: MARGIN + index * (COLUMN + GAP), first, bottom, cardHeight }),
    ),
    ...legend(week, height - FOOT / 2 + 6),
    '</svg>',
  ].join('\n');
}

function column(
  day: WeekDay,
  { x, first, bottom, cardHeight }: { x: number; first: number; bottom: number; cardHeight: number },
): string {
  const { posts, count: all, change } = day;
  // The number of remaining posts takes the place of the last card.
  const shown = all > MAX_POSTS_PER_DAY ? posts.slice(0, MAX_POSTS_PER_DAY - 1) : posts;
  const rest = all - shown.length;
  const count = all === 0 ? 'no post' : all === 1 ? '1 post' : `${all.toLocaleString('en-GB')} posts`;
  const width = COLUMN - 2 * PADDING;
  return [
    `<rect x="${x}" y="${TOP}" width="${COLUMN}" height="${bottom - TOP}" rx="8" fill="${day.isWeekend ? '#f0eff1' : '#f8f8f9'}"/>`,
    text(day.title, { x: x + PADDING, y: TOP + 24, width }, { size: 18, bold: true }),
    text(count, { x: x + PADDING, y: TOP + 44, width, fill: FAINT }, { size: 15 }),
    change === undefined
      ? ''
      : text(`clocks ${change}`, { x: x + PADDING, y: TOP + 62, width, fill: '#8a4b00' }, { size: 13 }),
    ...shown.map((post, index) =>
      card(post, { x: x + 4, y: first + index * (cardHeight + GAP), height: cardHeight }),
    ),
    rest > 0
      ? text(
          `+ ${rest.toLocaleString('en-GB')} more`,
          { x: x + PADDING, y: first + shown.length * (cardHeight + GAP) + 26, width },
          { size: 16, bold: true },
        )
      : '',
  ].join('\n');
}

function card(post: WeekPost, { x, y, height }: { x: number; y: number; height: number }): string {
  const { time, excerpt, project, state } = post;
  const { fill, bar, mark } = STATE_STYLES[state];
  const width = COLUMN - 8;
  const inner = width - 2 * PADDING - 2;
  const left = x + PADDING + 4;
  const timeLabel = `${mark}${time}`;
  const used = textWidth(timeLabel, TIME) + 8;
  const isDraft = state === 'draft';
  const border = isDraft ? `stroke="${bar}" stroke-dasharray="5 4"` : '';
  return [
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="5" fill="${fill}" ${border}/>`,
    isDraft ? '' : `<rect x="${x}" y="${y}" width="5" height="${height}" rx="2" fill="${bar}"/>`,
    text(timeLabel, { x: left, y: y + 22, width: inner }, TIME),
    text(
      platformsIn(post, inner - used),
      { x: left + used, y: y + 22, width: inner - used, fill: FAINT },
      BODY,
    ),
    text(excerpt, { x: left, y: y + 43, width: inner }, BODY),
    height > CARD ? text(project, { x: left, y: y + 63, width: inner, fill: FAINT }, PROJECT) : '',
  ].join('');
}

/**
 * The platforms of a post: all, or the first and the number of others. "Draft" is left out if it doesn't fit; the dashed
 * border shows it too.
 */
function platformsIn({ platforms, offset, state }: WeekPost, width: number): string {
  const before = offset === undefined ? [] : [offset];
  const [first, ...others] = platforms;
  const short = others.length > 0 ? `${first} +${others.length}` : (first ?? '');
  const candidates = [platforms.join(', '), short].flatMap((names) => {
    const label = [...before, names].join(', ');
    return state === 'draft' ? [[...before, 'Draft', names].join(', '), label] : [label];
  });
  return candidates.find((label) => textWidth(label, BODY) <= width) ?? candidates.at(-1) ?? '';
}

/** A legend of the states that occur in this week. */
function legend({ days }: Week, y: number): string[] {
  let x = MARGIN;
  return STATES.filter((state) => days.some(({ posts }) => posts.some((post) => post.state === state))).map(
    (state) => {
      const { fill, bar, name } = STATE_STYLES[state];
      const dashes = state === 'draft' ? 'stroke-dasharray="4 3"' : '';
      const drawn = `<rect x="${x}" y="${y - 14}" width="18" height="16" rx="3" fill="${fill}" stroke="${bar}" ${dashes}/>`;
      const label = text(name, { x: x + 26, y, width: 200, fill: FAINT }, { size: 15 });
      x += 26 + textWidth(name, { size: 15 }) + 28;
      return `${drawn}${label}`;
    },
  );
}

/** One line of text. Right-to-left text is aligned to the right. */
function text(
  words: string,
  { x, y, width, fill }: { x: number; y: number; width: number; fill?: string },
  style: TextStyle,
): string {
  const shown = fitText(keepDrawable(words), width, style);
  const isFromRight = FROM_RIGHT.test(shown);
  const place = isFromRight ? `x="${x + width}" text-anchor="end"` : `x="${x}"`;
  const weight = style.bold ? ' font-weight="bold"' : '';
  return `<text ${place} y="${y}" font-size="${style.size}"${weight}${fill === undefined ? '' : ` fill="${fill}"`}>${escapeXml(isFromRight ? `${shown}${RIGHT_TO_LEFT}` : shown)}</text>`;
}

/** Keeps the ellipsis at the left end of right-to-left text. */
const RIGHT_TO_LEFT = '\u200f';

/** Texts whose first letter belongs to a right-to-left script. */
const FROM_RIGHT = /^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Nko}]/u;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeXml(words: string): string {
  return words.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
