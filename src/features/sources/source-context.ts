import { z } from 'zod';
import { listSources } from '../../api/sources.ts';
import { namedRecord } from '../../forms/field.ts';
import {
  type ContextLoader,
  formContextSchema,
  type OpenOptions,
  projectLoader,
} from '../../forms/form-context.ts';
import { resolveProject } from '../../posts/resolve-project.ts';
import { clip, sanitizeLine } from '../../slack/escape.ts';
import { LIMITS } from '../../slack/limits.ts';
import { renderTruncationNotice } from '../../slack/list-pages.ts';
import { renderServiceFailure } from '../../slack/service-failure.ts';
import {
  checkPrefill,
  type SeenSource,
  searchSources,
  seenSourceSchema,
  toSeenSource,
} from './seen-source.ts';

const sourceContextSchema = formContextSchema.extend({
  /** The id of the project whose sources were loaded. */
  projectId: z.string().optional(),
  /** The chosen source, as the service listed it last. */
  source: seenSourceSchema.optional(),
  /** The source when the form was opened, if somebody else has changed it since. */
  previous: seenSourceSchema.optional(),
  /** The reason why no source is chosen yet, or the number of unreadable sources (plain text). */
  notice: z.string().optional(),
  /** Initial values of the fields. They are removed after they have been applied once. */
  initialValues: z
    .object({
      project: namedRecord.optional(),
      source: namedRecord.optional(),
      description: z.string().optional(),
      value: z.string().optional(),
    })
    .optional(),
});
export type SourceFormContext = z.infer<typeof sourceContextSchema>;

const prefillSchema = z.object({
  project: namedRecord.optional().catch(undefined),
  source: namedRecord.optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  /** The text after the command. */
  query: z.string().optional().catch(undefined),
});

/** Loads the source that was chosen in the form or named in the command, with its current values. */
export const sourceContextLoader: ContextLoader<SourceFormContext> = {
  schema: sourceContextSchema,
  async load(call, options) {
    const base = await projectLoader.load(call, options);
    if ('failureText' in base) return base;
    const { project, query } = chooseProject(base.formContext, options);
    if (!project) return { formContext: base.formContext };
    const outcome = await listSources(call.context.api, project.id);
    if (outcome.kind !== 'done')
      return { failureText: `${renderServiceFailure(outcome)} The form needs it.` };
    const { items, shape, unreadable, isTruncated } = outcome.data;
    if (shape === 'unreadable')
      return { failureText: 'The scheduling service answered, but I cannot read its sources.' };
    const sources = items.map(toSeenSource);
    const chosenSource = findChosenSource(sources, options, { query, isTruncated });
    const notice = renderNotice(project.name, sources, {
      found: chosenSource,
      unreadable,
      isTruncated,
      options,
      query,
    });
    return {
      formContext: {
        ...base.formContext,
        projectId: project.id,
        ...(chosenSource && { source: chosenSource }),
        ...(notice !== undefined && { notice }),
        initialValues: { project, ...(chosenSource && chooseInitialValues(chosenSource, options)) },
      },
    };
  },
};

/** Returns the chosen project, or the project that the text of the command names, and the remaining text. */
function chooseProject(
  { projects, hasMore, chosen }: z.infer<typeof formContextSchema>,
  options: OpenOptions,
) {
  const { project, query: text = '' } = prefillSchema.parse(options.prefill ?? {});
  const listedProject = projects.find(({ id }) => id === project?.id);
  if (listedProject) return { project: listedProject, query: text };
  const resolution = resolveProject(
    { items: projects, isTruncated: hasMore },
    chosen ? [chosen.id] : [],
    text,
  );
  return resolution.kind === 'one'
    ? { project: resolution.project, query: resolution.rest }
    : { project: undefined, query: text };
}

function findChosenSource(
  sources: readonly SeenSource[],
  options: OpenOptions,
  { query, isTruncated }: { query: string; isTruncated: boolean },
): SeenSource | undefined {
  const { source } = prefillSchema.parse(options.prefill ?? {});
  if (source) return sources.find(({ id }) => id === source.id);
  const matches = query.trim() === '' ? [] : searchSources(sources, query);
  const [onlyMatch] = matches;
  // In a truncated list only an exact match counts, because unread sources may match the query too.
  const isUnique =
    matches.length === 1 && (!isTruncated || [onlyMatch?.id, onlyMatch?.name].includes(query.trim()));
  return isUnique ? onlyMatch : undefined;
}

/** Returns the source's current values for the fields. Omits them if the author has already typed other values. */
function chooseInitialValues(source: SeenSource, options: OpenOptions) {
  const { id, name, description = '', value } = source;
  const sourceChoice = { source: { id, name } };
  if (prefillSchema.parse(options.prefill ?? {}).description !== undefined) return sourceChoice;
  return {
    ...sourceChoice,
    description: description.length > LIMITS.inputText ? '' : description,
    ...(checkPrefill(source) === undefined && value !== undefined && { value }),
  };
}

/** Explains why no source is chosen, and counts unreadable sources. Plain text, or undefined if neither applies. */
function renderNotice(
  project: string,
  sources: readonly SeenSource[],
  result: {
    found: SeenSource | undefined;
    unreadable: number;
    isTruncated: boolean;
    options: OpenOptions;
    query: string;
  },
): string | undefined {
  const truncationText = result.isTruncated
    ? ` ${renderTruncationNotice(sources.length + result.unreadable, 'sources')}`
    : '';
  const unreadText = `${result.unreadable > 0 ? ` ${result.unreadable} more could not be read.` : ''}${truncationText}`;
  if (result.found) return undefined;
  const { source } = prefillSchema.parse(result.options.prefill ?? {});
  if (source && result.isTruncated)
    return `I can't read this source now. Choose another, or try again.${unreadText}`;
  if (source) return `This source is not there any more. Choose another.${unreadText}`;
  if (sources.length === 0 && unreadText !== '') return `I can read no source of ${project}.${unreadText}`;
  if (sources.length === 0) return `${project} has no sources.`;
  const query = result.query.trim();
  if (query === '') return unreadText === '' ? undefined : unreadText.trim();
  const { length } = searchSources(sources, query);
  const count = length === 0 ? 'no source' : length === 1 ? 'one source' : `${length} sources`;
  const scopeText = result.isTruncated ? ', among those that I read' : '';
  return `“${clip(sanitizeLine(query), 60)}” fits ${count} of ${project}${scopeText}. Choose one.${unreadText}`;
}
