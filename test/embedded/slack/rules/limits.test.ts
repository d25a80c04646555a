import { describe, expect, it } from 'vitest';
import { KINDS } from '../../../../src/embedded/slack/rules/problems.ts';
import type { Value } from '../../../../src/embedded/slack/rules/rule.ts';
import { MESSAGE_BLOCKS } from '../../../../src/embedded/slack/rules/view-rules.ts';

/** Slack's limits, written down a second time from its documents: kind, field, the most. */
const LIMITS: [kind: string, field: string, most: number][] = [
  ['plain_text', 'text', 3000],
  ['mrkdwn', 'text', 3000],
  ['section', 'text', 3000],
  ['section', 'fields', 10],
  ['section', 'block_id', 255],
  ['header', 'text', 150],
  ['context', 'elements', 10],
  ['actions', 'elements', 25],
  ['image', 'image_url', 3000],
  ['image', 'alt_text', 2000],
  ['image', 'title', 2000],
  ['input', 'label', 2000],
  ['input', 'hint', 2000],
  ['markdown', 'text', 12_000],
  ['button', 'text', 75],
  ['button', 'value', 2000],
  ['button', 'url', 3000],
  ['button', 'action_id', 255],
  ['button', 'accessibility_label', 75],
  ['option', 'text', 75],
  ['option', 'value', 75],
  ['option', 'description', 75],
  ['option_group', 'label', 75],
  ['option_group', 'options', 100],
  ['static_select', 'options', 100],
  ['static_select', 'option_groups', 100],
  ['static_select', 'placeholder', 150],
  ['overflow', 'options', 5],
  ['radio_buttons', 'options', 10],
  ['checkboxes', 'options', 10],
  ['confirm', 'title', 100],
  ['confirm', 'text', 300],
  ['confirm', 'confirm', 30],
  ['confirm', 'deny', 30],
  ['plain_text_input', 'placeholder', 150],
  ['plain_text_input', 'max_length', 3000],
  ['file_input', 'max_files', 10],
  ['modal', 'title', 24],
  ['modal', 'submit', 24],
  ['modal', 'close', 24],
  ['modal', 'private_metadata', 3000],
  ['modal', 'callback_id', 255],
  ['modal', 'external_id', 255],
  ['modal', 'blocks', 100],
  ['home', 'blocks', 100],
  ['options_answer', 'options', 100],
];

function mostOf(value: Value | undefined): number | undefined {
  return value && 'max' in value ? value.max : undefined;
}

describe('the table of rules', () => {
  it.each(LIMITS)('says of %s.%s: at most %i', (kind, field, most) => {
    expect(mostOf(KINDS[kind]?.[field]?.value)).toBe(most);
  });

  it('says of a message: at most 50 blocks', () => {
    expect(mostOf(MESSAGE_BLOCKS)).toBe(50);
  });

  it('names a source for every rule', () => {
    const rules = Object.values(KINDS).flatMap((fields) => Object.values(fields));
    expect(rules.filter((rule) => !/^[TPDI]( [TPD])*$/.test(rule.source))).toEqual([]);
  });
});
