import { elementsOf } from '../blocks/elements-of.ts';
import { withIds } from '../blocks/with-ids.ts';
import { type Json, recordIn, recordsIn } from '../json.ts';
import { chartValueProblems, seriesProblems } from './chart-rules.ts';
import { placedBlocks } from './placed-blocks.ts';
import { type Problem, repeated, wanted } from './problem.ts';
import type { Source } from './rule.ts';

/** A rule about more than one field at a time. */
interface WholeRule {
  name: string;
  /** Kinds that it is about. */
  of: readonly string[];
  source: Source;
  check: (object: Json, pointer: string) => Problem[];
}

const STATIC = ['static_select', 'multi_static_select'];

function optionsOf(element: Json): Json[] {
  const groups = recordsIn(element, 'option_groups').flatMap((group) => recordsIn(group, 'options'));
  return [...recordsIn(element, 'options'), ...groups];
}

function sameOption(one: Json, other: Json): boolean {
  return one.value === other.value && recordIn(one, 'text')?.text === recordIn(other, 'text')?.text;
}

function initialNotOffered(element: Json, pointer: string): Problem[] {
  const single = recordIn(element, 'initial_option');
  const chosen = single ? [single] : recordsIn(element, 'initial_options');
  const all = optionsOf(element);
  const strange = chosen.some((option) => !all.some((other) => sameOption(option, other)));
  // The words of this one are not documented.
  return wanted(
    strange,
    'must be one of the provided options',
    `${pointer}/${single ? 'initial_option' : 'initial_options'}`,
  );
}

export const WHOLE_RULES: readonly WholeRule[] = [
  {
    name: 'a section has text or fields',
    of: ['section'],
    source: 'T P',
    check: (section, pointer) =>
      wanted(!('text' in section) && !('fields' in section), 'missing required field: text', pointer),
  },
  {
    name: 'a static menu has options or groups, not both',
    of: STATIC,
    source: 'T P',
    check: (element, pointer) => [
      ...wanted(
        !('options' in element) && !('option_groups' in element),
        'missing required field: options',
        pointer,
      ),
      ...wanted(
        'options' in element && 'option_groups' in element,
        'must provide only one of: options, option_groups',
        pointer,
      ),
    ],
  },
  {
    name: 'initial options are among the options',
    of: [...STATIC, 'checkboxes', 'radio_buttons'],
    source: 'T P',
    check: initialNotOffered,
  },
  {
    name: 'an image has one address',
    of: ['image', 'image_element'],
    source: 'T P',
    check: (image, pointer) =>
      wanted(
        'image_url' in image === 'slack_file' in image,
        'must provide exactly one of: image_url, slack_file',
        pointer,
      ),
  },
  {
    name: 'action_ids differ within a block',
    of: ['actions', 'context_actions'],
    source: 'T P',
    check: (block, pointer) =>
      repeated(
        recordsIn(block, 'elements'),
        'action_id',
        (index) => `${pointer}/elements/${index}/action_id`,
      ),
  },
  {
    name: 'a minimum is not above its maximum',
    of: ['plain_text_input', 'number_input'],
    source: 'T',
    check: (element, pointer) =>
      ['length', 'value'].flatMap((what) => {
        const [least, most] = [element[`min_${what}`], element[`max_${what}`]];
        const broken = least !== undefined && most !== undefined && Number(least) > Number(most);
        return wanted(broken, `must be less than max_${what}`, `${pointer}/min_${what}`);
      }),
  },
  {
    name: 'a file input does not dispatch',
    of: ['input'],
    source: 'T',
    check: (block, pointer) =>
      wanted(
        block.dispatch_action === true && recordIn(block, 'element')?.type === 'file_input',
        'unsupported with file_input',
        `${pointer}/dispatch_action`,
      ),
  },
  {
    name: 'a card has a picture, a title, a body or actions',
    of: ['card'],
    source: 'T',
    check: (card, pointer) => {
      const isEmpty = ['hero_image', 'title', 'body', 'actions'].every((field) => !(field in card));
      // The words of this one are not documented.
      const says = 'must provide at least one of: hero_image, title, actions, body';
      return wanted(isEmpty, says, pointer);
    },
  },
  {
    name: 'a chart has numbers',
    of: ['segment', 'data_point'],
    source: 'D',
    check: (value, pointer) => chartValueProblems(value, pointer, pointer.includes('/segments/')),
  },
  {
    name: 'the series of a chart have different names, and a value for each category',
    of: ['area', 'bar', 'line'],
    source: 'D',
    check: seriesProblems,
  },
  {
    name: 'a container has a title',
    of: ['container'],
    source: 'T',
    check: (block, pointer) =>
      wanted(!('title' in block) && !('rich_text_title' in block), 'missing required field: title', pointer),
  },
  {
    name: 'a modal with inputs has a submit button',
    of: ['modal'],
    source: 'I',
    check: (view, pointer) =>
      'submit' in view
        ? []
        : placedBlocks(recordsIn(view, 'blocks'), `${pointer}/blocks`).flatMap(({ block, at }) =>
            wanted(
              block.type === 'input',
              'must define `submit` to use an `input` block in modals',
              `${at}/input`,
            ),
          ),
  },
  {
    name: 'only one element has the focus',
    of: ['modal', 'home'],
    source: 'D',
    check: (view, pointer) => {
      const focused = elementsOf(withIds(recordsIn(view, 'blocks'))).filter(
        ({ element }) => element.focus_on_load === true,
      );
      // The words of this one are not documented.
      return wanted(focused.length > 1, 'only one element can have focus_on_load', `${pointer}/blocks`);
    },
  },
];
