import type { InputBlock } from '@slack/types';
import { z } from 'zod';
import { plain } from '../../slack/blocks.ts';
import { getBuiltInSelectValue } from '../../slack/interaction-values.ts';
import { LIMITS } from '../../slack/limits.ts';
import { buildCommonProperties, type Field, type FieldOptions } from '../field.ts';

type SlackFieldOptions = FieldOptions & { placeholder?: string };

/** A field for a channel that the person can see. The value is the channel id, or '' until a channel is chosen. */
export function conversationField(options: SlackFieldOptions): Field<string> {
  return buildSlackField(options, (actionId, value, placeholder) => ({
    type: 'conversations_select',
    action_id: actionId,
    placeholder,
    filter: { include: ['public', 'private'], exclude_bot_users: true },
    ...(value !== '' && { initial_conversation: value }),
  }));
}

/** A field for a Slack user of the workspace. The value is the user id, or '' until a user is chosen. */
export function userField(options: SlackFieldOptions): Field<string> {
  return buildSlackField(options, (actionId, value, placeholder) => ({
    type: 'users_select',
    action_id: actionId,
    placeholder,
    ...(value !== '' && { initial_user: value }),
  }));
}

/** A field for a date. The value is e.g. `2026-12-01`, or '' until a date is chosen. */
export function dateField(options: SlackFieldOptions): Field<string> {
  return buildSlackField(options, (actionId, value, placeholder) => ({
    type: 'datepicker',
    action_id: actionId,
    placeholder,
    ...(value !== '' && { initial_date: value }),
  }));
}

function buildSlackField(
  options: SlackFieldOptions,
  renderElement: (
    actionId: string,
    value: string,
    placeholder: ReturnType<typeof plain>,
  ) => InputBlock['element'],
): Field<string> {
  const field = buildCommonProperties(options);
  const placeholder = plain(options.placeholder ?? 'Choose', LIMITS.placeholder);
  return {
    ...field,
    emptyValue: '',
    valueSchema: z.string(),
    renderElement: ({ actionId, value }) => renderElement(actionId, value, placeholder),
    read: getBuiltInSelectValue,
    parsePrefill: (text) => text,
    validate: (value) => (value === '' && !field.optional ? `Choose “${field.label}”.` : undefined),
  };
}
