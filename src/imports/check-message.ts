import type { Button, KnownBlock } from '@slack/types';
import { DateTime } from 'luxon';
import type { Budget } from '../budget.ts';
import { renderPlatformNames } from '../posts/platforms.ts';
import { renderPostTime } from '../posts/post-time.ts';
import {
  actions,
  buildCardActions,
  button,
  clipLine,
  context,
  escapeText,
  plain,
  plainSection,
  sanitizeLine,
  section,
} from '../slack/blocks.ts';
import type { Message } from '../slack/message.ts';
import { joinNames } from '../slack/name.ts';
import { renderNote } from '../when/format-moment.ts';
import { DATE_ORDERS, type DateOrder, type KnownDateOrder } from '../when/when.ts';
import { zoneName } from '../when/zones.ts';
import { clip, joinWithAnd, joinWithOr, renderCount } from '../words.ts';
import type { CheckedRow, OpenQuestions } from './check-rows.ts';
import {
  IMPORT_ACTIONS,
  type ImportMessageInput,
  renderFileName,
  renderProjects,
  toMessage,
} from './import-messages.ts';
import type { ImportSettings } from './import-settings.ts';
import { findNumericDate } from './read-time.ts';
import { MAX_VALUE_LENGTH, renderProblem } from './result-files.ts';
import type { ColumnQuestion } from './target-columns.ts';

/** Everything that the message about a checked table says. */
interface CheckInput extends ImportMessageInput {
  rowCount: number;
  rows: readonly CheckedRow[];
  settings: ImportSettings;
  /** What the posts will be after the import, and whether it can be undone (mrkdwn). */
  outlooks: readonly string[];
  unusedColumns: readonly string[];
  unusedFiles: readonly string[];
  /** What people should know about the whole table. */
  tableNotes: readonly string[];
  /** What has to be asked before the rows can be read. Nothing else is shown meanwhile. */
  questions?: OpenQuestions | undefined;
  /** A date that was read in the person's order, because the table shows none. */
  assumedDate?: string | undefined;
  dateOrder?: KnownDateOrder | undefined;
  /** Why the person's zone isn't known, if it is asked for (mrkdwn). */
  unknownZoneText: string;
  /** The author's. */
  locale: string | undefined;
  /** Whether the posts of the service couldn't be read, so that equal ones among them are unknown. */
  isUncompared: boolean;
}

/** Maximum numbers of weeks, zones, different problems, notes, and numbers of rows before a note in the message. */
const [MAX_WEEKS, MAX_ZONES, MAX_PROBLEMS, MAX_NOTES, MAX_ROW_NUMBERS] = [12, 3, 10, 10, 5];

/** Renders what an import would do. Nothing was sent, and nothing is imported before a press. */
export async function renderCheck(input: CheckInput, budget: Budget): Promise<Message> {
  const { row, rows, questions } = input;
  const title = section(
    `*${escapeText(renderFileName(input))}*: ${renderCount(input.rowCount, 'row')}. Nothing is imported yet.`,
  );
  if (questions) return toMessage([title, ...renderQuestions(input, questions)]);
  const good = rows.filter(({ outcome }) => outcome === 'good');
  const faulty = rows.filter(({ outcome }) => outcome === 'faulty');
  budget.resume();
  const weeks = await groupInTurns(good, findWeek, budget);
  const problems = await groupInTurns(faulty, renderRowProblems, budget);
  const notes = new Map<string, CheckedRow[]>();
  for (const row of good) {
    for (const note of row.notes) addToGroup(notes, note, row);
    await budget.giveWay();
  }
  return toMessage([
    title,
    section(
      row.good === 0
        ? 'No row can be imported.'
        : `*${renderCount(row.good, 'post')}* for ${escapeText(renderProjects(input))}${escapeText(renderZones(good))}:`,
    ),
    ...(good.length > 0 ? [plainSection([renderWeeks(weeks), ...renderFirst(input, good)].join('\n'))] : []),
    ...renderProblems(problems, faulty.length),
    ...renderRemarks(input, notes),
    ...(row.good > 0 && input.outlooks.length > 0 ? [context(input.outlooks.join('\n'))] : []),
    ...buildCardActions('import', [
      ...(row.good > 0
        ? [button(`Import ${renderCount(row.good, 'post')}`, IMPORT_ACTIONS.start, row.id, 'primary')]
        : []),
      ...(row.faulty > 0 ? [button('Get the rows to correct', IMPORT_ACTIONS.corrections, row.id)] : []),
      button('Change settings…', IMPORT_ACTIONS.settings, row.id),
      button('Discard', IMPORT_ACTIONS.discard, row.id),
    ]),
  ]);
}

/** Renders the zones of the times. A draft without a time has none. */
function renderZones(good: readonly CheckedRow[]): string {
  const ids = new Set(good.flatMap(({ post }) => post.moment?.zone ?? []));
  const zones = [...new Set([...ids].map(zoneName))];
  if (zones.length === 0) return '';
  return `, times in ${zones.length > MAX_ZONES ? `${zones.length} time zones` : joinWithAnd(zones)}`;
}

/** Renders a date that can be read in two orders: "3 Apr 2026" or "4 Mar 2026". */
function renderDate(text: string, order: DateOrder): string {
  const date = findNumericDate(text, order);
  if (typeof date !== 'object' || date.monthName === undefined)
    return order === 'day-first' ? 'Day first' : 'Month first';
  return `${date.day} ${date.monthName} ${date.year}`.trimEnd();
}

/** Says in which order dates were read if only the person's own shows it. */
function renderAssumedOrder({ assumedDate, dateOrder }: CheckInput): string[] {
  const order = DATE_ORDERS.find((each) => each === dateOrder);
  if (assumedDate === undefined || order === undefined) return [];
  return [
    `“${clipLine(assumedDate)}” is ${renderDate(assumedDate, order)}, in the order in which you write dates.`,
  ];
}

function renderQuestions({ row, unknownZoneText }: CheckInput, questions: OpenQuestions): KnownBlock[] {
  if (questions.column) return renderColumnQuestion(row, questions.column);
  const missing = [
    ...(questions.project ? ['the project'] : []),
    ...(questions.platforms ? ['the platforms'] : []),
    ...(questions.zone ? ['the time zone'] : []),
  ];
  const buttons: Button[] = [];
  const blocks: KnownBlock[] = [];
  if (questions.date !== undefined) {
    blocks.push(plainSection(`What does “${clipLine(questions.date)}” mean? I’ll read all dates that way.`));
    buttons.push(
      button(renderDate(questions.date, 'day-first'), IMPORT_ACTIONS.dayFirst, row.id, 'primary'),
      button(renderDate(questions.date, 'month-first'), IMPORT_ACTIONS.monthFirst, row.id, 'primary'),
    );
  } else if (missing.length > 0) {
    const zoneText = questions.zone ? ` ${unknownZoneText}` : '';
    blocks.push(section(`The rows don’t say ${joinWithOr(missing)}.${zoneText}`));
    buttons.push(button(`Choose ${joinWithAnd(missing)}…`, IMPORT_ACTIONS.settings, row.id, 'primary'));
  }
  return [...blocks, actions(...buttons, button('Discard', IMPORT_ACTIONS.discard, row.id))];
}

/** Maximum number of values of a column that a question names. */
const MAX_NAMED_VALUES = 3;

function renderColumnQuestion({ id }: { id: string }, { column, use, values }: ColumnQuestion): KnownBlock[] {
  const names = joinNames(
    values.map((value) => clipLine(value, MAX_VALUE_LENGTH)),
    MAX_NAMED_VALUES,
  );
  const ask = use === 'project' ? 'the project of each row' : 'where each row goes';
  const value = `${id} ${column.index} ${use}`;
  return [
    plainSection(`The column “${clipLine(column.name)}” has ${names}. Does it say ${ask}?`),
    actions(
      button(
        use === 'project' ? 'Yes, the project' : 'Yes, the platforms',
        IMPORT_ACTIONS.useColumn,
        value,
        'primary',
      ),
      button('No, don’t use it', IMPORT_ACTIONS.leaveColumn, value),
      button('Discard', IMPORT_ACTIONS.discard, id),
    ),
  ];
}

type Groups = ReadonlyMap<string, readonly CheckedRow[]>;

function addToGroup(groups: Map<string, CheckedRow[]>, name: string, row: CheckedRow): void {
  const group = groups.get(name);
  if (group) group.push(row);
  else groups.set(name, [row]);
}

/** Groups rows by what takes a while to find out of thousands of them. */
async function groupInTurns(
  rows: readonly CheckedRow[],
  getName: (row: CheckedRow) => string,
  budget: Budget,
): Promise<Groups> {
  const groups = new Map<string, CheckedRow[]>();
  for (const row of rows) {
    addToGroup(groups, getName(row), row);
    await budget.giveWay();
  }
  return groups;
}

/** The Monday of a post's week. Empty without a time. */
function findWeek({ post: { moment } }: CheckedRow): string {
  if (!moment) return '';
  return DateTime.fromJSDate(moment.instant, { zone: moment.zone }).startOf('week').toISODate() ?? '';
}

/** Renders the number of posts of each week: "30 Nov – 6 Dec 2026: 7 posts". Plain text. */
function renderWeeks(weeks: Groups): string {
  const sorted = [...weeks].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const hidden = sorted.length - MAX_WEEKS;
  return [
    ...sorted
      .slice(0, MAX_WEEKS)
      .map(
        ([monday, posts]) =>
          `• ${renderWeek(monday)}: ${renderCount(posts.length, 'post')}${renderDrafts(posts)}`,
      ),
    ...(hidden > 0 ? [`…and ${renderCount(hidden, 'more week')}`] : []),
  ].join('\n');
}

/** Shows how a time was read, because the weeks show no hours: "First: Tue 1 Dec, 09:00 (Lisbon), “A new roast”". */
function renderFirst({ row, locale }: CheckInput, rows: readonly CheckedRow[]): string[] {
  const timed = rows.flatMap(({ post: { moment, text } }) => (moment ? [{ ...moment, text }] : []));
  if (timed.length === 0) return [];
  const first = timed.reduce((one, other) => (other.instant < one.instant ? other : one));
  const text = clipLine(first.text);
  const time = renderPostTime(first, { locale }, row.created_at).plain;
  return [`First: ${time}${text === '' ? '' : `, “${text}”`}`];
}

function renderWeek(monday: string): string {
  if (monday === '') return 'Without a time';
  const start = DateTime.fromISO(monday, { zone: 'utc' });
  const end = start.plus({ days: 6 });
  const first = start.toFormat(
    start.year === end.year ? (start.month === end.month ? 'd' : 'd LLL') : 'd LLL yyyy',
  );
  return `${first} – ${end.toFormat('d LLL yyyy')}`;
}

function renderDrafts(rows: readonly CheckedRow[]): string {
  const drafts = rows.filter(({ post }) => post.isDraft).length;
  if (drafts === 0) return '';
  return `, ${drafts === rows.length ? 'as' : `${drafts} of them`} ${drafts === 1 ? 'a draft' : 'drafts'}`;
}

/** Maximum length of the problems of a row, so that ten of them, each with its row numbers, fit into a section. */
const [MAX_PROBLEM_LENGTH, MAX_ROW_PROBLEMS] = [250, 10];

function renderRowProblems({ problems }: CheckedRow): string {
  return clipLine(problems.slice(0, MAX_ROW_PROBLEMS).map(renderProblem).join(' '), MAX_PROBLEM_LENGTH);
}

function renderProblems(groups: Groups, faultyCount: number): KnownBlock[] {
  if (faultyCount === 0) return [];
  const shown = [...groups].slice(0, MAX_PROBLEMS);
  const lines = shown.map(([problem, rows]) => `• ${renderRowNumbers(rows)}: ${problem}`);
  const hidden = faultyCount - shown.reduce((count, [, rows]) => count + rows.length, 0);
  return [
    section(`:warning: *${renderCount(faultyCount, 'row needs', 'rows need')} a correction:*`),
    plainSection(
      [
        ...lines,
        ...(hidden > 0
          ? [`…and ${renderCount(hidden, 'more row')}, all in the file that the button sends.`]
          : []),
      ].join('\n'),
    ),
  ];
}

/** Maximum slots that the message names. */
const MAX_SLOTS = 8;

/** Says which slots the posts would take now: "Next slots: row 2 Mon 23 Nov, 09:00 (Lisbon)". */
function renderSlots({ rows, locale }: CheckInput): string[] {
  const slots = rows.flatMap(({ number, outcome, post: { slotFrom, moment } }) =>
    outcome === 'good' && slotFrom && moment ? [{ number, slotFrom, moment }] : [],
  );
  // The year is named if it isn't that of the check.
  const shown = slots
    .slice(0, MAX_SLOTS)
    .map(
      ({ number, slotFrom, moment }) => `row ${number} ${renderPostTime(moment, { locale }, slotFrom).plain}`,
    );
  if (slots.length === 0) return [];
  const hidden = slots.length - MAX_SLOTS;
  const more = hidden > 0 ? `, and ${hidden} more` : '';
  return [`Next slots: ${shown.join('; ')}${more}. If somebody takes one before, its post takes the next.`];
}

function renderRowNumbers(rows: readonly { number: number }[]): string {
  if (rows.length > MAX_ROW_NUMBERS) return `${rows.length} rows`;
  return `${rows.length === 1 ? 'Row' : 'Rows'} ${joinWithAnd(rows.map(({ number }) => String(number)))}`;
}

/** Renders what is left out, and what may surprise people. */
function renderRemarks(input: CheckInput, notes: Groups): KnownBlock[] {
  const { row, rows, settings, unusedColumns, unusedFiles, isUncompared, locale } = input;
  const repeated = rows.filter((each) => each.earlierRow !== undefined).length;
  const frequent = [...notes].toSorted(([, one], [, other]) => other.length - one.length);
  const hidden = frequent.length - MAX_NOTES;
  const lines = [
    ...(row.equal > repeated
      ? [`${renderCount(row.equal - repeated, 'row')} left out: the same post exists already.`]
      : []),
    ...(repeated > 0 ? [`${renderCount(repeated, 'row')} left out: the same as an earlier row.`] : []),
    ...(row.skipped > 0
      ? [`${renderCount(row.skipped, 'row')} left out: published, on the way, cancelled, or an example.`]
      : []),
    ...(isUncompared
      ? [
          'I couldn’t read all posts of the scheduling service, so equal posts, close ones and taken slots there are unknown.',
        ]
      : []),
    ...renderAssumedOrder(input),
    ...(settings.platforms
      ? [`Rows without a platform go to ${renderPlatformNames(settings.platforms)}.`]
      : []),
    ...(unusedColumns.length > 0
      ? [`Columns I don’t use: ${clip(unusedColumns.map(sanitizeLine).join(', '), 300)}.`]
      : []),
    ...(unusedFiles.length > 0
      ? [`Files that no row names: ${clip(unusedFiles.map(sanitizeLine).join(', '), 300)}.`]
      : []),
    ...input.tableNotes,
    ...renderSlots(input),
    ...frequent
      .slice(0, MAX_NOTES)
      .map(([note, places]) => `${renderRowNumbers(places)}: ${renderNote(note, locale)}`),
    ...(hidden > 0 ? [`…and ${renderCount(hidden, 'more note')}.`] : []),
  ];
  return lines.length === 0 ? [] : [context(plain(lines.join('\n')))];
}
