import type { SeriesRow } from './series.ts';

/**
 * The people whose words may be in the content of a series, which they can't approve. `edited_by` has their Slack ids, with
 * spaces between them, in the order of their edits. The last one is that of the last edit, so that its undo removes it.
 */

/** Adds an editor to `edited_by`. */
export function addEditor({ edited_by: earlier }: Pick<SeriesRow, 'edited_by'>, actor: string): string {
  return [...new Set(earlier.split(' ')), actor].join(' ');
}

/** Removes the editor of an edit that is undone from `edited_by`. */
export function removeLastEditor({ edited_by: editors }: Pick<SeriesRow, 'edited_by'>): string {
  return editors.split(' ').slice(0, -1).join(' ') || editors;
}

/** Lists the editors who aren't the author. */
export function listEditors({
  author,
  edited_by: editors,
}: Pick<SeriesRow, 'author' | 'edited_by'>): string[] {
  return [...new Set(editors.split(' '))].filter((editor) => editor !== author);
}

/**
 * The Slack id of the person who wrote what the posts get; '' for Upnext, if nobody has edited the series since its last
 * undo. Whoever undoes an edit or resumes the series writes nothing.
 */
export function getLastEditor({
  previous,
  edited_by: editors,
}: Pick<SeriesRow, 'previous' | 'edited_by'>): string {
  return (previous === null ? undefined : editors.split(' ').at(-1)) ?? '';
}
