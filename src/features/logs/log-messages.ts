import type { KnownBlock } from '@slack/types';
import type { LogEntry } from '../../api/logs.ts';
import type { Project } from '../../api/projects.ts';
import {
  actions,
  button,
  clip,
  context,
  escapeText,
  plainSection,
  sanitizeLine,
  section,
} from '../../slack/blocks.ts';
import { encodeButtonState } from '../../slack/interaction-values.ts';
import { buildPageButtons, paginate, renderPartialNote } from '../../slack/list-pages.ts';
import type { Message } from '../../slack/message.ts';
import { renderRange, zoneName } from '../../when/when.ts';
import { filterLog, type LogFilter, renderLogLine } from './log-lines.ts';

// Action ids. Buttons for projects and ranges add a number to the prefix.
export const LIST_ACTION = 'logs.list';
export const PREVIOUS_ACTION = 'logs.previous';
export const NEXT_ACTION = 'logs.next';
export const EXPORT_ACTION = 'logs.export';
export const PROJECT_ACTION_PREFIX = 'logs.project';
export const RANGE_ACTION_PREFIX = 'logs.range';

/** The state of a list, which its buttons store. The words contain no days, because the days are in the range. */
export interface LogState extends LogFilter {
  project?: string | undefined;
  page: number;
}

/** Maximum lines on a page. They fit one section of 3,000 characters. */
const PAGE_SIZE = 14;
const MAX_LINE_LENGTH = 200;
const MAX_NAME_LENGTH = 100;

/** The log of a project, with the data for rendering it. */
export interface ProjectLog {
  project: Project;
  /** Newest first. */
  entries: readonly LogEntry[];
  unreadableCount: number;
  isTruncated: boolean;
  zone: string;
  now: Date;
}

export function renderLogList(log: ProjectLog, state: LogState): Message {
  const { project, entries, unreadableCount, isTruncated, zone, now } = log;
  const name = clip(sanitizeLine(project.name), MAX_NAME_LENGTH);
  const { items, undatedCount, unreadableDateCount } = filterLog(entries, state);
  const filterText = renderFilter(state, zone, now);
  const partialNote = renderPartialNote(
    { readCount: entries.length, unreadableCount, isTruncated },
    'lines that the service lists',
  );
  const notes = [
    ...(undatedCount > 0
      ? [`${undatedCount} without a date ${undatedCount === 1 ? 'is' : 'are'} left out.`]
      : []),
    ...(unreadableDateCount > 0
      ? [
          `${unreadableDateCount} with an unreadable date ${unreadableDateCount === 1 ? 'is' : 'are'} left out.`,
        ]
      : []),
    ...(partialNote === undefined ? [] : [partialNote]),
  ];
  if (items.length === 0)
    return renderEmptyLog(name, { lineCount: entries.length, filterText, notes, isTruncated }, state);
  const page = paginate(items, state.page, PAGE_SIZE);
  const countText = items.length === 1 ? 'one line' : `${items.length} lines${page.titleSuffix}`;
  const title = `Log of ${name}${filterText}: ${countText}, newest first (${zoneName(zone)} time)`;
  const lines = page.items.map((entry) => clip(renderLogLine(entry, zone, now), MAX_LINE_LENGTH));
  const pagingButtons = buildPageButtons(
    page,
    { previous: PREVIOUS_ACTION, next: NEXT_ACTION },
    (number) => ({
      ...state,
      page: number,
    }),
  );
  const value = encodeButtonState(state);
  return {
    text: escapeText(clip(`${title}. ${lines.slice(0, 3).join('\n')}`, 1_000)),
    blocks: [
      section(`*${escapeText(title)}*`),
      plainSection(lines.join('\n')),
      context(...notes, 'Narrow it down with words or days: `/list-logs created last week`.'),
      actions(
        ...pagingButtons,
        ...(value === undefined ? [] : [button('Export as CSV', EXPORT_ACTION, value)]),
        ...(filterText === '' ? [] : renderShowAllButton(state)),
      ),
    ],
  };
}

/** Renders a filter as plain text: "", or " with “roast”, Mon 16 Nov to Sun 22 Nov (Berlin)". */
export function renderFilter({ words, from, to }: LogFilter, zone: string, now: Date): string {
  const range =
    from === undefined && to === undefined
      ? ''
      : `, ${renderRange(
          {
            ...(from !== undefined && { from: new Date(from) }),
            ...(to !== undefined && { to: new Date(to) }),
            zone,
          },
          { now },
        )}`;
  return `${words === '' ? '' : ` with “${clip(sanitizeLine(words), MAX_NAME_LENGTH)}”`}${range}`;
}

function renderShowAllButton(state: LogState) {
  const value = encodeButtonState({ project: state.project, words: '', page: 0 });
  return value === undefined ? [] : [button('Show all', LIST_ACTION, value)];
}

function renderEmptyLog(
  name: string,
  emptyLog: { lineCount: number; filterText: string; notes: readonly string[]; isTruncated: boolean },
  state: LogState,
): Message {
  const { lineCount, filterText, notes, isTruncated } = emptyLog;
  const isFiltered = filterText !== '';
  const emptyText =
    notes.length > 0 ? `I can’t read any line of the ${name} log.` : `The ${name} log is empty.`;
  const line = isFiltered ? `I found no line in the ${name} log${filterText}.` : emptyText;
  const linesText = lineCount === 1 ? 'one line' : `${lineCount} lines`;
  const countText = isTruncated
    ? `I read ${linesText}`
    : `There ${lineCount === 1 ? 'is' : 'are'} ${linesText} in all`;
  const advice = isFiltered
    ? `${countText}. Try fewer words, or other days: \`/list-logs last week\`.`
    : 'New events will show up here.';
  const blocks: KnownBlock[] = [
    plainSection(line),
    section(advice),
    ...(notes.length > 0 ? [context(...notes)] : []),
    ...(isFiltered && lineCount > 0 ? [actions(...renderShowAllButton(state))] : []),
  ];
  return { text: `${escapeText(line)} ${advice}`, blocks };
}

/** Asks which candidate of an ambiguous range is meant, with a button for each. */
export function renderRangeQuestion(
  phrase: string,
  candidates: readonly { label: string; state: LogState }[],
): Message {
  const line = `Which days do you mean by “${clip(sanitizeLine(phrase), MAX_NAME_LENGTH)}”?`;
  const buttons = candidates.flatMap(({ label, state }, index) => {
    const value = encodeButtonState(state);
    return value === undefined ? [] : [button(label, `${RANGE_ACTION_PREFIX}.${index}`, value)];
  });
  return {
    text: escapeText(`${line} ${candidates.map(({ label }) => label).join(', or ')}`),
    blocks: [plainSection(line), ...(buttons.length > 0 ? [actions(...buttons)] : [])],
  };
}

/** Renders the message with the exported file. Plain text. */
export function renderExportMessage(
  project: Project,
  filterText: string,
  { count, isTruncated }: { count: number; isTruncated: boolean },
): string {
  const linesText = count === 1 ? 'one line' : `${count} lines`;
  return `Log of ${clip(sanitizeLine(project.name), MAX_NAME_LENGTH)}${filterText}, as CSV: ${linesText}. ${isTruncated ? 'There are more than I can read, so these are only some.' : 'The service may have older ones that it doesn’t list.'}`;
}
