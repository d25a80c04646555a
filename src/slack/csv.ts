import type { Call } from '../app/call.ts';
import { context, plain, section } from './blocks.ts';
import { escapeText } from './escape.ts';
import { inert, type Message } from './message.ts';
import { slackErrorCode } from './slack-trouble.ts';

/**
 * Characters that start a formula at the beginning of a cell, with or without blanks and invisible characters before
 * them (https://owasp.org/www-community/attacks/CSV_Injection).
 */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@]|^[\t\r\n]/u;

/** Without it Excel does not read UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

/** RFC 4180, with a mark that says UTF-8; a cell that would be a formula begins with an apostrophe instead. */
export function formatCsv(rows: readonly (readonly string[])[]): string {
  const lines = rows.map((cells) => cells.map(cell).join(','));
  return `${BYTE_ORDER_MARK}${lines.join('\r\n')}\r\n`;
}

function cell(text: string): string {
  // Some programs read the full-width and small forms as the plain characters. NFKC maps each of them to its plain one.
  const safe = FORMULA.test(text.normalize('NFKC')) ? `'${text}` : text;
  // NUL ends a cell in some programs, and half a surrogate pair cannot be written.
  const written = safe.toWellFormed().replaceAll('\u0000', '');
  return /[",\r\n;\t]/.test(written) ? `"${written.replaceAll('"', '""')}"` : written;
}

const MISSING: Message = {
  text: 'Not exported: I may not put files into Slack yet. Whoever installed Upnext can install it again; then I ask for that right (`files:write`).',
};

/**
 * Puts a CSV file into the person's own direct message with the bot, where nobody else reads it. `words` (plain text)
 * stand above it. Slack says which conversation that is only in its answer to a message.
 */
export async function sendCsv(
  { client, who }: Pick<Call, 'client' | 'who'>,
  { csv, filename, words }: { csv: string; filename: string; words: string },
): Promise<Message> {
  try {
    const { channel } = await client.chat.postMessage({
      channel: who.user,
      ...inert({ text: escapeText(words) }),
    });
    if (channel === undefined) throw new Error('Slack posted a message and did not say where');
    await client.files.uploadV2({ channel_id: channel, file: Buffer.from(csv), filename, title: filename });
  } catch (error) {
    if (slackErrorCode(error) !== 'missing_scope') throw error;
    return MISSING;
  }
  return {
    text: escapeText(`Sent to you as a direct message. ${words}`),
    blocks: [section(':white_check_mark: Sent to you as a direct message.'), context(plain(words))],
  };
}
