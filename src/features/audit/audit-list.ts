import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import type { Decision, RecordRow, RecordSearch, SearchTerm } from '../../access/access.ts';
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
import { renderAuditSentence, renderSearchableText } from './audit-sentence.ts';
import type { AuditNames } from './deed-parts.ts';
import { renderClockTime, renderDayHeading } from './render-time.ts';

// Action ids.
export const LIST_ACTION = 'audit.list';
export const PREVIOUS_ACTION = 'audit.previous';
export const NEXT_ACTION = 'audit.next';
export const EXPORT_ACTION = 'audit.export';

/** Maximum entries on a page. An entry has at most about 250 characters, and the section of a day 3,000. */
export const PAGE_SIZE = 10;
const MAX_QUOTE_LENGTH = 100;
const MAX_SEARCH_WORDS = 8;

/** Words that join names in a sentence. Entries don't contain them, so searches ignore them. */
const JOINING_WORDS = ['to', 'in', 'for', 'of', 'a', 'an', 'the'];

/** Search words that find denied requests. The sentences about these requests begin with "Denied". */
const DENIED_WORDS = ['denied', 'tried'];
/** The decisions that people read as "Denied". */
const DENIED_DECISIONS = ['refused', 'not-checked'] satisfies Decision[];

/**
 * The state of a list, which its buttons store. `words`: the words to search for. Days are stored as times (ms since
 * the epoch), so "today" stays the same.
 */
export const auditState = z.object({
  words: z.string(),
  people: z.array(z.object({ id: z.string(), name: z.string() })).default([]),
  from: z.number().optional(),
  to: z.number().optional(),
  page: z.number().int(),
});
export type AuditState = z.infer<typeof auditState>;

/** Converts the search of a list to a search in the record. `actions`: all recorded actions. */
export function toRecordSearch(
  workspace: string,
  { words, people, from, to }: AuditState,
  { projects, actions: recordedActions }: Pick<AuditNames, 'projects'> & { actions: readonly string[] },
): RecordSearch {
  const terms = listSearchWords(words).map((word): SearchTerm => {
    const text = word.toLowerCase();
    return {
      text,
      actions: recordedActions.filter((action) => renderSearchableText(action).includes(text)),
      projects: [...projects].flatMap(([id, name]) => (name.toLowerCase().includes(text) ? [id] : [])),
      decisions: DENIED_WORDS.includes(text) ? DENIED_DECISIONS : [],
    };
  });
  const personTerms = people.map(({ id }) => ({ text: id, actions: [], projects: [], decisions: [] }));
  return {
    workspace,
    terms: [...personTerms, ...terms],
    ...(from !== undefined && { from: new Date(from) }),
    ...(to !== undefined && { to: new Date(to) }),
  };
}

function listSearchWords(words: string): string[] {
  return words
    .split(/\s+/)
    .map((word) => sanitizeLine(word))
    .filter((word) => word !== '' && !JOINING_WORDS.includes(word.toLowerCase()))
    .slice(0, MAX_SEARCH_WORDS);
}

export function renderAuditList(
  { rows, count }: { rows: readonly RecordRow[]; count: number },
  { state, reader, names }: { state: AuditState; reader: Reader; names: AuditNames },
): Message {
  const filter = renderFilter(state, reader);
  if (count === 0) {
    const line = `Nothing in the audit log${filter}`;
    return {
      text: escapeText(line),
      blocks: [plainSection(line), actions(button('Show all', LIST_ACTION, encodeUnfilteredState()))],
    };
  }
  const firstNumber = state.page * PAGE_SIZE + 1;
  const range = `${firstNumber}–${firstNumber + rows.length - 1} of ${count}`;
  const title = `Audit log${filter}: ${count > PAGE_SIZE && rows.length > 0 ? range : renderCount(count)}`;
  const page = { items: rows, number: state.page, count: Math.ceil(count / PAGE_SIZE), titleSuffix: '' };
  const value = encodeButtonState(state);
  return {
    text: escapeText(title),
    blocks: [
      header(title),
      context(plain(`Newest first, ${zoneName(reader.zone)} time`)),
      ...renderDays(rows, reader, names),
      actions(
        ...buildPageButtons(page, { previous: PREVIOUS_ACTION, next: NEXT_ACTION }, (number) => ({
          ...state,
          page: number,
        })),
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
  { exported, count }: { exported: number; count: number },
): string {
  const entries = exported < count ? `the newest ${exported} of ${count} entries` : renderCount(exported);
  return `Upnext’s audit log${renderFilter(state, reader)}, as CSV: ${entries}`;
}

const CSV_HEADER = [
  'Number',
  'Time (UTC)',
  'Who',
  'Project',
  'Action',
  'Target',
  'Decision',
  'Reference',
  'Hash before',
  'Hash',
];

/** Formats records as CSV. The hashes allow a later export to prove that these records weren't changed. */
export function formatRecordCsv(rows: readonly RecordRow[]): string {
  return formatCsv([
    CSV_HEADER,
    ...rows.map((row) => [
      String(row.seq),
      row.at.toISOString(),
      row.actor,
      row.project,
      row.action,
      row.target,
      row.decision,
      row.reference,
      row.previous,
      row.hash,
    ]),
  ]);
}
