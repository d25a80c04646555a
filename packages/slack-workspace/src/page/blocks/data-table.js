import { useState } from 'preact/hooks';
import { html } from '../html.js';
import { readRichText } from '../rich-text-string.js';
import { Cell } from './table.js';

/**
 * @import { DataTableBlock } from '@slack/types'
 * @import { CellContent } from './table.js'
 * @typedef {{ column: number, isDescending: boolean }} Order
 */

/** Slack's default of `page_size`. */
const PAGE_SIZE = 5;

/**
 * A table with sortable columns and several pages.
 * @param {{ block: DataTableBlock }} props
 */
export function DataTable({ block }) {
  const [order, setOrder] = useState(/** @type {Order | undefined} */ (undefined));
  const [page, setPage] = useState(0);
  const [head = [], ...rows] = block.rows;
  const size = block.page_size ?? PAGE_SIZE;
  const pageCount = Math.max(1, Math.ceil(rows.length / size));
  const currentPage = Math.min(page, pageCount - 1);
  const shown = sortRows(rows, order).slice(currentPage * size, (currentPage + 1) * size);
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
    ${pageCount > 1 ? html`<${Pages} page=${currentPage} pageCount=${pageCount} onPage=${setPage} caption=${block.caption} />` : null}
  </div>`;
}

/** @param {{ cell: CellContent, column: number, order: Order | undefined, onOrder: (order: Order) => void }} props */
function ColumnHead({ cell, column, order, onOrder }) {
  const columnOrder = order?.column === column ? order : undefined;
  const sort = columnOrder === undefined ? 'none' : columnOrder.isDescending ? 'descending' : 'ascending';
  return html`<th scope="col" aria-sort=${sort}>
    <button type="button" class="sort" onClick=${() => onOrder({ column, isDescending: columnOrder?.isDescending === false })}>
      <${Cell} of=${cell} /><span class="sort-icon" aria-hidden="true">${columnOrder === undefined ? '↕' : columnOrder.isDescending ? '↓' : '↑'}</span>
    </button>
  </th>`;
}

/** @param {{ page: number, pageCount: number, caption: string, onPage: (page: number) => void }} props */
function Pages({ page, pageCount, caption, onPage }) {
  return html`<div class="pages" role="group" aria-label=${`Pages of ${caption}`}>
    <button type="button" class="button" disabled=${page === 0} onClick=${() => onPage(page - 1)}>Previous</button>
    <span role="status">Page ${page + 1} of ${pageCount}</span>
    <button type="button" class="button" disabled=${page === pageCount - 1} onClick=${() => onPage(page + 1)}>Next</button>
  </div>`;
}

/**
 * @param {readonly (readonly CellContent[])[]} rows
 * @param {Order | undefined} order
 */
function sortRows(rows, order) {
  if (order === undefined) return rows;
  const sign = order.isDescending ? -1 : 1;
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
