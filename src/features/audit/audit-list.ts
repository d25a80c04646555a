import type { KnownBlock } from '@slack/types';
import { MAX_SEARCHED_RECORDS, type RecordRow, type RecordSearchResult } from '../../access/access.ts';
import type { Reader } from '../../forms/form-context.ts';
import {
  actions,
  button,
  clip,
  context,
  escapeText,
  header,
  plain,
  plainSection,
  sanitizeLine,
  section,
} from '../../slack/blocks.ts';
import { formatCsv } from '../../slack/csv.ts';
import { encodeButtonState } from '../../slack/interaction-values.ts';
import { buildPageButtons } from '../../slack/list-pages.ts';
import type { Message } from '../../slack/message.ts';
import { renderRange, zoneName } from '../../when/when.ts';
import type { AuditState } from './audit-search.ts';
import { renderAuditSentence } from './audit-sentence.ts';
import { type AuditNames, renderClockTime, renderDayHeading } from './deed-parts.ts';

// Action ids.
export const LIST_ACTION = 'audit.list';
export const PREVIOUS_ACTION = 'audit.previous';
export const NEXT_ACTION = 'audit.next';
export const EXPORT_ACTION = 'audit.export';

/** Maximum entries on a page. An entry has at most about 250 characters, and the section of a day 3,000. */
export const PAGE_SIZE = 10;
const MAX_QUOTE_LENGTH = 100;
export function renderAuditList(
  { rows, count, oldest }: RecordSearchResult,
  { state, reader, names }: { state: AuditState; reader: Reader; names: AuditNames },
): Message {
  const filter = renderFilter(state, reader);
  const page = { items: rows, number: state.page, count: Math.ceil(count / PAGE_SIZE), titleSuffix: '' };
  const isLastPage = page.number >= page.count - 1;
  const olderButtons =
    oldest && isLastPage
      ? [
          button(
            'Search older',
            NEXT_ACTION,
            encodeButtonState({ ...state, to: oldest.at.getTime(), page: 0 }),
          ),
        ]
      : [];
  if (count === 0) {
    const place = oldest ? `the newest ${MAX_SEARCHED_RECORDS} entries` : 'the audit log';
    const line = `Nothing in ${place}${filter}`;
    return {
      text: escapeText(line),
      blocks: [
        plainSection(line),
        actions(...olderButtons, button('Show all', LIST_ACTION, encodeUnfilteredState())),
      ],
    };
  }
  const firstNumber = state.page * PAGE_SIZE + 1;
  const range = `${firstNumber}–${firstNumber + rows.length - 1} of ${count}`;
  const title = `Audit log${filter}: ${count > PAGE_SIZE && rows.length > 0 ? range : renderCount(count)}`;
  const searched = oldest ? `. I searched the newest ${MAX_SEARCHED_RECORDS} entries.` : '';
  const value = encodeButtonState(state);
  return {
    text: escapeText(title),
    blocks: [
      header(title),
      context(plain(`Newest first, ${zoneName(reader.zone)} time${searched}`)),
      ...renderDays(rows, reader, names),
      actions(
        ...buildPageButtons('audit', page, (number) => ({ ...state, page: number })),
        ...olderButtons,
        ...(value === undefined ? [] : [button('Export as CSV', EXPORT_ACTION, value)]),
        ...(filter === '' ? [] : [button('Show all', LIST_ACTION, encodeUnfilteredState())]),
      ),
    ],
  };
}

function encodeUnfilteredState(): string | undefined {
  return encodeButtonState({ words: '', people: [], page: 0 });
}

function renderCount(count: number): string {
  return count === 1 ? '1 entry' : `${count} entries`;
}

/** Renders the rows as one section a day. The mentions notify nobody, because only one person sees the message. */
function renderDays(rows: readonly RecordRow[], reader: Reader, names: AuditNames): KnownBlock[] {
  if (rows.length === 0) return [section('This page is empty.')];
  const linesByDay = new Map<string, string[]>();
  for (const row of rows) {
    const day = renderDayHeading(row.at, reader);
    const line = `${renderClockTime(row.at, reader)}  ${renderAuditSentence(row, names)}`;
    linesByDay.set(day, [...(linesByDay.get(day) ?? []), line]);
  }
  return [...linesByDay].map(([day, lines]) => section(`*${escapeText(day)}*\n${lines.join('\n')}`));
}

/** Renders the search as plain text: "", or " about @Mira Vos with “denied”, Mon 16 Nov to Sun 22 Nov (Berlin)". */
function renderFilter({ words, people, from, to }: AuditState, { zone, now }: Reader): string {
  const range = {
    ...(from !== undefined && { from: new Date(from) }),
    ...(to !== undefined && { to: new Date(to) }),
    zone,
  };
  const days = from === undefined && to === undefined ? '' : `, ${renderRange(range, { now })}`;
  const names = people.map(({ name }) => clip(sanitizeLine(name), MAX_QUOTE_LENGTH)).join(' and ');
  const peopleText = names === '' ? '' : ` about ${names}`;
  return `${peopleText}${words === '' ? '' : ` with “${clip(sanitizeLine(words), MAX_QUOTE_LENGTH)}”`}${days}`;
}

/** Renders the comment on the exported file. Plain text. */
export function renderExportComment(
  state: AuditState,
  reader: Reader,
  exported: number,
  searchedCount: number | undefined,
): string {
  const searched = searchedCount === undefined ? '' : `, found in the newest ${searchedCount}`;
  return `Upnext’s audit log${renderFilter(state, reader)}, as CSV: ${renderCount(exported)}${searched}`;
}

const CSV_HEADER = ['Id', 'Time (UTC)', 'Who', 'Project', 'Action', 'Target', 'Decision', 'Reference'];

/** Formats records as CSV. The ids are also in the log, so that the two can be compared. */
export function formatRecordCsv(rows: readonly RecordRow[]): string {
  return formatCsv([
    CSV_HEADER,
    ...rows.map((row) => [
      row.id,
      row.at.toISOString(),
      row.actor,
      row.project,
      row.action,
      row.target,
      row.decision,
      row.reference,
    ]),
  ]);
}
