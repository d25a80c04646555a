import type { Button, KnownBlock } from '@slack/types';
import { DateTime } from 'luxon';
import { renderPlatformNames } from '../posts/platforms.ts';
import { renderSentCount } from '../posts/post-text.ts';
import { renderPostTime } from '../posts/post-time.ts';
import {
  actions,
  buildButtonRow,
  buildCardActions,
  button,
  clip,
  clipLine,
  context,
  escapeText,
  plain,
  plainSection,
  sanitizeLine,
  section,
  withConfirmation,
} from '../slack/blocks.ts';
import { buildFallbackText, type Message } from '../slack/message.ts';
import { renderNote } from '../when/format-moment.ts';
import { zoneName } from '../when/zones.ts';
import { joinWithAnd, joinWithOr, renderCount } from '../words.ts';
import type { CheckedRow, OpenQuestions } from './check-rows.ts';
import type { PostImportRow } from './post-import.ts';
import type { ImportSettings } from './read-row.ts';
import { type DateOrder, findNumericDate } from './read-time.ts';
import { renderProblem } from './result-files.ts';
import type { AboutImport } from './stored-import.ts';

/** The action ids of the buttons of an import, whose value is its id. */
export const IMPORT_ACTIONS = {
  start: 'import.start',
  settings: 'import.settings',
  dayFirst: 'import.day-first',
  monthFirst: 'import.month-first',
  corrections: 'import.corrections',
  discard: 'import.discard',
  stop: 'import.stop',
  resume: 'import.resume',
  undo: 'import.undo',
} as const;

/** What a message says about an import. `about` is undefined if it can't be decrypted. */
export interface ImportMessageInput {
  row: PostImportRow;
  about: AboutImport | undefined;
  /** The number of its posts that an undo would cancel now. Defaults to 0: there is no [Undo import…]. */
  undoableCount?: number;
  /** The number of posts that it has stored, also in the batch that was in progress at a stop. Defaults to `imported`. */
  storedCount?: number;
  /** The number of its posts that are cancelled, also by people before an undo. Defaults to those that the undo cancelled. */
  cancelledCount?: number;
}

const MAX_FILE_NAME_LENGTH = 80;

/** Renders the name of the file; plain text. */
function renderFileName({ about }: Pick<ImportMessageInput, 'about'>): string {
  return clipLine(about?.fileName ?? 'your table', MAX_FILE_NAME_LENGTH);
}

/** "Harbour Coffee", or "Harbour Coffee and 2 other projects". */
function renderProjects({ about }: Pick<ImportMessageInput, 'about'>): string {
  const [first, ...others] = about?.projects ?? [];
  const name = first ? clipLine(first.name, MAX_FILE_NAME_LENGTH) : 'your project';
  return others.length === 0 ? name : `${name} and ${renderCount(others.length, 'other project')}`;
}

/** Everything that the message about a checked table says. */
interface CheckInput extends ImportMessageInput {
  rowCount: number;
  rows: readonly CheckedRow[];
  settings: ImportSettings;
  /** What the posts will be after the import, and whether it can be undone (mrkdwn). */
  outlooks: readonly string[];
  unusedColumns: readonly string[];
  unusedFiles: readonly string[];
  pictureNotes: readonly string[];
  /** What has to be asked before the rows can be read. Nothing else is shown meanwhile. */
  questions?: OpenQuestions | undefined;
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
export function renderCheck(input: CheckInput): Message {
  const { row, rows, questions } = input;
  const title = section(
    `*${escapeText(renderFileName(input))}*: ${renderCount(input.rowCount, 'row')}. Nothing is imported yet.`,
  );
  if (questions) return toMessage([title, ...renderQuestions(input, questions)]);
  const good = rows.filter(({ outcome }) => outcome === 'good');
  const faulty = rows.filter(({ outcome }) => outcome === 'faulty');
  return toMessage([
    title,
    section(
      row.good === 0
        ? 'No row can be imported.'
        : `*${renderCount(row.good, 'post')}* for ${escapeText(renderProjects(input))}${escapeText(renderZones(good))}:`,
    ),
    ...(good.length > 0 ? [plainSection([renderWeeks(good), ...renderFirst(input, good)].join('\n'))] : []),
    ...renderProblems(faulty),
    ...renderRemarks(input),
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
  const zones = [...new Set(good.flatMap(({ post }) => (post.moment ? zoneName(post.moment.zone) : [])))];
  if (zones.length === 0) return '';
  return `, times in ${zones.length > MAX_ZONES ? `${zones.length} time zones` : joinWithAnd(zones)}`;
}

function toMessage(blocks: KnownBlock[]): Message {
  return { text: buildFallbackText(blocks), blocks };
}

/** Renders a date that can be read in two orders: "3 Apr 2026" or "4 Mar 2026". */
function renderDate(text: string, order: DateOrder): string {
  const date = findNumericDate(text, order);
  if (typeof date !== 'object' || date.monthName === undefined)
    return order === 'day-first' ? 'Day first' : 'Month first';
  return `${date.day} ${date.monthName} ${date.year}`.trimEnd();
}

function renderQuestions({ row, unknownZoneText }: CheckInput, questions: OpenQuestions): KnownBlock[] {
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

/** Renders the number of posts of each week: "30 Nov – 6 Dec 2026: 7 posts". Plain text. */
function renderWeeks(rows: readonly CheckedRow[]): string {
  const weeks = Map.groupBy(rows, ({ post: { moment } }) =>
    moment
      ? (DateTime.fromJSDate(moment.instant, { zone: moment.zone }).startOf('week').toISODate() ?? '')
      : '',
  );
  const lines = [...weeks]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(
      ([monday, posts]) =>
        `• ${renderWeek(monday)}: ${renderCount(posts.length, 'post')}${renderDrafts(posts)}`,
    );
  const hidden = lines.length - MAX_WEEKS;
  return [
    ...lines.slice(0, MAX_WEEKS),
    ...(hidden > 0 ? [`…and ${renderCount(hidden, 'more week')}`] : []),
  ].join('\n');
}

/** Shows how a time was read, because the weeks show no hours: "First: Tue 1 Dec, 09:00 (Lisbon), “A new roast”". */
function renderFirst({ row, locale }: CheckInput, rows: readonly CheckedRow[]): string[] {
  const timed = rows.flatMap(({ post: { moment, text } }) => (moment ? [{ ...moment, text }] : []));
  const [first] = timed.toSorted((one, other) => one.instant.getTime() - other.instant.getTime());
  if (!first) return [];
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
const MAX_PROBLEM_LENGTH = 250;

function renderProblems(faulty: readonly CheckedRow[]): KnownBlock[] {
  if (faulty.length === 0) return [];
  const groups = Map.groupBy(faulty, ({ problems }) =>
    clipLine(problems.map(renderProblem).join(' '), MAX_PROBLEM_LENGTH),
  );
  const shown = [...groups].slice(0, MAX_PROBLEMS);
  const lines = shown.map(([problem, rows]) => `• ${renderRowNumbers(rows)}: ${problem}`);
  const hidden = faulty.length - shown.flatMap(([, rows]) => rows).length;
  return [
    section(`:warning: *${renderCount(faulty.length, 'row needs', 'rows need')} a correction:*`),
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
    // The year is named if it isn't that of the check.
    outcome === 'good' && slotFrom && moment
      ? [`row ${number} ${renderPostTime(moment, { locale }, slotFrom).plain}`]
      : [],
  );
  if (slots.length === 0) return [];
  const hidden = slots.length - MAX_SLOTS;
  const more = hidden > 0 ? `, and ${hidden} more` : '';
  return [
    `Next slots: ${slots.slice(0, MAX_SLOTS).join('; ')}${more}. If somebody takes one before, its post takes the next.`,
  ];
}

function renderRowNumbers(rows: readonly { number: number }[]): string {
  if (rows.length > MAX_ROW_NUMBERS) return `${rows.length} rows`;
  return `${rows.length === 1 ? 'Row' : 'Rows'} ${joinWithAnd(rows.map(({ number }) => String(number)))}`;
}

/** Renders what is left out, and what may surprise people. */
function renderRemarks(input: CheckInput): KnownBlock[] {
  const { row, rows, settings, unusedColumns, unusedFiles, isUncompared, locale } = input;
  const repeated = rows.filter((each) => each.earlierRow !== undefined).length;
  const good = rows.filter(({ outcome }) => outcome === 'good');
  const notes = Map.groupBy(
    good.flatMap(({ number, notes: ofRow }) => ofRow.map((note) => ({ number, note }))),
    ({ note }) => note,
  );
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
      ? ['I couldn’t read the scheduling service’s posts, so equal ones there are unknown.']
      : []),
    ...(settings.platforms
      ? [`Rows without a platform go to ${renderPlatformNames(settings.platforms)}.`]
      : []),
    ...(unusedColumns.length > 0
      ? [`Columns I don’t use: ${clip(unusedColumns.map(sanitizeLine).join(', '), 300)}.`]
      : []),
    ...(unusedFiles.length > 0
      ? [`Files that no row names: ${clip(unusedFiles.map(sanitizeLine).join(', '), 300)}.`]
      : []),
    ...input.pictureNotes,
    ...renderSlots(input),
    ...frequent
      .slice(0, MAX_NOTES)
      .map(([note, places]) => `${renderRowNumbers(places)}: ${renderNote(note, locale)}`),
    ...(hidden > 0 ? [`…and ${renderCount(hidden, 'more note')}.`] : []),
  ];
  return lines.length === 0 ? [] : [context(plain(lines.join('\n')))];
}

/** Renders an import after its check: how far it is, how it ended, and what its author can do. */
export function renderImport(input: ImportMessageInput): Message {
  const { row } = input;
  const name = escapeText(renderFileName(input));
  const progress = `${input.storedCount ?? row.imported} of ${renderCount(row.good, 'post')}`;
  switch (row.state) {
    case 'checked':
      return toMessage([
        section(
          `*${name}* was checked, and isn’t imported: ${renderCount(row.good, 'post')} for ${escapeText(renderProjects(input))}.`,
        ),
        actions(
          ...(row.good > 0
            ? [button(`Import ${renderCount(row.good, 'post')}`, IMPORT_ACTIONS.start, row.id, 'primary')]
            : []),
          button('Discard', IMPORT_ACTIONS.discard, row.id),
        ),
      ]);
    case 'importing':
      return toMessage([
        section(`:hourglass_flowing_sand: Importing *${name}*: ${progress} so far.`),
        actions(button('Stop', IMPORT_ACTIONS.stop, row.id)),
      ]);
    case 'stopped':
      return toMessage(renderStopped(input, `*${name}*: ${progress} imported.`));
    case 'done':
      return toMessage(renderDone(input, name));
    case 'undoing':
      return toMessage([section(`:hourglass_flowing_sand: Undoing the import of *${name}*…`)]);
    case 'undone':
      return toMessage(renderUndone(input, name));
    case 'dropped':
      return toMessage([section(`*${name}* is discarded. Nothing was imported.`)]);
  }
}

function renderUndone(input: ImportMessageInput, name: string): KnownBlock[] {
  const { undone, imported } = input.row;
  const left = (input.storedCount ?? imported) - Math.max(undone, input.cancelledCount ?? 0);
  const result = undone === 0 ? 'can’t be undone any more' : left > 0 ? 'is undone in part' : 'is undone';
  return [
    section(`The import of *${name}* ${result}: ${renderCount(undone, 'post')} cancelled.`),
    ...(left > 0 ? [context(`${renderSentCount(left)}.`)] : []),
  ];
}

const STOP_REASONS = {
  restored:
    'A backup was restored, so I don’t know what was imported since. Import the rows again: posts that exist are left out.',
  unreadable: 'I can no longer read its rows. Import the rows again: posts that exist are left out.',
} as const;

function renderStopped(input: ImportMessageInput, progress: string): KnownBlock[] {
  if (input.row.reason !== null)
    return [
      section(`The import stopped. ${progress}`),
      section(STOP_REASONS[input.row.reason]),
      ...buildButtonRow(buildUndoButton(input)),
    ];
  return [
    section(`Stopped. ${progress}`),
    actions(button('Resume', IMPORT_ACTIONS.resume, input.row.id, 'primary'), ...buildUndoButton(input)),
  ];
}

function renderDone(input: ImportMessageInput, name: string): KnownBlock[] {
  const { row } = input;
  // Somebody has made these posts since the check.
  const equal = row.good - row.imported;
  const areDrafts = input.about?.projects.every(({ role }) => role === 'contributor');
  const faultyText = `${renderCount(row.faulty, 'row needs a correction. Correct it in the file with this row', 'rows need a correction. Correct them in the file with these rows')}, and import that: \`/upnext import\``;
  return [
    section(
      `:white_check_mark: *${renderCount(row.imported, 'post')}* imported from ${name} for ${escapeText(renderProjects(input))}. See them with \`/upnext posts ${areDrafts ? 'drafts' : 'scheduled or draft'}\`.`,
    ),
    ...(equal > 0 ? [section(`${renderCount(equal, 'row')} left out: the same post exists already.`)] : []),
    ...(row.faulty > 0 ? [section(faultyText)] : []),
    ...buildButtonRow([
      ...buildUndoButton(input),
      ...(row.faulty > 0 ? [button('Get the rows to correct', IMPORT_ACTIONS.corrections, row.id)] : []),
    ]),
  ];
}

function buildUndoButton({ row: { id }, undoableCount = 0 }: ImportMessageInput): Button[] {
  if (undoableCount === 0) return [];
  const dialog = {
    title: 'Undo this import?',
    text: `I cancel its posts that haven’t gone to the scheduling service: up to ${renderCount(undoableCount, 'post')}, also those that were edited since.`,
    confirm: 'Undo the import',
    deny: 'Keep the posts',
    style: 'danger',
  } as const;
  return [withConfirmation(button('Undo import…', IMPORT_ACTIONS.undo, id, 'danger'), dialog)];
}

/** Renders what an earlier message says after a newer one has told the result. */
export function renderEarlierMessage(input: ImportMessageInput): Message {
  return toMessage([section(`*${escapeText(renderFileName(input))}*: the result is below.`)]);
}
