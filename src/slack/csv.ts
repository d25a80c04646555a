import { DateTime } from 'luxon';
import { normalizeUnicode } from '../normalize-text.ts';
import type { Actor } from './actor.ts';
import { context, escapeText, plain, section } from './blocks.ts';
import type { SlackCall } from './fetch-people.ts';
import type { Message } from './message.ts';
import { sendOrLog } from './send-or-log.ts';
import { getSlackErrorCode } from './slack-errors.ts';

/** Characters without a look of their own, which a program may leave out before it reads a cell: blanks, fillers, marks. */
const UNSEEN = /[\s\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\u2800\u{1D159}]*/uy;

/** Nobody means a cell that begins with more of them, so it counts as a formula. */
const MAX_UNSEEN = 300;

/**
 * Whether a cell starts a formula, with or without unseen characters at the beginning
 * (https://owasp.org/www-community/attacks/CSV_Injection). Also if apostrophes already keep it from that, so that an
 * import can remove exactly the apostrophe that the export has added.
 *
 * Some programs read full-width and small forms as the plain characters, as NFKC does. Each character is normalized alone:
 * “=” with a mark above it is another character, but a program without such marks reads “=”.
 */
function startsFormula(text: string): boolean {
  const start = /^'*/.exec(text)?.[0].length ?? 0;
  if (/[\t\r\n]/.test(text.charAt(start))) return true;
  for (let index = start; ; ) {
    UNSEEN.lastIndex = index;
    index += UNSEEN.exec(text)?.[0].length ?? 0;
    const character = String.fromCodePoint(text.codePointAt(index) ?? 0);
    const plain = normalizeUnicode(character, 'NFKC');
    UNSEEN.lastIndex = 0;
    const seen = plain.slice(UNSEEN.exec(plain)?.[0].length);
    if (index - start > MAX_UNSEEN) return true;
    if (seen !== '' || index >= text.length) return /^[=+\-@]/.test(seen);
    index += character.length;
  }
}

/** Excel reads a file as UTF-8 only if it starts with this mark. */
const BYTE_ORDER_MARK = '\ufeff';

/** Formats rows as CSV (RFC 4180) with a byte order mark, and an apostrophe before what would start a formula. */
export function formatCsv(rows: readonly (readonly string[])[]): string {
  return joinCsv(rows.map(formatCsvRow));
}

/** Formats a row of many, between which others have their turn. `joinCsv` makes a file of them. */
export function formatCsvRow(cells: readonly string[]): string {
  return cells.map(formatCell).join(',');
}

export function joinCsv(lines: readonly string[]): string {
  return `${BYTE_ORDER_MARK}${lines.join('\r\n')}\r\n`;
}

function formatCell(text: string): string {
  const safe = startsFormula(text) ? `'${text}` : text;
  // Some programs end a cell at NUL. Half of a surrogate pair can't be encoded.
  const clean = safe.toWellFormed().replaceAll('\u0000', '');
  return /[",\r\n;\t]/.test(clean) ? `"${clean.replaceAll('"', '""')}"` : clean;
}

/** Removes the apostrophe that `formatCsv`, or a person, puts before a cell that would start a formula. */
export function removeFormulaMark(text: string): string {
  return text.startsWith("'") && startsFormula(text) ? text.slice(1) : text;
}

/** Formats a time for a cell: "2026-12-01 09:00:00". A time that the clock shows twice has its offset. */
export function formatExportTime(instant: Date | undefined, zone: string): string {
  if (!instant) return '';
  const time = DateTime.fromJSDate(instant, { zone });
  return time.toFormat(`yyyy-MM-dd HH:mm:ss${time.getPossibleOffsets().length > 1 ? ' ZZ' : ''}`);
}

const MISSING_SCOPE: Message = {
  text: 'Not exported. I need permission to add files: install Upnext again with `files:write`.',
};

/** Says that the workspace declined the scope for files. Throws all other errors. */
export function explainFailedUpload(error: unknown): Message {
  if (getSlackErrorCode(error) !== 'missing_scope') throw error;
  return MISSING_SCOPE;
}

/** What a file needs before it leaves Upnext, and after. See `createExportGuard`. */
export interface ExportGuard {
  /**
   * Checks again whether the person may have the file: reading its pages takes a while, and the role may be gone since.
   * Resolves with why not (plain text).
   */
  explainRefusal(): Promise<string | undefined>;
  /** Adds to the audit log that the file was sent, or that it wasn't. */
  record(outcome: 'done' | 'unchanged'): void;
}

/** A file that is to leave Upnext. */
interface CsvFile {
  csv: string;
  filename: string;
  /** What the file is (plain text). */
  text: string;
  guard: ExportGuard;
}

/**
 * Sends the actor the CSV file as a direct message, and then the plain text `text`, which is untrue without the file.
 * Returns the reply to the request.
 */
export async function sendCsv(
  call: SlackCall & { actor: Actor },
  { csv, filename, text, guard }: CsvFile,
): Promise<Message> {
  const { client, actor } = call;
  const { channel: { id: channel } = {} } = await client.conversations.open({ users: actor.user });
  if (channel === undefined) throw new Error('conversations.open returned no channel');
  const refusal = await guard.explainRefusal();
  if (refusal !== undefined) {
    guard.record('unchanged');
    return { text: escapeText(refusal) };
  }
  try {
    await client.files.uploadV2({ channel_id: channel, file: Buffer.from(csv), filename, title: filename });
  } catch (error) {
    const message = explainFailedUpload(error);
    guard.record('unchanged');
    return message;
  }
  guard.record('done');
  // The person has the file, and the reply says the same.
  await sendOrLog(call, channel, { text: escapeText(text) }, 'could not send the text about a CSV file');
  return {
    text: escapeText(`Sent to you as a direct message.\n${text}`),
    blocks: [section('Sent to you as a direct message.'), context(plain(text))],
  };
}
