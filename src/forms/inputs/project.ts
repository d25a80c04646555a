import { z } from 'zod';
import { mapDone } from '../../api/outcome.ts';
import { plain } from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import { type Field, type Labelled, labels, type Named, named } from '../field.ts';
import type { FormContext } from '../form-context.ts';
import {
  initialOptions,
  namedChoice,
  namedOptions,
  readSeveral,
  searchedSelect,
  searchField,
} from './searched.ts';

/**
 * The form's project. If there is only one, the form shows its name. Otherwise a select preselects the channel's
 * project, and searches if there are more projects than a select may have.
 */
export function project(options: Partial<Labelled> = {}): Field<Named | undefined> {
  const field = labels({ label: 'Project', api: 'project_id', ...options });
  const { search } = searchField({
    label: field.label,
    none: 'There is no project',
    find: async ({ call, formContext }) =>
      mapDone(await call.context.reads.listProjects(call.context.api), ({ items, isTruncated }) => ({
        items: likeliestFirst(items, formContext),
        isTruncated,
      })),
  });
  return {
    ...field,
    ...namedChoice,
    holdsProjects: true,
    initialValue: initialProject,
    fixedText: ({ projects, more, chosen }) =>
      projects.length === 1 && !more && chosen ? `Project: ${chosen.name}` : undefined,
    element: ({ actionId, value, formContext }) => {
      const options = namedOptions(formContext.projects);
      // A static select without options is refused.
      if (formContext.more || options.length === 0)
        return searchedSelect(actionId, 'Choose a project', value);
      const [initial] = initialOptions(options, value ? [value] : []);
      return {
        type: 'static_select',
        action_id: actionId,
        placeholder: plain('Choose a project', LIMITS.placeholder),
        options,
        ...(initial && { initial_option: initial }),
      };
    },
    validate: (value, formContext) => (isKnown(value, formContext) ? undefined : 'Choose a project.'),
    ...(search && { search }),
  };
}

/** Moves the form's projects to the front, in their order: it begins with the channel's. */
function likeliestFirst(items: readonly Named[], { projects }: FormContext): Named[] {
  const first = projects.flatMap(({ id }) => items.find((item) => item.id === id) ?? []);
  return [...new Set([...first, ...items])];
}

/** The given project if it still exists, else the only or the channel's project. */
function initialProject(value: Named | undefined, { projects, chosen }: FormContext): Named | undefined {
  return projects.find(({ id }) => id === value?.id) ?? chosen;
}

/** A form with more projects than a select may have can't check the id: the service refuses unknown ones. */
function isKnown(value: Named | undefined, { projects, more }: FormContext): boolean {
  return value !== undefined && (more || projects.some(({ id }) => id === value.id));
}

/** Any of the projects. If there are more than a select may have, the select searches. */
export function projects(options: {
  hint: string;
  optional?: boolean;
  /** Defaults to "Choose projects". */
  placeholder?: string;
  /** If there is only one project, the form shows its name and no input. */
  skipsOnly?: boolean;
}): Field<Named[]> {
  const field = labels({ ...options, label: 'Projects' });
  const placeholder = plain(options.placeholder ?? 'Choose projects', LIMITS.placeholder);
  const { search } = searchField({
    label: field.label,
    none: 'There is no project',
    find: ({ call }) => call.context.reads.listProjects(call.context.api),
  });
  return {
    ...field,
    holdsProjects: true,
    empty: [],
    value: z.array(named),
    read: readSeveral,
    ...(options.skipsOnly && { fixedText: onlyProject }),
    element: ({ actionId, value, formContext: { projects: all, more } }) => {
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

function onlyProject({ projects: [only, ...others], more }: FormContext): string | undefined {
  return only && others.length === 0 && !more ? `Project: ${only.name}` : undefined;
}
