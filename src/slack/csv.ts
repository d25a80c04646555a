/**
 * What a spreadsheet takes for a formula when a cell begins with it, with or without blanks before it; also the wide
 * forms (https://owasp.org/www-community/attacks/CSV_Injection).
 */
const FORMULA = /^[\s\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/** Without it Excel does not read UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

/** RFC 4180, with a mark that says UTF-8; a cell that would be a formula begins with an apostrophe instead. */
export function asCsv(rows: readonly (readonly string[])[]): string {
  const lines = rows.map((cells) => cells.map(cell).join(','));
  return `${BYTE_ORDER_MARK}${lines.join('\r\n')}\r\n`;
}

function cell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  // NUL ends a cell in some programs, and half a surrogate pair cannot be written.
  const written = safe.toWellFormed().replaceAll('\u0000', '');
  return /[",\r\n;\t]/.test(written) ? `"${written.replaceAll('"', '""')}"` : written;
}
