import type { TableBlock } from '@slack/types';
import { html } from '../html.ts';
import { RichText } from './rich-text.ts';

export type CellContent = TableBlock['rows'][number][number];

/** A table. As in Slack, its first row is the head. */
export function Table({ block }: { block: TableBlock }) {
  const [head = [], ...rows] = block.rows;
  const settings = block.column_settings ?? [];
  const getClass = (column: number) =>
    `cell-${settings[column]?.align ?? 'left'} ${settings[column]?.is_wrapped ? 'cell-wrapped' : ''}`;
  return html`<div class="table-frame" tabindex="0" role="group" aria-label="Table">
    <table class="table">
      <thead>
        <tr>${head.map((cell, column) => html`<th key=${column} scope="col" class=${getClass(column)}><${Cell} of=${cell} /></th>`)}</tr>
      </thead>
      <tbody>
        ${rows.map(
          (row, index) => html`<tr key=${index}>
            ${row.map((cell, column) => html`<td key=${column} class=${getClass(column)}><${Cell} of=${cell} /></td>`)}
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

export function Cell({ of }: { of: CellContent }) {
  return of.type === 'rich_text' ? html`<${RichText} block=${of} />` : of.text;
}
