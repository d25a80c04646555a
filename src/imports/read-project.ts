import { normalizeName } from '../slack/name.ts';
import { type Column, readOptionalCell } from './cells.ts';
import type { Columns } from './columns.ts';
import type { ImportSettings } from './import-settings.ts';
import type { TableRow } from './read-table.ts';

/** The longest name of a project that is looked for, in UTF-16 units. No project has a longer one. */
const MAX_PROJECT_LENGTH = 300;

/** Reads what the cells of a row say about its project. */
export function readProjectCells(
  row: Pick<TableRow, 'cells'>,
  projects: readonly Column[],
): { column: Column; name: string }[] {
  return projects.flatMap((column) => {
    const name = readProjectCell(row, column);
    return name === '' ? [] : [{ column, name }];
  });
}

export function readProjectCell({ cells }: Pick<TableRow, 'cells'>, { index, name }: Column): string {
  const cell = (cells[index] ?? '').slice(0, MAX_PROJECT_LENGTH);
  return readOptionalCell({ cells: [cell] }, { index: 0, name }).trim();
}

type RowProject =
  | { id: string; name: string; problem?: undefined; column?: undefined }
  | { id: ''; name: string; problem: string; column: Column | undefined };

/** Finds projects by their names and ids in any case. An exact id wins. None if nobody has the name. */
export function createProjectFinder(projects: readonly { id: string; name: string }[]) {
  // The settings may have a project that the list has too.
  const known = new Map(projects.map((project) => [project.id, project]));
  const named = Map.groupBy(
    [...known.values()].flatMap((project) =>
      [...new Set([project.name, project.id].map(normalizeName))].map((name) => ({ name, project })),
    ),
    ({ name }) => name,
  );
  return (name: string): readonly { id: string; name: string }[] => {
    const exact = known.get(name);
    return exact ? [exact] : (named.get(normalizeName(name)) ?? []).map(({ project }) => project);
  };
}

/** Reads the projects of rows. An unknown project has no id, and neither have cells that name different ones. */
export function createProjectReader({
  columns,
  settings,
  projects,
}: {
  columns: Columns;
  settings: ImportSettings;
  projects: readonly { id: string; name: string }[];
}): (row: TableRow) => RowProject {
  const find = createProjectFinder(projects);
  const [firstColumn] = columns.projects;
  const refuse = (column: Column | undefined, name: string, problem: string) =>
    ({ id: '', name, problem, column }) as const;
  return (row) => {
    const cells = readProjectCells(row, columns.projects);
    const [first] = cells;
    if (!first) {
      const accounts = columns.unclearAccounts.filter((column) => readProjectCell(row, column) !== '');
      if (accounts[0]) return refuse(accounts[0], readProjectCell(row, accounts[0]), SEVERAL_ACCOUNTS);
      return settings.project ?? refuse(firstColumn, '', 'There’s no project. Write its name.');
    }
    const read = cells.map((cell) => ({ ...cell, found: find(cell.name) }));
    const unknown = read.find(({ found }) => found.length !== 1);
    if (unknown) return refuse(unknown.column, unknown.name, unknown.found.length === 0 ? UNKNOWN : SEVERAL);
    const [project, ...others] = new Map(
      read.flatMap(({ found }) => found.map((each) => [each.id, each])),
    ).values();
    if (!project || others.length > 0)
      return refuse(first.column, cells.map(({ name }) => name).join(' / '), DIFFERENT);
    return project;
  };
}

const UNKNOWN = 'I don’t know this project, or you have no access to it. Write its exact name.';
const DIFFERENT = 'The row’s columns name different projects. Write one.';
const SEVERAL = 'Several projects have this name. Write the ID of one.';
const SEVERAL_ACCOUNTS =
  'The rows name several accounts of a platform. Write the project of each row in a column “Project”.';
