import type { ModalView, PlainTextElement, PlainTextOption } from '@slack/types';

const createPlainText = (text: string): PlainTextElement => ({ type: 'plain_text', text });
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
    {
      type: 'input',
      block_id: 'text',
      label: createPlainText('Text'),
      element: {
        type: 'plain_text_input',
        action_id: 'text',
        multiline: true,
        max_length: 280,
        placeholder: createPlainText('What should people read?'),
      },
    },
    {
      type: 'input',
      block_id: 'platforms',
      label: createPlainText('Platforms'),
      element: {
        type: 'multi_static_select',
        action_id: 'platforms',
        options: PLATFORMS,
        placeholder: createPlainText('Choose platforms'),
      },
    },
    {
      type: 'input',
      block_id: 'when',
      label: createPlainText('When'),
      hint: createPlainText('In your own words: tomorrow 9am, next Friday noon, 1 Dec 14:30.'),
      element: { type: 'plain_text_input', action_id: 'when', placeholder: createPlainText('tomorrow 9am') },
    },
    {
      type: 'input',
      block_id: 'status',
      label: createPlainText('Status'),
      element: {
        type: 'radio_buttons',
        action_id: 'status',
        options: [createOption('Scheduled'), createOption('Draft')],
        initial_option: createOption('Scheduled'),
      },
    },
  ],
};

const createInput = (label: string, element: object, fields: object = {}) => ({
  type: 'input' as const,
  block_id: label.toLowerCase().replaceAll(' ', '-'),
  label: createPlainText(label),
  optional: true,
  ...fields,
  element: { action_id: 'field', ...element },
});

/** A modal with one of each element. */
export const everyElement = {
  type: 'modal',
  callback_id: 'examples',
  notify_on_close: true,
  title: createPlainText('Every element'),
  submit: createPlainText('Send'),
  blocks: [
    createInput('Single line', { type: 'plain_text_input', initial_value: 'already here' }),
    createInput('Required', { type: 'plain_text_input' }, { optional: false }),
    createInput('Email', { type: 'email_text_input' }),
    createInput('Address', { type: 'url_text_input' }),
    createInput('Number', {
      type: 'number_input',
      is_decimal_allowed: false,
      min_value: '1',
      max_value: '10',
    }),
    createInput('Drink', {
      type: 'static_select',
      option_groups: [
        { label: createPlainText('Hot'), options: [createOption('Coffee', 'Black'), createOption('Tea')] },
        { label: createPlainText('Cold'), options: [createOption('Water'), createOption('Lemonade')] },
      ],
    }),
    createInput('Platforms', { type: 'multi_static_select', options: PLATFORMS, max_selected_items: 3 }),
    createInput('Place', { type: 'external_select', action_id: 'place', min_query_length: 2 }),
    createInput('Person', { type: 'users_select' }),
    createInput('Channel', { type: 'conversations_select', filter: { include: ['public'] } }),
    createInput('Extras', {
      type: 'checkboxes',
      options: [createOption('Milk', 'From oats'), createOption('Sugar')],
    }),
    createInput('Size', { type: 'radio_buttons', options: [createOption('Small'), createOption('Large')] }),
    createInput('Day', { type: 'datepicker', initial_date: '2026-12-01' }),
    createInput('Time', { type: 'timepicker', timezone: 'Europe/Berlin' }),
    createInput('Moment', { type: 'datetimepicker' }),
    createInput('Notes', { type: 'rich_text_input' }),
    createInput('Pictures', { type: 'file_input', filetypes: ['png'], max_files: 2 }),
    createInput(
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
