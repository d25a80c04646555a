import type { InputBlockElement, ModalView, PlainTextOption } from '@slack/types';
import { createInput, createPlainText } from '../support/blocks.ts';

const createOption = (text: string, description?: string): PlainTextOption => ({
  text: createPlainText(text),
  value: text,
  ...(description === undefined ? {} : { description: createPlainText(description) }),
});
const PLATFORMS = ['Facebook', 'Instagram', 'LinkedIn', 'TikTok', 'X'].map((name) => createOption(name));

/** The view that is open while the form is being prepared. */
export const loadingView: ModalView = {
  type: 'modal',
  title: createPlainText('New post'),
  blocks: [{ type: 'section', text: createPlainText('Loading…') }],
};

/** The view after a submission, without inputs. */
export const doneView: ModalView = {
  ...loadingView,
  blocks: [{ type: 'section', text: createPlainText('It is done.') }],
};

/** An ordinary form. */
export const scheduleForm: ModalView = {
  type: 'modal',
  callback_id: 'schedule',
  title: createPlainText('Schedule a post'),
  submit: createPlainText('Schedule'),
  close: createPlainText('Cancel'),
  blocks: [
    {
      type: 'context',
      elements: [{ type: 'mrkdwn', text: ':test_tube: Practice service: nothing is published.' }],
    },
    createInput('Text', {
      type: 'plain_text_input',
      action_id: 'text',
      multiline: true,
      max_length: 280,
      placeholder: createPlainText('What should people read?'),
    }),
    createInput('Platforms', {
      type: 'multi_static_select',
      action_id: 'platforms',
      options: PLATFORMS,
      placeholder: createPlainText('Choose platforms'),
    }),
    createInput(
      'When',
      { type: 'plain_text_input', action_id: 'when', placeholder: createPlainText('tomorrow 9am') },
      { hint: createPlainText('In your own words: tomorrow 9am, next Friday noon, 1 Dec 14:30.') },
    ),
    createInput('Status', {
      type: 'radio_buttons',
      action_id: 'status',
      options: [createOption('Scheduled'), createOption('Draft')],
      initial_option: createOption('Scheduled'),
    }),
  ],
};

const createOptional = (label: string, element: object, fields: object = {}) => {
  const block_id = label.toLowerCase().replaceAll(' ', '-');
  const identified = { action_id: 'field', ...element } as InputBlockElement;
  return createInput(label, identified, { block_id, optional: true, ...fields });
};

/** A modal with one of each element. */
export const everyElement = {
  type: 'modal',
  callback_id: 'examples',
  notify_on_close: true,
  title: createPlainText('Every element'),
  submit: createPlainText('Send'),
  blocks: [
    createOptional('Single line', { type: 'plain_text_input', initial_value: 'already here' }),
    createOptional('Required', { type: 'plain_text_input' }, { optional: false }),
    createOptional('Email', { type: 'email_text_input' }),
    createOptional('Address', { type: 'url_text_input' }),
    createOptional('Number', {
      type: 'number_input',
      is_decimal_allowed: false,
      min_value: '1',
      max_value: '10',
    }),
    createOptional('Drink', {
      type: 'static_select',
      option_groups: [
        { label: createPlainText('Hot'), options: [createOption('Coffee', 'Black'), createOption('Tea')] },
        { label: createPlainText('Cold'), options: [createOption('Water'), createOption('Lemonade')] },
      ],
    }),
    createOptional('Platforms', { type: 'multi_static_select', options: PLATFORMS, max_selected_items: 3 }),
    createOptional('Place', { type: 'external_select', action_id: 'place', min_query_length: 2 }),
    createOptional('Person', { type: 'users_select' }),
    createOptional('Channel', { type: 'conversations_select', filter: { include: ['public'] } }),
    createOptional('Extras', {
      type: 'checkboxes',
      options: [createOption('Milk', 'From oats'), createOption('Sugar')],
    }),
    createOptional('Size', {
      type: 'radio_buttons',
      options: [createOption('Small'), createOption('Large')],
    }),
    createOptional('Day', { type: 'datepicker', initial_date: '2026-12-01' }),
    createOptional('Time', { type: 'timepicker', timezone: 'Europe/Berlin' }),
    createOptional('Moment', { type: 'datetimepicker' }),
    createOptional('Notes', { type: 'rich_text_input' }),
    createOptional('Pictures', { type: 'file_input', filetypes: ['png'], max_files: 2 }),
    createOptional(
      'Sent at each letter',
      {
        type: 'plain_text_input',
        action_id: 'letters',
        dispatch_action_config: { trigger_actions_on: ['on_character_entered'] },
      },
      { dispatch_action: true },
    ),
    {
      type: 'actions',
      block_id: 'actions',
      elements: [
        { type: 'button', action_id: 'push', text: createPlainText('Open another') },
        {
          type: 'button',
          action_id: 'sure',
          style: 'danger',
          text: createPlainText('Delete'),
          confirm: {
            title: createPlainText('Delete it?'),
            text: createPlainText('It cannot be undone.'),
            confirm: createPlainText('Delete'),
            deny: createPlainText('Keep'),
            style: 'danger',
          },
        },
        { type: 'overflow', action_id: 'overflow', options: [createOption('Rename'), createOption('Move')] },
      ],
    },
  ],
} as ModalView;
