import type { DataTableBlock, TableBlock } from '@slack/types';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { html } from '../html.ts';
import { readRichText } from '../rich-text-string.ts';
import { RichText } from './rich-text.ts';

type Order = { column: number; isDescending: boolean };

/** Slack's default of `page_size`. */
const PAGE_SIZE = 5;

/** A table with sortable columns and several pages. */
export function DataTable({ block }: { block: DataTableBlock }) {
  const [order, setOrder] = useState<Order | undefined>(undefined);
  const [page, setPage] = useState(0);
  const [head = [], ...rows] = block.rows;
  const size = block.page_size ?? PAGE_SIZE;
  const pageCount = Math.max(1, Math.ceil(rows.length / size));
  const currentPage = Math.min(page, pageCount - 1);
  const shown = sortRows(rows, order).slice(currentPage * size, (currentPage + 1) * size);
  const rowHead = block.row_header_column_index ?? 0;
  return html`<div class="data-table">
    <${TableFrame}
      caption=${block.caption}
      head=${head.map((cell, column) => html`<${ColumnHead} key=${column} cell=${cell} column=${column} order=${order} onOrder=${setOrder} />`)}
      rows=${shown.map((row) =>
        row.map((cell, column) =>
          column === rowHead
            ? html`<th key=${column} scope="row"><${Cell} of=${cell} /></th>`
            : html`<td key=${column} class=${cell.type === 'raw_number' ? 'cell-right' : ''}><${Cell} of=${cell} /></td>`,
        ),
      )}
    />
    ${pageCount > 1 ? html`<${Pages} page=${currentPage} pageCount=${pageCount} onPage=${setPage} caption=${block.caption} />` : null}
  </div>`;
}

interface ColumnHeadProps {
  cell: CellContent;
  column: number;
  order: Order | undefined;
  onOrder: (order: Order) => void;
}

function ColumnHead({ cell, column, order, onOrder }: ColumnHeadProps) {
  const columnOrder = order?.column === column ? order : undefined;
  const sort = columnOrder === undefined ? 'none' : columnOrder.isDescending ? 'descending' : 'ascending';
  return html`<th scope="col" aria-sort=${sort}>
    <button type="button" class="row" onClick=${() => onOrder({ column, isDescending: columnOrder?.isDescending === false })}>
      <${Cell} of=${cell} /><span class="quiet" aria-hidden="true">${columnOrder === undefined ? '↕' : columnOrder.isDescending ? '↓' : '↑'}</span>
    </button>
  </th>`;
}

interface PagesProps {
  page: number;
  pageCount: number;
  caption: string;
  onPage: (page: number) => void;
}

function Pages({ page, pageCount, caption, onPage }: PagesProps) {
  return html`<div class="pages row quiet" role="group" aria-label=${`Pages of ${caption}`}>
    <button type="button" class="button" disabled=${page === 0} onClick=${() => onPage(page - 1)}>Previous</button>
    <span role="status">Page ${page + 1} of ${pageCount}</span>
    <button type="button" class="button" disabled=${page === pageCount - 1} onClick=${() => onPage(page + 1)}>Next</button>
  </div>`;
}

function sortRows(rows: readonly (readonly CellContent[])[], order: Order | undefined) {
  if (order === undefined) return rows;
  const sign = order.isDescending ? -1 : 1;
  return rows.toSorted((a, b) => sign * compareCells(a[order.column], b[order.column]));
}

function compareCells(a: CellContent | undefined, b: CellContent | undefined) {
  if (a?.type === 'raw_number' && b?.type === 'raw_number') return a.value - b.value;
  return readCell(a).localeCompare(readCell(b), undefined, { numeric: true });
}

const readCell = (cell: CellContent | undefined) =>
  cell?.type === 'rich_text' ? readRichText(cell) : (cell?.text ?? '');

type CellContent = TableBlock['rows'][number][number];

/** A table. As in Slack, its first row is the head. */
export function Table({ block }: { block: TableBlock }) {
  const [head = [], ...rows] = block.rows;
  const settings = block.column_settings ?? [];
  const getClass = (column: number) => {
    const { align = 'left', is_wrapped: isWrapped } = settings[column] ?? {};
    return `${align === 'left' ? '' : `cell-${align}`} ${isWrapped ? 'cell-wrapped' : ''}`;
  };
  return html`<${TableFrame}
    head=${head.map((cell, column) => html`<th key=${column} scope="col" class=${getClass(column)}><${Cell} of=${cell} /></th>`)}
    rows=${rows.map((row) => row.map((cell, column) => html`<td key=${column} class=${getClass(column)}><${Cell} of=${cell} /></td>`))}
  />`;
}

interface TableFrameProps {
  caption?: string;
  head: ComponentChildren;
  /** The cells of each row. */
  rows: readonly ComponentChildren[];
}

/** A table that scrolls sideways. */
export function TableFrame({ caption, head, rows }: TableFrameProps) {
  return html`<div class="table-frame" tabindex="0" role="group" aria-label=${caption ?? 'Table'}>
    <table class="table">
      ${caption === undefined ? null : html`<caption>${caption}</caption>`}
      <thead><tr>${head}</tr></thead>
      <tbody>${rows.map((cells, index) => html`<tr key=${index}>${cells}</tr>`)}</tbody>
    </table>
  </div>`;
}

function Cell({ of }: { of: CellContent }) {
  return of.type === 'rich_text' ? html`<${RichText} block=${of} />` : of.text;
}
