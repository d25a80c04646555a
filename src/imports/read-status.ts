import { normalizeUnicode } from '../normalize-text.ts';
import { type Column, readCell, readOptionalCell } from './cells.ts';
import type { Columns } from './columns.ts';
import type { TableRow } from './read-table.ts';

/** What the cells of a row say about its status, and what answers mean yes or no. */

const listWords = (words: string) => words.split('|').map((word) => word.trim());

/** Without words for finished work, such as “Done”: in many plans they mark what has gone out. */
const SCHEDULED = listWords(
  `scheduled|schedule|ready|ready to post|ready to publish|ready to schedule|approved|queued|planned|final|finalized
    |finalised|geplant|fertig|bereit|freigegeben|programmé|programmée|planifié|planifiée|prêt|prête|approuvé|approuvée
    |validé|validée|finalisé|finalisée|programado|programada|agendado|agendada|listo|lista|aprobado|aprobada|programmato
    |programmata|pianificato|pianificata|pronta|approvato|approvata|aprovado|aprovada|ingepland|gepland|klaar|gereed
    |goedgekeurd|definitief|予約|予約済み|準備完了|承認済み|確定`,
);
/** “Ready” in Italian and Portuguese, but “soon” in Spanish. */
const isPronto = (word: string, locale = '') => word === 'pronto' && /^(?:it|pt)\b/i.test(locale);
/** The last ones are Upnext's words for drafts that its reviewers have returned. */
const DRAFT_NAMES = listWords(
  `draft|drafts|entwurf|brouillon|borrador|bozza|rascunho|concept|下書き|changes requested|rejected`,
);
const DRAFTS = [
  ...DRAFT_NAMES,
  ...listWords(
    `in progress|work in progress|wip|to do|todo|not started|in review|idea|ideas|in arbeit|in bearbeitung|idee|offen
    |en cours|idée|à faire|en curso|en proceso|en progreso|por hacer|in corso|in lavorazione|da fare|em andamento
    |em curso|em progresso|ideia|a fazer|por fazer|in bewerking|mee bezig|bezig|te doen|作成中|進行中|未着手|アイデア`,
  ),
];
/**
 * Upnext's words for posts that it keeps, and that the service surely doesn't have: they are kept again. An overdue one
 * has a time that has passed, so somebody has given it a new one before it is imported.
 */
const KEPT = listWords(
  `editable|stopped|waiting for review|needs a decision|nobody may schedule it|not accepted|not allowed
    |not approved in time|not sent|for another service|switched off|taken back|overdue|time passed`,
);
/** Posts that are over, or that the service has or may get, and the rows of the template. */
const SKIPPED = [
  ...'pending sending… waiting checking… uncertain published posted sent failed'.split(' '),
  ...'cancelled canceled changed discarded deleted archived example'.split(' '),
  ...['not sure', 'not sent again', 'restored from a backup', 'partly scheduled', 'not confirmed'],
  ...['not confirmed yet', 'cancelled with its series'],
  ...'veröffentlicht publié publiée publicado publicada pubblicato pubblicata gepubliceerd 公開済み 投稿済み'.split(
    ' ',
  ),
];
/** Also what spreadsheets write for TRUE and FALSE in other languages. */
export const YES = [
  ...['true', 'yes', 'y', '1', 'x', '✓', '✔', '✅', '☑', 'ja', 'oui', 'si', 'sí', 'sì', 'sim', 'はい'],
  ...['wahr', 'vrai', 'verdadero', 'vero', 'verdadeiro', 'waar'],
];
export const NO = [
  ...['', 'false', 'no', 'n', 'no.', 'none', '0', '☐', '❌', 'nein', 'non', 'não', 'nee', 'いいえ'],
  ...['falsch', 'faux', 'falso', 'onwaar'],
];
export const ANSWERS = [...YES, ...NO];
/** Short words about a post that isn't ready: "Draft (v2)", "not yet", "needs approval". */
const NOT_READY = new RegExp(`^(?:${DRAFT_NAMES.join('|')}|not|needs?)(?!\\p{L}).{0,20}$`, 'su');

/** The longest answer or status, in UTF-16 units, with blanks around it. Other cells have texts. */
const MAX_ANSWER_LENGTH = 100;

/** Reads a cell that says yes or no, in lower case. */
export function readAnswer(row: TableRow, column: Column | undefined): string {
  const cell = readOptionalCell(row, column).trim();
  if (cell.length > MAX_ANSWER_LENGTH) return cell;
  return normalizeUnicode(cell, 'NFC').replaceAll('\ufe0f', '').trim().toLowerCase();
}

/** “To-do” and “In  Progress” are the words “to do” and “in progress”. */
const joinWords = (text: string) => text.replace(/(?<=\p{L})(?:\s+|\p{Pd})(?=\p{L})/gu, ' ');

export function readStatus(
  row: TableRow,
  { status, draft }: Columns,
  locale?: string,
): { kind: 'scheduled' | 'draft' | 'skip' } | { kind: 'unknown'; column: Column | undefined; text: string } {
  const text = readCell(row, status).trim();
  const cell = readAnswer(row, draft);
  const [word, answer] = [joinWords(normalizeUnicode(text, 'NFC').toLowerCase()), joinWords(cell)];
  if (SKIPPED.includes(word)) return { kind: 'skip' };
  if (DRAFTS.includes(word) || [...YES, ...DRAFTS].includes(answer)) return { kind: 'draft' };
  // Several words are the draft of a text, and a link leads to it.
  const isReady = [...NO, ...SCHEDULED].includes(answer) || isPronto(answer, locale);
  if (!isReady && (!/\s|:\/\//.test(cell) || NOT_READY.test(answer)))
    return { kind: 'unknown', column: draft, text: readCell(row, draft).trim() };
  return word === '' || [...SCHEDULED, ...KEPT].includes(word) || isPronto(word, locale)
    ? { kind: 'scheduled' }
    : { kind: 'unknown', column: status, text };
}
