import type { Budget } from '../budget.ts';
import { normalizeName } from '../slack/name.ts';
import type { Column } from './cells.ts';
import { ROLES } from './column-names.ts';
import type { Columns } from './columns.ts';
import type { ImportSettings } from './import-settings.ts';
import { listAccounts, mentionsPlatform, namesPlatforms } from './read-platforms.ts';
import { createProjectFinder, readProjectCell } from './read-project.ts';
import { ANSWERS, readAnswer, YES } from './read-status.ts';
import type { TableRow } from './read-table.ts';

/** A column that may say where rows go: for which project they are, or to which platforms. */
export interface ColumnQuestion {
  column: Column;
  use: 'project' | 'platforms';
  /** What its cells have, each once. */
  values: readonly string[];
}

interface Table {
  rows: readonly TableRow[];
  columns: Columns;
  settings: ImportSettings;
  projects: readonly { id: string; name: string }[];
}

/**
 * Finds out what the columns are for that may say where rows go, by their cells and by what people have answered. Such a
 * column is never left out without a question. `question`: the first one without an answer.
 */
export async function placeColumns(
  table: Table,
  budget: Budget,
): Promise<{ columns: Columns; question?: ColumnQuestion }> {
  const { rows, settings } = table;
  budget.resume();
  const columns = await separateAccounts(table, budget);
  const find = createProjectFinder(table.projects);
  let { projects, platforms, elsewhere, unused } = columns;
  const rowsWithProject = new Set<number>();
  const addFilled = (cells: readonly string[]) => {
    for (const [index, cell] of cells.entries()) if (cell !== '') rowsWithProject.add(index);
  };
  for (const column of projects) addFilled(await readCells(rows, column, budget));
  const questions: ColumnQuestion[] = [];
  for (const column of [...columns.customers, ...columns.unknown]) {
    const isCustomer = columns.customers.includes(column);
    const answer = settings.columns?.[column.index];
    const cells = await readCells(rows, column, budget);
    const values = [...new Set(cells)].filter((cell) => cell !== '');
    const isEach = (test: (value: string) => boolean) => isTrueOfEach(values, test, budget);
    const areProjects = await isEach((value) => find(value).length > 0);
    const isNeeded = cells.some((cell, index) => cell !== '' && !rowsWithProject.has(index));
    if (answer === 'project' || (!answer && isCustomer && areProjects)) {
      projects = [...projects, column];
      addFilled(cells);
    } else if (answer === 'platforms') platforms = [...platforms, column];
    else if (answer === 'nothing') unused = [...unused, column.name];
    else if (isNeeded && (isCustomer || areProjects)) questions.push({ column, use: 'project', values });
    else if (isCustomer) unused = [...unused, column.name];
    else if (isBetween(column, columns.flags) && areMarks(rows, column)) elsewhere = [...elsewhere, column];
    else if (!values.every(isMark) && (await isEach(namesPlatforms)))
      questions.push({ column, use: 'platforms', values });
  }
  const [question] = questions;
  const used = new Set([...projects, ...platforms, ...elsewhere].map(({ name }) => name));
  unused = [...new Set(unused)].filter((name) => !used.has(name));
  return { columns: { ...columns, projects, platforms, elsewhere, unused }, ...(question && { question }) };
}

/** Whether there are values, and a test is true of each. */
async function isTrueOfEach(values: readonly string[], test: (value: string) => boolean, budget: Budget) {
  for (const value of values) {
    await budget.giveWay();
    if (!test(value)) return false;
  }
  return values.length > 0;
}

async function readCells(rows: readonly TableRow[], column: Column, budget: Budget): Promise<string[]> {
  const cells: string[] = [];
  for (const row of rows) {
    budget.spend();
    await budget.giveWay();
    cells.push(readProjectCell(row, column));
  }
  return cells;
}

/** Names of columns that may have the accounts of customers, and no platforms. */
const ACCOUNT_NAME =
  /account|profie?l|perfi|channel|kana|cana|konte?|conta|cuenta|compte|チャン|チャネル|アカウント/i;

/**
 * Tells the columns of platforms from those of accounts: beside the platforms, these may have only the names of customers,
 * and with them, several accounts of one platform.
 */
async function separateAccounts({ rows, columns }: Table, budget: Budget): Promise<Columns> {
  const [accounts, unclearAccounts]: [Column[], Column[]] = [[], []];
  for (const column of columns.platforms) {
    const values = [...new Set(await readCells(rows, column, budget))].filter((value) => value !== '');
    const isNoNetwork = (value: string) =>
      !mentionsPlatform(value) && ROLES.get(value.toLowerCase()) !== 'elsewhere';
    if (await hasSeveralAccounts(values, budget)) unclearAccounts.push(column);
    else if (ACCOUNT_NAME.test(column.name) && (await isTrueOfEach(values, isNoNetwork, budget)))
      accounts.push(column);
  }
  const platforms = columns.platforms.filter((column) => !accounts.includes(column));
  const hasOthers = platforms.length + columns.flags.length > 0;
  return {
    ...columns,
    unclearAccounts,
    ...(hasOthers && { platforms, customers: [...columns.customers, ...accounts] }),
  };
}

async function hasSeveralAccounts(values: readonly string[], budget: Budget): Promise<boolean> {
  const accounts = new Map<string, string>();
  for (const value of values) {
    await budget.giveWay();
    for (const { platform, account } of listAccounts(value)) {
      const name = normalizeName(account).replace(/^@/, '');
      if ((accounts.get(platform) ?? name) !== name) return true;
      accounts.set(platform, name);
    }
  }
  return false;
}

/** Whether a value may stand for a yes or a no, as “x” does. */
const isMark = (value: string) => ANSWERS.includes(value.toLowerCase());

const isBetween = ({ index }: Column, flags: readonly Column[]) =>
  flags.some((flag) => flag.index < index) && flags.some((flag) => flag.index > index);

/** Whether the cells of a column only say yes or no, like those of the platforms beside it. */
function areMarks(rows: readonly TableRow[], column: Column): boolean {
  const answers = new Set(rows.map((row) => readAnswer(row, column)));
  return [...answers].every((answer) => ANSWERS.includes(answer)) && YES.some((yes) => answers.has(yes));
}
