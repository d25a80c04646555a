import { z } from 'zod';
import { type LogEntry, listLogs } from '../../api/logs.ts';
import type { Project } from '../../api/projects.ts';
import { fetchReader } from '../../forms/form-context.ts';
import type { Call } from '../../handlers/call.ts';
import type { Feature } from '../../handlers/feature.ts';
import {
  buildExportName,
  createExportGuard,
  createList,
  createProjectMessage,
  findExportZone,
  type ListSearch,
  listSearch,
  parseListSearch,
  renderDaysQuestion,
  renderListSearch,
} from '../../lists/list.ts';
import { filterInTurns } from '../../promises.ts';
import {
  buildButtonRow,
  clipLine,
  context,
  escapeText,
  plainSection,
  sanitizeLine,
  section,
} from '../../slack/blocks.ts';
import { formatCsv, formatExportTime, sendCsv } from '../../slack/csv.ts';
import { buildPageButtons, buildStateButton, paginate, renderPartialNotes } from '../../slack/list-pages.ts';
import { addBlocks, buildQuotingMessage, type Message } from '../../slack/message.ts';
import { createWordSearch, renderNameInWords } from '../../slack/name.ts';
import { formatMomentWithoutZone } from '../../when/format-moment.ts';
import { zoneName } from '../../when/zones.ts';
import { clip, renderCount } from '../../words.ts';

const COMMAND = '/list-logs';
const PREFIX = 'logs';

/** The state of a list. `isUnparsed`: `words` is typed text that may contain days. */
const logState = listSearch.extend({
  project: z.string().optional(),
  isUnparsed: z.boolean().optional(),
  page: z.number().int(),
});
type LogState = z.infer<typeof logState>;

const list = createList({
  prefix: PREFIX,
  deed: 'open the service’s log',
  choices: ['project', 'range'],
  state: logState,
  start: (words): LogState => ({ words, isUnparsed: true, page: 0 }),
  createMessage: (call, state) => createLogMessage(call, state, renderLogList),
  file: {
    deed: 'export the service’s log',
    send: (call, state) =>
      createLogMessage(call, state, async (log, search) => {
        const filtered = await filterLog(log.entries, search);
        const zone = await findExportZone(call, log.project, log.zone);
        const text = renderExportMessage(log.project, renderListSearch(search, log), {
          ...filtered,
          isPartial: log.isTruncated || log.unreadableCount > 0,
        });
        const filename = buildExportName('log', log.project, { now: log.now, zone });
        return sendCsv(call, {
          ...{ csv: formatLogCsv(filtered.items, zone), filename, text },
          guard: createExportGuard(call, { role: 'manager', projects: [log.project], action: 'logs export' }),
        });
      }),
  },
});

/** Lists, filters and exports the log of a project. */
export const logs: Feature = {
  name: 'logs',
  commands: [
    {
      name: 'logs',
      aliases: ['log', 'history', 'list-logs'],
      button: 'Log',
      summary: 'A project’s log, searchable and as a CSV file',
      usage: '[words] [days]',
      examples: {
        [COMMAND]: 'See the latest entries.',
        [`${COMMAND} source last week`]: 'Find last week’s entries about sources.',
      },
      slashCommand: COMMAND,
      isReadOnly: true,
      ...list.command,
    },
  ],
  role: 'manager',
  optionalScopes: {
    'files:write': { purpose: 'to send a project’s log as a CSV file', missingAbility: 'send CSV files' },
  },
  actions: list.actions,
};

/** Maximum lines on a page. They fit one section of 3,000 characters. */
const PAGE_SIZE = 14;
const MAX_LINE_LENGTH = 200;
const MAX_NAME_LENGTH = 100;

interface ProjectLog {
  project: Project;
  /** Newest first. */
  entries: readonly LogEntry[];
  unreadableCount: number;
  isTruncated: boolean;
  zone: string;
  now: Date;
}

/** Reads the log of the requested project, and creates the message with `render`, or one that asks which days. */
function createLogMessage(
  call: Call,
  request: LogState,
  render: (log: ProjectLog, state: LogState) => Message | Promise<Message>,
): Promise<Message> {
  const names = { command: COMMAND, noun: 'log', prefix: PREFIX };
  return createProjectMessage(call, request, names, async (project, words) => {
    const { isUnparsed, ...search } = { ...request, project: project.id, words };
    const reader = await fetchReader(call);
    const typed = isUnparsed ? parseListSearch(words, reader) : undefined;
    if (typed?.kind === 'too-long') return { text: typed.reason };
    if (typed?.kind === 'ambiguous') {
      const candidates = typed.candidates.map((days) => ({ ...days, state: { ...search, ...days.search } }));
      return renderDaysQuestion(PREFIX, typed.phrase, candidates);
    }
    const state = { ...search, ...typed?.search };
    const outcome = await listLogs(call.context.api, project.id);
    if (outcome.kind !== 'done') return { failure: outcome, state };
    const { items, isReadable, ...records } = outcome.data;
    if (!isReadable) return { failure: 'unreadable', state };
    return render({ ...records, ...reader, project, entries: sortNewestFirst(items) }, state);
  });
}

async function renderLogList(log: ProjectLog, state: LogState): Promise<Message> {
  const { project, entries, unreadableCount, isTruncated, zone, now } = log;
  const name = clipLine(project.name, MAX_NAME_LENGTH);
  const filtered = await filterLog(entries, state);
  const { items } = filtered;
  const filterText = renderListSearch(state, log);
  const partialNotes = renderPartialNotes(
    { readCount: entries.length, unreadableCount, isTruncated },
    'lines that the service lists',
  );
  const notes = [...renderLeftOut(filtered), ...partialNotes];
  if (items.length === 0)
    return renderEmptyLog(
      name,
      { lineCount: entries.length, filterText, notes, isPartial: partialNotes.length > 0 },
      state,
    );
  const page = paginate(items, state.page, PAGE_SIZE);
  const countText = items.length === 1 ? 'one line' : `${items.length} lines${page.titleSuffix}`;
  const title = `Log of ${name}${filterText}: ${countText}, newest first (${zoneName(zone)} time)`;
  const lines = page.items.map((entry) => clip(renderLogLine(entry, zone, now), MAX_LINE_LENGTH));
  return {
    text: escapeText(clip(`${title}. ${lines.slice(0, 3).join('\n')}`, 1_000)),
    blocks: [
      section(`*${escapeText(title)}*`),
      plainSection(lines.join('\n')),
      context(...notes, 'Narrow it down with words or days: `/list-logs created last week`.'),
      ...buildButtonRow([
        ...buildPageButtons(PREFIX, page, (number) => ({ ...state, page: number })),
        ...buildStateButton('Export as CSV', `${PREFIX}.export`, state),
        ...(filterText === '' ? [] : buildShowAllButton(state)),
      ]),
    ],
  };
}

/** Says which lines a range leaves out. */
function renderLeftOut({ undatedCount, unreadableDateCount }: FilteredLog): string[] {
  const render = (count: number, property: string) =>
    count === 0 ? [] : [`${renderCount(count, `${property} is`, `${property} are`)} left out.`];
  return [
    ...render(undatedCount, 'without a date'),
    ...render(unreadableDateCount, 'with an unreadable date'),
  ];
}

function buildShowAllButton({ project }: LogState) {
  return buildStateButton('Show all', `${PREFIX}.list`, { project, words: '', page: 0 });
}

function renderEmptyLog(
  name: string,
  emptyLog: { lineCount: number; filterText: string; notes: readonly string[]; isPartial: boolean },
  state: LogState,
): Message {
  const { lineCount, filterText, notes, isPartial } = emptyLog;
  const isFiltered = filterText !== '';
  const emptyText =
    notes.length > 0 ? `I can’t read any line of the ${name} log.` : `The ${name} log is empty.`;
  const line = isFiltered ? `I found no line in the ${name} log${filterText}.` : emptyText;
  const linesText = lineCount === 1 ? 'one line' : `${lineCount} lines`;
  const countText = isPartial
    ? `I read ${linesText}`
    : `There ${lineCount === 1 ? 'is' : 'are'} ${linesText} in all`;
  const advice = isFiltered
    ? `${countText}. Try fewer words, or other days: \`/list-logs last week\`.`
    : 'New events will show up here.';
  return addBlocks(
    buildQuotingMessage(line, advice),
    ...(notes.length > 0 ? [context(...notes)] : []),
    ...(isFiltered && lineCount > 0 ? buildButtonRow(buildShowAllButton(state)) : []),
  );
}

/** Plain text. */
function renderExportMessage(
  project: Project,
  filterText: string,
  { isPartial, ...filtered }: FilteredLog & { isPartial: boolean },
): string {
  const { length: count } = filtered.items;
  const linesText = [count === 1 ? 'one line.' : `${count} lines.`, ...renderLeftOut(filtered)].join(' ');
  return `Log of ${clipLine(project.name, MAX_NAME_LENGTH)}${filterText}, as CSV: ${linesText} ${isPartial ? 'There are more than I can read, so these are only some.' : 'The service may have older ones that it doesn’t list.'}`;
}

/** Sorts lines, newest first. Lines without a date come last, in the service's order. */
export function sortNewestFirst(entries: readonly LogEntry[]): readonly LogEntry[] {
  return entries.toSorted((first, second) => getTime(second) - getTime(first));
}

function getTime({ at }: LogEntry): number {
  return at?.getTime() ?? Number.MIN_SAFE_INTEGER;
}

interface FilteredLog {
  items: readonly LogEntry[];
  undatedCount: number;
  unreadableDateCount: number;
}

/** Returns the lines that match a filter. A range leaves out, and counts, lines without a readable date. */
export async function filterLog(
  entries: readonly LogEntry[],
  { words, from, to }: ListSearch,
): Promise<FilteredLog> {
  const hasWords = createWordSearch(words);
  const matchingEntries = await filterInTurns(
    entries,
    ({ id = '', kind = '', actor = '', message, details = '' }) =>
      hasWords([id, kind, actor, message, details].join(' ')),
  );
  if (from === undefined && to === undefined)
    return { items: matchingEntries, undatedCount: 0, unreadableDateCount: 0 };
  const datedEntries = matchingEntries.filter(({ at }) => at !== undefined);
  const items = datedEntries.filter(({ at }) => at && (!from || at >= from) && (!to || at <= to));
  const unreadableDateCount = matchingEntries.filter(({ hasUnparsedDate }) => hasUnparsedDate).length;
  const undatedCount = matchingEntries.length - datedEntries.length - unreadableDateCount;
  return { items, undatedCount, unreadableDateCount };
}

/**
 * Renders "Fri 20 Nov, 13:00 · A post was created. · Ana", in the reader's zone. Plain text, without ids. Omits the
 * kind of event if the message says the same.
 */
export function renderLogLine(
  { at, hasUnparsedDate, kind, actor, message }: LogEntry,
  zone: string,
  now: Date,
): string {
  const missingDate = hasUnparsedDate ? 'unreadable date' : 'no date';
  // The list's title names the zone.
  const moment = at && formatMomentWithoutZone({ instant: at, zone }, { now });
  const text = renderWithoutIds(message);
  const event = kind === undefined ? '' : renderNameInWords(kind);
  const lowerCaseText = text.toLowerCase();
  const isRepeated = event
    .toLowerCase()
    .split(' ')
    .every((word) => lowerCaseText.includes(word));
  const isId = actor !== undefined && renderWithoutIds(actor) !== actor;
  return [moment ?? missingDate, isRepeated ? '' : event, text, isId ? '' : (actor ?? '')]
    .map((part) => sanitizeLine(part))
    .filter((part) => part !== '')
    .join(' · ');
}

/** Ids of records: those of the practice service, such as post_7, UUIDs, and ids of 24 hexadecimal digits. */
const RECORD_ID =
  /\b(?:(project|post|prompt|source|template|user|log)_\w+|[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|[\da-f]{24})\b/gi;

/** Renders "post_7 was created as DRAFT." as "A post was created as draft.". The CSV file has the ids. */
function renderWithoutIds(text: string): string {
  return text
    .replace(RECORD_ID, (_id, noun?: string) => (noun === undefined ? '…' : `a ${noun}`))
    .replace(/^a (?=\w)/, 'A ')
    .replace(/(?<=\b(?:as|now|and) )[A-Z]{4,}\b/g, (value) => value.toLowerCase());
}

const CSV_HEADER = ['Event', 'Who', 'Message', 'Details', 'Id'];

export function formatLogCsv(entries: readonly LogEntry[], zone: string): string {
  const rows = entries.map(({ at, kind, actor, message, details, id }) => [
    formatExportTime(at, zone),
    kind ?? '',
    actor ?? '',
    message,
    details ?? '',
    id ?? '',
  ]);
  return formatCsv([[`Time (${zone})`, ...CSV_HEADER], ...rows]);
}
