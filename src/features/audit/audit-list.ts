import { z } from 'zod';
import type { RecordRow, RecordSearch } from '../../access/access.ts';
import type { Reader } from '../../forms/reader.ts';
import { momentText } from '../../posts/moment-words.ts';
import { actions, button, quoted, section } from '../../slack/blocks.ts';
import { encodeButtonState } from '../../slack/carried.ts';
import { clip } from '../../slack/clip.ts';
import { formatCsv } from '../../slack/csv.ts';
import { clipEscaped, escapeText, sanitizeLine } from '../../slack/escape.ts';
import { pageButtons } from '../../slack/list-pages.ts';
import type { Message } from '../../slack/message.ts';
import { sayRange, zoneName } from '../../when/when.ts';

export const LIST = 'audit.list';
export const PREVIOUS = 'audit.previous';
export const NEXT = 'audit.next';
export const EXPORT = 'audit.export';

/** Lines of a page, which together fit one section of 3,000 characters. */
export const LISTED = 14;
const LINE = 200;
const WORDS = 100;
const MOST_WORDS = 8;

/** What a page is about; days are read once, so that "today" is the same on every page. */
export const auditState = z.object({
  words: z.string(),
  people: z.array(z.object({ id: z.string(), name: z.string() })).default([]),
  from: z.number().optional(),
  to: z.number().optional(),
  page: z.number().int(),
});
export type AuditState = z.infer<typeof auditState>;

export function searchOf(workspace: string, { words, people, from, to }: AuditState): RecordSearch {
  const typed = words
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, MOST_WORDS)
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
  const wanted = wantedWords(state, reader);
  if (count === 0) {
    const line = `The record has nothing${wanted}.`;
    return { text: escapeText(line), blocks: [quoted(line), actions(button('Show all', LIST, all()))] };
  }
  const first = state.page * LISTED + 1;
  const where = count > LISTED ? `, ${first} to ${first + rows.length - 1}` : '';
  const title = `The record${wanted}: ${count === 1 ? 'one line' : `${count} lines`}${where}, newest first (${zoneName(reader.zone)} time)`;
  const page = { items: rows, number: state.page, count: Math.ceil(count / LISTED), where };
  const value = encodeButtonState(state);
  return {
    text: escapeText(title),
    blocks: [
      section(`*${escapeText(title)}*`),
      section(
        rows.map((row) => clipEscaped(lineOf(row, reader), LINE)).join('\n') || 'There is no such page.',
      ),
      actions(
        ...pageButtons(page, { previous: PREVIOUS, next: NEXT }, (number) => ({ ...state, page: number })),
        ...(value === undefined ? [] : [button('Export as CSV', EXPORT, value)]),
        ...(wanted === '' ? [] : [button('Show all', LIST, all())]),
      ),
    ],
  };
}

function all(): string | undefined {
  return encodeButtonState({ words: '', people: [], page: 0 });
}

/** mrkdwn: "Fri 20 Nov, 13:00  @ana  schedule-post command schedule: allowed". An answer to one person tells nobody. */
function lineOf(row: RecordRow, { zone, now }: Reader): string {
  const [day = '', time = ''] = momentText(row.at, zone, now).split(', ');
  const at = `${day}, ${time.split(' ')[0]}`;
  const who = /^[UW][A-Z0-9]+$/.test(row.who) ? `<@${row.who}>` : escapeText(sanitizeLine(row.who));
  const about = [row.target, row.project && `project ${row.project}`].filter(Boolean).join(', ');
  const what = `${row.action}${about === '' ? '' : ` (${about})`}`;
  return `${row.seq}. ${escapeText(at)}  ${who}  ${escapeText(sanitizeLine(what))}: *${escapeText(row.decision)}*`;
}

/** Plain text: "", or " about @Mira Vos with “refused”, Mon 16 Nov to Sun 22 Nov (Berlin)". */
function wantedWords({ words, people, from, to }: AuditState, { zone, now }: Reader): string {
  const range = {
    ...(from !== undefined && { from: new Date(from) }),
    ...(to !== undefined && { to: new Date(to) }),
    zone,
  };
  const days = from === undefined && to === undefined ? '' : `, ${sayRange(range, { now })}`;
  const names = people.map(({ name }) => clip(sanitizeLine(name), WORDS)).join(' and ');
  const about = names === '' ? '' : ` about ${names}`;
  return `${about}${words === '' ? '' : ` with “${clip(sanitizeLine(words), WORDS)}”`}${days}`;
}

/** What stands with the file in the person's direct message. Plain text. */
export function exportWords(
  state: AuditState,
  reader: Reader,
  { exported, count }: { exported: number; count: number },
): string {
  const all = exported === 1 ? 'one line' : `${exported} lines`;
  const lines = exported < count ? `the newest ${exported} of ${count} lines` : all;
  return `The record of Upnext${wantedWords(state, reader)}, as CSV: ${lines}.`;
}

const HEAD = [
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

/** With the hashes, so that the file proves itself beside a later one. */
export function recordAsCsv(rows: readonly RecordRow[]): string {
  return formatCsv([
    HEAD,
    ...rows.map((row) => [
      String(row.seq),
      row.at.toISOString(),
      row.who,
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
