import { describe, expect, it } from 'vitest';
import { problemsOfBlocks, problemsOfView } from '../../../../src/emulators/slack/rules/problems.ts';
import { TOGETHER_RULES } from '../../../../src/emulators/slack/rules/together-rules.ts';
import { WHOLE_RULES } from '../../../../src/emulators/slack/rules/whole-rules.ts';

const plainText = (text: string) => ({ type: 'plain_text', text });
const option = (value: string) => ({ text: plainText(value), value });
const button = (action_id: string) => ({ type: 'button', text: plainText('Go'), action_id });
const icon = (action_id: string) => ({
  type: 'icon_button',
  icon: 'trash',
  text: plainText('Go'),
  action_id,
});
const actions = (...elements: object[]) => ({ type: 'actions', elements });
const menu = (fields: object) => actions({ type: 'static_select', ...fields });
const input = (element: object, fields: object = {}) => ({
  type: 'input',
  label: plainText('L'),
  element,
  ...fields,
});
const group = { label: plainText('g'), options: [option('a')] };
const image = { type: 'image', alt_text: 'x' };
const imageAddress = { image_url: 'https://x.example/i.png' };
const modal = (...blocks: object[]) => ({
  type: 'modal',
  title: plainText('T'),
  submit: plainText('Go'),
  blocks,
});
const container = (...child_blocks: object[]) => ({ type: 'container', title: plainText('T'), child_blocks });
const divider = (block_id: string) => ({ type: 'divider', block_id });
const focus = { type: 'plain_text_input', focus_on_load: true };
const markdown = (length: number) => ({ type: 'markdown', text: 'x'.repeat(length) });

interface Case {
  valid: object;
  invalid: object;
  says: string;
  at: string;
}

/** Each rule with valid and invalid views or lists of blocks. */
const CASES: Record<string, Case[]> = {
  'a section has text or fields': [
    {
      valid: [{ type: 'section', fields: [plainText('x')] }],
      invalid: [{ type: 'section' }],
      says: 'missing required field: text',
      at: '/blocks/0',
    },
  ],
  'a static menu has options or groups, not both': [
    {
      valid: [menu({ option_groups: [group] })],
      invalid: [menu({})],
      says: 'missing required field: options',
      at: '/blocks/0/elements/0',
    },
    {
      valid: [menu({ options: [option('a')] })],
      invalid: [menu({ options: [option('a')], option_groups: [group] })],
      says: 'must provide only one of: options, option_groups',
      at: '/blocks/0/elements/0',
    },
  ],
  'initial options are among the options': [
    {
      valid: [menu({ option_groups: [group], initial_option: option('a') })],
      invalid: [menu({ option_groups: [group], initial_option: option('b') })],
      says: 'must be one of the provided options',
      at: '/blocks/0/elements/0/initial_option',
    },
    {
      valid: [
        actions({ type: 'checkboxes', options: [option('a'), option('b')], initial_options: [option('b')] }),
      ],
      invalid: [actions({ type: 'checkboxes', options: [option('a')], initial_options: [option('b')] })],
      says: 'must be one of the provided options',
      at: '/blocks/0/elements/0/initial_options',
    },
  ],
  'an image has one address': [
    {
      valid: [{ ...image, slack_file: { id: 'F1' } }],
      invalid: [image],
      says: 'must provide exactly one of: image_url, slack_file',
      at: '/blocks/0',
    },
    {
      valid: [{ ...image, ...imageAddress }],
      invalid: [{ ...image, ...imageAddress, slack_file: { id: 'F1' } }],
      says: 'must provide exactly one of: image_url, slack_file',
      at: '/blocks/0',
    },
  ],
  'action_ids differ within a block': [
    {
      valid: [actions(button('a'), button('b')), actions(button('a'))],
      invalid: [actions(button('a'), button('a'))],
      says: '`action_id` "a" already exists',
      at: '/blocks/0/elements/1/action_id',
    },
    {
      valid: [{ type: 'context_actions', elements: [icon('a'), icon('b')] }],
      invalid: [{ type: 'context_actions', elements: [icon('a'), icon('a')] }],
      says: '`action_id` "a" already exists',
      at: '/blocks/0/elements/1/action_id',
    },
  ],
  'a minimum is not above its maximum': [
    {
      valid: modal(input({ type: 'plain_text_input', min_length: 5, max_length: 5 })),
      invalid: modal(input({ type: 'plain_text_input', min_length: 6, max_length: 5 })),
      says: 'must be less than max_length',
      at: '/view/blocks/0/element/min_length',
    },
  ],
  'a file input does not dispatch': [
    {
      valid: modal(input({ type: 'file_input' })),
      invalid: modal(input({ type: 'file_input' }, { dispatch_action: true })),
      says: 'unsupported with file_input',
      at: '/view/blocks/0/dispatch_action',
    },
  ],
  'a container has a title': [
    {
      valid: [
        {
          type: 'container',
          rich_text_title: { type: 'rich_text', elements: [] },
          child_blocks: [{ type: 'divider' }],
        },
      ],
      invalid: [{ type: 'container', child_blocks: [{ type: 'divider' }] }],
      says: 'missing required field: title',
      at: '/blocks/0',
    },
  ],
  'a modal with inputs has a submit button': [
    {
      valid: { type: 'modal', title: plainText('T'), blocks: [{ type: 'divider' }] },
      invalid: { type: 'modal', title: plainText('T'), blocks: [input({ type: 'plain_text_input' })] },
      says: 'must define `submit` to use an `input` block in modals',
      at: '/view/blocks/0/input',
    },
    {
      valid: modal(container(input({ type: 'plain_text_input' }))),
      invalid: {
        type: 'modal',
        title: plainText('T'),
        blocks: [container(input({ type: 'plain_text_input' }))],
      },
      says: 'must define `submit` to use an `input` block in modals',
      at: '/view/blocks/0/child_blocks/0/input',
    },
  ],
  'only one element has the focus': [
    {
      valid: modal(input({ ...focus, action_id: 'a' })),
      invalid: modal(input({ ...focus, action_id: 'a' }), input({ ...focus, action_id: 'b' })),
      says: 'only one element can have focus_on_load',
      at: '/view/blocks',
    },
    {
      valid: modal(input(focus), input({ type: 'plain_text_input' })),
      invalid: modal(input(focus), input(focus)),
      says: 'only one element can have focus_on_load',
      at: '/view/blocks',
    },
  ],
  'block_ids differ': [
    {
      valid: [divider('a'), divider('b'), { type: 'divider' }],
      invalid: [divider('a'), divider('a')],
      says: '`block_id` "a" already exists',
      at: '/blocks/1/block_id',
    },
    {
      valid: [divider('a'), container(divider('b'))],
      invalid: [divider('a'), container(divider('b'), divider('a'))],
      says: '`block_id` "a" already exists',
      at: '/blocks/1/child_blocks/1/block_id',
    },
  ],
  'markdown blocks have 12,000 characters in all': [
    {
      valid: [markdown(6000), markdown(6000)],
      invalid: [markdown(6000), markdown(6001)],
      says: 'must be less than 12001 characters',
      at: '/blocks',
    },
  ],
  'some blocks are allowed only in messages': [
    {
      valid: [markdown(1)],
      invalid: modal(markdown(1)),
      says: 'unsupported type: markdown',
      at: '/view/blocks/0/type',
    },
  ],
  'a file input is allowed only in a modal': [
    {
      valid: modal(input({ type: 'file_input' })),
      invalid: { type: 'home', blocks: [input({ type: 'file_input' })] },
      says: 'unsupported type: file_input',
      at: '/view/blocks/0/element/type',
    },
    {
      valid: modal(container(input({ type: 'file_input' }))),
      invalid: [container(input({ type: 'file_input' }))],
      says: 'unsupported type: file_input',
      at: '/blocks/0/child_blocks/0/element/type',
    },
  ],
};

function findProblems(viewOrBlocks: object) {
  return Array.isArray(viewOrBlocks) ? problemsOfBlocks(viewOrBlocks) : problemsOfView({ ...viewOrBlocks });
}

const CASE_LIST = Object.entries(CASES).flatMap(([name, cases]) =>
  cases.map((entry): [string, Case] => [name, entry]),
);

describe('a rule about several fields', () => {
  it.each(CASE_LIST)('%s', (_, { valid, invalid, says, at }) => {
    expect(findProblems(valid)).toEqual([]);
    expect(findProblems(invalid)).toEqual([{ says, pointer: at }]);
  });

  it('every rule has cases in this test', () => {
    const names = [...WHOLE_RULES, ...TOGETHER_RULES].map((rule) => rule.name);
    expect(Object.keys(CASES).toSorted()).toEqual(names.toSorted());
  });
});

describe('a view', () => {
  it.each([
    [{ blocks: [] }, 'missing required field: type', '/view'],
    [{ type: 'wizard', blocks: [] }, 'must be a valid enum value', '/view/type'],
    [modal({ type: 'fancy' }), 'unsupported type: fancy', '/view/blocks/0/type'],
    [modal({ text: plainText('x') }), 'missing required field: type', '/view/blocks/0'],
    [
      modal(input({ type: 'button', text: plainText('x') })),
      'unsupported type: button',
      '/view/blocks/0/element/type',
    ],
  ])('a view such as %j is refused', (view, says, pointer) => {
    expect(problemsOfView(view)).toEqual([{ says, pointer }]);
  });
});
