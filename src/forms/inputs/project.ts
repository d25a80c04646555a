import { mapDone } from '../../api/outcome.ts';
import { plain } from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import { type Field, type Labelled, labels, type Named } from '../field.ts';
import type { Loaded } from '../loaded.ts';
import { choosing, initialOptions, namedOptions, searched, searchedSelect } from './searched.ts';

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
