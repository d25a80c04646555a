import { mapExtraFields } from '../api/post-fields.ts';
import { renderPlatformNames } from '../posts/platforms.ts';
import { clipLine } from '../slack/blocks.ts';
import type { DescribedPost } from '../submissions/kind.ts';
import type { KnownDateOrder } from '../when/when.ts';
import { type Column, type RowProblem, readCell, readOptionalCell, readTextCell } from './cells.ts';
import { type Columns, findZones } from './columns.ts';
import type { ImportSettings } from './import-settings.ts';
import {
  findBrokenLetters,
  findWrongCells,
  leaveOutTags,
  listMedia,
  readHashtags,
  readLink,
} from './read-cells.ts';
import { readPlatforms } from './read-platforms.ts';
import { createProjectReader } from './read-project.ts';
import { ANSWERS, readAnswer, readStatus } from './read-status.ts';
import type { TableRow } from './read-table.ts';
import { isTimeOfDay, joinDateAndClock, readOwnClock, readTime } from './read-time.ts';

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
    if (project.problem !== undefined) addProblem(project.column, project.name, project.problem);
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
      ...renderSpareTimes(row, columns),
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

/** Reads a cell of a time, or else the one of another column for the same. */
function readTimeCell(row: TableRow, columns: Columns, role: keyof Columns['spareTimes']) {
  const { [role]: column, spareTimes } = columns;
  // Several blanks mean the same as one, and would be tried in every way.
  // Spreadsheets take what follows an apostrophe as a text.
  const read = (of: Column | undefined) =>
    readCell(row, of)
      .trim()
      .replace(/\s+/g, ' ')
      .replace(/^'(?=\d)/, '');
  const own = read(column);
  const spare = spareTimes[role];
  const isSpare = spare !== undefined && readOptionalCell({ cells: [own] }, FIRST).trim() === '';
  return isSpare && read(spare) !== '' ? { text: read(spare), column, spare } : { text: own };
}
const FIRST: Column = { index: 0, name: '' };

function renderSpareTimes(row: TableRow, columns: Columns): string[] {
  return (['when', 'date', 'clock'] as const).flatMap((role) => {
    const { column, spare } = readTimeCell(row, columns, role);
    return column && spare
      ? [`“${clipLine(column.name)}” is empty, so “${clipLine(spare.name)}” counts.`]
      : [];
  });
}

/** Beside a date, a column for whole times may have times of day. */
function joinTimeCells(row: TableRow, columns: Columns): string {
  const { date } = columns;
  const read = (role: keyof Columns['spareTimes']) => readTimeCell(row, columns, role).text;
  const [whole, day, time] = [read('when'), read('date'), read('clock')];
  if (date && isTimeOfDay(whole)) return joinDateAndClock(day, whole);
  if (date && readOwnClock(whole)) return whole;
  return joinDateAndClock(whole === '' ? day : whole, time);
}

/** The text, with the link and the hashtags of separate columns below it. */
function readText(row: TableRow, columns: Columns): string {
  const text = readTextCell(row, columns.text);
  const { link } = readLink(row, columns);
  const withLink = text.includes(link) ? text : addLine(text, link);
  return addLine(withLink, leaveOutTags(readHashtags(row, columns), withLink));
}

const addLine = (text: string, line: string): string =>
  line === '' ? text : `${text.trimEnd()}\n${line}`.trimStart();

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
