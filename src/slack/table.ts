import type { KnownBlock, RichTextBlock, RichTextSection, TableBlock } from '@slack/types';
import { clip } from '../words.ts';
import { unescapeText } from './blocks.ts';

/** Maximum length of a cell. All cells of a table have at most 10,000 characters, as far as developers report. */
const MAX_CELL_LENGTH = 800;

/**
 * Builds a table of two columns, whose first row is its head. Slack allows tables only in messages, one in each, with at
 * most 100 rows: https://docs.slack.dev/reference/block-kit/blocks/table-block/
 *
 * Cells are mrkdwn, in which only `code` and an emoji code at the beginning are formatted. A cell can't be empty.
 */
export function buildTable(rows: readonly (readonly [string, string])[]): TableBlock {
  return {
    type: 'table',
    column_settings: [{}, { is_wrapped: true }],
    rows: rows.map((cells) => cells.map(buildCell)),
  };
}

/** Slack has refused tables with plain text in their cells (https://github.com/soxtoby/SlackNet/issues/246). */
function buildCell(mrkdwn: string): RichTextBlock {
  const [, emoji, text = ''] = /^(?::([\w+-]+): )?(.*)$/su.exec(clip(mrkdwn, MAX_CELL_LENGTH)) ?? [];
  const parts = text.split(/`([^`]*)`/).map((part, index) => ({ part, isCode: index % 2 === 1 }));
  return {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_section',
        elements: [
          ...(emoji === undefined
            ? []
            : [{ type: 'emoji', name: emoji } as const, { type: 'text', text: ' ' } as const]),
          ...parts.flatMap(({ part, isCode }) =>
            part === ''
              ? []
              : [
                  {
                    type: 'text',
                    text: unescapeText(part),
                    ...(isCode && { style: { code: true } }),
                  } as const,
                ],
          ),
        ],
      },
    ],
  };
}

/** Converts the tables in blocks for a view, which can't contain tables. */
export function replaceTables(blocks: readonly KnownBlock[]): KnownBlock[] {
  return blocks.map((block) => (block.type === 'table' ? toRichText(block) : block));
}

/** Converts a table to text. Each row below the head becomes a line. */
function toRichText({ rows: [, ...rows] }: TableBlock): RichTextBlock {
  const elements = rows.flatMap(([first, ...others]): RichTextSection['elements'] => [
    ...listElements(first).map((element) =>
      element.type === 'text' ? { ...element, style: { bold: true } } : element,
    ),
    ...others.flatMap((cell) => [{ type: 'text', text: '  ' } as const, ...listElements(cell)]),
    { type: 'text', text: '\n' },
  ]);
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] };
}

function listElements(cell: TableBlock['rows'][number][number] | undefined): RichTextSection['elements'] {
  if (cell?.type !== 'rich_text') return cell ? [{ type: 'text', text: cell.text }] : [];
  return cell.elements.flatMap((part) => (part.type === 'rich_text_section' ? part.elements : []));
}
