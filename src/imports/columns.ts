import type { Platform } from '../api/platforms.ts';
import { EXTRA_FIELDS } from '../api/post-fields.ts';
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

/**
 * What the columns are for of which a table has one each. `when`: date and time in one. `half`: whether the time is before
 * or after noon.
 */
const SINGLE = [
  'when',
  'date',
  'clock',
  'half',
  'zone',
  'text',
  'link',
  'project',
  'status',
  'draft',
  ...EXTRA_FIELDS.map(({ name }) => name),
] as const;

/**
 * What a column is for. `day`: the date, or only its weekday if another column has the date. `visual`: media, or a
 * description for whoever makes them. `ignored`: a column of Upnext's exports and correction files.
 */
type Role = (typeof SINGLE)[number] | 'day' | 'media' | 'visual' | 'platforms' | 'ignored';

/**
 * The names of columns, in the form that `normalizeName` gives them. Besides the names of spreadsheet people they are those
 * of Upnext's export and template, and of the files that other tools export or import (read in November 2026):
 *
 * - Agorapulse: support.agorapulse.com/de/articles/8774056
 * - Ayrshare: ayrshare.com/docs/apis/post/bulk-post
 * - Buffer: support.buffer.com/article/926-how-to-upload-posts-in-bulk-to-buffer
 * - Hootsuite, date, message and link without a first row of names: `readHeadless`
 * - Metricool, with a column for each platform
 * - Oktopost, “Network, Message, LinkUrl, ImageUrl”: community.oktopost.com/knowledgebase/articles/386002
 * - Publer: publer.com/help/en/article/how-to-use-a-csv-file-18qhxcq
 * - SocialBee and HighLevel: help.socialbee.com/article/80-how-do-i-import-content-via-csv
 * - Sprout Social: support.sproutsocial.com/hc/en-us/articles/115005864203
 */
const NAMES: Readonly<Record<Role, string>> = {
  when: `when|datetime|time and date|day and time|publish|publish at|publish on|scheduled|schedule|scheduled at
    |scheduled for|schedule at|post at specific time|send at|go live|due|date intl format or prompt|timestamp|wann
    |zeitpunkt|日時|投稿日時`,
  date: `date|post date|posting date|publish date|publishing date|publication date|schedule date|scheduled date
    |scheduling date|send date|go live date|live date|start date|due date|datum|fecha|data|日付
    |veröffentlichungsdatum|date de publication|fecha de publicación|data di pubblicazione|data de publicação`,
  day: 'day|tag|dia|día|jour|giorno|dag',
  clock: `time|time 24hr|time 24 hr|hour|time of day|clock|post time|posting time|publish time|publishing time
    |publication time|schedule time|scheduled time|send time|start time|uhrzeit|zeit|heure|hora|ora|orario|tijd|時間|時刻
    |heure de publication|hora de publicación|ora di pubblicazione|hora de publicação`,
  half: 'am pm|ampm|am or pm|a m p m',
  zone: `time zone|timezone|tz|post s time zone|zone|zeitzone|fuseau horaire|zona horaria|fuso orario|fuso horario
    |tijdzone|タイムゾーン`,
  text: `text|texts|message|message text|content|caption|captions|post|post text|post content|post copy|copy
    |social copy|body|tweet|update|status text|update text|beitrag|beitragstext|posttext|nachricht|texte|texto|testo|tekst
    |bericht|mensaje|mensagem|messaggio|légende|本文|投稿|テキスト`,
  link: 'link|links|link url|url|urls|og meta url|share link|website|lien|enlace|collegamento|リンク',
  media: `media|media url|media urls|media link|media links|image|images|image url|image urls|image link|picture
    |pictures|picture url|photo|photos|photo url|video|videos|video url|video urls|gif|gif url|gif urls|attachment
    |attachments|asset|asset url|bild|bilder|imagen|imagem|immagine|afbeelding|média|médias|medien|画像|メディア`,
  visual: `creative|creatives|visual|visuals|graphic|graphics|image file|image name|file name|filename|foto|fotos|vidéo
    |vidéos|grafik|bilddatei|bildlink|dateiname|visuel|visuels`,
  altText: `alt text|alt texts|alt|alternative text|alt text picture|alt text image|image alt text|media alt text
    |picture alt text|image description|picture description|media description|alternativtext|bildbeschreibung
    |texte alternatif|texto alternativo|testo alternativo|alternatieve tekst|代替テキスト`,
  platforms: `platform|platforms|network|networks|social network|social networks|social media|channel|channels|profile
    |profiles|social profile|social profiles|account|accounts|social account|social accounts|plattform|plattformen
    |netzwerk|netzwerke|kanal|kanäle|plateforme|plateformes|réseau|réseaux|plataforma|plataformas|red social|redes
    |réseau social|réseaux sociaux|redes sociales|redes sociais
    |piattaforma|piattaforme|kanaal|kanalen|プラットフォーム`,
  project: 'project|project name|projekt|projet|proyecto|progetto|projeto|プロジェクト',
  status: 'status|state|post status|statut|estado|stato|ステータス',
  draft: 'draft|is draft|mark as draft|save as draft|entwurf',
  ignored: 'hand over|author|row|row number|problem',
};

const isRole = (role: string): role is Role => Object.hasOwn(NAMES, role);

const ROLES = new Map(
  Object.entries(NAMES).flatMap(([role, names]) =>
    isRole(role) ? names.split('|').map((name) => [name.trim(), role] as const) : [],
  ),
);

function findRole(fullName: string): Role | undefined {
  const name = fullName.replace(/ \d+$/, '');
  const words = name.replace(/ (?:and|und|et|y|e|en) /, ' ').split(' ');
  const isWhen = words.map((word) => ROLES.get(word)).join() === 'date,clock';
  return ROLES.get(name) ?? (isWhen ? 'when' : combinesMedia(name) ? 'visual' : undefined);
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
        (role !== undefined && TIMES.includes(role) && rankTime(name) > rankTime(earlier.name)));
    if (isStronger) {
      found.delete(role);
      unused.push(earlier.name);
    }
    const isRepeated =
      (role !== undefined && !MANY.includes(role) && found.has(role)) ||
      ownTexts.some((earlier) => earlier.platform === ownText);
    if (ownText && !isRepeated) ownTexts.push({ ...column, platform: ownText });
    else if (platform) flags.push({ ...column, platform });
    else if (role === undefined || isRepeated) unused.push(...(column.name === '' ? [] : [column.name]));
    else if (found.has(role)) found.get(role)?.push(column);
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
    flags,
    ownTexts,
    unused,
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
    .find(
      ({ before, zone }) =>
        TIMES.includes(findRole(normalizeName(before)) ?? 'ignored') && findZones(zone).length > 0,
    );
}

const MANY: readonly Role[] = ['media', 'platforms', 'ignored'];
const TIMES: readonly Role[] = ['when', 'date', 'clock'];

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
    platforms: [],
    flags: [],
    ownTexts: [],
    unused: [],
    count: Math.max(firstRow.length, 4),
    hasNames: false,
  };
}
