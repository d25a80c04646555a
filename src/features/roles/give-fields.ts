import { z } from 'zod';
import type { OutsiderReason } from '../../access/access.ts';
import type { Call } from '../../app/call.ts';
import { buildCommonProperties, type Field, type NamedRecord, namedRecord } from '../../forms/field.ts';
import { readRecords, searchableField, toOptions } from '../../forms/inputs/searched.ts';
import { plain } from '../../slack/blocks.ts';
import { getChosenPeople } from '../../slack/interaction-values.ts';
import { LIMITS } from '../../slack/limits.ts';
import { buildNoteOptions } from '../../slack/note-options.ts';
import { getSlackErrorCode } from '../../slack/slack-errors.ts';
import type { Subject } from './give-role.ts';

/** Maximum names in a selection. Few people would check a longer selection name by name. */
const MAX_SELECTED = 50;

/** Creates a field for people. The value is a list of Slack user ids. */
export function createPeopleField(): Field<string[]> {
  return {
    ...buildCommonProperties({ label: 'People', optional: true }),
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

/** Creates a field for Slack's user groups, which are searched by handle. */
export function createGroupsField(): Field<NamedRecord[]> {
  const field = buildCommonProperties({ label: 'User groups', optional: true, isLive: true });
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

const OUTSIDER_ERRORS: Record<OutsiderReason, string> = {
  guest: 'One of them is a guest. Only full members can have a role.',
  bot: 'One of them is a bot. Only people can have a role.',
  deactivated: 'One of these accounts is deactivated.',
  stranger: 'One of them belongs to another workspace.',
  'not-checked': 'I couldn’t look them up in Slack. Try again in a minute.',
};

/** Asks Slack whether a subject can get a role. Resolves with the reason why not (plain text); undefined if it can. */
export async function findSubjectError(call: Call, subject: Subject): Promise<string | undefined> {
  const { context, actor, client } = call;
  const { workspace } = actor;
  if (subject.kind === 'members') return undefined;
  if (subject.kind === 'person') {
    const access = await context.access.findAccess({ workspace, user: subject.id }, client, 'everything');
    return access.kind === 'outsider' ? OUTSIDER_ERRORS[access.reason] : undefined;
  }
  try {
    await client.usergroups.users.list({ usergroup: subject.id, team_id: workspace });
    return undefined;
  } catch (error) {
    switch (getSlackErrorCode(error)) {
      case 'no_such_subteam':
        return 'One of these user groups no longer exists.';
      case 'missing_scope':
        return 'I’m not allowed to look up user groups here. Choose people, or install me again with `usergroups:read`.';
      default:
        return 'I couldn’t look up this user group in Slack. Try again in a minute.';
    }
  }
}
