import type { Platform } from '../api/platforms.ts';
import type { Budget } from '../budget.ts';
import type { MediaFacts } from '../posts/media-reference.ts';
import { renderFinding } from '../posts/platform-rules/platform-rules.ts';
import { renderPlatformNames } from '../posts/platforms.ts';
import { createEmojiFindings } from '../posts/text-findings.ts';
import type { Slot } from '../preferences/posting-times.ts';
import { clipLine } from '../slack/blocks.ts';
import { POSSIBLE_CODE, replaceEmojiCodes } from '../slack/text/text.ts';
import type { DescribedPost, PostFunctions } from '../submissions/kind.ts';
import { findDateOrder } from '../when/when.ts';
import { dependsOnZone, zoneName } from '../when/zones.ts';
import { type Column, type RowProblem, readCell } from './cells.ts';
import type { Columns } from './columns.ts';
import { leaveOutTags, readHashtags, readLink } from './read-cells.ts';
import { createProjectReader, readProjectCells } from './read-project.ts';
import { createRowReader, MAX_WORD_STEPS, type ReadRow, type RowsInput, readTimeCells } from './read-row.ts';
import type { TableRow } from './read-table.ts';
import { readTime, type TimeSettings } from './read-time.ts';
import type { ColumnQuestion } from './target-columns.ts';

/**
 * What becomes of a row. `good`: it can be imported. `equal`: the same post exists, or is in an earlier row. `skipped`: its
 * status says that it isn't to be imported. `faulty`: it needs a correction.
 */
export interface CheckedRow {
  number: number;
  outcome: 'good' | 'equal' | 'skipped' | 'faulty';
  /** The post, as far as it was understood. */
  post: DescribedPost;
  /** The time as the file has it, if it wasn't understood. */
  time: string;
  /** The number of the earlier row that the file has the same post in. */
  earlierRow?: number;
  problems: RowProblem[];
  /** Whether a faulty row was understood as a whole. An existing post may be the same. */
  isUnderstood?: boolean;
  /** What may surprise people, but keeps no row from being imported. */
  notes: string[];
}

/** A file that Upnext has taken from Slack, or why it has no such file (plain text). */
export type ImportedFile =
  | { address: string; facts: MediaFacts }
  /** `typed`: what the row has instead of the file's link, and what is given back to be corrected. */
  | { problem: string; typed?: string };

/** What has to be asked before the rows can be read. */
export interface OpenQuestions {
  project: boolean;
  platforms: boolean;
  /** The zone of times that depend on it, and don't name one. */
  zone: boolean;
  /** A date that can be read in both orders, such as 03/04/2026. */
  date?: string;
  /** Such a date that is read in the person's order. Nothing is asked, but the person is told. */
  assumedDate?: string;
  /** A column that may say where rows go. It is asked about before anything else. */
  column?: ColumnQuestion | undefined;
}

interface CheckInput extends RowsInput {
  /** Whether a post with this request exists in the project or is in an earlier row, whatever its time. */
  isRepeated?(project: string, content: unknown): boolean;
  /** Takes the next free slot of a project, or says why there is none. Undefined if the file has no slots. */
  takeSlot?(project: string, platforms: readonly string[], from: Date): Slot | string;
  /** The blackout day of a project on which a post would go out, as people read it. */
  findBlackout?(project: string, time: Slot): string | undefined;
  /** The names of the workspace's own emoji. Every unknown code counts as one if Slack doesn't list them. */
  workspaceEmoji?: ReadonlySet<string> | undefined;
  /** What is known of media, by what the cells have. */
  files?: ReadonlyMap<string, ImportedFile>;
  compose: PostFunctions<unknown>['compose'];
  /** The platforms on which a project's accounts pay for longer texts. */
  listPaidPlatforms?(project: string): readonly Platform[];
  describeRequest: PostFunctions<unknown>['describeRequest'];
}

type OpenTable = Pick<
  CheckInput,
  'rows' | 'columns' | 'settings' | 'projects' | 'findZone' | 'now' | 'locale' | 'dateOrder'
>;

/** Finds what the file doesn't say, and nobody has answered. */
export async function findOpenQuestions(table: OpenTable, budget: Budget): Promise<OpenQuestions> {
  const { rows, columns, settings } = table;
  budget.resume();
  const { dateOrder = 'unsure' } = table;
  const isKnown = dateOrder !== 'unsure';
  const date = await findUnclearDate({ ...table, dateOrder: undefined }, budget);
  return {
    project: !settings.project && rows.some((row) => readProjectCells(row, columns.projects).length === 0),
    platforms: !settings.platforms && columns.platforms.length === 0 && columns.flags.length === 0,
    zone: settings.zone === undefined && (await listProjectsWithoutZone(table, budget)).length > 0,
    ...(date !== undefined && (isKnown ? { assumedDate: date } : { date })),
  };
}

/** Finds a date that can be read in both orders, if the table doesn't say in which. */
async function findUnclearDate(table: OpenTable, budget: Budget): Promise<string | undefined> {
  if ((await findOrder(table, budget)) !== 'unsure') return undefined;
  for (const row of table.rows) {
    await budget.giveWay();
    const time = readTimeCells(row, table.columns);
    if (findDateOrder([time]) === 'unsure') return time;
  }
  return undefined;
}

async function findOrder(
  {
    rows,
    columns,
    settings,
    dateOrder = 'unsure',
  }: Pick<OpenTable, 'rows' | 'columns' | 'settings' | 'dateOrder'>,
  budget: Budget,
) {
  const told = settings.order ?? columns.declaredOrder;
  if (told) return told;
  const times: string[] = [];
  for (const row of rows) {
    await budget.giveWay();
    times.push(readTimeCells(row, columns));
  }
  const found = findDateOrder(times);
  return found === 'unsure' ? dateOrder : found;
}

async function createTimeReader(table: OpenTable, budget: Budget) {
  const { now, locale } = table;
  const found = await findOrder(table, budget);
  return { now, locale, order: found === 'unsure' ? undefined : found, words: { stepsLeft: MAX_WORD_STEPS } };
}

/**
 * Lists the ids of projects without a zone whose rows have times that need one. '' stands for the rows that name no project
 * if none is chosen for them. A row with an unknown project is faulty, whatever its zone.
 */
export async function listProjectsWithoutZone(table: OpenTable, budget: Budget): Promise<string[]> {
  const { rows, columns, findZone } = table;
  budget.resume();
  const [readProject, reader] = [createProjectReader(table), await createTimeReader(table, budget)];
  const open: { id: string; time: string }[] = [];
  for (const row of rows) {
    await budget.giveWay();
    const [time, { id, name }] = [readTimeCells(row, columns), readProject(row)];
    const isOpen = time !== '' && readCell(row, columns.zone).trim() === '' && (id !== '' || name === '');
    if (isOpen && findZone?.(id) === undefined) open.push({ id, time });
  }
  const projects: string[] = [];
  for (const [id, ofProject] of Map.groupBy(open, (each) => each.id)) {
    if (await needZone(ofProject, reader, budget)) projects.push(id);
  }
  return projects;
}

/** Whether one of the times means something else in another zone, or there are too many words to find out. */
async function needZone(
  ofProject: readonly { time: string }[],
  reader: Awaited<ReturnType<typeof createTimeReader>>,
  budget: Budget,
): Promise<boolean> {
  for (const { time } of ofProject) {
    await budget.giveWay();
    if (needsZone(time, reader) || reader.words.stepsLeft < 0) return true;
  }
  return false;
}

function needsZone(time: string, reader: Omit<TimeSettings, 'zone'>): boolean {
  return dependsOnZone((zone) => {
    const reading = readTime(time, { ...reader, zone });
    if (reading.kind === 'slot') return [reading.from.toISOString()];
    return reading.kind === 'moment' ? [reading.instant.toISOString()] : [];
  });
}

/** Checks all rows without sending anything. Other requests go on meanwhile. */
export async function checkRows(input: CheckInput, budget: Budget): Promise<CheckedRow[]> {
  const { rows, columns } = input;
  budget.resume();
  const reader = await createTimeReader(input, budget);
  const readRow = createRowReader({ ...input, settings: { ...input.settings, order: reader.order } });
  const earlierRows = new Map<string, number>();
  const isSet = (row: TableRow, column: Column | undefined) => readCell(row, column).trim() !== '';
  const [projectColumn] = columns.projects;
  const used = [columns.zone, projectColumn].filter((column) => rows.some((row) => isSet(row, column)));
  const checkedRows: CheckedRow[] = [];
  for (const row of rows) {
    const read = replaceCodes(readRow(row), input);
    const { project, moment } = read.post;
    // In the spreadsheet, an empty cell may be one with a filled one above it.
    const renderDefault = (column: Column | undefined, value: string) =>
      column && used.includes(column) && !isSet(row, column)
        ? [`“${clipLine(column.name)}” is empty, so it’s ${clipLine(value)}.`]
        : [];
    const zoneNotes = read.overruledZone
      ? [`The row’s time zone counts, not ${zoneName(read.overruledZone)}.`]
      : renderDefault(columns.zone, zoneName(moment?.zone ?? 'UTC'));
    const notes = [
      ...(readProjectCells(row, columns.projects).length === 0
        ? renderDefault(projectColumn, project.name)
        : []),
      ...zoneNotes.filter(() => moment && needsZone(read.time, reader)),
      ...renderMissingAdditions(row, columns, read.post),
      ...read.notes,
    ];
    checkedRows.push(checkRow(input, row, { read: { ...read, notes }, earlierRows }));
    budget.spend(row.cells.length);
    await budget.giveWay();
  }
  return checkedRows;
}

/** Replaces the codes of emoji in all texts of a row, as the form does. Those that only the workspace has are problems. */
function replaceCodes(read: ReadRow, { columns, workspaceEmoji }: CheckInput): ReadRow {
  const found: { column: Column | undefined; names: readonly string[] }[] = [];
  const replace = (text: string, column: Column | undefined) => {
    if (!POSSIBLE_CODE.test(text)) return text;
    const { text: replaced, customEmoji } = replaceEmojiCodes(text, workspaceEmoji && { workspaceEmoji });
    if (customEmoji.length > 0) found.push({ column, names: customEmoji });
    return replaced;
  };
  const { text, ownTexts, isDraft } = read.post;
  const findColumn = (platform: string) => columns.ownTexts.find((column) => column.platform === platform);
  const post = {
    ...read.post,
    text: replace(text, columns.text),
    ...(ownTexts && {
      ownTexts: Object.fromEntries(
        Object.entries(ownTexts).map(([platform, own]) => [platform, replace(own, findColumn(platform))]),
      ),
    }),
  };
  const problems = found.map(({ column, names }) => ({
    column: column?.name ?? '',
    value: '',
    problem: createEmojiFindings(names, workspaceEmoji !== undefined)
      .map(renderFinding)
      .join(' '),
  }));
  // A draft may be unfinished.
  if (isDraft) return { ...read, post, notes: [...problems.map(({ problem }) => problem), ...read.notes] };
  return { ...read, post, problems: [...read.problems, ...problems] };
}

/** Says what of other columns isn't in a text that a platform gets instead of the main one. */
function renderMissingAdditions(
  row: TableRow,
  columns: Columns,
  { platforms, ownTexts = {} }: DescribedPost,
): string[] {
  const renderMissing = (phrase: string, lacksIt: (text: string) => boolean) => {
    const lacking = platforms.filter((platform) => lacksIt(ownTexts[platform] ?? ''));
    const names = renderPlatformNames(lacking.filter((platform) => ownTexts[platform] !== undefined));
    return names === '' ? [] : [`${phrase} in the text for ${names}.`];
  };
  const { link } = readLink(row, columns);
  const plainLink = link.toLowerCase().replace(/^https?:\/\/|\/$/g, '');
  const hashtags = readHashtags(row, columns);
  return [
    ...renderMissing('The link isn’t', (text) => !text.toLowerCase().includes(plainLink)),
    ...renderMissing('The hashtags aren’t', (text) => leaveOutTags(hashtags, text) !== ''),
  ];
}

/** Checks what was read from a row. `earlierRows`: the number of the first row with each request to the service. */
function checkRow(
  input: CheckInput,
  row: TableRow,
  { read, earlierRows }: { read: ReadRow; earlierRows: Map<string, number> },
): CheckedRow {
  const { columns } = input;
  const { time, timeColumn, isSkipped } = read;
  const { media } = read.post;
  const file = input.files?.get(media);
  const taken = file && 'address' in file ? file : undefined;
  const failed = file && 'problem' in file ? file : undefined;
  const described = { ...read.post, media: taken?.address ?? failed?.typed ?? media };
  const { project, platforms } = described;
  const known = { mediaFacts: taken?.facts, paidPlatforms: input.listPaidPlatforms?.(project.id) };
  const problems = [...read.problems];
  const addProblem = (column: Column | undefined, value: string, problem: string) =>
    problems.push({ column: column?.name ?? '', value, problem });
  const { content: describedContent, problems: found } = input.compose(described, known);
  const partColumns = { ...columns, media: columns.media[0], platforms: columns.platforms[0] };
  const unknownParts = new Set<string | undefined>(
    problems.map(({ part }) => (part === 'flag' ? 'platforms' : part)),
  );
  if (failed) unknownParts.add('media');
  for (const { part, platform, problem } of found) {
    const ownColumn = columns.ownTexts.find((column) => column.platform === platform);
    const column = (part === 'text' && ownColumn) || partColumns[part];
    const isLeftOut = column && row.tooLong?.some((each) => each.column === column.name);
    if (!unknownParts.has(part) && !isLeftOut) addProblem(column, readCell(row, column), problem);
  }
  if (failed) {
    const column = columns.media.find((each) => readCell(row, each).includes(media));
    addProblem(column, described.media, failed.problem);
  }
  const isGood = !isSkipped && problems.length === 0;
  if (isGood && described.slotFrom && input.isRepeated?.(project.id, describedContent))
    return { number: row.number, post: described, time, problems, outcome: 'equal', notes: [] };
  // Only a row that is imported takes a slot from the others.
  const slot =
    isGood && described.slotFrom ? input.takeSlot?.(project.id, platforms, described.slotFrom) : undefined;
  if (typeof slot === 'string') addProblem(timeColumn, time, slot);
  const post =
    typeof slot === 'object'
      ? { ...described, moment: { ...slot, notes: [] }, slotFrom: slot.instant }
      : described;
  const { moment } = post;
  const blackout = moment && input.findBlackout?.(project.id, moment);
  const { content, warnings } = input.compose(post, known);
  const checked = { number: row.number, post, time, problems };
  const notes = [...(moment?.notes ?? []), ...(blackout ? [blackout] : []), ...warnings, ...read.notes];
  if (isSkipped) return { ...checked, outcome: 'skipped', problems: [], notes: [] };
  if (problems.length > 0)
    return { ...checked, outcome: 'faulty', isUnderstood: read.problems.length === 0, notes: [] };
  const request = JSON.stringify(input.describeRequest(content));
  const earlierRow = earlierRows.get(request);
  if (earlierRow !== undefined)
    return { ...checked, outcome: 'equal', earlierRow, notes: [`Same as row ${earlierRow}.`] };
  earlierRows.set(request, row.number);
  return { ...checked, outcome: 'good', notes };
}
