import type { KnownBlock } from '@slack/types';
import type { LogEntry } from '../../api/logs.ts';
import type { Project } from '../../api/projects.ts';
import { actions, button, context, quoted, section } from '../../slack/blocks.ts';
import { encodeButtonState } from '../../slack/carried.ts';
import { clip } from '../../slack/clip.ts';
import { escapeText, sanitizeLine } from '../../slack/escape.ts';
import { pageButtons, paginate, truncationNotice } from '../../slack/list-pages.ts';
import type { Message } from '../../slack/message.ts';
import { sayRange, zoneName } from '../../when/when.ts';
import { filtered, type LogFilter, logLine } from './log-lines.ts';

export const LIST = 'logs.list';
export const PREVIOUS = 'logs.previous';
export const NEXT = 'logs.next';
export const EXPORT = 'logs.export';
export const PROJECT = 'logs.project';
export const RANGE = 'logs.range';

/** What the buttons of a list carry. */
export interface LogState extends LogFilter {
  project?: string | undefined;
  /** Words are read for days once; what comes from a button is read already. */
  page: number;
}

/** Lines of a page, which together fit one section of 3,000 characters. */
const LISTED = 14;
const LINE = 200;
const NAME = 100;

/** Everything that a list of lines is drawn from. */
export interface Lines {
  project: Project;
  /** In order. */
  entries: readonly LogEntry[];
  unreadable: number;
  isTruncated: boolean;
  zone: string;
  now: Date;
}

export function logList(lines: Lines, state: LogState): Message {
  const { project, entries, unreadable, isTruncated, zone, now } = lines;
  const name = clip(sanitizeLine(project.name), NAME);
  const { items, undated, datesUnread } = filtered(entries, state);
  const wanted = filterWords(state, zone, now);
  const notes = [
    ...(undated > 0 ? [`${undated} without a date ${undated === 1 ? 'is' : 'are'} left out.`] : []),
    ...(datesUnread > 0
      ? [`${datesUnread} with a date that I can't read ${datesUnread === 1 ? 'is' : 'are'} left out.`]
      : []),
    ...(unreadable > 0 ? [`${unreadable} more could not be read.`] : []),
    ...(isTruncated ? [truncationNotice(entries.length + unreadable, 'lines that the service lists')] : []),
  ];
  if (items.length === 0) return empty(name, { all: entries.length, wanted, notes, isTruncated }, state);
  const page = paginate(items, state.page, LISTED);
  const count = items.length === 1 ? 'one line' : `${items.length} lines${page.where}`;
  const title = `Log of ${name}${wanted}: ${count}, newest first (${zoneName(zone)} time)`;
  const shown = page.items.map((entry) => clip(logLine(entry, zone, now), LINE));
  const turned = pageButtons(page, { previous: PREVIOUS, next: NEXT }, (number) => ({
    ...state,
    page: number,
  }));
  const value = encodeButtonState(state);
  return {
    text: escapeText(clip(`${title}. ${shown.slice(0, 3).join('\n')}`, 1_000)),
    blocks: [
      section(`*${escapeText(title)}*`),
      quoted(shown.join('\n')),
      context(...notes, 'To narrow it, type words or days: `/list-logs created last week`.'),
      actions(
        ...turned,
        ...(value === undefined ? [] : [button('Export as CSV', EXPORT, value)]),
        ...(wanted === '' ? [] : showAll(state)),
      ),
    ],
  };
}

/** Plain text: "", or " with “roast”, Mon 16 Nov to Sun 22 Nov (Berlin)". */
export function filterWords({ words, from, to }: LogFilter, zone: string, now: Date): string {
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
  return `${words === '' ? '' : ` with “${clip(sanitizeLine(words), NAME)}”`}${range}`;
}

function showAll(state: LogState) {
  const all = encodeButtonState({ project: state.project, words: '', page: 0 });
  return all === undefined ? [] : [button('Show all', LIST, all)];
}

function empty(
  name: string,
  at: { all: number; wanted: string; notes: readonly string[]; isTruncated: boolean },
  state: LogState,
): Message {
  const { all, wanted, notes } = at;
  const isFiltered = wanted !== '';
  const among = at.isTruncated ? ', among those that I read' : '';
  const none =
    notes.length > 0 ? `I can read no line of the log of ${name}.` : `The log of ${name} is empty.`;
  const line = isFiltered ? `The log of ${name} has no line${wanted}${among}.` : none;
  const lines = all === 1 ? 'one line' : `${all} lines`;
  const count = at.isTruncated ? `I read ${lines}` : `There ${all === 1 ? 'is' : 'are'} ${lines} in all`;
  const more = isFiltered
    ? `${count}. Try fewer words, or other days: \`/list-logs last week\`.`
    : 'What happens in the project from now on shows up here.';
  const blocks: KnownBlock[] = [
    quoted(line),
    section(more),
    ...(notes.length > 0 ? [context(...notes)] : []),
    ...(isFiltered && all > 0 ? [actions(...showAll(state))] : []),
  ];
  return { text: `${escapeText(line)} ${more}`, blocks };
}

/** Which of several stretches is meant, as buttons. */
export function whichRange(words: string, candidates: readonly { said: string; state: LogState }[]): Message {
  const line = `Which days are meant by “${clip(sanitizeLine(words), NAME)}”?`;
  const offered = candidates.flatMap(({ said, state }, index) => {
    const value = encodeButtonState(state);
    return value === undefined ? [] : [button(said, `${RANGE}.${index}`, value)];
  });
  return {
    text: escapeText(`${line} ${candidates.map(({ said }) => said).join(', or ')}`),
    blocks: [quoted(line), ...(offered.length > 0 ? [actions(...offered)] : [])],
  };
}

/** What stands with the file in the person's direct message. Plain text. */
export function exportWords(
  project: Project,
  wanted: string,
  { count, isTruncated }: { count: number; isTruncated: boolean },
): string {
  const lines = count === 1 ? 'one line' : `${count} lines`;
  return `Log of ${clip(sanitizeLine(project.name), NAME)}${wanted}, as CSV: ${lines}. ${isTruncated ? 'The service lists more than I can read, so these are only some.' : 'These are all that the service listed; it may keep older ones to itself.'}`;
}
