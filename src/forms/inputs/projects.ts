import { z } from 'zod';
import { plain } from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import { type Field, labels, type Named, named } from '../field.ts';
import type { Loaded } from '../loaded.ts';
import { initialOptions, namedOptions, readSeveral, searched } from './searched.ts';

/** Any of the projects that there are; more than a menu holds are searched. */
export function projects(options: {
  hint: string;
  optional?: boolean;
  /** Defaults to "Choose projects". */
  placeholder?: string;
  /** Where there is only one project, the form names it instead of asking. */
  skipsOnly?: boolean;
}): Field<Named[]> {
  const field = labels({ ...options, label: 'Projects' });
  const placeholder = plain(options.placeholder ?? 'Choose projects', LIMITS.placeholder);
  const { search } = searched({
    label: field.label,
    none: 'There is no project',
    find: ({ call }) => call.context.reads.projects(call.context.api),
  });
  return {
    ...field,
    holdsProjects: true,
    empty: [],
    value: z.array(named),
    read: readSeveral,
    ...(options.skipsOnly && { instead: onlyProject }),
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

function onlyProject({ projects: [only, ...others], more }: Loaded): string | undefined {
  return only && others.length === 0 && !more ? `Project: ${only.name}` : undefined;
}
