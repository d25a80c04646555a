import { z } from 'zod';
import { buildNoteOptions, plain } from '../../slack/blocks.ts';
import { getChosenPeople } from '../../slack/interaction-values.ts';
import { LIMITS } from '../../slack/limits.ts';
import { getSlackErrorCode } from '../../slack/slack-errors.ts';
import {
  buildCommonProperties,
  type Field,
  type FieldOptions,
  type NamedRecord,
  namedRecord,
} from '../field.ts';
import { readRecords, searchableField, toOptions } from './searched.ts';

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
  const field = buildCommonProperties(options);
  const { search } = searchableField({
    label: field.label,
    emptyText: 'There is no user group',
    async find({ call }) {
      const { usergroups = [] } = await call.client.usergroups.list({ team_id: call.actor.workspace });
      return usergroups.flatMap(({ id, handle, name }) =>
        id === undefined ? [] : [{ id, name: `@${handle ?? id}${name === undefined ? '' : ` (${name})`}` }],
      );
    },
  });
  return {
    ...field,
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
    ...(search && {
      search: (request) =>
        search(request).catch((error: unknown) => {
          if (getSlackErrorCode(error) !== 'missing_scope') throw error;
          return buildNoteOptions('I’m not allowed to list user groups here');
        }),
    }),
  };
}
