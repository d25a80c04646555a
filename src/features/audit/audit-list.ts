import { z } from 'zod';
import type { RecordRow, RecordSearch } from '../../access/access.ts';
import type { Reader } from '../../forms/form-context.ts';
import { renderMoment } from '../../posts/render-post.ts';
import { actions, button, plainSection, section } from '../../slack/blocks.ts';
import { formatCsv } from '../../slack/csv.ts';
import { clip, clipEscaped, escapeText, sanitizeLine } from '../../slack/escape.ts';
import { pageButtons } from '../../slack/list-pages.ts';
import type { Message } from '../../slack/message.ts';
import { encodeButtonState } from '../../slack/view-values.ts';
import { sayRange, zoneName } from '../../when/when.ts';

export const LIST = 'audit.list';
export const PREVIOUS = 'audit.previous';
export const NEXT = 'audit.next';
export const EXPORT = 'audit.export';

/** Lines on a page. Together they fit one section of 3,000 characters. */
export const PAGE_SIZE = 14;
const MAX_LINE_LENGTH = 200;
const MAX_QUOTE_LENGTH = 100;
const MAX_SEARCH_WORDS = 8;

/** The search behind a page. Times are ms since the epoch. Days are parsed once, so "today" is the same on every page. */
export const auditState = z.object({
  words: z.string(),
  people: z.array(z.object({ id: z.string(), name: z.string() })).default([]),
  from: z.number().optional(),
  to: z.number().optional(),
  page: z.number().int(),
});
export type AuditState = z.infer<typeof auditState>;

export function toRecordSearch(workspace: string, { words, people, from, to }: AuditState): RecordSearch {
  const typed = words
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, MAX_SEARCH_WORDS)
    .map((word) => sanitizeLine(word));
  return {
    workspace,
    words: [...people.map(({ id }) => id), ...typed],
    ...(from !== undefined && { from: new Date(from) }),
    ...(to !== undefined && { to: new Date(to) }),
  };
}

export function auditList(
  { rows, count }: { rows: readonly RecordRow[]; count: number },
  state: AuditState,
  reader: Reader,
): Message {
  const filter = filterText(state, reader);
  if (count === 0) {
    const line = `The record has nothing${filter}.`;
    return {
      text: escapeText(line),
      blocks: [plainSection(line), actions(button('Show all', LIST, encodeUnfiltered()))],
    };
  }
  const first = state.page * PAGE_SIZE + 1;
  const where = count > PAGE_SIZE ? `, ${first} to ${first + rows.length - 1}` : '';
  const title = `The record${filter}: ${count === 1 ? 'one line' : `${count} lines`}${where}, newest first (${zoneName(reader.zone)} time)`;
  const page = { items: rows, number: state.page, count: Math.ceil(count / PAGE_SIZE), where };
  const value = encodeButtonState(state);
  return {
    text: escapeText(title),
    blocks: [
      section(`*${escapeText(title)}*`),
      section(
        rows.map((row) => clipEscaped(renderLine(row, reader), MAX_LINE_LENGTH)).join('\n') ||
          'There is no such page.',
      ),
      actions(
        ...pageButtons(page, { previous: PREVIOUS, next: NEXT }, (number) => ({ ...state, page: number })),
        ...(value === undefined ? [] : [button('Export as CSV', EXPORT, value)]),
        ...(filter === '' ? [] : [button('Show all', LIST, encodeUnfiltered())]),
      ),
    ],
  };
}

function encodeUnfiltered(): string | undefined {
  return encodeButtonState({ words: '', people: [], page: 0 });
}

/**
 * mrkdwn: "Fri 20 Nov, 13:00  @ana  schedule-post command schedule: allowed". The mentions notify nobody, because only
 * one person sees the message.
 */
function renderLine(row: RecordRow, { zone, now }: Reader): string {
  const [day = '', time = ''] = renderMoment(row.at, zone, now).split(', ');
  const at = `${day}, ${time.split(' ')[0]}`;
  const actor = /^[UW][A-Z0-9]+$/.test(row.actor) ? `<@${row.actor}>` : escapeText(sanitizeLine(row.actor));
  const about = [row.target, row.project && `project ${row.project}`].filter(Boolean).join(', ');
  const what = `${row.action}${about === '' ? '' : ` (${about})`}`;
  return `${row.seq}. ${escapeText(at)}  ${actor}  ${escapeText(sanitizeLine(what))}: *${escapeText(row.decision)}*`;
}

/** Plain text: "", or " about @Mira Vos with “refused”, Mon 16 Nov to Sun 22 Nov (Berlin)". */
function filterText({ words, people, from, to }: AuditState, { zone, now }: Reader): string {
  const range = {
    ...(from !== undefined && { from: new Date(from) }),
    ...(to !== undefined && { to: new Date(to) }),
    zone,
  };
  const days = from === undefined && to === undefined ? '' : `, ${sayRange(range, { now })}`;
  const names = people.map(({ name }) => clip(sanitizeLine(name), MAX_QUOTE_LENGTH)).join(' and ');
  const about = names === '' ? '' : ` about ${names}`;
  return `${about}${words === '' ? '' : ` with “${clip(sanitizeLine(words), MAX_QUOTE_LENGTH)}”`}${days}`;
}

/** The comment on the exported file. Plain text. */
export function exportText(
  state: AuditState,
  reader: Reader,
  { exported, count }: { exported: number; count: number },
): string {
  const all = exported === 1 ? 'one line' : `${exported} lines`;
  const lines = exported < count ? `the newest ${exported} of ${count} lines` : all;
  return `The record of Upnext${filterText(state, reader)}, as CSV: ${lines}.`;
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

/** Includes the hashes, so that a later export can prove that these records weren't changed. */
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
