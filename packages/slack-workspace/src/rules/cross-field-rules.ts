import { addIds } from '../blocks/add-ids.ts';
import { listElements, locateBlocks } from '../blocks/element-values.ts';
import { getRecord, getRecords, getString, isRecord, type Json } from '../json.ts';
import { findDuplicates, type Problem, reportIf, type Source } from './field-rule.ts';
import { SLACK_LIMITS } from './slack-limits.ts';

interface CrossFieldRule {
  name: string;
  kinds: readonly string[];
  source: Source;
  check: (object: Json, pointer: string) => Problem[];
}

const STATIC_SELECTS = ['static_select', 'multi_static_select'];

function listOptions(element: Json): Json[] {
  const groups = getRecords(element, 'option_groups').flatMap((group) => getRecords(group, 'options'));
  return [...getRecords(element, 'options'), ...groups];
}

function isSameOption(one: Json, other: Json): boolean {
  return one.value === other.value && getRecord(one, 'text')?.text === getRecord(other, 'text')?.text;
}

function checkInitialOptions(element: Json, pointer: string): Problem[] {
  const single = getRecord(element, 'initial_option');
  const initialOptions = single ? [single] : getRecords(element, 'initial_options');
  const options = listOptions(element);
  const isUnknown = initialOptions.some(
    (initial) => !options.some((option) => isSameOption(option, initial)),
  );
  // The text of this error isn't documented.
  return reportIf(
    isUnknown,
    'must be one of the provided options',
    `${pointer}/${single ? 'initial_option' : 'initial_options'}`,
  );
}

export const CROSS_FIELD_RULES: readonly CrossFieldRule[] = [
  {
    name: 'a section has text or fields',
    kinds: ['section'],
    source: 'T P',
    check: (section, pointer) =>
      reportIf(!('text' in section) && !('fields' in section), 'missing required field: text', pointer),
  },
  {
    name: 'a static select has either options or option groups',
    kinds: STATIC_SELECTS,
    source: 'T P',
    check: (element, pointer) => [
      ...reportIf(
        !('options' in element) && !('option_groups' in element),
        'missing required field: options',
        pointer,
      ),
      ...reportIf(
        'options' in element && 'option_groups' in element,
        'must provide only one of: options, option_groups',
        pointer,
      ),
    ],
  },
  {
    name: 'initial options are among the options',
    kinds: [...STATIC_SELECTS, 'checkboxes', 'radio_buttons'],
    source: 'T P',
    check: checkInitialOptions,
  },
  {
    name: 'an image has either a URL or a Slack file',
    kinds: ['image', 'image_element'],
    source: 'T P',
    check: (image, pointer) =>
      reportIf(
        'image_url' in image === 'slack_file' in image,
        'must provide exactly one of: image_url, slack_file',
        pointer,
      ),
  },
  {
    name: 'action_ids differ within a block',
    kinds: ['actions', 'context_actions'],
    source: 'T P',
    check: (block, pointer) =>
      findDuplicates(
        getRecords(block, 'elements'),
        'action_id',
        (index) => `${pointer}/elements/${index}/action_id`,
      ),
  },
  {
    name: 'a minimum is not above its maximum',
    kinds: ['plain_text_input', 'number_input'],
    source: 'T',
    check: (element, pointer) =>
      ['length', 'value'].flatMap((suffix) => {
        const [min, max] = [element[`min_${suffix}`], element[`max_${suffix}`]];
        const isBroken = min !== undefined && max !== undefined && Number(min) > Number(max);
        return reportIf(isBroken, `must be less than max_${suffix}`, `${pointer}/min_${suffix}`);
      }),
  },
  {
    name: 'an input block with a file input does not dispatch actions',
    kinds: ['input'],
    source: 'T',
    check: (block, pointer) =>
      reportIf(
        block.dispatch_action === true && getRecord(block, 'element')?.type === 'file_input',
        'unsupported with file_input',
        `${pointer}/dispatch_action`,
      ),
  },
  {
    name: 'a card has a picture, a title, a body or actions',
    kinds: ['card'],
    source: 'T',
    check: (card, pointer) => {
      const isEmpty = ['hero_image', 'title', 'body', 'actions'].every((field) => !(field in card));
      // The text of this error isn't documented.
      return reportIf(isEmpty, 'must provide at least one of: hero_image, title, actions, body', pointer);
    },
  },
  {
    name: 'a container has a title',
    kinds: ['container'],
    source: 'T',
    check: (block, pointer) =>
      reportIf(
        !('title' in block) && !('rich_text_title' in block),
        'missing required field: title',
        pointer,
      ),
  },
  {
    name: 'a modal with inputs has a submit button',
    kinds: ['modal'],
    source: 'I',
    check: (view, pointer) =>
      'submit' in view
        ? []
        : locateBlocks(getRecords(view, 'blocks'), `${pointer}/blocks`).flatMap(
            ({ block, pointer: blockPointer }) =>
              reportIf(
                block.type === 'input',
                'must define `submit` to use an `input` block in modals',
                `${blockPointer}/input`,
              ),
          ),
  },
  {
    name: 'at most one element has focus_on_load',
    kinds: ['modal', 'home'],
    source: 'D',
    check: (view, pointer) => {
      const focused = listElements(addIds(getRecords(view, 'blocks'))).filter(
        ({ element }) => element.focus_on_load === true,
      );
      // The text of this error isn't documented.
      return reportIf(focused.length > 1, 'only one element can have focus_on_load', `${pointer}/blocks`);
    },
  },
];

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

/** The length of all texts. Markdown blocks aren't counted, because they have a limit of their own. */
export function countTextCharacters(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, entry) => sum + countTextCharacters(entry), 0);
  if (!isRecord(value) || value.type === 'markdown') return 0;
  return Object.entries(value).reduce(
    (sum, [key, inner]) =>
      sum + (key === 'text' && typeof inner === 'string' ? inner.length : countTextCharacters(inner)),
    0,
  );
}
