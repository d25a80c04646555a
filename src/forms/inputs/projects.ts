import { z } from 'zod';
import { plain } from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import { NO_CHOICE } from '../../slack/no-choice.ts';
import { chosenOptions } from '../../slack/view-values.ts';
import { type Field, labels, type Named, named } from '../field.ts';
import { initialOptions, namedOptions, searched } from './searched.ts';

/** Any of the projects that there are; more than a menu holds are searched. */
export function projects({ hint }: { hint: string }): Field<Named[]> {
  const field = labels({ label: 'Projects', optional: true, hint });
  const placeholder = plain('Choose projects', LIMITS.placeholder);
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
    read: (values, blockId) =>
      chosenOptions(values, blockId)
        .filter(({ value }) => value !== NO_CHOICE)
        .map(({ value: id, label }) => ({ id, name: label })),
    element: ({ actionId, value, loaded: { projects: all, more } }) => {
      const options = namedOptions(all);
      // A static select without options is refused.
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
