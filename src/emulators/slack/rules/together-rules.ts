import { isRecord, type Json, recordIn, stringIn } from '../json.ts';
import { chartCountProblems } from './chart-rules.ts';
import { placedBlocks } from './placed-blocks.ts';
import { type Problem, repeated, wanted } from './problem.ts';
import type { Source } from './rule.ts';
import { SLACK_LIMITS } from './slack-limits.ts';

type Surface = 'message' | 'modal' | 'home';

/** The length of every `text` inside a value. */
function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + textLength(item), 0);
  if (!isRecord(value)) return 0;
  return (stringIn(value, 'text')?.length ?? 0) + textLength(value.elements);
}

const MESSAGES_ONLY = new Set([
  'context_actions',
  'data_table',
  'data_visualization',
  'markdown',
  'plan',
  'table',
  'task_card',
]);

/** Rules about all blocks of one message or view together. */
export const TOGETHER_RULES: readonly {
  name: string;
  source: Source;
  check: (blocks: readonly Json[], pointer: string, surface: Surface) => Problem[];
}[] = [
  {
    name: 'block_ids differ',
    source: 'T P',
    check: (blocks, pointer) => {
      const all = placedBlocks(blocks, pointer);
      return repeated(
        all.map(({ block }) => block),
        'block_id',
        (index) => `${all[index]?.at}/block_id`,
      );
    },
  },
  {
    name: 'markdown blocks have 12,000 characters in all',
    source: 'T P',
    check: (blocks, pointer) => {
      const markdown = blocks.filter((block) => block.type === 'markdown');
      const length = markdown.reduce((sum, block) => sum + (stringIn(block, 'text')?.length ?? 0), 0);
      const most = SLACK_LIMITS.markdownText.is;
      const broken = markdown.length > 1 && length > most;
      return wanted(broken, `must be less than ${most + 1} characters`, pointer);
    },
  },
  {
    name: 'a message has at most one table',
    source: 'D I',
    check: (blocks, pointer) =>
      blocks
        .flatMap((block, index) => (block.type === 'table' ? [index] : []))
        .slice(1)
        // The words of this one are not documented.
        .flatMap((index) => wanted(true, 'only one table is allowed', `${pointer}/${index}`)),
  },
  { name: 'a message has at most two charts', source: 'D', check: chartCountProblems },
  {
    name: 'the cells of a table have 10,000 characters in all',
    source: 'I',
    check: (blocks, pointer) =>
      blocks.flatMap((block, index) => {
        const most = SLACK_LIMITS.tableText.is;
        const cells = block.type === 'table' && Array.isArray(block.rows) ? block.rows.flat() : [];
        const broken = cells.length > 1 && textLength(cells) > most;
        return wanted(broken, `must be less than ${most + 1} characters`, `${pointer}/${index}/rows`);
      }),
  },
  {
    name: 'some blocks are allowed only in messages',
    source: 'D',
    check: (blocks, pointer, surface) =>
      blocks.flatMap((block, index) =>
        wanted(
          surface !== 'message' && MESSAGES_ONLY.has(String(block.type)),
          `unsupported type: ${block.type}`,
          `${pointer}/${index}/type`,
        ),
      ),
  },
  {
    name: 'a file input is allowed only in a modal',
    source: 'T',
    check: (blocks, pointer, surface) =>
      placedBlocks(blocks, pointer).flatMap(({ block, at }) =>
        wanted(
          surface !== 'modal' && recordIn(block, 'element')?.type === 'file_input',
          'unsupported type: file_input',
          `${at}/element/type`,
        ),
      ),
  },
];
