import { html } from '../html.js';
import { RichText } from './rich-text.js';

/**
 * @import { TableBlock } from '@slack/types'
 * @typedef {TableBlock['rows'][number][number]} CellContent
 */

/**
 * A table. As in Slack, its first row is the head.
 * @param {{ block: TableBlock }} props
 */
export function Table({ block }) {
  const [head = [], ...rows] = block.rows;
  const settings = block.column_settings ?? [];
  /** @param {number} column */
  const getClass = (column) =>
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

/** @param {{ of: CellContent }} props */
export function Cell({ of }) {
  return of.type === 'rich_text' ? html`<${RichText} block=${of} />` : of.text;
}
