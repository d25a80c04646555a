/**
 * The most columns that a table has. Wider than any plan of posts, and few enough for 5,000 rows of them to be read within
 * the budget.
 */
export const MAX_COLUMNS = 100;
/**
 * The longest cell, in UTF-16 units: more than the longest text of a post, so that people can shorten one that is a little
 * too long. Longer cells have one more, by which they are known.
 */
export const MAX_CELL_LENGTH = 12_000;

/** How much of a file is parsed at a time, in UTF-16 units: less than a millisecond of work, also if each is a cell. */
const STRETCH_LENGTH = 16 * 1024;

const [QUOTE, LINE_FEED, CARRIAGE_RETURN] = [...'"\n\r'].map((character) => character.charCodeAt(0));

/**
 * Parses CSV (RFC 4180) with any delimiter and ends of lines. As in spreadsheets, a quotation mark within a cell is one,
 * such as in 5" screens. Yields the cells of each record, also of an empty line; `turn` after a stretch of work, so that
 * others can have a turn; and last `unclosed`, if a quotation mark isn't closed.
 *
 * A record has at most MAX_COLUMNS cells, and one more if there is any text further to the right. Packages for CSV read
 * whole records first, however many cells or characters they have.
 */
export function* parseRecords(
  text: string,
  delimiter: string,
): Generator<readonly string[] | 'turn' | 'unclosed', void> {
  const separator = delimiter.charCodeAt(0);
  let cells: string[] = [];
  let cell = '';
  let [index, turnEnd] = [0, STRETCH_LENGTH];
  let wasQuoted = false;
  const add = (start: number, end: number) => {
    const room = MAX_CELL_LENGTH + 1 - cell.length;
    if (room > 0 && start < end) cell += text.slice(start, Math.min(end, start + room));
  };
  const endCell = () => {
    if (cells.length < MAX_COLUMNS || (cells.length === MAX_COLUMNS && cell.trim() !== '')) cells.push(cell);
    [cell, wasQuoted] = ['', false];
  };
  while (index < text.length) {
    if (index >= turnEnd) {
      yield 'turn';
      turnEnd = index + STRETCH_LENGTH;
    }
    if (text.charCodeAt(index) === QUOTE) {
      let start = index + 1;
      for (;;) {
        const end = text.indexOf('"', start);
        if (end === -1) return yield 'unclosed';
        add(start, end);
        index = end + 1;
        if (text.charCodeAt(index) !== QUOTE) break;
        add(end, index);
        start = index + 1;
        if (start >= turnEnd) {
          yield 'turn';
          turnEnd = start + STRETCH_LENGTH;
        }
      }
      const next = text.charCodeAt(index);
      wasQuoted = Number.isNaN(next) || [separator, LINE_FEED, CARRIAGE_RETURN].includes(next);
      // The first quotation mark belongs to the text, and so does this one: "5" screens.
      if (!wasQuoted) cell = `"${cell}"`;
    }
    // The rest of the cell, in which quotation marks mean nothing.
    for (let start = index; ; start = index) {
      const stretchEnd = Math.min(text.length, start + STRETCH_LENGTH);
      for (; index < stretchEnd; index += 1) {
        const code = text.charCodeAt(index);
        if (code === separator || code === LINE_FEED || code === CARRIAGE_RETURN) break;
      }
      add(start, index);
      if (index < stretchEnd || index === text.length) break;
      yield 'turn';
      turnEnd = index + STRETCH_LENGTH;
    }
    const code = text.charCodeAt(index);
    if (Number.isNaN(code)) break;
    endCell();
    index += 1;
    if (code === separator) continue;
    if (code === CARRIAGE_RETURN && text.charCodeAt(index) === LINE_FEED) index += 1;
    yield cells;
    cells = [];
  }
  if (wasQuoted || cell !== '' || cells.length > 0) {
    endCell();
    yield cells;
  }
}
