/**
 * One text of several SQL statements as single ones, without the empty ones. Semicolons in strings, quoted names,
 * comments and dollar quotes end nothing. https://www.postgresql.org/docs/current/sql-syntax-lexical.html
 */
export function splitStatements(text: string): string[] {
  const pieces = text.matchAll(PIECE);
  const statements: string[] = [];
  let statement = '';
  for (const [piece] of pieces) {
    if (piece === ';') {
      statements.push(statement);
      statement = '';
    } else statement += piece;
  }
  return [...statements, statement].map((one) => one.trim()).filter((one) => one !== '');
}

/** A dollar-quoted text, a string, a quoted name, a comment, or the next character. */
const PIECE =
  /\$([A-Za-z_]\w*)?\$[\s\S]*?\$\1\$|'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|[\s\S]/g;
