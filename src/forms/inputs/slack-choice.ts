import type { InputBlock } from '@slack/types';
import { z } from 'zod';
import { plain } from '../../slack/blocks.ts';
import { getBuiltInSelectValue } from '../../slack/interaction-values.ts';
import { LIMITS } from '../../slack/limits.ts';
import { type Field, type Labelled, labels } from '../field.ts';

type Options = Labelled & { placeholder?: string };

/** The id of a channel that the person can see; '' until one is chosen. */
export function conversation(options: Options): Field<string> {
  return chosen(options, (actionId, value, placeholder) => ({
    type: 'conversations_select',
    action_id: actionId,
    placeholder,
    filter: { include: ['public', 'private'], exclude_bot_users: true },
    ...(value !== '' && { initial_conversation: value }),
  }));
}

/** The Slack id of a person in the workspace; '' until one is chosen. */
export function person(options: Options): Field<string> {
  return chosen(options, (actionId, value, placeholder) => ({
    type: 'users_select',
    action_id: actionId,
    placeholder,
    ...(value !== '' && { initial_user: value }),
  }));
}

/** A date such as `2026-12-01`; '' until one is chosen. */
export function day(options: Options): Field<string> {
  return chosen(options, (actionId, value, placeholder) => ({
    type: 'datepicker',
    action_id: actionId,
    placeholder,
    ...(value !== '' && { initial_date: value }),
  }));
}

function chosen(
  options: Options,
  element: (actionId: string, value: string, placeholder: ReturnType<typeof plain>) => InputBlock['element'],
): Field<string> {
  const field = labels(options);
  const placeholder = plain(options.placeholder ?? 'Choose', LIMITS.placeholder);
  return {
    ...field,
    empty: '',
    value: z.string(),
    element: ({ actionId, value }) => element(actionId, value, placeholder),
    read: getBuiltInSelectValue,
    from: (words) => words,
    validate: (value) => (value === '' && !field.optional ? `Choose “${field.label}”.` : undefined),
  };
}
