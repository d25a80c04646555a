import type { Platform } from '../api/platforms.ts';
import type { Budget } from '../budget.ts';
import { normalizeUnicode } from '../normalize-text.ts';
import { parsePlatform } from '../posts/platforms.ts';
import type { DateOrder } from '../when/when.ts';
import { findZonesByName } from '../when/zones.ts';
import {
  type Column,
  holdsMedia,
  LINK,
  namesMedia,
  PAGE_LINK,
  readMediaNames,
  readOptionalCell,
} from './cells.ts';
import { ROLES, type Role, SINGLE } from './column-names.ts';

function findRole(fullName: string): Role | undefined {
  const name = fullName.replace(/ \d+$/, '');
  const words = name.replace(/ (?:and|und|et|y|e|en) /, ' ').split(' ');
  const isWhen = words.map((word) => ROLES.get(word)).join() === 'date,clock';
  return ROLES.get(name) ?? (isWhen ? 'when' : combinesMedia(name) ? 'visual' : findTarget(name.split(' ')));
}

/** What says where a row goes, in the order in which a name of several words means it: "client account", "Kunde/Marke". */
const TARGETS: readonly Role[] = ['customer', 'project', 'platforms'];
const TARGET_WORDS =
  /^(?:and|or|und|oder|et|ou|y|o|e|en|ids?|names?|name|nom|nome|nombre|naam|de|du|del|do|da|social|target|our)$/;

function findTarget(words: readonly string[]): Role | undefined {
  const roles = words.filter((word) => !TARGET_WORDS.test(word)).map((word) => ROLES.get(word));
  const isTarget = roles.every((role) => role !== undefined && TARGETS.includes(role));
  return isTarget ? TARGETS.find((role) => roles.includes(role)) : undefined;
}

/** Whether a name has several words for media: "bild video", "photo link", "image file name". */
function combinesMedia(name: string): boolean {
  const roles = name
    .split(' ')
    .map((word) => (JOINING_WORDS.test(word) ? 'link' : (ROLES.get(word) ?? 'text')));
  const isMedia = (role: string) => role === 'media' || role === 'visual';
  return roles.some(isMedia) && roles.every((role) => role === 'link' || isMedia(role));
}
/** Whether a column is for media or for something else, such as “Media/Link”: its cells decide. */
const isEither = (name: string) => /[/|&+]/.test(name) && combinesMedia(normalizeName(name));
const JOINING_WORDS = /^(?:and|or|und|oder|et|ou|y|o|e|files?|names?|path)$/;

/** The longest name of a column, in UTF-16 units. The rest of a longer one, perhaps of a text, says nothing about it. */
const MAX_NAME_LENGTH = 300;

/** Normalizes the name of a column: "postAtSpecificTime (yyyy-MM-dd)" becomes "post at specific time". */
function normalizeName(name: string): string {
  const plain = normalizeUnicode(name.slice(0, MAX_NAME_LENGTH), 'NFKC')
    .replace(/ - separated by\b.*/i, '')
    .replace(/\(s\)/gi, 's');
  return splitBrackets(plain)
    .outside.join(' ')
    .replace(/#(?!\s*\d)/g, ' number ')
    .replace(/(?<=\p{Ll})(?=\p{Lu}\p{Ll})/gu, ' ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Splits a name at its brackets: "Time (UTC) in (h)" into "Time ", " in " and "", and "UTC" and "h". */
function splitBrackets(name: string): { outside: string[]; inside: string[] } {
  const inside: string[] = [];
  const outside = [''];
  const pieces = name.split(')');
  for (const [index, piece] of pieces.entries()) {
    const isLast = index === pieces.length - 1;
    const start = isLast ? -1 : piece.indexOf('(');
    const before = start < 0 ? `${piece}${isLast ? '' : ')'}` : piece.slice(0, start);
    outside[outside.length - 1] += before;
    if (start < 0) continue;
    inside.push(piece.slice(start + 1));
    outside.push('');
  }
  return { outside, inside };
}

/** Finds the platform in a column's normalized name: "linked in", "twitter x" for two names, or "post on facebook". */
function findNamedPlatform(fullName: string): Platform | undefined {
  const name = fullName.replace(/^(?:post|publish|share) (?:on|to) /, '');
  const whole = parsePlatform(name.replaceAll(' ', ''));
  if (whole !== undefined && whole !== 'all') return whole;
  const platforms = name.split(' ').map(parsePlatform);
  const [first] = platforms;
  return first !== 'all' && platforms.every((platform) => platform === first) ? first : undefined;
}

/** Finds the platform for whose text a column is: "text for x", "linkedin caption", "texte instagram". */
function findOwnTextPlatform(name: string): Platform | undefined {
  const [, after] = OWN_TEXT_FIRST.exec(name) ?? [];
  const [, before] = /^(.+) (?:text|caption|copy|message|content)$/.exec(name) ?? [];
  const platform = after ?? before;
  return platform === undefined ? undefined : findNamedPlatform(platform);
}

const OWN_TEXT_FIRST =
  /^(?:text|caption|copy|(?:message|content)(?= (?:for|on) )|texte|texto|testo|tekst)(?: (?:for|on|für|auf|pour|sur|para|en|per|su|voor|op))? (.+)$/;

export interface Columns extends Partial<Record<(typeof SINGLE)[number], Column>> {
  /** `hasNotes`: some cells may say what is to be shown, because no cell is a link. */
  media: readonly (Column & { hasNotes?: boolean })[];
  platforms: readonly Column[];
  /** Columns with the row's project. The first filled cell counts. */
  projects: readonly Column[];
  /** Columns of customers and brands, which may be projects. */
  customers: readonly Column[];
  /** Columns named after a network that posts can't go to, whose cells say whether the post goes there too. */
  elsewhere: readonly Column[];
  /** Columns of platforms with several accounts of one, which belong to several projects. */
  unclearAccounts: readonly Column[];
  /** Columns whose names say nothing that is known. */
  unknown: readonly Column[];
  /** Other columns for times, whose cells count where those of the first ones are empty. */
  spareTimes: Readonly<Partial<Record<'when' | 'date' | 'clock', Column>>>;
  /** Columns named after a platform, whose cells say whether the post goes there. */
  flags: readonly (Column & { platform: Platform })[];
  /** Columns with another text for a platform: “Text for X”. */
  ownTexts: readonly (Column & { platform: Platform })[];
  /** The zone of the times, if the name of their column says it: "Time (Europe/Berlin)", "Time CET". */
  declaredZone?: string;
  /** The name of a zone in the name of their column, if it can mean several: "IST". */
  unclearZone?: string;
  /** The order of day and month, if the name of their column says it: "Date (DD/MM/YYYY)". */
  declaredOrder?: DateOrder;
  unused: readonly string[];
  /** How many columns the first row has, which further rows can't exceed. */
  count: number;
  hasNames: boolean;
}

/** Counts the known names of columns in a row. */
export function countKnownNames(cells: readonly string[]): number {
  return cells.filter((cell) => {
    const name = normalizeName(cell);
    const isPlatforms = name !== '' && (findNamedPlatform(name) ?? findOwnTextPlatform(name)) !== undefined;
    return findRole(name) !== undefined || isPlatforms;
  }).length;
}

/**
 * Recognises the columns of a table by its first row, and by its other rows where names can mean two things. Undefined if
 * there is no column for a text or for media.
 */
export async function recognizeColumns(
  names: readonly string[],
  rows: readonly (readonly string[])[],
  budget: Budget,
): Promise<Columns | undefined> {
  const firstRow = names.map((name) => name.slice(0, MAX_NAME_LENGTH));
  const found = new Map<Role, (Column & { hasNotes?: boolean })[]>();
  const flags: (Column & { platform: Platform })[] = [];
  const ownTexts: (Column & { platform: Platform })[] = [];
  const unused: string[] = [];
  const unknown: Column[] = [];
  const spareTimes: { when?: Column; date?: Column; clock?: Column } = {};
  const roles = firstRow.map((name) =>
    isEither(name) ? undefined : ROLES.get(normalizeName(name).replace(/ \d+$/, '')),
  );
  // Agorapulse has both. In plans, "Post link" is where a post is.
  const isAgorapulse = !roles.includes('link') && firstRow.some((name) => /^post_content$/i.test(name));
  for (const [index, name] of firstRow.entries()) {
    await budget.giveWay();
    const normalized = isAgorapulse && /^post_link$/i.test(name) ? 'link' : normalizeName(name);
    const known = isEither(name)
      ? 'visual'
      : (findRole(normalized) ?? findRole(normalizeName(splitZone(name)?.before ?? '')));
    const cells = known === 'visual' ? await readMediaNames(rows, index, budget) : [];
    const isMixed = isEither(name) && cells.some(namesMedia);
    const hasPages = !isMixed && cells.some((cell) => PAGE_LINK.test(cell));
    const isWeak = !roles[index] && (roles.includes('media') || hasPages);
    const isVague = known === 'visual' && (isWeak || !holdsMedia(cells));
    const role = known !== 'visual' ? known : isVague ? undefined : 'media';
    const hasNotes = known === 'visual' && !cells.some((cell) => LINK.test(cell));
    const column = { index, name: name.trim(), ...(hasNotes && { hasNotes }) };
    const platform = role === undefined ? findNamedPlatform(normalized) : undefined;
    const ownText = role === undefined && !platform ? findOwnTextPlatform(normalized) : undefined;
    const [earlier] = found.get(role ?? 'ignored') ?? [];
    const isStronger =
      earlier &&
      ((role === 'text' && (await hasWordsOf(earlier, column, rows, budget))) ||
        (isTime(role) && rankTime(name) > rankTime(earlier.name)));
    if (isStronger) {
      found.delete(role);
      unused.push(earlier.name);
    }
    const weaker = isStronger ? earlier : column;
    const stronger = isStronger ? column : earlier;
    if (earlier && stronger && isTime(role) && rankTime(weaker.name) > 0)
      if (await fills(weaker, stronger, rows, budget)) spareTimes[role] ??= weaker;
    const isRepeated =
      (role !== undefined && !MANY.includes(role) && found.has(role)) ||
      ownTexts.some((earlier) => earlier.platform === ownText);
    if (ownText && !isRepeated) ownTexts.push({ ...column, platform: ownText });
    else if (platform) flags.push({ ...column, platform });
    else if (role === undefined || isRepeated) {
      unused.push(...(column.name === '' ? [] : [column.name]));
      if (role === undefined) unknown.push(column);
    } else if (found.has(role)) found.get(role)?.push(column);
    else found.set(role, [column]);
  }
  const get = (role: Role) => found.get(role)?.[0];
  if (!get('text') && !get('media')) return undefined;
  const [date, day, when, clock] = [get('date'), get('day'), get('when'), get('clock')];
  // Beside another time, “Send date” may be that of a newsletter.
  if (date && rankTime(date.name) < 0 && (day || when || (clock && !/^send/i.test(clock.name)))) {
    unused.push(date.name);
    found.delete('date');
  }
  // Beside a date, a day only names its weekday. In German, “Tag” is a day.
  const isLabel = day && normalizeName(day.name) === 'tag' && !/zeit/i.test(clock?.name ?? '');
  if (day && (isLabel || get('date') || when)) unused.push(day.name);
  else if (day) found.set('date', [day]);
  // A deadline or the moment of an entry isn't the time of the post, and “Publish” may only say yes or no.
  const isMinor =
    when &&
    (rankTime(when.name) === 0 || (clock && /^(?:scheduled?|publish)$/.test(normalizeName(when.name))));
  if (isMinor && get('date')) {
    found.delete('when');
    unused.push(when.name);
  }
  // The zone of the time of day comes first.
  const timeNotes = listNotes(clock, get('when'));
  const dateNotes = listNotes(get('date'));
  // Beside a date, a country is the order of day and month, and beside a time it is a zone.
  const named = [...timeNotes, ...dateNotes.filter((note) => readOrder(note) === undefined)].find(
    (note) => findZones(note).length > 0,
  );
  const [declaredZone, ...others] = findZones(named ?? '');
  const declaredOrder = [...timeNotes.filter((note) => findZones(note).length === 0), ...dateNotes]
    .map(readOrder)
    .find((order) => order !== undefined);
  return {
    ...Object.fromEntries(SINGLE.flatMap((role) => (get(role) ? [[role, get(role)]] : []))),
    media: found.get('media') ?? [],
    platforms: found.get('platforms') ?? [],
    projects: found.get('project') ?? [],
    customers: found.get('customer') ?? [],
    elsewhere: found.get('elsewhere') ?? [],
    unclearAccounts: [],
    unknown,
    spareTimes,
    flags,
    ownTexts,
    unused: unused.filter((name) => !Object.values(spareTimes).some((spare) => spare.name === name)),
    count: firstRow.length,
    hasNames: true,
    ...(named !== undefined && others.length > 0 && { unclearZone: named }),
    ...(declaredZone !== undefined && others.length === 0 && { declaredZone }),
    ...(declaredOrder && { declaredOrder }),
  };
}

/** The zones that a text names. None if it says anything else. */
export function findZones(text: string): readonly string[] {
  const { zones, coversWholeText } = findZonesByName(text);
  return coversWholeText ? zones : [];
}

/** Lists what the names of columns say after the purpose: "Europe/Berlin" in "Time (Europe/Berlin)", "CET" in "Time CET". */
function listNotes(...columns: readonly (Column | undefined)[]): string[] {
  return columns
    .map((column) => column?.name ?? '')
    .flatMap((name) => splitBrackets(name).inside[0] ?? splitZone(name)?.zone ?? []);
}

/** Splits the name of a time's column that ends in a zone: "Time CET", "Time - New York". */
function splitZone(name: string): { before: string; zone: string } | undefined {
  const ends = [...name.matchAll(/[\s,:–-]+/g)].map(
    ({ index, 0: gap }) => [index, index + gap.length] as const,
  );
  // The names of zones have few words.
  return ends
    .slice(-4)
    .map(([end, start]) => ({ before: name.slice(0, end), zone: name.slice(start) }))
    .find(({ before, zone }) => isTime(findRole(normalizeName(before))) && findZones(zone).length > 0);
}

const MANY: readonly Role[] = ['media', 'platforms', 'project', 'customer', 'elsewhere', 'ignored'];
const TIMES = ['when', 'date', 'clock'] as const;
const isTime = (role: Role | undefined): role is (typeof TIMES)[number] =>
  TIMES.some((time) => time === role);

/** Whether a column has a cell where the other one is empty. */
async function fills(column: Column, other: Column, rows: readonly (readonly string[])[], budget: Budget) {
  const isFilled = (cells: readonly string[], { index }: Column) =>
    readOptionalCell(
      { cells: [(cells[index] ?? '').slice(0, MAX_NAME_LENGTH)] },
      { index: 0, name: '' },
    ).trim() !== '';
  for (const cells of rows) {
    budget.spend();
    await budget.giveWay();
    if (isFilled(cells, column) && !isFilled(cells, other)) return true;
  }
  return false;
}

/** Whether a column has the words of all posts. Then the earlier one, the content of a plan, has their subjects. */
async function hasWordsOf(
  earlier: Column,
  column: Column,
  rows: readonly (readonly string[])[],
  budget: Budget,
): Promise<boolean> {
  const isFilled = (cells: readonly string[], of: Column) => readOptionalCell({ cells }, of).trim() !== '';
  const mayHave =
    /^(?:contents?|posts?|updates?|beitrag|投稿)$/.test(normalizeName(earlier.name)) &&
    /^(?:(?:post|social) )?(?:captions?|copy|texts?|body|légende)$/.test(normalizeName(column.name)) &&
    !column.name.includes('(');
  for (const cells of mayHave ? rows : []) {
    budget.spend();
    await budget.giveWay();
    if (!isFilled(cells, column) && isFilled(cells, earlier)) return false;
  }
  return mayHave;
}

/** Ranks the names of times for the same purpose: that of publishing first, a deadline or the moment of an entry last. */
function rankTime(name: string): number {
  const normalized = normalizeName(name);
  if (/^send date\b/.test(normalized)) return -1;
  if (/^(?:due|timestamp)\b/.test(normalized)) return 0;
  return /^(?:publish|publication|post|schedul|send|go live|live)\w* ./.test(normalized) ? 2 : 1;
}

const DAY_FIRST_COUNTRY =
  /^(?:uk|gb|eu|europe|germany|deutschland|austria|österreich|switzerland|schweiz|france|spain|españa|italy|italia|netherlands|nederland|portugal|brazil|brasil|ireland|india|australia)$/i;

/** The order that a format or a country in the name of a column says: "DD/MM/YYYY", "TT.MM.JJJJ", "UK". */
function readOrder(format: string): DateOrder | undefined {
  if (/^\W*[dgjt]{1,2}\W+m/i.test(format) || DAY_FIRST_COUNTRY.test(format.trim())) return 'day-first';
  return /^\W*m{1,2}\W+d|^usa?$/i.test(format) ? 'month-first' : undefined;
}

/** The columns of a table without names, as Hootsuite's bulk upload has it: date and time, text, and a link. */
export function readHeadless(firstRow: readonly string[]): Columns | undefined {
  const [time = '', text = ''] = firstRow;
  if (text.trim() === '' || !/^\s*\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\b/.test(time)) return undefined;
  return {
    when: { index: 0, name: 'column 1' },
    text: { index: 1, name: 'column 2' },
    // The rows to correct have a column with this name.
    link: { index: 2, name: 'Link' },
    media: [{ index: 3, name: 'column 4' }],
    ...{
      platforms: [],
      projects: [],
      customers: [],
      elsewhere: [],
      unclearAccounts: [],
      unknown: [],
      spareTimes: {},
    },
    ...{ flags: [], ownTexts: [], unused: [] },
    count: Math.max(firstRow.length, 4),
    hasNames: false,
  };
}
