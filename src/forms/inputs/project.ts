import { z } from 'zod';
import { mapDone } from '../../api/outcome.ts';
import { plain } from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import { type Field, type Labelled, labels, type Named, named } from '../field.ts';
import type { Loaded } from '../loaded.ts';
import { choosing, initialOptions, namedOptions, readSeveral, searched, searchedSelect } from './searched.ts';

/**
 * The project that the form is about. A single one is shown and never asked for; with several the channel's is
 * chosen already, else none; more than a select holds are searched.
 */
export function project(options: Partial<Labelled> = {}): Field<Named | undefined> {
  const field = labels({ label: 'Project', api: 'project_id', ...options });
  const { search } = searched({
    label: field.label,
    none: 'There is no project',
    find: async ({ call, loaded }) =>
      mapDone(await call.context.reads.projects(call.context.api), ({ items, isTruncated }) => ({
        items: likeliestFirst(items, loaded),
        isTruncated,
      })),
  });
  return {
    ...field,
    ...choosing,
    holdsProjects: true,
    begun: beginning,
    instead: ({ projects, more, chosen }) =>
      projects.length === 1 && !more && chosen ? `Project: ${chosen.name}` : undefined,
    element: ({ actionId, value, loaded }) => {
      const options = namedOptions(loaded.projects);
      // A static select without options is refused.
      if (loaded.more || options.length === 0) return searchedSelect(actionId, 'Choose a project', value);
      const [initial] = initialOptions(options, value ? [value] : []);
      return {
        type: 'static_select',
        action_id: actionId,
        placeholder: plain('Choose a project', LIMITS.placeholder),
        options,
        ...(initial && { initial_option: initial }),
      };
    },
    fault: (value, loaded) => (isKnown(value, loaded) ? undefined : 'Choose a project.'),
    ...(search && { search }),
  };
}

/** As the form has them: the channel's before all others. */
function likeliestFirst(items: readonly Named[], { projects }: Loaded): Named[] {
  const first = projects.flatMap(({ id }) => items.find((item) => item.id === id) ?? []);
  return [...new Set([...first, ...items])];
}

/** One that is no longer there is not chosen. */
function beginning(value: Named | undefined, { projects, chosen }: Loaded): Named | undefined {
  return projects.find(({ id }) => id === value?.id) ?? chosen;
}

/** Beyond the first hundred the service itself knows best; what it does not know it refuses. */
function isKnown(value: Named | undefined, { projects, more }: Loaded): boolean {
  return value !== undefined && (more || projects.some(({ id }) => id === value.id));
}

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
