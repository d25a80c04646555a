import type { KnownBlock } from '@slack/types';
import type { LogEntry } from '../../api/logs.ts';
import type { Project } from '../../api/projects.ts';
import { actions, button, context, plainSection, section } from '../../slack/blocks.ts';
import { clip, escapeText, sanitizeLine } from '../../slack/escape.ts';
import { encodeButtonState } from '../../slack/interaction-values.ts';
import { buildPageButtons, paginate, renderTruncationNotice } from '../../slack/list-pages.ts';
import type { Message } from '../../slack/message.ts';
import { sayRange, zoneName } from '../../when/when.ts';
import { filterLog, type LogFilter, logLine } from './log-lines.ts';

export const LIST = 'logs.list';
export const PREVIOUS = 'logs.previous';
export const NEXT = 'logs.next';
export const EXPORT = 'logs.export';
export const PROJECT = 'logs.project';
export const RANGE = 'logs.range';

/** The state of a list's buttons. Its words contain no days: those have already become a range. */
export interface LogState extends LogFilter {
  project?: string | undefined;
  page: number;
}

/** Lines on a page. Together they fit one section of 3,000 characters. */
const PAGE_SIZE = 14;
const MAX_LINE_LENGTH = 200;
const MAX_NAME_LENGTH = 100;

/** The log of a project, for rendering. */
export interface ProjectLog {
  project: Project;
  /** Newest first. */
  entries: readonly LogEntry[];
  unreadable: number;
  isTruncated: boolean;
  zone: string;
  now: Date;
}

export function logList(lines: ProjectLog, state: LogState): Message {
  const { project, entries, unreadable, isTruncated, zone, now } = lines;
  const name = clip(sanitizeLine(project.name), MAX_NAME_LENGTH);
  const { items, undated, unreadableDates } = filterLog(entries, state);
  const filter = filterText(state, zone, now);
  const notes = [
    ...(undated > 0 ? [`${undated} without a date ${undated === 1 ? 'is' : 'are'} left out.`] : []),
    ...(unreadableDates > 0
      ? [`${unreadableDates} with a date that I can't read ${unreadableDates === 1 ? 'is' : 'are'} left out.`]
      : []),
    ...(unreadable > 0 ? [`${unreadable} more could not be read.`] : []),
    ...(isTruncated
      ? [renderTruncationNotice(entries.length + unreadable, 'lines that the service lists')]
      : []),
  ];
  if (items.length === 0) return emptyLog(name, { all: entries.length, filter, notes, isTruncated }, state);
  const page = paginate(items, state.page, PAGE_SIZE);
  const count = items.length === 1 ? 'one line' : `${items.length} lines${page.titleSuffix}`;
  const title = `Log of ${name}${filter}: ${count}, newest first (${zoneName(zone)} time)`;
  const shown = page.items.map((entry) => clip(logLine(entry, zone, now), MAX_LINE_LENGTH));
  const turnButtons = buildPageButtons(page, { previous: PREVIOUS, next: NEXT }, (number) => ({
    ...state,
    page: number,
  }));
  const value = encodeButtonState(state);
  return {
    text: escapeText(clip(`${title}. ${shown.slice(0, 3).join('\n')}`, 1_000)),
    blocks: [
      section(`*${escapeText(title)}*`),
      plainSection(shown.join('\n')),
      context(...notes, 'To narrow it, type words or days: `/list-logs created last week`.'),
      actions(
        ...turnButtons,
        ...(value === undefined ? [] : [button('Export as CSV', EXPORT, value)]),
        ...(filter === '' ? [] : showAllButton(state)),
      ),
    ],
  };
}

/** Plain text: "", or " with “roast”, Mon 16 Nov to Sun 22 Nov (Berlin)". */
export function filterText({ words, from, to }: LogFilter, zone: string, now: Date): string {
  const range =
    from === undefined && to === undefined
      ? ''
      : `, ${sayRange(
          {
            ...(from !== undefined && { from: new Date(from) }),
            ...(to !== undefined && { to: new Date(to) }),
            zone,
          },
          { now },
        )}`;
  return `${words === '' ? '' : ` with “${clip(sanitizeLine(words), MAX_NAME_LENGTH)}”`}${range}`;
}

function showAllButton(state: LogState) {
  const all = encodeButtonState({ project: state.project, words: '', page: 0 });
  return all === undefined ? [] : [button('Show all', LIST, all)];
}

function emptyLog(
  name: string,
  at: { all: number; filter: string; notes: readonly string[]; isTruncated: boolean },
  state: LogState,
): Message {
  const { all, filter, notes } = at;
  const isFiltered = filter !== '';
  const among = at.isTruncated ? ', among those that I read' : '';
  const none =
    notes.length > 0 ? `I can read no line of the log of ${name}.` : `The log of ${name} is empty.`;
  const line = isFiltered ? `The log of ${name} has no line${filter}${among}.` : none;
  const lines = all === 1 ? 'one line' : `${all} lines`;
  const count = at.isTruncated ? `I read ${lines}` : `There ${all === 1 ? 'is' : 'are'} ${lines} in all`;
  const more = isFiltered
    ? `${count}. Try fewer words, or other days: \`/list-logs last week\`.`
    : 'What happens in the project from now on shows up here.';
  const blocks: KnownBlock[] = [
    plainSection(line),
    section(more),
    ...(notes.length > 0 ? [context(...notes)] : []),
    ...(isFiltered && all > 0 ? [actions(...showAllButton(state))] : []),
  ];
  return { text: `${escapeText(line)} ${more}`, blocks };
}

/** Asks which candidate of an ambiguous range is meant, with a button for each. */
export function rangeQuestion(
  words: string,
  candidates: readonly { said: string; state: LogState }[],
): Message {
  const line = `Which days are meant by “${clip(sanitizeLine(words), MAX_NAME_LENGTH)}”?`;
  const offered = candidates.flatMap(({ said, state }, index) => {
    const value = encodeButtonState(state);
    return value === undefined ? [] : [button(said, `${RANGE}.${index}`, value)];
  });
  return {
    text: escapeText(`${line} ${candidates.map(({ said }) => said).join(', or ')}`),
    blocks: [plainSection(line), ...(offered.length > 0 ? [actions(...offered)] : [])],
  };
}

/** The comment on the exported file. Plain text. */
export function exportText(
  project: Project,
  filter: string,
  { count, isTruncated }: { count: number; isTruncated: boolean },
): string {
  const lines = count === 1 ? 'one line' : `${count} lines`;
  return `Log of ${clip(sanitizeLine(project.name), MAX_NAME_LENGTH)}${filter}, as CSV: ${lines}. ${isTruncated ? 'The service lists more than I can read, so these are only some.' : 'These are all that the service listed; it may keep older ones to itself.'}`;
}
