import type { InputBlock } from '@slack/types';
import { z } from 'zod';
import { buildNoteOptions, plain, toOptions } from '../../slack/blocks.ts';
import {
  getBuiltInSelectValue,
  getChosenFiles,
  getChosenPeople,
  type SlackFile,
  slackFile,
} from '../../slack/interaction-values.ts';
import { LIMITS } from '../../slack/limits.ts';
import { getSlackErrorCode } from '../../slack/slack-errors.ts';
import {
  buildCommonProperties,
  type Field,
  type FieldOptions,
  type NamedRecord,
  namedRecord,
  type SearchRequest,
} from '../field.ts';
import { findOptions, readRecords } from './searched.ts';

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

/** Maximum names in a selection. Few people would check a longer selection name by name. */
const MAX_SELECTED = 50;

/** A field for any people of the workspace. The value is a list of Slack user ids. */
export function peopleField(options: FieldOptions): Field<string[]> {
  return {
    ...buildCommonProperties(options),
    emptyValue: [],
    valueSchema: z.array(z.string()),
    read: getChosenPeople,
    parsePrefill: (text) => [text],
    renderElement: ({ actionId, value }) => ({
      type: 'multi_users_select',
      action_id: actionId,
      placeholder: plain('Choose people', LIMITS.placeholder),
      max_selected_items: MAX_SELECTED,
      ...(value.length > 0 && { initial_users: value }),
    }),
  };
}

/** A field for any of Slack's user groups, which are searched by handle. */
export function groupsField(options: FieldOptions): Field<NamedRecord[]> {
  return {
    ...buildCommonProperties(options),
    emptyValue: [],
    valueSchema: z.array(namedRecord),
    read: readRecords,
    renderElement: ({ actionId, value }) => {
      const initialOptions = toOptions(value);
      return {
        type: 'multi_external_select',
        action_id: actionId,
        placeholder: plain('Choose user groups', LIMITS.placeholder),
        min_query_length: 0,
        max_selected_items: MAX_SELECTED,
        ...(initialOptions.length > 0 && { initial_options: initialOptions }),
      };
    },
    search: (request) =>
      findOptions({ find: findGroups, emptyText: 'There is no user group' }, request).catch(
        (error: unknown) => {
          if (getSlackErrorCode(error) !== 'missing_scope') throw error;
          return buildNoteOptions('I’m not allowed to list user groups here');
        },
      ),
  };
}

async function findGroups({ call }: SearchRequest): Promise<NamedRecord[]> {
  const { usergroups = [] } = await call.client.usergroups.list({ team_id: call.actor.workspace });
  return usergroups.flatMap(({ id, handle, name }) =>
    id === undefined ? [] : [{ id, name: `@${handle ?? id}${name === undefined ? '' : ` (${name})`}` }],
  );
}

interface FileOptions extends Omit<FieldOptions, 'isLive'> {
  /** From 1 to 10. */
  maxFiles: number;
  /** The extensions that Slack offers to choose, without the dot. */
  extensions: readonly string[];
}

/**
 * A field for files that people upload. Slack reports them with the next change of another field, or with the submission.
 * A view can't prefill files, so the field is empty whenever its block_id is new.
 */
export function fileField({ maxFiles, extensions, ...options }: FileOptions): Field<SlackFile[]> {
  return {
    ...buildCommonProperties(options),
    emptyValue: [],
    valueSchema: z.array(slackFile),
    read: getChosenFiles,
    renderElement: ({ actionId }) => ({
      type: 'file_input',
      action_id: actionId,
      max_files: maxFiles,
      filetypes: [...extensions],
    }),
  };
}
