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
import { checkPrefill, type SeenSource, searchSources, seenSource, toSeenSource } from './seen-source.ts';

const sourceContextSchema = formContextSchema.extend({
  /** The id of the project whose sources were loaded. */
  projectId: z.string().optional(),
  /** The chosen source, as the service listed it last. */
  source: seenSource.optional(),
  /** The source when the form was opened, if somebody else has changed it since. */
  previous: seenSource.optional(),
  /** Why there is nothing to edit yet, or which sources could not be read (plain text). */
  notice: z.string().optional(),
  /** Initial values of the fields. Applied once, then removed. */
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
  words: z.string().optional().catch(undefined),
});

/** Loads the source that was chosen or named, with its current values. */
export const sourceContextLoader: ContextLoader<SourceFormContext> = {
  schema: sourceContextSchema,
  async load(call, options) {
    const base = await projectLoader.load(call, options);
    if ('failureText' in base) return base;
    const { project, words } = chooseProject(base.formContext, options);
    if (!project) return { formContext: base.formContext };
    const outcome = await listSources(call.context.api, project.id);
    if (outcome.kind !== 'done')
      return { failureText: `${renderServiceFailure(outcome)} The form needs it.` };
    const { items, shape, unreadable, isTruncated } = outcome.data;
    if (shape === 'unreadable')
      return { failureText: 'The scheduling service answered, but I cannot read its sources.' };
    const sources = items.map(toSeenSource);
    const found = findChosenSource(sources, options, { words, isTruncated });
    const notice = renderNotice(project.name, sources, { found, unreadable, isTruncated, options, words });
    return {
      formContext: {
        ...base.formContext,
        projectId: project.id,
        ...(found && { source: found }),
        ...(notice !== undefined && { notice }),
        initialValues: { project, ...(found && readInitialValues(found, options)) },
      },
    };
  },
};

/** The project that was chosen, or else the one that the words name. */
function chooseProject(
  { projects, hasMore: more, chosen }: z.infer<typeof formContextSchema>,
  options: OpenOptions,
) {
  const { project, words = '' } = prefillSchema.parse(options.prefill ?? {});
  const known = projects.find(({ id }) => id === project?.id);
  if (known) return { project: known, words };
  const found = resolveProject({ items: projects, isTruncated: more }, chosen ? [chosen.id] : [], words);
  return found.kind === 'one' ? { project: found.project, words: found.rest } : { project: undefined, words };
}

function findChosenSource(
  sources: readonly SeenSource[],
  options: OpenOptions,
  { words, isTruncated }: { words: string; isTruncated: boolean },
): SeenSource | undefined {
  const { source } = prefillSchema.parse(options.prefill ?? {});
  if (source) return sources.find(({ id }) => id === source.id);
  const matches = words.trim() === '' ? [] : searchSources(sources, words);
  const [only] = matches;
  // In a truncated list only an exact match counts, because unread sources may contain the words too.
  const isUnique = matches.length === 1 && (!isTruncated || [only?.id, only?.name].includes(words.trim()));
  return isUnique ? only : undefined;
}

/** The source's current values, unless the person has typed others already. */
function readInitialValues(source: SeenSource, options: OpenOptions) {
  const { id, name, description = '', value } = source;
  const chosen = { source: { id, name } };
  if (prefillSchema.parse(options.prefill ?? {}).description !== undefined) return chosen;
  return {
    ...chosen,
    description: description.length > LIMITS.inputText ? '' : description,
    ...(checkPrefill(source) === undefined && value !== undefined && { value }),
  };
}

/** Why no source is chosen, and how many could not be read. Plain text; undefined if there is nothing to say. */
function renderNotice(
  project: string,
  sources: readonly SeenSource[],
  at: {
    found: SeenSource | undefined;
    unreadable: number;
    isTruncated: boolean;
    options: OpenOptions;
    words: string;
  },
): string | undefined {
  const others = at.isTruncated
    ? ` ${renderTruncationNotice(sources.length + at.unreadable, 'sources')}`
    : '';
  const unread = `${at.unreadable > 0 ? ` ${at.unreadable} more could not be read.` : ''}${others}`;
  if (at.found) return undefined;
  const { source } = prefillSchema.parse(at.options.prefill ?? {});
  if (source && at.isTruncated) return `I can't read this source now. Choose another, or try again.${unread}`;
  if (source) return `This source is not there any more. Choose another.${unread}`;
  if (sources.length === 0 && unread !== '') return `I can read no source of ${project}.${unread}`;
  if (sources.length === 0) return `${project} has no sources.`;
  const words = at.words.trim();
  if (words === '') return unread === '' ? undefined : unread.trim();
  const { length } = searchSources(sources, words);
  const count = length === 0 ? 'no source' : length === 1 ? 'one source' : `${length} sources`;
  const among = at.isTruncated ? ', among those that I read' : '';
  return `“${clip(sanitizeLine(words), 60)}” fits ${count} of ${project}${among}. Choose one.${unread}`;
}
