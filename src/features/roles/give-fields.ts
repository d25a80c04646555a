import { z } from 'zod';
import { type Field, labels, type Named, named } from '../../forms/field.ts';
import { namedOptions, readSeveral, searched } from '../../forms/inputs/searched.ts';
import { plain } from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import { chosenPeople } from '../../slack/view-values.ts';

/** More at once would be no deliberate choice. */
const MOST = 50;

/** Slack's ids of people. */
export function people(): Field<string[]> {
  return {
    ...labels({ label: 'People', optional: true }),
    empty: [],
    value: z.array(z.string()),
    read: chosenPeople,
    from: (words) => [words],
    element: ({ actionId, value }) => ({
      type: 'multi_users_select',
      action_id: actionId,
      placeholder: plain('Choose people', LIMITS.placeholder),
      max_selected_items: MOST,
      ...(value.length > 0 && { initial_users: value }),
    }),
  };
}

/** Slack's user groups, by handle. */
export function groups(): Field<Named[]> {
  const field = labels({ label: 'User groups', optional: true });
  const { search } = searched({
    label: field.label,
    none: 'There is no user group',
    async find({ call }) {
      const { usergroups = [] } = await call.client.usergroups.list({ team_id: call.who.workspace });
      return usergroups.flatMap(({ id, handle, name }) =>
        id === undefined ? [] : [{ id, name: `@${handle ?? id}${name === undefined ? '' : ` (${name})`}` }],
      );
    },
  });
  return {
    ...field,
    empty: [],
    value: z.array(named),
    read: readSeveral,
    element: ({ actionId, value }) => {
      const initial = namedOptions(value);
      return {
        type: 'multi_external_select',
        action_id: actionId,
        placeholder: plain('Choose user groups', LIMITS.placeholder),
        min_query_length: 0,
        max_selected_items: MOST,
        ...(initial.length > 0 && { initial_options: initial }),
      };
    },
    ...(search && { search }),
  };
}
