import type { ExternalSelect, PlainTextOption } from '@slack/types';
import { z } from 'zod';
import { mapDone, type Outcome } from '../../api/outcome.ts';
import { nameById } from '../../api/project-ids.ts';
import type { Records } from '../../api/records.ts';
import type { OptionsCall } from '../../handlers/call.ts';
import { readProjects } from '../../held-posts/known-projects.ts';
import { within } from '../../promises.ts';
import { buildNoteOptions, NO_CHOICE, plain, toOptions } from '../../slack/blocks.ts';
import { getChosenOption, getChosenOptions, type ViewValues } from '../../slack/interaction-values.ts';
import { LIMITS } from '../../slack/limits.ts';
import { createWordSearch } from '../../slack/name.ts';
import {
  buildCommonProperties,
  type Field,
  type FieldOptions,
  type NamedRecord,
  namedRecord,
  type SearchRequest,
} from '../field.ts';
import type { Form } from '../form.ts';
import type { FormContext } from '../form-context.ts';
import { readOpenedForm, waitForChanges } from '../stored-form.ts';

/** The records to search. There may be more, which can't be searched, if some weren't read. */
type SearchableRecords = Pick<Records<NamedRecord>, 'items' | 'isTruncated'> & Partial<Records<NamedRecord>>;
type SearchResult = Outcome<SearchableRecords> | SearchableRecords | readonly NamedRecord[];

interface SearchableOptions extends FieldOptions {
  placeholder?: string;
  /** Returns all records. The select shows the records whose name contains the query. */
  find(request: SearchRequest): Promise<SearchResult>;
  /** The text shown if there are no records. */
  emptyText: string;
  /** Whether a project must be chosen before there are options. */
  needsProject?: boolean;
  /** Whether the options depend on the project. Without `needsProject`, there are some before one is chosen. */
  usesProject?: boolean;
  /** Renders the label of an extra option with the typed query as its id. Defaults to no such option. */
  renderQueryLabel?(query: string): string;
}

/** A field for one of many records, in a select that searches. Undefined until a record is chosen. */
export function searchableField(options: SearchableOptions): Field<NamedRecord | undefined> {
  return {
    ...buildCommonProperties(options),
    ...recordValue,
    read: (values, blockId) => {
      const record = readRecord(values, blockId);
      const isQuery = record !== undefined && options.renderQueryLabel?.(record.id) === record.name;
      // The label of the option for a typed id isn't the name of a record, so the id serves as the name.
      return isQuery ? { id: record.id, name: record.id } : record;
    },
    renderElement: ({ actionId, value }) =>
      renderSearchSelect(actionId, options.placeholder ?? 'None', value),
    usesProject: options.needsProject === true || options.usesProject === true,
    search: (request) => findOptions(options, request),
    ...(options.optional !== true && {
      validate: (value) => (value === undefined ? `Choose “${options.label}”.` : undefined),
    }),
  };
}

/** The properties for the value of a select whose options are records of the service. */
const recordValue = {
  emptyValue: undefined,
  valueSchema: namedRecord.optional(),
  read: readRecord,
  parsePrefill: (id: string): NamedRecord => nameById(id),
} as const;

function renderSearchSelect(
  actionId: string,
  placeholder: string,
  value: NamedRecord | undefined,
): ExternalSelect {
  const [initial] = toOptions(value ? [value] : []);
  return {
    type: 'external_select',
    action_id: actionId,
    min_query_length: 0,
    placeholder: plain(placeholder, LIMITS.placeholder),
    ...(initial && { initial_option: initial }),
  };
}

/** Filters the options by the chosen records. Slack refuses an initial option that isn't among the options. */
function filterChosenOptions(
  options: readonly PlainTextOption[],
  chosenRecords: readonly NamedRecord[],
): PlainTextOption[] {
  return options.filter(({ value }) => chosenRecords.some(({ id }) => id === value));
}

function readRecord(values: ViewValues, blockId: string): NamedRecord | undefined {
  const chosen = getChosenOption(values, blockId);
  return chosen && chosen.value !== NO_CHOICE ? { id: chosen.value, name: chosen.label } : undefined;
}

export function readRecords(values: ViewValues, blockId: string): NamedRecord[] {
  return getChosenOptions(values, blockId)
    .filter(({ value }) => value !== NO_CHOICE)
    .map(({ value: id, label }) => ({ id, name: label }));
}

/** Finds the options for a search of projects. While the service doesn't answer, those of the known ones. */
const searchProjects = (request: SearchRequest) =>
  findOptions({ find: findProjects, emptyText: 'No project found' }, request);

async function findProjects({ call, formContext }: SearchRequest): ReturnType<SearchableOptions['find']> {
  const outcome = await call.context.reads.listProjects(call.context.api);
  const { projects } = await readProjects(call, outcome);
  const sortRecords = ({ items, ...records }: Records<NamedRecord>) => ({
    ...records,
    items: sortByFormOrder(items, formContext),
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

/** Finds the options for a search, see `SearchableOptions`. */
export async function findOptions(
  options: Omit<SearchableOptions, keyof FieldOptions | 'placeholder'>,
  request: SearchRequest,
): Promise<PlainTextOption[]> {
  if (options.needsProject && request.project === undefined)
    return buildNoteOptions('Choose a project first');
  const query = request.query.trim();
  const queryOptions =
    options.renderQueryLabel && query !== ''
      ? toOptions([{ id: query, name: options.renderQueryLabel(query) }])
      : [];
  return findRecordOptions(await options.find(request), { ...options, query, queryOptions });
}

/** The service refused the records, or didn't answer in time. */
const NOT_LOADED = 'I couldn’t load these. Try again';

/** Finds the options for the records whose name contains the words of the query. `queryOptions` come last. */
export function findRecordOptions(
  result: SearchResult,
  search: { query: string; emptyText: string; queryOptions?: readonly PlainTextOption[] },
): PlainTextOption[] {
  const { query, emptyText, queryOptions = [] } = search;
  if ('kind' in result && result.kind !== 'done') return [...queryOptions, ...buildNoteOptions(NOT_LOADED)];
  const found = 'kind' in result ? result.data : result;
  const records: SearchableRecords = 'items' in found ? found : { items: found, isTruncated: false };
  const { items, isTruncated, isReadable, unreadableCount = 0 } = records;
  const isPartial = isTruncated || isReadable === false || unreadableCount > 0;
  const hasWords = createWordSearch(query);
  const matchingIds = new Set(items.flatMap(({ id, name }) => (hasWords(name) || id === query ? [id] : [])));
  // A record that isn't found may look like one that is.
  const matchingOptions = toOptions(items).filter(({ value = '' }) => matchingIds.has(value));
  const note = isPartial ? buildNoteOptions('Searching only those that I could read') : [];
  const maxMatches = LIMITS.options - queryOptions.length - note.length;
  const foundOptions = [...matchingOptions.slice(0, maxMatches), ...note, ...queryOptions];
  if (foundOptions.length > 0) return foundOptions;
  return buildNoteOptions(query === '' ? emptyText : 'Nothing found');
}

/** Time limit for finding options. Slack waits 3 s, and then shows an empty list. */
const ANSWER_TIMEOUT_MS = 2_500;

/** Finds the options for a search in a form's select, within Slack's time limit even if the service is slow. */
export async function searchOptions(form: Form, name: string, call: OptionsCall): Promise<PlainTextOption[]> {
  return answerInTime(searchField(form, name, call));
}

/** Returns the options. If they take longer than ANSWER_TIMEOUT_MS, returns a note to try again. */
export function answerInTime(options: Promise<PlainTextOption[]>): Promise<PlainTextOption[]> {
  return within(ANSWER_TIMEOUT_MS, options, buildNoteOptions(NOT_LOADED));
}

async function searchField(form: Form, name: string, call: OptionsCall): Promise<PlainTextOption[]> {
  const { view } = call;
  if (view) await waitForChanges(form, call, view.metadata);
  const opened = view && (await readOpenedForm(form, call, view.metadata));
  if (!opened) return buildNoteOptions('This form is out of date');
  const { stored, formContext } = opened;
  const field = form.fields[name];
  const project = field?.usesProject ? (stored.project?.id ?? formContext.preselectedProject?.id) : undefined;
  return (await field?.search?.({ call, query: call.query, project, formContext })) ?? [];
}
