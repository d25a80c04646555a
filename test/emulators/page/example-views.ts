import type { ModalView, PlainTextElement, PlainTextOption } from '@slack/types';

const words = (text: string): PlainTextElement => ({ type: 'plain_text', text });
const option = (text: string, description?: string): PlainTextOption => ({
  text: words(text),
  value: text,
  ...(description === undefined ? {} : { description: words(description) }),
});
const PLATFORMS = ['Facebook', 'Instagram', 'LinkedIn', 'TikTok', 'X'].map((name) => option(name));

/** What stands there while the form is being prepared. */
export const loading: ModalView = {
  type: 'modal',
  title: words('New post'),
  blocks: [{ type: 'section', text: words('Loading…') }],
};

/** What stands there afterwards: nothing to fill. */
export const done: ModalView = { ...loading, blocks: [{ type: 'section', text: words('It is done.') }] };

/** A form of the kind that people meet most. */
export const scheduleForm: ModalView = {
  type: 'modal',
  callback_id: 'schedule',
  title: words('Schedule a post'),
  submit: words('Schedule'),
  close: words('Cancel'),
  blocks: [
    {
      type: 'context',
      elements: [{ type: 'mrkdwn', text: ':test_tube: Practice service: nothing is published.' }],
    },
    {
      type: 'input',
      block_id: 'text',
      label: words('Text'),
      element: {
        type: 'plain_text_input',
        action_id: 'text',
        multiline: true,
        max_length: 280,
        placeholder: words('What should people read?'),
      },
    },
    {
      type: 'input',
      block_id: 'platforms',
      label: words('Platforms'),
      element: {
        type: 'multi_static_select',
        action_id: 'platforms',
        options: PLATFORMS,
        placeholder: words('Choose platforms'),
      },
    },
    {
      type: 'input',
      block_id: 'when',
      label: words('When'),
      hint: words('In your own words: tomorrow 9am, next Friday noon, 1 Dec 14:30.'),
      element: { type: 'plain_text_input', action_id: 'when', placeholder: words('tomorrow 9am') },
    },
    {
      type: 'input',
      block_id: 'status',
      label: words('Status'),
      element: {
        type: 'radio_buttons',
        action_id: 'status',
        options: [option('Scheduled'), option('Draft')],
        initial_option: option('Scheduled'),
      },
    },
  ],
};

const input = (label: string, element: object, more: object = {}) => ({
  type: 'input' as const,
  block_id: label.toLowerCase().replaceAll(' ', '-'),
  label: words(label),
  optional: true,
  ...more,
  element: { action_id: 'it', ...element },
});

/** One of each element that a modal can hold. */
export const everyElement = {
  type: 'modal',
  callback_id: 'examples',
  notify_on_close: true,
  title: words('Every element'),
  submit: words('Send'),
  blocks: [
    input('Single line', { type: 'plain_text_input', initial_value: 'already here' }),
    input('Required', { type: 'plain_text_input' }, { optional: false }),
    input('Email', { type: 'email_text_input' }),
    input('Address', { type: 'url_text_input' }),
    input('Number', { type: 'number_input', is_decimal_allowed: false, min_value: '1', max_value: '10' }),
    input('Drink', {
      type: 'static_select',
      option_groups: [
        { label: words('Hot'), options: [option('Coffee', 'Black'), option('Tea')] },
        { label: words('Cold'), options: [option('Water'), option('Lemonade')] },
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
      'Told at each letter',
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
        { type: 'button', action_id: 'push', text: words('Open another') },
        {
          type: 'button',
          action_id: 'sure',
          style: 'danger',
          text: words('Delete'),
          confirm: {
            title: words('Delete it?'),
            text: words('It cannot be undone.'),
            confirm: words('Delete'),
            deny: words('Keep'),
            style: 'danger',
          },
        },
        { type: 'overflow', action_id: 'overflow', options: [option('Rename'), option('Move')] },
      ],
    },
  ],
} as ModalView;
