import type { Call } from '../app/call.ts';
import { context, plain, section } from './blocks.ts';
import { escapeText } from './escape.ts';
import { inert, type Message } from './message.ts';
import { slackErrorCode } from './slack-errors.ts';

/**
 * Characters that start a formula at the beginning of a cell, with or without blanks and invisible characters before
 * them (https://owasp.org/www-community/attacks/CSV_Injection).
 */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@]|^[\t\r\n]/u;

/** Without this mark Excel doesn't read the file as UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

/** CSV as in RFC 4180, with a byte order mark. A cell that would start a formula gets an apostrophe in front. */
export function formatCsv(rows: readonly (readonly string[])[]): string {
  const lines = rows.map((cells) => cells.map(cell).join(','));
  return `${BYTE_ORDER_MARK}${lines.join('\r\n')}\r\n`;
}

function cell(text: string): string {
  // Some programs read full-width and small forms as the plain characters. NFKC maps each form to its plain character.
  const safe = FORMULA.test(text.normalize('NFKC')) ? `'${text}` : text;
  // NUL ends a cell in some programs, and half of a surrogate pair can't be encoded.
  const written = safe.toWellFormed().replaceAll('\u0000', '');
  return /[",\r\n;\t]/.test(written) ? `"${written.replaceAll('"', '""')}"` : written;
}

const MISSING_SCOPE: Message = {
  text: 'Not exported: I may not put files into Slack yet. Whoever installed Upnext can install it again; then I ask for that right (`files:write`).',
};

/**
 * Sends a CSV file to the person as a direct message, where nobody else reads it, below the plain text `words`. Returns
 * the answer to the request. The text is sent first because Slack returns the channel id of a direct message only in
 * its response to a message, and the upload needs that id.
 */
export async function sendCsv(
  { client, actor }: Pick<Call, 'client' | 'actor'>,
  { csv, filename, words }: { csv: string; filename: string; words: string },
): Promise<Message> {
  try {
    const { channel } = await client.chat.postMessage({
      channel: actor.user,
      ...inert({ text: escapeText(words) }),
    });
    if (channel === undefined) throw new Error('chat.postMessage returned no channel');
    await client.files.uploadV2({ channel_id: channel, file: Buffer.from(csv), filename, title: filename });
  } catch (error) {
    if (slackErrorCode(error) !== 'missing_scope') throw error;
    return MISSING_SCOPE;
  }
  return {
    text: escapeText(`Sent to you as a direct message. ${words}`),
    blocks: [section(':white_check_mark: Sent to you as a direct message.'), context(plain(words))],
  };
}
