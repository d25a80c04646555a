import { z } from 'zod';
import { type NamedRecord, namedRecord } from '../../forms/field.ts';
import { type ContextLoader, cachedProjectLoader, formContextSchema } from '../../forms/form-context.ts';
import type { Call } from '../../handlers/call.ts';
import { countHeldPosts } from '../../held-posts/sql/held-posts.ts';
import { normalizeName } from '../../posts/normalize-name.ts';
import { resolveProject } from '../../posts/project.ts';
import { findNearest } from '../../slack/suggest.ts';
import { countUnsent, findProjectStop } from '../../submissions/project-stop.ts';

export const stopContextSchema = formContextSchema.extend({
  /** The text after the command if it names no project that the person may stop. */
  unknownProject: z.string().optional(),
  /** The state of the chosen project. */
  chosen: z
    .object({
      project: namedRecord,
      waitingCount: z.number(),
      /** The stop that exists already. */
      stop: z
        .object({ reason: z.string(), since: z.coerce.date(), stopped_by: z.string().nullable() })
        .optional(),
    })
    .optional(),
});
export type StopContext = z.infer<typeof stopContextSchema>;

/** Loads the projects that the person may stop, also while the service is down, and the state of the chosen project. */
export const stopLoader: ContextLoader<StopContext> = {
  schema: stopContextSchema,
  async load(call, options) {
    const text = namedRecord.safeParse(options.prefill?.project).data?.name ?? '';
    const namedProject = text === '' ? undefined : await findNamedProject(call, text);
    const { channelName } = call;
    const result = await cachedProjectLoader.load(call, {
      ...options,
      ...(channelName !== undefined && { channelName }),
      prefill: { project: namedProject },
    });
    if ('failureText' in result) return result;
    const { isFromCache: _, preselectedProject, ...formContext } = result.formContext;
    const isUnknown = text !== '' && !namedProject;
    const hasOneProject = formContext.projects.length === 1 && !formContext.hasMore;
    const preselected = namedProject ?? (isUnknown && !hasOneProject ? undefined : preselectedProject);
    return {
      formContext: {
        ...formContext,
        ...(preselected && { preselectedProject: preselected }),
        ...(isUnknown && { unknownProject: text }),
        chosen: preselected && (await loadProject(call, preselected)),
      },
      // In a hurry, people type why they stop it.
      ...(isUnknown && !isLikeName(text, formContext.projects) && { prefill: { reason: text } }),
    };
  },
};

/** A shorter text may be a name as well as a reason. */
const MIN_REASON_WORDS = 3;

/** Whether a text may be a mistyped name of a project. It mustn't be announced as the reason of the stop. */
function isLikeName(text: string, projects: readonly NamedRecord[]): boolean {
  const words = text.trim().split(/\s+/);
  return (
    words.length < MIN_REASON_WORDS ||
    words.every((word) => /^[^\p{Ll}]/u.test(word)) ||
    findNearest(
      normalizeName(text),
      projects.map(({ name }) => normalizeName(name)),
    ) !== undefined
  );
}

/** Finds the project that the text after a command names. Undefined if it names none, or several. */
async function findNamedProject(call: Call, text: string): Promise<NamedRecord | undefined> {
  const { reads, api } = call.context;
  const outcome = await reads.listProjects(api);
  const list = outcome.kind === 'done' ? outcome.data : reads.getLastProjects(api);
  const resolution = list && resolveProject(list, [], text);
  return resolution?.kind === 'one' && resolution.rest !== text.trim() ? resolution.project : undefined;
}

/** Loads the state of a chosen project. */
export async function loadProject(call: Call, project: NamedRecord): Promise<StopContext['chosen']> {
  const [stop, waitingCount] = await Promise.all([
    findProjectStop(call.context.db, { workspace: call.actor.workspace, project: project.id }),
    countWaitingPosts(call, project.id),
  ]);
  return { project, waitingCount, ...(stop && { stop }) };
}

/** Counts the posts of a project that would go out without a stop. Posts that are reviewed wait anyway. */
export async function countWaitingPosts(
  { context, actor, now }: Pick<Call, 'context' | 'actor' | 'now'>,
  project: string,
): Promise<number> {
  const key = { workspace: actor.workspace, project };
  const counts = await Promise.all([
    countUnsent(context.submissions.context, key),
    countHeldPosts(context.db, { ...key, states: ['held'], from: now() }),
  ]);
  return counts.reduce((sum, count) => sum + count, 0);
}
