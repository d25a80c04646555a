import { EXTRA_FIELDS } from '../api/post-fields.ts';
import { type Budget, BudgetExceeded } from '../budget.ts';
import { clipLine } from '../slack/blocks.ts';
import type { Column } from './cells.ts';
import { type Columns, countKnownNames, readHeadless, recognizeColumns } from './columns.ts';
import { MAX_CELL_LENGTH, MAX_COLUMNS } from './parse-records.ts';
import { type TableRow, TOO_MUCH } from './read-table.ts';

/** A table whose columns are known, and whose cells are no longer than anything that they can say. */
export interface OpenTable {
  columns: Columns;
  /** The row with the names of the columns, if there is one, below a title that isn't imported. */
  head: readonly TableRow[];
  /** The other rows. */
  rows: readonly TableRow[];
}

/** Recognises the columns of a table that was read, and leaves out cells that are too long. Undefined for other tables. */
export async function openTable(read: readonly TableRow[], budget: Budget): Promise<OpenTable | undefined> {
  budget.resume();
  const start = findNames(read);
  const [first, ...others] = read.slice(start);
  const firstRow = first?.cells.slice(0, MAX_COLUMNS) ?? [];
  const cells = others.map((row) => row.cells);
  const columns = (await recognizeColumns(firstRow, cells, budget)) ?? readHeadless(firstRow);
  if (!columns) return undefined;
  const limits = listLimits(columns);
  const rows: TableRow[] = [];
  for (const row of columns.hasNames ? others : read) {
    rows.push(shorten(row, limits));
    await budget.giveWay();
  }
  return { columns, head: columns.hasNames ? read.slice(0, start + 1) : [], rows };
}

/** How many rows a title has at most. Below, a row with the names of columns is one of the posts. */
const MAX_TITLE_ROWS = 5;

/** Finds the row with the names of the columns: the first one, or the one below a title, which names none. */
function findNames(rows: readonly TableRow[]): number {
  const isTitle = ({ cells }: TableRow) => cells.filter((cell) => cell.trim() !== '').length === 1;
  const index = rows.slice(0, MAX_TITLE_ROWS + 1).findIndex((row) => !isTitle(row));
  const names = rows[index]?.cells.slice(0, MAX_COLUMNS) ?? [];
  return index > 0 && countKnownNames(names) > 1 ? index : 0;
}

/** Says which rows above the names of the columns aren't imported, and what is added to the texts. */
export function noteReading({ head, columns: { hashtags } }: OpenTable): string[] {
  const [first, ...others] = head;
  const title = clipLine((first?.cells.join(' ') ?? '').slice(0, MAX_WORDS_LENGTH).trim());
  return [
    ...(others.length === 0 ? [] : [`The names of the columns are below “${title}”, which isn’t imported.`]),
    ...(hashtags ? [`What is in “${clipLine(hashtags.name)}” is added below each text.`] : []),
  ];
}

/** The longest time, zone, status or name of a project, and list of platforms, in UTF-16 units. */
const [MAX_WORDS_LENGTH, MAX_PLATFORMS_LENGTH] = [300, 500];
/** The longest links of a cell. A link of 4,096 units is longer than browsers and services take. */
const MAX_LINKS_LENGTH = 4_096;

/** Lists the columns that are read with the length of what they can say. Nobody looks at the others. */
function listLimits(columns: Columns): readonly { column: Column; max: number }[] {
  const { text, draft, ownTexts, link, hashtags, media, platforms, flags } = columns;
  const { when, date, clock, half, zone, projects, status, spareTimes } = columns;
  // A draft may be the text of one, and people write texts where an answer belongs.
  const texts = [
    text,
    draft,
    hashtags,
    ...EXTRA_FIELDS.map(({ name }) => columns[name]),
    ...ownTexts,
    ...flags,
  ];
  const toLimits = (max: number, of: readonly (Column | undefined)[]) =>
    of.flatMap((column) => (column ? [{ column, max }] : []));
  return [
    ...toLimits(MAX_CELL_LENGTH, texts),
    ...toLimits(MAX_LINKS_LENGTH, [link, ...media]),
    ...toLimits(MAX_PLATFORMS_LENGTH, platforms),
    ...toLimits(MAX_WORDS_LENGTH, [
      when,
      date,
      clock,
      half,
      zone,
      status,
      ...projects,
      ...Object.values(spareTimes),
    ]),
  ];
}

/** Leaves out what is too long, and describes it as a problem of its row. */
function shorten(row: TableRow, limits: ReturnType<typeof listLimits>): TableRow {
  const long = limits.filter(({ column, max }) => (row.cells[column.index]?.length ?? 0) > max);
  if (long.length === 0) return row;
  const indexes = new Set(long.map(({ column }) => column.index));
  return {
    number: row.number,
    cells: row.cells.map((cell, index) => (indexes.has(index) ? '' : cell)),
    tooLong: [
      ...(row.tooLong ?? []),
      ...long.map(({ column, max }) => ({
        column: column.name,
        value: clipLine((row.cells[column.index] ?? '').slice(0, MAX_WORDS_LENGTH)),
        problem: `This has more than ${max.toLocaleString('en-US')} characters, so I’ve left it out. Write a shorter one.`,
      })),
    ],
  };
}

/** Reads a table. Resolves with what people read instead if that exceeds its budget. */
export async function withinBudget<Result>(
  work: () => Promise<Result>,
): Promise<Result | { tooMuch: string }> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BudgetExceeded) return { tooMuch: TOO_MUCH };
    throw error;
  }
}
