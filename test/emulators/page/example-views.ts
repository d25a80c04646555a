import type { ModalView, PlainTextElement, PlainTextOption } from '@slack/types';

const plainText = (text: string): PlainTextElement => ({ type: 'plain_text', text });
const option = (text: string, description?: string): PlainTextOption => ({
  text: plainText(text),
  value: text,
  ...(description === undefined ? {} : { description: plainText(description) }),
});
const PLATFORMS = ['Facebook', 'Instagram', 'LinkedIn', 'TikTok', 'X'].map((name) => option(name));

/** The view that is open while the form is being prepared. */
export const loadingView: ModalView = {
  type: 'modal',
  title: plainText('New post'),
  blocks: [{ type: 'section', text: plainText('Loading…') }],
};

/** The view after a submission, without inputs. */
export const doneView: ModalView = {
  ...loadingView,
  blocks: [{ type: 'section', text: plainText('It is done.') }],
};

/** An ordinary form. */
export const scheduleForm: ModalView = {
  type: 'modal',
  callback_id: 'schedule',
  title: plainText('Schedule a post'),
  submit: plainText('Schedule'),
  close: plainText('Cancel'),
  blocks: [
    {
      type: 'context',
      elements: [{ type: 'mrkdwn', text: ':test_tube: Practice service: nothing is published.' }],
    },
    {
      type: 'input',
      block_id: 'text',
      label: plainText('Text'),
      element: {
        type: 'plain_text_input',
        action_id: 'text',
        multiline: true,
        max_length: 280,
        placeholder: plainText('What should people read?'),
      },
    },
    {
      type: 'input',
      block_id: 'platforms',
      label: plainText('Platforms'),
      element: {
        type: 'multi_static_select',
        action_id: 'platforms',
        options: PLATFORMS,
        placeholder: plainText('Choose platforms'),
      },
    },
    {
      type: 'input',
      block_id: 'when',
      label: plainText('When'),
      hint: plainText('In your own words: tomorrow 9am, next Friday noon, 1 Dec 14:30.'),
      element: { type: 'plain_text_input', action_id: 'when', placeholder: plainText('tomorrow 9am') },
    },
    {
      type: 'input',
      block_id: 'status',
      label: plainText('Status'),
      element: {
        type: 'radio_buttons',
        action_id: 'status',
        options: [option('Scheduled'), option('Draft')],
        initial_option: option('Scheduled'),
      },
    },
  ],
};

const input = (label: string, element: object, fields: object = {}) => ({
  type: 'input' as const,
  block_id: label.toLowerCase().replaceAll(' ', '-'),
  label: plainText(label),
  optional: true,
  ...fields,
  element: { action_id: 'field', ...element },
});

/** A modal with one of each element. */
export const everyElement = {
  type: 'modal',
  callback_id: 'examples',
  notify_on_close: true,
  title: plainText('Every element'),
  submit: plainText('Send'),
  blocks: [
    input('Single line', { type: 'plain_text_input', initial_value: 'already here' }),
    input('Required', { type: 'plain_text_input' }, { optional: false }),
    input('Email', { type: 'email_text_input' }),
    input('Address', { type: 'url_text_input' }),
    input('Number', { type: 'number_input', is_decimal_allowed: false, min_value: '1', max_value: '10' }),
    input('Drink', {
      type: 'static_select',
      option_groups: [
        { label: plainText('Hot'), options: [option('Coffee', 'Black'), option('Tea')] },
        { label: plainText('Cold'), options: [option('Water'), option('Lemonade')] },
      ],
    }),
    input('Platforms', { type: 'multi_static_select', options: PLATFORMS, max_selected_items: 3 }),
    input('Place', { type: 'external_select', action_id: 'place', min_query_length: 2 }),
    input('Person', { type: 'users_select' }),
    input('Channel', { type: 'conversations_select', filter: { include: ['public'] } }),
    input('Extras', { type: 'checkboxes', options: [option('Milk', 'From oats'), option('Sugar')] }),
    input('Size', { type: 'radio_buttons', options: [option('Small'), option('Large')] }),
    input('Day', { type: 'datepicker', initial_date: '2026-12-01' }),
    input('Time', { type: 'timepicker', timezone: 'Europe/Berlin' }),
    input('Moment', { type: 'datetimepicker' }),
    input('Notes', { type: 'rich_text_input' }),
    input('Pictures', { type: 'file_input', filetypes: ['png'], max_files: 2 }),
    input(
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
        { type: 'button', action_id: 'push', text: plainText('Open another') },
        {
          type: 'button',
          action_id: 'sure',
          style: 'danger',
          text: plainText('Delete'),
          confirm: {
            title: plainText('Delete it?'),
            text: plainText('It cannot be undone.'),
            confirm: plainText('Delete'),
            deny: plainText('Keep'),
            style: 'danger',
          },
        },
        { type: 'overflow', action_id: 'overflow', options: [option('Rename'), option('Move')] },
      ],
    },
  ],
} as ModalView;
