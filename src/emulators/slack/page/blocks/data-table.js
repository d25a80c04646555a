import { useState } from 'preact/hooks';
import { html } from '../html.js';
import { readRichText } from '../rich-text-string.js';
import { Cell } from './table.js';

/**
 * @import { DataTableBlock } from '@slack/types'
 * @import { CellContent } from './table.js'
 * @typedef {{ column: number, down: boolean }} Order
 */

/** Slack's default. */
const PAGE_SIZE = 5;

/**
 * A table with sortable rows, shown page by page.
 * @param {{ block: DataTableBlock }} props
 */
export function DataTable({ block }) {
  const [order, setOrder] = useState(/** @type {Order | undefined} */ (undefined));
  const [page, setPage] = useState(0);
  const [head = [], ...rows] = block.rows;
  const size = block.page_size ?? PAGE_SIZE;
  const pages = Math.max(1, Math.ceil(rows.length / size));
  const at = Math.min(page, pages - 1);
  const shown = sortRows(rows, order).slice(at * size, (at + 1) * size);
  const rowHead = block.row_header_column_index ?? 0;
  return html`<div class="data-table">
    <div class="table-frame" tabindex="0" role="group" aria-label=${block.caption}>
      <table class="table">
        <caption>${block.caption}</caption>
        <thead>
          <tr>${head.map((cell, column) => html`<${ColumnHead} key=${column} cell=${cell} column=${column} order=${order} onOrder=${setOrder} />`)}</tr>
        </thead>
        <tbody>
          ${shown.map(
            (row, index) => html`<tr key=${index}>
              ${row.map((cell, column) =>
                column === rowHead
                  ? html`<th key=${column} scope="row" class="cell-left"><${Cell} of=${cell} /></th>`
                  : html`<td key=${column} class=${cell.type === 'raw_number' ? 'cell-right' : 'cell-left'}><${Cell} of=${cell} /></td>`,
              )}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${pages > 1 ? html`<${Pages} at=${at} pages=${pages} onPage=${setPage} caption=${block.caption} />` : null}
  </div>`;
}

/** @param {{ cell: CellContent, column: number, order: Order | undefined, onOrder: (order: Order) => void }} props */
function ColumnHead({ cell, column, order, onOrder }) {
  const mine = order?.column === column ? order : undefined;
  const sort = mine === undefined ? 'none' : mine.down ? 'descending' : 'ascending';
  return html`<th scope="col" aria-sort=${sort}>
    <button type="button" class="sort" onClick=${() => onOrder({ column, down: mine?.down === false })}>
      <${Cell} of=${cell} /><span class="sort-sign" aria-hidden="true">${mine === undefined ? '↕' : mine.down ? '↓' : '↑'}</span>
    </button>
  </th>`;
}

/** @param {{ at: number, pages: number, caption: string, onPage: (page: number) => void }} props */
function Pages({ at, pages, caption, onPage }) {
  return html`<div class="pages" role="group" aria-label=${`Pages of ${caption}`}>
    <button type="button" class="button" disabled=${at === 0} onClick=${() => onPage(at - 1)}>Previous</button>
    <span role="status">Page ${at + 1} of ${pages}</span>
    <button type="button" class="button" disabled=${at === pages - 1} onClick=${() => onPage(at + 1)}>Next</button>
  </div>`;
}

/**
 * @param {readonly (readonly CellContent[])[]} rows
 * @param {Order | undefined} order
 */
function sortRows(rows, order) {
  if (order === undefined) return rows;
  const sign = order.down ? -1 : 1;
  return rows.toSorted((a, b) => sign * compareCells(a[order.column], b[order.column]));
}

/**
 * @param {CellContent | undefined} a
 * @param {CellContent | undefined} b
 */
function compareCells(a, b) {
  if (a?.type === 'raw_number' && b?.type === 'raw_number') return a.value - b.value;
  return readCell(a).localeCompare(readCell(b), undefined, { numeric: true });
}

/** @param {CellContent | undefined} cell */
const readCell = (cell) => (cell?.type === 'rich_text' ? readRichText(cell) : (cell?.text ?? ''));
