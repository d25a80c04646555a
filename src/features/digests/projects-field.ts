import { z } from 'zod';
import { type Field, labels, type Named, named } from '../../forms/field.ts';
import { initialOptions, namedOptions, searched } from '../../forms/inputs/searched.ts';
import { plain } from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import { NO_CHOICE } from '../../slack/no-choice.ts';
import { chosenOptions } from '../../slack/view-values.ts';

/** Any of the projects that there are; more than a menu holds are searched. A single one is not asked for. */
export function projects(options: { optional?: boolean; hint: string; placeholder: string }): Field<Named[]> {
  const field = labels({ ...options, label: 'Projects' });
  const placeholder = plain(options.placeholder, LIMITS.placeholder);
  const { search } = searched({
    label: field.label,
    none: 'There is no project',
    find: ({ call }) => call.parts.reads.projects(call.parts.api),
  });
  return {
    ...field,
    holdsProjects: true,
    empty: [],
    value: z.array(named),
    instead: ({ projects: all, more }) =>
      all.length === 1 && !more && all[0] ? `Project: ${all[0].name}` : undefined,
    read: (values, blockId) =>
      chosenOptions(values, blockId)
        .filter(({ value }) => value !== NO_CHOICE)
        .map(({ value: id, label }) => ({ id, name: label })),
    element: ({ actionId, value, loaded: { projects: all, more } }) => {
      const options = namedOptions(all);
      // A static menu without options is refused.
      const isSearched = more || options.length === 0;
      const initial = isSearched
        ? namedOptions(value).slice(0, LIMITS.options)
        : initialOptions(options, value);
      const chosen = {
        action_id: actionId,
        placeholder,
        ...(initial.length > 0 && { initial_options: initial }),
      };
      return isSearched
        ? { type: 'multi_external_select', min_query_length: 0, ...chosen }
        : { type: 'multi_static_select', options, ...chosen };
    },
    ...(search && { search }),
  };
}
