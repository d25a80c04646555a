import { z } from 'zod';
import { mapDone } from '../../api/outcome.ts';
import type { Records } from '../../api/records.ts';
import { readProjects } from '../../held-posts/known-projects.ts';
import { plain, toOptions } from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import {
  buildCommonProperties,
  type Field,
  type FieldOptions,
  type NamedRecord,
  namedRecord,
  type SearchRequest,
} from '../field.ts';
import type { FormContext } from '../form-context.ts';
import {
  filterChosenOptions,
  findOptions,
  readRecords,
  recordValue,
  renderSearchSelect,
  type SearchableOptions,
} from './searched.ts';

/** Finds the options for a search of projects. While the service doesn't answer, those of the known ones. */
const searchProjects = (request: SearchRequest) =>
  findOptions({ find: findProjects, emptyText: 'No project found' }, request);

async function findProjects({ call, formContext }: SearchRequest): ReturnType<SearchableOptions['find']> {
  const outcome = await call.context.reads.listProjects(call.context.api);
  const { projects } = await readProjects(call, outcome);
  const sortRecords = ({ items, isTruncated }: Records<NamedRecord>) => ({
    items: sortByFormOrder(items, formContext),
    isTruncated,
  });
  return outcome.kind !== 'done' && projects?.items[0]
    ? sortRecords(projects)
    : mapDone(outcome, sortRecords);
}

/**
 * A field for the form's project. If there is only one project, the form shows its name. Otherwise a select preselects
 * the channel's project. The select searches if there are more projects than a select may have.
 */
export function projectField(options: Partial<FieldOptions> = {}): Field<NamedRecord | undefined> {
  const field = buildCommonProperties({ label: 'Project', apiFields: 'project_id', ...options });
  return {
    ...field,
    ...recordValue,
    containsProjects: true,
    // The prefilled project. If it doesn't exist, the project that the form preselects.
    computeInitialValue: (value, { projects, preselectedProject }) =>
      projects.find(({ id }) => id === value?.id) ?? preselectedProject,
    renderFixedText: ({ projects, hasMore, preselectedProject }) =>
      projects.length === 1 && !hasMore && preselectedProject
        ? `Project: ${preselectedProject.name}`
        : undefined,
    renderElement: ({ actionId, value, formContext }) => {
      const options = toOptions(formContext.projects);
      // Slack refuses a static select without options.
      if (formContext.hasMore || options.length === 0)
        return renderSearchSelect(actionId, 'Choose a project', value);
      const [initial] = filterChosenOptions(options, value ? [value] : []);
      return {
        type: 'static_select',
        action_id: actionId,
        placeholder: plain('Choose a project', LIMITS.placeholder),
        options,
        ...(initial && { initial_option: initial }),
      };
    },
    // If there are more projects than the form context has, any one can be chosen; the service checks.
    validate: (value, { projects, hasMore }) =>
      value && (hasMore || projects.some(({ id }) => id === value.id)) ? undefined : 'Choose a project.',
    search: searchProjects,
  };
}

/** Puts the form context's projects first, in its order (the channel's first), then all other projects. */
function sortByFormOrder(items: readonly NamedRecord[], { projects }: FormContext): NamedRecord[] {
  const contextProjects = projects.flatMap(({ id }) => items.find((item) => item.id === id) ?? []);
  return [...new Set([...contextProjects, ...items])];
}

/** A field for any of the projects. The select searches if there are more projects than a select may have. */
export function projectsField(options: {
  hint: string;
  optional?: boolean;
  /** Defaults to "Choose projects". */
  placeholder?: string;
  /** Whether the form shows the name instead of an input if there is only one project. */
  hidesInputForSingleProject?: boolean;
}): Field<NamedRecord[]> {
  const field = buildCommonProperties({ ...options, label: 'Projects' });
  const placeholder = plain(options.placeholder ?? 'Choose projects', LIMITS.placeholder);
  return {
    ...field,
    containsProjects: true,
    emptyValue: [],
    valueSchema: z.array(namedRecord),
    read: readRecords,
    ...(options.hidesInputForSingleProject && { renderFixedText: renderSingleProject }),
    renderElement: ({ actionId, value, formContext: { projects, hasMore } }) => {
      const options = toOptions(projects);
      // Slack refuses a static select without options.
      const isSearched = hasMore || options.length === 0;
      const initial = isSearched
        ? toOptions(value).slice(0, LIMITS.options)
        : filterChosenOptions(options, value);
      const common = {
        action_id: actionId,
        placeholder,
        ...(initial.length > 0 && { initial_options: initial }),
      };
      return isSearched
        ? { type: 'multi_external_select', min_query_length: 0, ...common }
        : { type: 'multi_static_select', options, ...common };
    },
    search: searchProjects,
  };
}

function renderSingleProject({ projects: [only, ...others], hasMore }: FormContext): string | undefined {
  return only && others.length === 0 && !hasMore ? `Project: ${only.name}` : undefined;
}
