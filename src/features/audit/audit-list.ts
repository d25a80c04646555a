import { z } from 'zod';
import type { RecordRow, RecordSearch } from '../../access/access.ts';
import type { Reader } from '../../forms/form-context.ts';
import { renderMoment } from '../../posts/render-post.ts';
import { actions, button, plainSection, section } from '../../slack/blocks.ts';
import { formatCsv } from '../../slack/csv.ts';
import { clip, clipEscaped, escapeText, sanitizeLine } from '../../slack/escape.ts';
import { encodeButtonState } from '../../slack/interaction-values.ts';
import { buildPageButtons } from '../../slack/list-pages.ts';
import type { Message } from '../../slack/message.ts';
import { renderRange, zoneName } from '../../when/when.ts';

// Action ids.
export const LIST = 'audit.list';
export const PREVIOUS = 'audit.previous';
export const NEXT = 'audit.next';
export const EXPORT = 'audit.export';

/** Maximum lines on a page. They fit one section of 3,000 characters. */
export const PAGE_SIZE = 14;
const MAX_LINE_LENGTH = 200;
const MAX_QUOTE_LENGTH = 100;
const MAX_SEARCH_WORDS = 8;

/** The state of a list, which its buttons store: a search, and a page. `from` and `to` are in ms since the epoch. */
export const auditState = z.object({
  words: z.string(),
  people: z.array(z.object({ id: z.string(), name: z.string() })).default([]),
  from: z.number().optional(),
  to: z.number().optional(),
  page: z.number().int(),
});
export type AuditState = z.infer<typeof auditState>;

export function toRecordSearch(workspace: string, { words, people, from, to }: AuditState): RecordSearch {
  const searchWords = words
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, MAX_SEARCH_WORDS)
    .map((word) => sanitizeLine(word));
  return {
    workspace,
    terms: [...people.map(({ id }) => id), ...searchWords],
    ...(from !== undefined && { from: new Date(from) }),
    ...(to !== undefined && { to: new Date(to) }),
  };
}

export function renderAuditList(
  { rows, count }: { rows: readonly RecordRow[]; count: number },
  state: AuditState,
  reader: Reader,
): Message {
  const searchText = renderSearch(state, reader);
  if (count === 0) {
    const line = `The audit log has nothing${searchText}.`;
    return {
      text: escapeText(line),
      blocks: [plainSection(line), actions(button('Show all', LIST, encodeEmptySearch()))],
    };
  }
  const firstNumber = state.page * PAGE_SIZE + 1;
  const titleSuffix = count > PAGE_SIZE ? `, ${firstNumber} to ${firstNumber + rows.length - 1}` : '';
  const title = `The record${searchText}: ${count === 1 ? 'one line' : `${count} lines`}${titleSuffix}, newest first (${zoneName(reader.zone)} time)`;
  const page = {
    items: rows,
    number: state.page,
    count: Math.ceil(count / PAGE_SIZE),
    titleSuffix,
  };
  const value = encodeButtonState(state);
  return {
    text: escapeText(title),
    blocks: [
      section(`*${escapeText(title)}*`),
      section(
        rows.map((row) => clipEscaped(renderLine(row, reader), MAX_LINE_LENGTH)).join('\n') ||
          'That page doesn’t exist.',
      ),
      actions(
        ...buildPageButtons(page, { previous: PREVIOUS, next: NEXT }, (number) => ({
          ...state,
          page: number,
        })),
        ...(value === undefined ? [] : [button('Export as CSV', EXPORT, value)]),
        ...(searchText === '' ? [] : [button('Show all', LIST, encodeEmptySearch())]),
      ),
    ],
  };
}

function encodeEmptySearch(): string | undefined {
  return encodeButtonState({ words: '', people: [], page: 0 });
}

/**
 * Renders "Fri 20 Nov, 13:00  @ana  schedule-post command schedule: allowed" as mrkdwn. The mentions notify nobody,
 * because only one person sees the message.
 */
function renderLine(row: RecordRow, { zone, now }: Reader): string {
  const [day = '', time = ''] = renderMoment(row.at, zone, now).split(', ');
  const moment = `${day}, ${time.split(' ')[0]}`;
  const actor = /^[UW][A-Z0-9]+$/.test(row.actor) ? `<@${row.actor}>` : escapeText(sanitizeLine(row.actor));
  const details = [row.target, row.project && `project ${row.project}`].filter(Boolean).join(', ');
  const actionText = `${row.action}${details === '' ? '' : ` (${details})`}`;
  return `${row.seq}. ${escapeText(moment)}  ${actor}  ${escapeText(sanitizeLine(actionText))}: *${escapeText(row.decision)}*`;
}

/** Renders a search as plain text: "", or " about @Mira Vos with “refused”, Mon 16 Nov to Sun 22 Nov (Berlin)". */
function renderSearch({ words, people, from, to }: AuditState, { zone, now }: Reader): string {
  const range = {
    ...(from !== undefined && { from: new Date(from) }),
    ...(to !== undefined && { to: new Date(to) }),
    zone,
  };
  const daysText = from === undefined && to === undefined ? '' : `, ${renderRange(range, { now })}`;
  const peopleNames = people.map(({ name }) => clip(sanitizeLine(name), MAX_QUOTE_LENGTH)).join(' and ');
  const peopleText = peopleNames === '' ? '' : ` about ${peopleNames}`;
  return `${peopleText}${words === '' ? '' : ` with “${clip(sanitizeLine(words), MAX_QUOTE_LENGTH)}”`}${daysText}`;
}

/** Renders the message with the exported file. Plain text. */
export function renderExportMessage(
  state: AuditState,
  reader: Reader,
  { exported, count }: { exported: number; count: number },
): string {
  const exportedText = exported === 1 ? 'one line' : `${exported} lines`;
  const lines = exported < count ? `the newest ${exported} of ${count} lines` : exportedText;
  return `Upnext’s audit log${renderSearch(state, reader)}, as CSV: ${lines}.`;
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

/** Formats lines of the record as CSV. The hashes let a later export prove that these lines weren't changed. */
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
