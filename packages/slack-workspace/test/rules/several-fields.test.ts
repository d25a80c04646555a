import { describe, expect, it } from 'vitest';
import { BLOCK_LIST_RULES, CROSS_FIELD_RULES } from '../../src/rules/cross-field-rules.ts';
import { findBlockProblems, findViewProblems } from '../../src/rules/find-problems.ts';

const createPlainText = (text: string) => ({ type: 'plain_text', text });
const createOption = (value: string) => ({ text: createPlainText(value), value });
const createButton = (action_id: string) => ({ type: 'button', text: createPlainText('Go'), action_id });
const createIconButton = (action_id: string) => ({
  type: 'icon_button',
  icon: 'trash',
  text: createPlainText('Go'),
  action_id,
});
const createActions = (...elements: object[]) => ({ type: 'actions', elements });
const createSelect = (fields: object) => createActions({ type: 'static_select', ...fields });
const createInput = (element: object, fields: object = {}) => ({
  type: 'input',
  label: createPlainText('L'),
  element,
  ...fields,
});
const described = { ...createOption('a'), description: createPlainText('the first') };
const group = { label: createPlainText('g'), options: [createOption('a')] };
const image = { type: 'image', alt_text: 'x' };
const imageAddress = { image_url: 'https://x.example/i.png' };
const createContainer = (...child_blocks: object[]) => ({
  type: 'container',
  title: createPlainText('T'),
  child_blocks,
});
const createDivider = (block_id: string) => ({ type: 'divider', block_id });
const withoutSubmit = (...blocks: object[]) => ({ type: 'modal', title: createPlainText('T'), blocks });
const createModal = (...blocks: object[]) => ({ ...withoutSubmit(...blocks), submit: createPlainText('Go') });
const createCheckboxes = (values: string[], initial: string) =>
  createActions({
    type: 'checkboxes',
    options: values.map(createOption),
    initial_options: [createOption(initial)],
  });
const focus = { type: 'plain_text_input', focus_on_load: true };
const createMarkdown = (length: number) => ({ type: 'markdown', text: 'x'.repeat(length) });
const createTable = (...texts: string[]) => ({
  type: 'table',
  rows: [texts.map((text) => ({ type: 'raw_text', text }))],
});

/** A valid and an invalid view or list of blocks, with the problem of the invalid one. */
interface Case {
  valid: object;
  invalid: object;
  message: string;
  pointer: string;
}

/** Each rule with valid and invalid views or lists of blocks. */
const CASES: Record<string, Case | Case[]> = {
  'a card has a picture, a title, a body or actions': {
    valid: [{ type: 'card', body: createPlainText('x') }],
    invalid: [{ type: 'card', subtitle: createPlainText('x') }],
    message: 'must provide at least one of: hero_image, title, actions, body',
    pointer: '/blocks/0',
  },
  'a section has text or fields': {
    valid: [{ type: 'section', fields: [createPlainText('x')] }],
    invalid: [{ type: 'section' }],
    message: 'missing required field: text',
    pointer: '/blocks/0',
  },
  'a static select has either options or option groups': [
    {
      valid: [createSelect({ option_groups: [group] })],
      invalid: [createSelect({})],
      message: 'missing required field: options',
      pointer: '/blocks/0/elements/0',
    },
    {
      valid: [createSelect({ options: [createOption('a')] })],
      invalid: [createSelect({ options: [createOption('a')], option_groups: [group] })],
      message: 'must provide only one of: options, option_groups',
      pointer: '/blocks/0/elements/0',
    },
  ],
  'initial options are among the options': [
    {
      valid: [createSelect({ option_groups: [group], initial_option: createOption('a') })],
      invalid: [createSelect({ option_groups: [group], initial_option: createOption('b') })],
      message: 'must be one of the provided options',
      pointer: '/blocks/0/elements/0/initial_option',
    },
    {
      valid: [createSelect({ options: [described], initial_option: described })],
      invalid: [createSelect({ options: [described], initial_option: createOption('a') })],
      message: 'must be one of the provided options',
      pointer: '/blocks/0/elements/0/initial_option',
    },
    {
      valid: [createCheckboxes(['a', 'b'], 'b')],
      invalid: [createCheckboxes(['a'], 'b')],
      message: 'must be one of the provided options',
      pointer: '/blocks/0/elements/0/initial_options',
    },
  ],
  'an image has either a URL or a Slack file': [
    {
      valid: [{ ...image, slack_file: { id: 'F1' } }],
      invalid: [image],
      message: 'must provide exactly one of: image_url, slack_file',
      pointer: '/blocks/0',
    },
    {
      valid: [{ ...image, ...imageAddress }],
      invalid: [{ ...image, ...imageAddress, slack_file: { id: 'F1' } }],
      message: 'must provide exactly one of: image_url, slack_file',
      pointer: '/blocks/0',
    },
  ],
  'action_ids differ within a block': [
    {
      valid: [createActions(createButton('a'), createButton('b')), createActions(createButton('a'))],
      invalid: [createActions(createButton('a'), createButton('a'))],
      message: '`action_id` "a" already exists',
      pointer: '/blocks/0/elements/1/action_id',
    },
    {
      valid: [{ type: 'context_actions', elements: [createIconButton('a'), createIconButton('b')] }],
      invalid: [{ type: 'context_actions', elements: [createIconButton('a'), createIconButton('a')] }],
      message: '`action_id` "a" already exists',
      pointer: '/blocks/0/elements/1/action_id',
    },
  ],
  'a minimum is not above its maximum': {
    valid: createModal(createInput({ type: 'plain_text_input', min_length: 5, max_length: 5 })),
    invalid: createModal(createInput({ type: 'plain_text_input', min_length: 6, max_length: 5 })),
    message: 'must be less than max_length',
    pointer: '/view/blocks/0/element/min_length',
  },
  'an input block with a file input does not dispatch actions': {
    valid: createModal(createInput({ type: 'file_input' })),
    invalid: createModal(createInput({ type: 'file_input' }, { dispatch_action: true })),
    message: 'unsupported with file_input',
    pointer: '/view/blocks/0/dispatch_action',
  },
  'a container has a title': {
    valid: [
      {
        type: 'container',
        rich_text_title: { type: 'rich_text', elements: [] },
        child_blocks: [{ type: 'divider' }],
      },
    ],
    invalid: [{ type: 'container', child_blocks: [{ type: 'divider' }] }],
    message: 'missing required field: title',
    pointer: '/blocks/0',
  },
  'a modal with inputs has a submit button': [
    {
      valid: withoutSubmit({ type: 'divider' }),
      invalid: withoutSubmit(createInput({ type: 'plain_text_input' })),
      message: 'must define `submit` to use an `input` block in modals',
      pointer: '/view/blocks/0/input',
    },
    {
      valid: createModal(createContainer(createInput({ type: 'plain_text_input' }))),
      invalid: withoutSubmit(createContainer(createInput({ type: 'plain_text_input' }))),
      message: 'must define `submit` to use an `input` block in modals',
      pointer: '/view/blocks/0/child_blocks/0/input',
    },
  ],
  'at most one element has focus_on_load': [
    {
      valid: createModal(createInput({ ...focus, action_id: 'a' })),
      invalid: createModal(
        createInput({ ...focus, action_id: 'a' }),
        createInput({ ...focus, action_id: 'b' }),
      ),
      message: 'only one element can have focus_on_load',
      pointer: '/view/blocks',
    },
    {
      valid: createModal(createInput(focus), createInput({ type: 'plain_text_input' })),
      invalid: createModal(createInput(focus), createInput(focus)),
      message: 'only one element can have focus_on_load',
      pointer: '/view/blocks',
    },
  ],
  'block_ids differ': [
    {
      valid: [createDivider('a'), createDivider('b'), { type: 'divider' }],
      invalid: [createDivider('a'), createDivider('a')],
      message: '`block_id` "a" already exists',
      pointer: '/blocks/1/block_id',
    },
    {
      valid: [createDivider('a'), createContainer(createDivider('b'))],
      invalid: [createDivider('a'), createContainer(createDivider('b'), createDivider('a'))],
      message: '`block_id` "a" already exists',
      pointer: '/blocks/1/child_blocks/1/block_id',
    },
  ],
  'markdown blocks have at most 12,000 characters together': {
    valid: [createMarkdown(6000), createMarkdown(6000)],
    invalid: [createMarkdown(6000), createMarkdown(6001)],
    message: 'must be less than 12001 characters',
    pointer: '/blocks',
  },
  'a message has at most one table': {
    valid: [createTable('x'), createDivider('a')],
    invalid: [createTable('x'), createDivider('a'), createTable('x')],
    message: 'only one table is allowed',
    pointer: '/blocks/2',
  },
  'the cells of a table have at most 10,000 characters together': {
    valid: [createTable('x'.repeat(5000), 'x'.repeat(5000))],
    invalid: [createTable('x'.repeat(5000), 'x'.repeat(5001))],
    message: 'must be less than 10001 characters',
    pointer: '/blocks/0/rows',
  },
  'some blocks are allowed only in messages': {
    valid: [createMarkdown(1)],
    invalid: createModal(createMarkdown(1)),
    message: 'unsupported type: markdown',
    pointer: '/view/blocks/0/type',
  },
  'a file input is allowed only in a modal': [
    {
      valid: createModal(createInput({ type: 'file_input' })),
      invalid: { type: 'home', blocks: [createInput({ type: 'file_input' })] },
      message: 'unsupported type: file_input',
      pointer: '/view/blocks/0/element/type',
    },
    {
      valid: createModal(createContainer(createInput({ type: 'file_input' }))),
      invalid: [createContainer(createInput({ type: 'file_input' }))],
      message: 'unsupported type: file_input',
      pointer: '/blocks/0/child_blocks/0/element/type',
    },
  ],
};

function findProblems(viewOrBlocks: object) {
  const problems = Array.isArray(viewOrBlocks)
    ? findBlockProblems(viewOrBlocks)
    : findViewProblems({ ...viewOrBlocks });
  return problems.map(({ message, pointer }) => ({ message, pointer }));
}

const CASE_LIST = Object.entries(CASES).flatMap(([name, cases]) =>
  [cases].flat().map((entry): [string, Case] => [name, entry]),
);

describe('a rule about several fields', () => {
  it.each(CASE_LIST)('%s', (_, { valid, invalid, message, pointer }) => {
    expect(findProblems(valid)).toEqual([]);
    expect(findProblems(invalid)).toEqual([{ message, pointer }]);
  });

  it('every rule has cases in this test', () => {
    const names = [...CROSS_FIELD_RULES, ...BLOCK_LIST_RULES].map((rule) => rule.name);
    expect(Object.keys(CASES).toSorted()).toEqual(names.toSorted());
  });
});

describe('a view', () => {
  it.each([
    [{ blocks: [] }, 'missing required field: type', '/view'],
    [{ type: 'wizard', blocks: [] }, 'must be a valid enum value', '/view/type'],
    [createModal({ type: 'fancy' }), 'unsupported type: fancy', '/view/blocks/0/type'],
    [createModal({ text: createPlainText('x') }), 'missing required field: type', '/view/blocks/0'],
    [
      createModal(createInput({ type: 'button', text: createPlainText('x') })),
      'unsupported type: button',
      '/view/blocks/0/element/type',
    ],
  ])('a view such as %j is refused', (view, message, pointer) => {
    expect(findProblems(view)).toEqual([{ message, pointer }]);
  });
});

describe('an element of a block', () => {
  it.each([
    [{ type: 'rich_text', elements: [5] }, 'must provide an object', '/blocks/0/elements/0'],
    [
      createActions({ type: 'multi_static_select', options: [createOption('a')] }),
      'unsupported type: multi_static_select',
      '/blocks/0/elements/0/type',
    ],
    [createActions({ ...createButton('a'), url: 'x'.repeat(20) }), 'invalid url', '/blocks/0/elements/0/url'],
    [
      { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'fancy' }] }] },
      'unsupported type: fancy',
      '/blocks/0/elements/0/elements/0/type',
    ],
    [
      { type: 'rich_text', elements: [{ type: 'rich_text_list', elements: [] }] },
      'missing required field: style',
      '/blocks/0/elements/0',
    ],
    [{ type: 'card', actions: [{ type: 'fancy' }] }, 'unsupported type: fancy', '/blocks/0/actions/0/type'],
    [{ type: 'card', hero_image: { type: 'fancy' } }, 'unsupported type: fancy', '/blocks/0/hero_image/type'],
  ])('%j is refused', (block, message, pointer) => {
    expect(findProblems([block])).toEqual([{ message, pointer }]);
  });
});
