/**
 * Characters that start a formula at the beginning of a cell, with or without blanks and invisible characters before
 * them (https://owasp.org/www-community/attacks/CSV_Injection).
 */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@]|^[\t\r\n]/u;

/** Without it Excel does not read UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

/** RFC 4180, with a mark that says UTF-8; a cell that would be a formula begins with an apostrophe instead. */
export function asCsv(rows: readonly (readonly string[])[]): string {
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
