import { z } from 'zod';
import { mapDone, type Outcome } from '../../api/outcome.ts';
import type { Records } from '../../api/records.ts';
import { listSources, type Source } from '../../api/sources.ts';
import { namedRecord } from '../../forms/field.ts';
import {
  type ContextLoader,
  formContextSchema,
  type OpenOptions,
  projectLoader,
} from '../../forms/form-context.ts';
import { searchRecords } from '../../lists/record-list.ts';
import { resolveProject } from '../../posts/project.ts';
import { clipLine, sanitizeLine } from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import { renderPartialNotes } from '../../slack/list-pages.ts';
import { renderReadFailure, renderServiceFailure } from '../../slack/service-failure.ts';
import { clip } from '../../words.ts';

/** A source as the service lists it. The value may be a secret, or a mask that the service shows instead. */
const listedSourceSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  value: z.string().optional(),
});
export type ListedSource = z.infer<typeof listedSourceSchema>;

export const SOURCE_EXPLANATION =
  'A source is where the service finds material for posts, such as a blog or a calendar.';

/** The mask that people see instead of a value. Its length reveals nothing about the value. */
export const MASK = '••••••••';

const MAX_NAME_LENGTH = 100;

/** Converts a source. Its name is the name or description from the service. */
function toListedSource({ id, name, description, value }: Source): ListedSource {
  const displayName = clip(sanitizeLine(name ?? description ?? '') || 'Unnamed source', MAX_NAME_LENGTH);
  return { id, name: displayName, description, value };
}

/** Converts the sources of a list. */
export function toListedSources(outcome: Outcome<Records<Source>>): Outcome<Records<ListedSource>> {
  return mapDone(outcome, ({ items, ...records }) => ({ ...records, items: items.map(toListedSource) }));
}

/** Finds the reason why a field can't be prefilled with the value. Undefined if it can. */
export function findPrefillObstacle({
  value,
}: Pick<ListedSource, 'value'>): 'no-value' | 'masked' | 'too-long' | undefined {
  if (value === undefined) return 'no-value';
  if (looksMasked(value)) return 'masked';
  return value.length > LIMITS.inputText ? 'too-long' : undefined;
}

/** Returns the value, or undefined if the service shows none or only a mask. The value may be too long for a form. */
export function getVisibleValue({ value }: Pick<ListedSource, 'value'>): string | undefined {
  return value === undefined || looksMasked(value) ? undefined : value;
}

/** Whether texts are equal apart from their line endings, which forms change. */
export function isSameText(one = '', other = ''): boolean {
  const [first, second] = [one, other].map((text) => text.replaceAll(/\r\n?/g, '\n'));
  return first === second;
}

/** The text in which words are searched. It lacks the value, which may be a secret. */
export function getSourceSearchText({ name, description = '' }: ListedSource): string {
  return `${name}\n${description}`;
}

/** Masks that services show instead of secrets: a repeated character, a word in brackets, or an ellipsis. */
const MASK_PATTERNS = [
  /[*•●∙·▪■×✱＊]{3,}/u,
  /(?:^|[^\p{L}])x{3,}(?:$|[^\p{L}])/iu,
  /#{4,}/,
  /[…⋯]/u,
  /\.{3,}/,
  /[[<({]\s*(?:redacted|hidden|masked|filtered|secret|removed|private)\s*[\])}>]/i,
  /^\s*(?:redacted|hidden|masked|filtered)\s*$/i,
];

/** Whether a value looks like a mask. A real value may look like one too, such as a link with “...”. */
export function looksMasked(value: string): boolean {
  return MASK_PATTERNS.some((pattern) => pattern.test(value));
}

const sourceContextSchema = formContextSchema.extend({
  projectId: z.string().optional(),
  /** The chosen source, as the service last listed it. */
  source: listedSourceSchema.optional(),
  /** Explains why no source is chosen yet, and how many sources couldn't be read (plain text). */
  notice: z.string().optional(),
});
export type SourceFormContext = z.infer<typeof sourceContextSchema>;

const prefillSchema = z.object({
  project: namedRecord.optional().catch(undefined),
  source: namedRecord.optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  /** The text after the command. */
  query: z.string().optional().catch(undefined),
});

/** Loads the source that was chosen in the form or named in the command, with the source's current values. */
export const sourceContextLoader: ContextLoader<SourceFormContext> = {
  schema: sourceContextSchema,
  async load(call, options) {
    const projectResult = await projectLoader.load(call, { ...options, channelName: call.channelName });
    if ('failureText' in projectResult) return projectResult;
    const { project, query } = chooseProject(projectResult.formContext, options);
    if (!project) return { formContext: projectResult.formContext };
    const outcome = toListedSources(await listSources(call.context.api, project.id));
    if (outcome.kind !== 'done') return { failureText: renderServiceFailure(outcome) };
    const { items: sources, isReadable, unreadableCount, isTruncated } = outcome.data;
    if (!isReadable) return { failureText: renderReadFailure('unreadable', 'sources') };
    const chosenSource = await findChosenSource(sources, options, { query, isTruncated });
    const notice = await renderNotice(project.name, sources, {
      chosenSource,
      unreadableCount,
      isTruncated,
      options,
      query,
    });
    return {
      formContext: {
        ...projectResult.formContext,
        projectId: project.id,
        ...(chosenSource && { source: chosenSource }),
        ...(notice !== undefined && { notice }),
      },
      prefill: {
        project,
        source: undefined,
        ...(chosenSource && chooseInitialValues(chosenSource, options)),
      },
    };
  },
};

/** Returns the chosen project, or else the project that the command names. `query` is the rest of the command. */
function chooseProject(
  { projects, hasMore, preselectedProject }: z.infer<typeof formContextSchema>,
  options: OpenOptions,
) {
  const { project, query: text = '' } = prefillSchema.parse(options.prefill ?? {});
  const listedProject = projects.find(({ id }) => id === project?.id);
  if (listedProject) return { project: listedProject, query: text };
  const resolution = resolveProject(
    { items: projects, isTruncated: hasMore },
    preselectedProject ? [preselectedProject.id] : [],
    text,
  );
  return resolution.kind === 'one'
    ? { project: resolution.project, query: resolution.rest }
    : { project: undefined, query: text };
}

async function findChosenSource(
  sources: readonly ListedSource[],
  options: OpenOptions,
  { query, isTruncated }: { query: string; isTruncated: boolean },
): Promise<ListedSource | undefined> {
  const { source: requestedSource } = prefillSchema.parse(options.prefill ?? {});
  if (requestedSource) return sources.find(({ id }) => id === requestedSource.id);
  const matches = query.trim() === '' ? [] : await searchRecords(sources, query, getSourceSearchText);
  const [onlyMatch] = matches;
  // In a truncated list only an exact match counts, because unread sources may match the query too.
  const isUnique =
    matches.length === 1 && (!isTruncated || [onlyMatch?.id, onlyMatch?.name].includes(query.trim()));
  return isUnique ? onlyMatch : undefined;
}

/** Returns the source and its texts as initial values. Omits the texts if the author has already typed others. */
function chooseInitialValues(source: ListedSource, options: OpenOptions) {
  const { id, name, description = '', value } = source;
  const sourceChoice = { source: { id, name } };
  if (prefillSchema.parse(options.prefill ?? {}).description !== undefined) return sourceChoice;
  return {
    ...sourceChoice,
    description: description.length > LIMITS.inputText ? '' : description,
    ...(findPrefillObstacle(source) === undefined && value !== undefined && { value }),
  };
}

/** Explains why no source is chosen, and counts the sources that couldn't be read. Undefined without either. */
async function renderNotice(
  project: string,
  sources: readonly ListedSource[],
  result: {
    chosenSource: ListedSource | undefined;
    unreadableCount: number;
    isTruncated: boolean;
    options: OpenOptions;
    query: string;
  },
): Promise<string | undefined> {
  if (result.chosenSource) return undefined;
  const partialNotes = renderPartialNotes({ ...result, readCount: sources.length }, 'sources');
  const unreadText = partialNotes.map((note) => ` ${note}`).join('');
  const { source: requestedSource } = prefillSchema.parse(result.options.prefill ?? {});
  if (requestedSource && unreadText !== '')
    return `I can’t read this source right now. Choose another, or try again.${unreadText}`;
  if (requestedSource) return `This source no longer exists. Choose another.${unreadText}`;
  if (sources.length === 0 && unreadText !== '') return `I couldn’t read any ${project} source.${unreadText}`;
  if (sources.length === 0) return `${project} has no sources.`;
  const query = result.query.trim();
  if (query === '') return unreadText === '' ? undefined : unreadText.trim();
  const { length: matchCount } = await searchRecords(sources, query, getSourceSearchText);
  const countText = matchCount === 0 ? `no ${project} source` : `${matchCount} ${project} sources`;
  return `“${clipLine(query)}” matches ${countText}. Choose one.${unreadText}`;
}
