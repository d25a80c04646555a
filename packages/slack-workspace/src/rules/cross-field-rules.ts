import { addIds } from '../blocks/add-ids.ts';
import { listElements, listOptions, locateBlocks } from '../blocks/element-values.ts';
import { getRecord, getRecords, getString, getText, isRecord, type Json } from '../json.ts';
import { makeWordSet } from '../words.ts';
import { findDuplicates, type Problem, reportIf, type Source } from './field-rule.ts';
import { SLACK_LIMITS } from './slack-limits.ts';

type ObjectCheck = (object: Json, pointer: string) => Problem[];
type Surface = 'message' | 'modal' | 'home';
type ListCheck = (blocks: readonly Json[], pointer: string, surface: Surface) => Problem[];

const objectRule = (name: string, kinds: readonly string[], source: Source, check: ObjectCheck) => ({
  name,
  kinds,
  source,
  check,
});

const listRule = (name: string, source: Source, check: ListCheck) => ({ name, source, check });

const STATIC_SELECTS = ['static_select', 'multi_static_select'];

const hasFileInput = (block: Json): boolean => getRecord(block, 'element')?.type === 'file_input';

/** The object needs one of these fields. Slack's error names the first. */
const requireAny =
  (...fields: string[]): ObjectCheck =>
  (object, pointer) =>
    reportIf(!fields.some((field) => field in object), `missing required field: ${fields[0]}`, pointer);

/** Slack compares the descriptions too (docs.slack.dev, "Select menu element": "exactly matches"). */
function isSameOption(one: Json, other: Json): boolean {
  const hasSame = (field: string) => getText(one, field) === getText(other, field);
  return one.value === other.value && hasSame('text') && hasSame('description');
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

export const CROSS_FIELD_RULES = [
  objectRule('a section has text or fields', ['section'], 'T P', requireAny('text', 'fields')),
  objectRule(
    'a static select has either options or option groups',
    STATIC_SELECTS,
    'T P',
    (element, pointer) => [
      ...requireAny('options', 'option_groups')(element, pointer),
      ...reportIf(
        'options' in element && 'option_groups' in element,
        'must provide only one of: options, option_groups',
        pointer,
      ),
    ],
  ),
  objectRule(
    'initial options are among the options',
    [...STATIC_SELECTS, 'checkboxes', 'radio_buttons'],
    'T P',
    checkInitialOptions,
  ),
  objectRule(
    'an image has either a URL or a Slack file',
    ['image', 'image_element'],
    'T P',
    (image, pointer) =>
      reportIf(
        'image_url' in image === 'slack_file' in image,
        'must provide exactly one of: image_url, slack_file',
        pointer,
      ),
  ),
  objectRule('action_ids differ within a block', ['actions', 'context_actions'], 'T P', (block, pointer) =>
    findDuplicates(
      getRecords(block, 'elements'),
      'action_id',
      (index) => `${pointer}/elements/${index}/action_id`,
    ),
  ),
  objectRule(
    'a minimum is not above its maximum',
    ['plain_text_input', 'number_input'],
    'T',
    (element, pointer) =>
      ['length', 'value'].flatMap((suffix) => {
        const [min, max] = [element[`min_${suffix}`], element[`max_${suffix}`]];
        const isBroken = min !== undefined && max !== undefined && Number(min) > Number(max);
        return reportIf(isBroken, `must be less than max_${suffix}`, `${pointer}/min_${suffix}`);
      }),
  ),
  objectRule('an input block with a file input does not dispatch actions', ['input'], 'T', (block, pointer) =>
    reportIf(
      block.dispatch_action === true && hasFileInput(block),
      'unsupported with file_input',
      `${pointer}/dispatch_action`,
    ),
  ),
  objectRule('a card has a picture, a title, a body or actions', ['card'], 'T', (card, pointer) => {
    const isEmpty = ['hero_image', 'title', 'body', 'actions'].every((field) => !(field in card));
    // The text of this error isn't documented.
    return reportIf(isEmpty, 'must provide at least one of: hero_image, title, actions, body', pointer);
  }),
  objectRule('a container has a title', ['container'], 'T', requireAny('title', 'rich_text_title')),
  objectRule('a modal with inputs has a submit button', ['modal'], 'I', (view, pointer) =>
    locateBlocks(getRecords(view, 'blocks'), `${pointer}/blocks`).flatMap((located) =>
      reportIf(
        located.block.type === 'input' && !('submit' in view),
        'must define `submit` to use an `input` block in modals',
        `${located.pointer}/input`,
      ),
    ),
  ),
  objectRule('at most one element has focus_on_load', ['modal', 'home'], 'D', (view, pointer) => {
    const focused = listElements(addIds(getRecords(view, 'blocks'))).filter(
      ({ element }) => element.focus_on_load === true,
    );
    // The text of this error isn't documented.
    return reportIf(focused.length > 1, 'only one element can have focus_on_load', `${pointer}/blocks`);
  }),
];

const MESSAGE_ONLY_TYPES = makeWordSet('context_actions data_table markdown plan table task_card');

/** Rules about all blocks of a message or view. */
export const BLOCK_LIST_RULES = [
  listRule('block_ids differ', 'T P', (blocks, pointer) => {
    const located = locateBlocks(blocks, pointer);
    return findDuplicates(
      located.map(({ block }) => block),
      'block_id',
      (index) => `${located[index]?.pointer}/block_id`,
    );
  }),
  listRule('markdown blocks have at most 12,000 characters together', 'T P', (blocks, pointer) => {
    const markdown = blocks.filter((block) => block.type === 'markdown');
    const length = markdown.reduce((sum, block) => sum + (getString(block, 'text')?.length ?? 0), 0);
    const max = SLACK_LIMITS.markdownTextLength.value;
    const isBroken = markdown.length > 1 && length > max;
    return reportIf(isBroken, `must be less than ${max + 1} characters`, pointer);
  }),
  listRule('a message has at most one table', 'D I', (blocks, pointer) => {
    const first = blocks.findIndex((block) => block.type === 'table');
    // The text of this error isn't documented.
    return blocks.flatMap((block, index) =>
      reportIf(block.type === 'table' && index > first, 'only one table is allowed', `${pointer}/${index}`),
    );
  }),
  listRule('the cells of a table have at most 10,000 characters together', 'I', (blocks, pointer) =>
    blocks.flatMap((block, index) => {
      const max = SLACK_LIMITS.tableTextLength.value;
      const cells = block.type === 'table' && Array.isArray(block.rows) ? block.rows.flat() : [];
      const isBroken = cells.length > 1 && countTextCharacters(cells) > max;
      return reportIf(isBroken, `must be less than ${max + 1} characters`, `${pointer}/${index}/rows`);
    }),
  ),
  listRule('some blocks are allowed only in messages', 'D', (blocks, pointer, surface) =>
    blocks.flatMap((block, index) =>
      reportIf(
        surface !== 'message' && MESSAGE_ONLY_TYPES.has(String(block.type)),
        `unsupported type: ${block.type}`,
        `${pointer}/${index}/type`,
      ),
    ),
  ),
  listRule('a file input is allowed only in a modal', 'T', (blocks, pointer, surface) =>
    locateBlocks(blocks, pointer).flatMap((located) =>
      reportIf(
        surface !== 'modal' && hasFileInput(located.block),
        'unsupported type: file_input',
        `${located.pointer}/element/type`,
      ),
    ),
  ),
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
