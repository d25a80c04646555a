import { locateBlocks } from '../blocks/list-elements.ts';
import { getRecord, getString, isRecord, type Json } from '../json.ts';
import type { Source } from './field-rule.ts';
import { findDuplicates, type Problem, reportIf } from './problem.ts';
import { SLACK_LIMITS } from './slack-limits.ts';

type Surface = 'message' | 'modal' | 'home';

const MESSAGE_ONLY_TYPES = new Set([
  'context_actions',
  'data_table',
  'markdown',
  'plan',
  'table',
  'task_card',
]);

/** Rules about all blocks of a message or view. */
export const BLOCK_LIST_RULES: readonly {
  name: string;
  source: Source;
  check: (blocks: readonly Json[], pointer: string, surface: Surface) => Problem[];
}[] = [
  {
    name: 'block_ids differ',
    source: 'T P',
    check: (blocks, pointer) => {
      const located = locateBlocks(blocks, pointer);
      return findDuplicates(
        located.map(({ block }) => block),
        'block_id',
        (index) => `${located[index]?.pointer}/block_id`,
      );
    },
  },
  {
    name: 'markdown blocks have at most 12,000 characters together',
    source: 'T P',
    check: (blocks, pointer) => {
      const markdown = blocks.filter((block) => block.type === 'markdown');
      const length = markdown.reduce((sum, block) => sum + (getString(block, 'text')?.length ?? 0), 0);
      const max = SLACK_LIMITS.markdownTextLength.value;
      const isBroken = markdown.length > 1 && length > max;
      return reportIf(isBroken, `must be less than ${max + 1} characters`, pointer);
    },
  },
  {
    name: 'a message has at most one table',
    source: 'D I',
    check: (blocks, pointer) =>
      blocks
        .flatMap((block, index) => (block.type === 'table' ? [index] : []))
        .slice(1)
        // The text of this error isn't documented.
        .flatMap((index) => reportIf(true, 'only one table is allowed', `${pointer}/${index}`)),
  },
  {
    name: 'the cells of a table have at most 10,000 characters together',
    source: 'I',
    check: (blocks, pointer) =>
      blocks.flatMap((block, index) => {
        const max = SLACK_LIMITS.tableTextLength.value;
        const cells = block.type === 'table' && Array.isArray(block.rows) ? block.rows.flat() : [];
        const isBroken = cells.length > 1 && countTextCharacters(cells) > max;
        return reportIf(isBroken, `must be less than ${max + 1} characters`, `${pointer}/${index}/rows`);
      }),
  },
  {
    name: 'some blocks are allowed only in messages',
    source: 'D',
    check: (blocks, pointer, surface) =>
      blocks.flatMap((block, index) =>
        reportIf(
          surface !== 'message' && MESSAGE_ONLY_TYPES.has(String(block.type)),
          `unsupported type: ${block.type}`,
          `${pointer}/${index}/type`,
        ),
      ),
  },
  {
    name: 'a file input is allowed only in a modal',
    source: 'T',
    check: (blocks, pointer, surface) =>
      locateBlocks(blocks, pointer).flatMap(({ block, pointer: blockPointer }) =>
        reportIf(
          surface !== 'modal' && getRecord(block, 'element')?.type === 'file_input',
          'unsupported type: file_input',
          `${blockPointer}/element/type`,
        ),
      ),
  },
];

/**
 * The length of all texts in blocks or table cells together. Markdown blocks aren't counted, because they have a limit
 * of their own.
 */
export function countTextCharacters(value: unknown): number {
  if (Array.isArray(value)) {
    return value.reduce<number>((sum, entry) => sum + countTextCharacters(entry), 0);
  }
  if (!isRecord(value) || value.type === 'markdown') return 0;
  return Object.entries(value).reduce(
    (sum, [key, inner]) =>
      sum + (key === 'text' && typeof inner === 'string' ? inner.length : countTextCharacters(inner)),
    0,
  );
}
