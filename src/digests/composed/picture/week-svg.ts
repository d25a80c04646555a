import { drawable, FONT_FAMILY, fitted, textWidth, type Writing } from './fonts.ts';
import { MOST_A_DAY, STATES, type Week, type WeekDay, type WeekPost } from './week.ts';

/** Px. Slack shows it about 500 wide, and as large as the screen when it is pressed. */
const WIDTH = 1260;
const MARGIN = 24;
const GAP = 8;
const COLUMN = (WIDTH - 2 * MARGIN - 6 * GAP) / 7;
const TOP = 92;
const DAY_HEAD = 56;
/** What the clocks do stands under the number of posts. */
const CHANGE = 18;
const CARD = 54;
/** With a line for its project. */
const MIXED_CARD = 74;
const INSIDE = 10;
const FOOT = 48;
/** A quiet week is no strip. */
const LEAST = 3;

const TIME: Writing = { size: 16, bold: true };
const WORDS: Writing = { size: 15 };
const PROJECT: Writing = { size: 13 };

const INK = '#1d1c1d';
const FAINT = '#5c5a5e';
/** Its own ground, so that it is read in dark clients too; each state has a mark besides its colour. */
const LOOKS = {
  scheduled: { fill: '#e8f1fc', bar: '#1f66b3', mark: '', name: 'Scheduled' },
  published: { fill: '#e7f4ea', bar: '#2b7a3d', mark: '✓ ', name: '✓ Published' },
  late: { fill: '#fdeae8', bar: '#b3261e', mark: '! ', name: '! Not out yet' },
  draft: { fill: '#ffffff', bar: '#6b696d', mark: '', name: 'Draft' },
} as const;

/** The week as a calendar. */
export function weekSvg(week: Week): string {
  const most = Math.max(LEAST, ...week.days.map(({ posts }) => posts.length));
  const cardHeight = week.isMixed ? MIXED_CARD : CARD;
  const first = TOP + DAY_HEAD + (week.days.some(({ change }) => change !== undefined) ? CHANGE : 0);
  const bottom = first + most * (cardHeight + GAP) + GAP;
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
  // How many there are besides stands in the last one's place.
  const shown = all > MOST_A_DAY ? posts.slice(0, MOST_A_DAY - 1) : posts;
  const rest = all - shown.length;
  const count = all === 0 ? 'no post' : all === 1 ? '1 post' : `${all.toLocaleString('en-GB')} posts`;
  const width = COLUMN - 2 * INSIDE;
  return [
    `<rect x="${x}" y="${TOP}" width="${COLUMN}" height="${bottom - TOP}" rx="8" fill="${day.isWeekend ? '#f0eff1' : '#f8f8f9'}"/>`,
    text(day.title, { x: x + INSIDE, y: TOP + 24, width }, { size: 18, bold: true }),
    text(count, { x: x + INSIDE, y: TOP + 44, width, fill: FAINT }, { size: 15 }),
    change === undefined
      ? ''
      : text(`clocks ${change}`, { x: x + INSIDE, y: TOP + 62, width, fill: '#8a4b00' }, { size: 13 }),
    ...shown.map((post, index) =>
      card(post, { x: x + 4, y: first + index * (cardHeight + GAP), height: cardHeight }),
    ),
    rest > 0
      ? text(
          `+ ${rest.toLocaleString('en-GB')} more`,
          { x: x + INSIDE, y: first + shown.length * (cardHeight + GAP) + 26, width },
          { size: 16, bold: true },
        )
      : '',
  ].join('\n');
}

function card(post: WeekPost, { x, y, height }: { x: number; y: number; height: number }): string {
  const { time, words, project, state } = post;
  const { fill, bar, mark } = LOOKS[state];
  const width = COLUMN - 8;
  const inner = width - 2 * INSIDE - 2;
  const left = x + INSIDE + 4;
  const said = `${mark}${time}`;
  const used = textWidth(said, TIME) + 8;
  const isDraft = state === 'draft';
  const border = isDraft ? `stroke="${bar}" stroke-dasharray="5 4"` : '';
  return [
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="5" fill="${fill}" ${border}/>`,
    isDraft ? '' : `<rect x="${x}" y="${y}" width="5" height="${height}" rx="2" fill="${bar}"/>`,
    text(said, { x: left, y: y + 22, width: inner }, TIME),
    text(
      platformsIn(post, inner - used),
      { x: left + used, y: y + 22, width: inner - used, fill: FAINT },
      WORDS,
    ),
    text(words, { x: left, y: y + 43, width: inner }, WORDS),
    height > CARD ? text(project, { x: left, y: y + 63, width: inner, fill: FAINT }, PROJECT) : '',
  ].join('');
}

/** All of them, or the first and how many more. That it is a draft its dashes say too. */
function platformsIn({ platforms, offset, state }: WeekPost, width: number): string {
  const before = offset === undefined ? [] : [offset];
  const [first, ...others] = platforms;
  const short = others.length > 0 ? `${first} +${others.length}` : (first ?? '');
  const ways = [platforms.join(', '), short].flatMap((said) => {
    const known = [...before, said].join(', ');
    return state === 'draft' ? [[...before, 'Draft', said].join(', '), known] : [known];
  });
  return ways.find((way) => textWidth(way, WORDS) <= width) ?? ways.at(-1) ?? '';
}

/** Only what there is in this week. */
function legend({ days }: Week, y: number): string[] {
  let x = MARGIN;
  return STATES.filter((state) => days.some(({ posts }) => posts.some((post) => post.state === state))).map(
    (state) => {
      const { fill, bar, name } = LOOKS[state];
      const dashes = state === 'draft' ? 'stroke-dasharray="4 3"' : '';
      const drawn = `<rect x="${x}" y="${y - 14}" width="18" height="16" rx="3" fill="${fill}" stroke="${bar}" ${dashes}/>`;
      const label = text(name, { x: x + 26, y, width: 200, fill: FAINT }, { size: 15 });
      x += 26 + textWidth(name, { size: 15 }) + 28;
      return `${drawn}${label}`;
    },
  );
}

/** One line; a text that is read from the right begins there. */
function text(
  words: string,
  { x, y, width, fill }: { x: number; y: number; width: number; fill?: string },
  writing: Writing,
): string {
  const shown = fitted(drawable(words), width, writing);
  const isFromRight = FROM_RIGHT.test(shown);
  const place = isFromRight ? `x="${x + width}" text-anchor="end"` : `x="${x}"`;
  const weight = writing.bold ? ' font-weight="bold"' : '';
  return `<text ${place} y="${y}" font-size="${writing.size}"${weight}${fill === undefined ? '' : ` fill="${fill}"`}>${escaped(isFromRight ? `${shown}${RIGHT_TO_LEFT}` : shown)}</text>`;
}

/** Keeps the ellipsis at the text's own end. */
const RIGHT_TO_LEFT = '\u200f';

/** The first letter of all is Hebrew, Arabic or of their kin. */
const FROM_RIGHT = /^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Nko}]/u;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(words: string): string {
  return words.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
