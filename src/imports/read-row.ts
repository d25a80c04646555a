import { PLATFORMS } from '../api/platforms.ts';
import { mapExtraFields } from '../api/post-fields.ts';
import { normalizeUnicode } from '../normalize-text.ts';
import {
  listPlatformChoices,
  parsePlatform,
  renderPlatformNames,
  sortPlatforms,
} from '../posts/platforms.ts';
import { normalizeName } from '../slack/name.ts';
import type { DescribedPost } from '../submissions/kind.ts';
import type { DateOrder, KnownDateOrder } from '../when/when.ts';
import { type Column, readCell, readOptionalCell, readTextCell } from './cells.ts';
import { type Columns, findZones } from './columns.ts';
import { findBrokenLetters, findWrongCells, listMedia, readLink } from './read-cells.ts';
import { ANSWERS, NO, readAnswer, readStatus, YES } from './read-status.ts';
import type { TableRow } from './read-table.ts';
import { isTimeOfDay, joinDateAndClock, readOwnClock, readTime } from './read-time.ts';

/** What the file doesn't say: chosen once for all rows. */
export interface ImportSettings {
  project?: { id: string; name: string } | undefined;
  /** The zone of times without one; an IANA name. Undefined if each project's own one counts. */
  zone?: string | undefined;
  /** The person's zone, if Slack didn't give it. */
  personZone?: string | undefined;
  order?: DateOrder | undefined;
  platforms?: readonly string[] | undefined;
}

/**
 * What a cell is for whose value isn't in the post, so that the row to correct has it. `flag`: whether the post goes to
 * a platform. `media`, `link`: words instead of a link. `surplus`: nothing, because it's to the right of the last column.
 */
export const PROBLEM_PARTS = ['status', 'platforms', 'flag', 'media', 'link', 'surplus'] as const;

/** Something about a row that has to change. All texts are plain. */
export interface RowProblem {
  column: string;
  value: string;
  /** What was understood, and what to do. */
  problem: string;
  part?: (typeof PROBLEM_PARTS)[number] | undefined;
}

export interface RowsInput {
  rows: readonly TableRow[];
  columns: Columns;
  settings: ImportSettings;
  /** The zone of a project's times, if none was chosen for all rows. */
  findZone?(project: string): string | undefined;
  /** The projects that the person may see. */
  projects: readonly { id: string; name: string }[];
  now: Date;
  locale?: string | undefined;
  /** The order of the person's dates, in which those of a table are read that shows none. */
  dateOrder?: KnownDateOrder | undefined;
  /** Whether the person may schedule posts of a project. Otherwise they are imported as drafts. */
  maySchedule(project: string): boolean;
}

export interface ReadRow {
  /** The post, as far as it was understood. A phrase for a slot isn't a time yet. */
  post: DescribedPost;
  /** The time as the file has it. */
  time: string;
  timeColumn: Column | undefined;
  /** The zone of the column's times, which the row overrules. */
  overruledZone: string | undefined;
  /** Its status says that it isn't to be imported. */
  isSkipped: boolean;
  problems: RowProblem[];
  notes: string[];
}

/** Maximum number of problems of a row: more than people correct from a list. */
const MAX_PROBLEMS = 10;
const MORE_PROBLEMS = 'There are more problems in this row. Correct these first.';

/**
 * The problems of a row. A cell that was left out has no other one. What keeps a row from being imported as it is, is
 * also in the file with the rows to correct.
 */
function limitProblems({ tooLong = [] }: TableRow, problems: readonly RowProblem[]): RowProblem[] {
  const leftOut = tooLong.map((problem) => ({ ...problem, part: 'surplus' as const }));
  const others = problems.filter(({ column }) => !tooLong.some((each) => each.column === column));
  const all = [...leftOut, ...others];
  if (all.length <= MAX_PROBLEMS) return all;
  return [
    ...all.slice(0, MAX_PROBLEMS),
    { column: '', value: MORE_PROBLEMS, problem: MORE_PROBLEMS, part: 'surplus' },
  ];
}

/** Enough for 5,000 usual phrases, which take a few seconds. */
export const MAX_WORD_STEPS = 600_000;

export function createRowReader(input: RowsInput): (row: TableRow) => ReadRow {
  const { rows, columns, settings, now, locale } = input;
  const readProject = createProjectReader(input);
  const reader = { now, locale, order: settings.order, words: { stepsLeft: MAX_WORD_STEPS } };
  // Columns that are named like texts, but only say yes or no.
  const answerColumns = columns.ownTexts.filter((column) =>
    rows.every((row) => ANSWERS.includes(readAnswer(row, column))),
  );
  // An export has its times in the zone that their column names, and says in which one people see each post.
  const isShownZone = columns.declaredZone !== undefined && /^post/i.test(columns.zone?.name ?? '');
  const zones = new Map<string, readonly string[]>();
  const findZonesOnce = (text: string) => {
    const found = zones.get(text) ?? findZones(text);
    zones.set(text, found);
    return found;
  };
  return (row) => {
    const problems: RowProblem[] = [];
    const addProblem = (
      column: Column | undefined,
      value: string,
      problem: string,
      part?: RowProblem['part'],
    ) => problems.push({ column: column?.name ?? '', value, problem, part });
    const project = readProject(row);
    if (project.problem !== undefined) addProblem(columns.project, project.name, project.problem);
    const status = readStatus(row, columns, locale);
    if (status.kind === 'unknown') addProblem(status.column, status.text, UNKNOWN_STATUS, 'status');
    const platforms = readPlatforms(row, columns, settings);
    problems.push(...platforms.problems);
    const mayOnlyDraft = project.id !== '' && !input.maySchedule(project.id);
    const isDraft = status.kind === 'draft' || mayOnlyDraft;
    const zoneText = readCell(row, columns.zone).trim();
    const [zoneOfRow, ...otherZones] = findZonesOnce(zoneText);
    const isZoneUnknown = zoneText !== '' && (zoneOfRow === undefined || otherZones.length > 0);
    const time = readTimeCells(row, columns);
    const timeColumn = columns.when ?? columns.date ?? columns.clock;
    const defaultZone = settings.zone ?? (project.id === '' ? undefined : input.findZone?.(project.id));
    // Without a zone, a time means the same in all zones. A row with an unknown zone or project is faulty, and is read
    // only to find its other problems.
    const zone = (isShownZone ? undefined : zoneOfRow) ?? defaultZone ?? 'UTC';
    const reading = time === '' ? undefined : readTime(time, { ...reader, zone });
    if (isZoneUnknown)
      addProblem(columns.zone, zoneText, zoneOfRow === undefined ? UNKNOWN_ZONE : UNCLEAR_ZONE);
    if (reading?.kind === 'problem') addProblem(timeColumn, time, reading.problem);
    else if (reading?.kind === 'order') addProblem(timeColumn, time, 'Write the date like 2026-12-01.');
    else if (!reading && !isDraft)
      addProblem(timeColumn, '', 'There’s no time. Write one like 2026-12-01 09:00, or Draft as the status.');
    const hasZone =
      !isZoneUnknown && (project.id !== '' || zoneOfRow !== undefined || defaultZone !== undefined);
    const moment = reading?.kind === 'moment' && hasZone ? reading : undefined;
    const { links, others } = listMedia(row, columns);
    for (const { column, value, problem } of others.filter(({ isNote }) => !isNote))
      addProblem(column, value, problem, 'media');
    const text = readText(row, columns);
    // Publer separates the descriptions of several pictures by bars.
    const further = links.length > 1 ? /\|\|.*/s : '';
    const extras = mapExtraFields((name) => readTextCell(row, columns[name]).replace(further, '').trim());
    const ownTexts = readOwnTexts(row, columns);
    const surplus = row.cells.slice(columns.count).filter((cell) => cell.trim() !== '');
    if (surplus.length > 0) addProblem(undefined, surplus.join(', '), TOO_MANY_CELLS, 'surplus');
    problems.push(...findWrongCells(row, columns), ...findAnswers(row, answerColumns));
    const isOverruled = zoneOfRow !== undefined && zoneOfRow !== defaultZone && !isShownZone;
    const overruledZone = columns.declaredZone && isOverruled ? defaultZone : undefined;
    const notes = [
      ...(mayOnlyDraft && status.kind !== 'draft' ? ['You can only save drafts in this project.'] : []),
      ...(others.some(({ isNote }) => isNote) ? ['Words instead of media aren’t used.'] : []),
      ...(links.length > 1 ? ['Only the first media link is imported.'] : []),
      ...(extras.altText && links.length === 0 ? ['Without media, the alt text isn’t used.'] : []),
      ...renderUnusedTexts(ownTexts, platforms.names),
      ...findBrokenLetters([text, ...Object.values(extras), ...ownTexts.map(([, own]) => own)]),
    ];
    const post: DescribedPost = {
      project: { id: project.id, name: project.name },
      text,
      media: links[0] ?? '',
      ...extras,
      ...(ownTexts.length > 0 && { ownTexts: Object.fromEntries(ownTexts) }),
      platforms: platforms.names,
      isDraft,
      // Also an unknown one, because the file with the rows to correct has to name it again.
      zone: isZoneUnknown ? zoneText : (zoneOfRow ?? defaultZone ?? ''),
      ...(moment && {
        moment: { instant: moment.instant, zone: zoneOfRow ?? moment.zone, notes: moment.notes },
      }),
      ...(reading?.kind === 'slot' && { slotFrom: reading.from }),
    };
    const isSkipped = status.kind === 'skip';
    return {
      post,
      time,
      timeColumn,
      overruledZone,
      isSkipped,
      problems: limitProblems(row, problems),
      notes,
    };
  };
}

/** Reads the cells of a row's time as one text: "2026-12-01 9:00 PM". */
export function readTimeCells(row: TableRow, columns: Columns): string {
  const [time, half] = [joinTimeCells(row, columns), readCell(row, columns.half).trim()];
  return time === '' ? '' : `${time} ${half}`.trimEnd();
}

/** Beside a date, a column for whole times may have times of day. */
function joinTimeCells(row: TableRow, { when, date, clock }: Columns): string {
  // Several blanks mean the same as one, and would be tried in every way.
  const read = (column: Column | undefined) => readCell(row, column).trim().replace(/\s+/g, ' ');
  const [whole, day, time] = [read(when), read(date), read(clock)];
  if (date && isTimeOfDay(whole)) return joinDateAndClock(day, whole);
  if (date && readOwnClock(whole)) return whole;
  return joinDateAndClock(whole === '' ? day : whole, time);
}

type RowProject =
  | { id: string; name: string; problem?: undefined }
  | { id: ''; name: string; problem: string };

/** Reads the projects of rows by their names and ids in any case. An exact id wins. An unknown project has no id. */
export function createProjectReader({
  columns,
  settings,
  projects,
}: Pick<RowsInput, 'columns' | 'settings' | 'projects'>): (row: TableRow) => RowProject {
  // The settings may have a project that the list has too.
  const known = new Map(projects.map((project) => [project.id, project]));
  const named = Map.groupBy(
    [...known.values()].flatMap((project) =>
      [...new Set([project.name, project.id].map(normalizeName))].map((name) => ({ name, project })),
    ),
    ({ name }) => name,
  );
  return (row) => {
    const name = readCell(row, columns.project).trim();
    if (name === '')
      return settings.project ?? { id: '', name, problem: 'There’s no project. Write its name.' };
    const exact = known.get(name);
    const [found, ...others] = exact ? [{ project: exact }] : (named.get(normalizeName(name)) ?? []);
    if (others.length > 0)
      return { id: '', name, problem: 'Several projects have this name. Write the ID of one.' };
    const problem = 'I don’t know this project, or you have no access to it. Write its exact name.';
    return found?.project ?? { id: '', name, problem };
  };
}

/** The text, with the link of a separate column below it. */
function readText(row: TableRow, columns: Columns): string {
  const text = readTextCell(row, columns.text);
  const { link } = readLink(row, columns);
  const isNew = link !== '' && !text.includes(link);
  return isNew ? `${text.trimEnd()}\n${link}`.trimStart() : text;
}

/** The texts of platforms that get another text. An empty cell means the main text. */
function readOwnTexts(row: TableRow, { ownTexts }: Columns): (readonly [platform: string, text: string])[] {
  return ownTexts.flatMap((column) => {
    const text = readTextCell(row, column);
    return text.trim() === '' ? [] : [[column.platform, text] as const];
  });
}

/** Finds the cells of columns that are named like texts, but only say yes or no. */
function findAnswers(row: TableRow, answerColumns: Columns['ownTexts']): RowProblem[] {
  return answerColumns.flatMap((column) => {
    const [value, name] = [readOptionalCell(row, column).trim(), renderPlatformNames([column.platform])];
    const problem = `This column is for texts. If it says which posts go to ${name}, name it “${name}”.`;
    return value === '' ? [] : [{ column: column.name, value, problem }];
  });
}

/** Says which texts nobody gets, because their platforms aren't those of the row. */
function renderUnusedTexts(
  ownTexts: ReturnType<typeof readOwnTexts>,
  platforms: readonly string[],
): string[] {
  const unused = ownTexts.map(([platform]) => platform).filter((platform) => !platforms.includes(platform));
  if (unused.length === 0) return [];
  const names = renderPlatformNames(unused);
  return [
    `${names} ${unused.length === 1 ? 'isn’t' : 'aren’t'} among the platforms, so that text isn’t used.`,
  ];
}

const UNKNOWN_STATUS = 'I don’t know this status. Write Scheduled or Draft, or leave it empty.';
/** A text with the delimiter, but without quotation marks, moves the cells after it. */
const TOO_MANY_CELLS =
  'The row has more cells than the first row. Put a text with commas or semicolons in quotation marks.';
const UNCLEAR_ZONE = 'This can be several time zones. Write one like Europe/Berlin.';
const UNKNOWN_ZONE = 'I don’t know this time zone. Write it like Europe/Berlin.';

/** Words around the name of a platform: "Facebook Page", "Instagram Business". */
const PLATFORM_WORDS =
  /(?<!\p{L})(?:page|profile|account|business|company|creator|channel|group|feed|post|seite|profil|konto|kanal|gruppe|compte|página|perfil|cuenta|conta|pagina|profilo)s?(?!\p{L})/giu;

/** What separates the names of platforms, in all languages that times are read in. */
const PLATFORM_SEPARATOR = /[,;|\n+&/、・と]|(?<!\p{L})(?:and|und|et|y|e|en)(?!\p{L})/iu;

function readPlatforms(
  row: TableRow,
  { platforms: columns, flags }: Columns,
  settings: ImportSettings,
): { names: string[]; problems: RowProblem[] } {
  const names = new Set<string>();
  const problems: RowProblem[] = [];
  for (const column of columns) {
    const cell = normalizeUnicode(readCell(row, column), 'NFKC').trim();
    const values = cell.split(PLATFORM_SEPARATOR, MAX_PLATFORM_NAMES + 1).map((value) => value.trim());
    const read = values.map((value) => ({ value, platforms: readPlatformName(value) }));
    const unknown = read.flatMap(({ value, platforms }) => (value !== '' && !platforms ? [value] : []));
    for (const { platforms = [] } of read) for (const name of platforms) names.add(name);
    // The parts of a link or of "N/A" say nothing alone.
    const isAllUnknown = read.every(({ value, platforms }) => value === '' || !platforms);
    const value = isAllUnknown ? cell : unknown.join(', ');
    const addProblem = (of: string, problem: string) =>
      problems.push({ column: column.name, value: of, problem, part: 'platforms' });
    if (values.length > MAX_PLATFORM_NAMES) addProblem(cell, TOO_MANY_PLATFORMS);
    else if (unknown.length > 0) addProblem(value, UNKNOWN_PLATFORM);
  }
  for (const flag of flags) {
    const answer = readAnswer(row, flag);
    if (YES.includes(answer)) names.add(flag.platform);
    else if (!NO.includes(answer))
      problems.push({
        ...{ column: flag.name, value: readCell(row, flag).trim(), part: 'flag' },
        problem: `Write TRUE or FALSE here, and the text in a column “Text for ${renderPlatformNames([flag.platform])}”.`,
      });
  }
  if (names.size === 0 && problems.length === 0) for (const name of settings.platforms ?? []) names.add(name);
  return { names: sortPlatforms([...names]), problems };
}

/** Maximum number of names in a cell for platforms: more than there are. */
const MAX_PLATFORM_NAMES = 50;
const TOO_MANY_PLATFORMS = `This names more than ${MAX_PLATFORM_NAMES} platforms. Write each one once.`;
const UNKNOWN_PLATFORM = `I don’t know this platform. Write ${renderPlatformNames(
  listPlatformChoices().map(({ platform }) => platform),
).replace(/ and (\S+)$/, ' or $1')}.`;

function readPlatformName(text: string): readonly string[] | undefined {
  const words = text
    .replace(PLATFORM_WORDS, ' ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  // Also "tik tok" and "linked in".
  const platform = parsePlatform(words.join('')) ?? findOnly(words.map(parsePlatform));
  return platform === 'all' ? PLATFORMS : platform && [platform];
}

/** The value that all have. Undefined if they differ. */
function findOnly<Value>(values: readonly Value[]): Value | undefined {
  return values.every((value) => value === values[0]) ? values[0] : undefined;
}
