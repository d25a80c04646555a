import type { Budget } from '../budget.ts';
import { findPageSite, MEDIA_EXTENSIONS } from '../posts/media-reference.ts';
import { removeFormulaMark } from '../slack/csv.ts';

/** What single cells of a table say. */

export interface Column {
  index: number;
  /** As the file has it. */
  name: string;
}

/**
 * What a cell is for whose value isn't in the post, so that the row to correct has it. `flag`: whether the post goes to
 * a platform. `media`, `link`: words instead of a link. `surplus`: nothing, because it's to the right of the last column.
 */
export const PROBLEM_PARTS = ['status', 'platforms', 'flag', 'media', 'link', 'surplus'] as const;

/** Something about a row that has to change. All texts are plain. */
export interface RowProblem {
  column: string;
  value: string;
  /** What was understood, and what to do. */
  problem: string;
  part?: (typeof PROBLEM_PARTS)[number] | undefined;
}

/** Reads a cell as people wrote it. '' without the column. */
export function readCell({ cells }: { cells: readonly string[] }, column: Column | undefined): string {
  return column ? removeFormulaMark(cells[column.index] ?? '') : '';
}

/** Removes what Airtable exports behind the name of a file: a link that ends after two hours. */
export const removeAttachmentLink = (cell: string) =>
  cell.replace(/ \(https:\/\/[\w-]+\.airtableusercontent\.com\/[^\s()]+\)/gi, '');

/** What planners write into a cell that says nothing: it must not go out. */
const NOTHING = /^\s*(?:[-–—]+|n\/a|n\.a\.|k\.\s?a\.)\s*$/i;

/** Reads a cell that a row may leave empty. */
export function readOptionalCell(row: { cells: readonly string[] }, column: Column | undefined): string {
  return readCell(row, column).replace(NOTHING, '');
}

/** Reads a cell that becomes a text of a post. A vertical tab is the line break of a paragraph in Office. */
export function readTextCell(row: { cells: readonly string[] }, column: Column | undefined): string {
  return readOptionalCell(row, column).replaceAll(/\r\n?|\v/g, '\n');
}

export const LINK = /^https?:\/\//i;
const ENDING = `\\.(?:${MEDIA_EXTENSIONS.join('|')})`;
const FILE_NAME = new RegExp(`${ENDING}$`, 'i');
/** A link that may not lead to a picture, a video, or a file in Slack. */
export const PAGE_LINK = new RegExp(
  `^https?://(?![^?#]*${ENDING}(?:[?#]|$)|[^/]*slack(?:-files)?\\.com/)`,
  'i',
);

/** Whether a cell is the name of a file, or a link to one, also to a page of Google Drive, which people can correct. */
export const namesMedia = (cell: string) =>
  FILE_NAME.test(cell) ||
  (LINK.test(cell) &&
    (!PAGE_LINK.test(cell) || /^(?:Google|Dropbox|OneDrive|iCloud)/.test(findPageSite(cell) ?? '')));

/** Whether cells are media, and not descriptions of them: one is a link, or half of them are the names of files. */
export function holdsMedia(cells: readonly string[]): boolean {
  const filled = cells.map((cell) => cell.replace(NOTHING, '')).filter((cell) => cell !== '');
  const names = filled.filter((cell) => FILE_NAME.test(cell));
  return filled.some((cell) => LINK.test(cell)) || names.length >= filled.length / 2;
}

/** The longest name of a file, or link to one, in UTF-16 units. */
const MAX_MEDIA_LENGTH = 4_096;

/** Reads the cells of a column that may have the names of files, or links to them. */
export async function readMediaNames(rows: readonly (readonly string[])[], index: number, budget: Budget) {
  const cells: string[] = [];
  for (const row of rows) {
    budget.spend();
    await budget.giveWay();
    cells.push(removeAttachmentLink((row[index] ?? '').slice(0, MAX_MEDIA_LENGTH)).trim());
  }
  return cells;
}
