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
import { truncationNotice } from '../../slack/list-pages.ts';
import { serviceFailureText } from '../../slack/service-failure.ts';
import { type SeenSource, seenSource, sourcesWith, toSeenSource, whyNotFilled } from './seen-source.ts';

const sourceFacts = formContextSchema.extend({
  /** The id of the project whose sources these are. */
  of: z.string().optional(),
  /** The chosen source, as the service had it last. */
  source: seenSource.optional(),
  /** As it was before somebody else changed it. */
  was: seenSource.optional(),
  /** Plain text: why there is nothing to edit yet. */
  said: z.string().optional(),
  /** What the fields begin with; put in once. */
  fill: z
    .object({
      project: namedRecord.optional(),
      source: namedRecord.optional(),
      description: z.string().optional(),
      value: z.string().optional(),
    })
    .optional(),
});
export type SourceFacts = z.infer<typeof sourceFacts>;

const given = z.object({
  project: namedRecord.optional().catch(undefined),
  source: namedRecord.optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  /** As they were typed after the command. */
  words: z.string().optional().catch(undefined),
});

/** The project's sources, and the present values of the one that was chosen or named. */
export const factsOfSource: ContextLoader<SourceFacts> = {
  schema: sourceFacts,
  async load(call, begin) {
    const base = await projectLoader.load(call, begin);
    if ('trouble' in base) return base;
    const { project, words } = chooseProject(base.formContext, begin);
    if (!project) return { formContext: base.formContext };
    const outcome = await listSources(call.context.api, project.id);
    if (outcome.kind !== 'done') return { trouble: `${serviceFailureText(outcome)} The form needs it.` };
    const { items, shape, unreadable, isTruncated } = outcome.data;
    if (shape === 'unreadable')
      return { trouble: 'The scheduling service answered, but I cannot read its sources.' };
    const sources = items.map(toSeenSource);
    const found = chosenOf(sources, begin, { words, isTruncated });
    const said = whyNone(project.name, sources, { found, unreadable, isTruncated, begin, words });
    return {
      formContext: {
        ...base.formContext,
        of: project.id,
        ...(found && { source: found }),
        ...(said !== undefined && { said }),
        fill: { project, ...(found && initialValues(found, begin)) },
      },
    };
  },
};

/** Of several projects the one that was chosen, else the one that the words name. */
function chooseProject(
  { projects, hasMore: more, chosen }: z.infer<typeof formContextSchema>,
  begin: OpenOptions,
) {
  const { project, words = '' } = given.parse(begin.prefill ?? {});
  const known = projects.find(({ id }) => id === project?.id);
  if (known) return { project: known, words };
  const found = resolveProject({ items: projects, isTruncated: more }, chosen ? [chosen.id] : [], words);
  return found.kind === 'one' ? { project: found.project, words: found.rest } : { project: undefined, words };
}

function chosenOf(
  sources: readonly SeenSource[],
  begin: OpenOptions,
  { words, isTruncated }: { words: string; isTruncated: boolean },
): SeenSource | undefined {
  const { source } = given.parse(begin.prefill ?? {});
  if (source) return sources.find(({ id }) => id === source.id);
  const fitting = words.trim() === '' ? [] : sourcesWith(sources, words);
  const [only] = fitting;
  // Others that weren't read may hold the words too.
  const isMeant = fitting.length === 1 && (!isTruncated || [only?.id, only?.name].includes(words.trim()));
  return isMeant ? only : undefined;
}

/** The present values, unless somebody has written others already. */
function initialValues(source: SeenSource, begin: OpenOptions) {
  const { id, name, description = '', value } = source;
  const chosen = { source: { id, name } };
  if (given.parse(begin.prefill ?? {}).description !== undefined) return chosen;
  return {
    ...chosen,
    description: description.length > LIMITS.inputText ? '' : description,
    ...(whyNotFilled(source) === undefined && value !== undefined && { value }),
  };
}

function whyNone(
  project: string,
  sources: readonly SeenSource[],
  at: {
    found: SeenSource | undefined;
    unreadable: number;
    isTruncated: boolean;
    begin: OpenOptions;
    words: string;
  },
): string | undefined {
  const others = at.isTruncated ? ` ${truncationNotice(sources.length + at.unreadable, 'sources')}` : '';
  const unread = `${at.unreadable > 0 ? ` ${at.unreadable} more could not be read.` : ''}${others}`;
  if (at.found) return undefined;
  const { source } = given.parse(at.begin.prefill ?? {});
  if (source && at.isTruncated) return `I can't read this source now. Choose another, or try again.${unread}`;
  if (source) return `This source is not there any more. Choose another.${unread}`;
  if (sources.length === 0 && unread !== '') return `I can read no source of ${project}.${unread}`;
  if (sources.length === 0) return `${project} has no sources.`;
  const words = at.words.trim();
  if (words === '') return unread === '' ? undefined : unread.trim();
  const { length } = sourcesWith(sources, words);
  const count = length === 0 ? 'no source' : length === 1 ? 'one source' : `${length} sources`;
  const among = at.isTruncated ? ', among those that I read' : '';
  return `“${clip(sanitizeLine(words), 60)}” fits ${count} of ${project}${among}. Choose one.${unread}`;
}
