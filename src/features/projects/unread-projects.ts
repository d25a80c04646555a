import { getUpnextPost } from '../../api/dashboard.ts';
import { mapLimited } from '../../api/map-limited.ts';
import type { Outcome } from '../../api/outcome.ts';
import type { Project } from '../../api/projects.ts';
import type { Call } from '../../app/call.ts';
import type { AppContext } from '../../app/context.ts';
import type { Listed } from '../../posts/project.ts';

/** All that were meant; or the first words that mean none; or why the service couldn't be asked about them. */
type LookedUp =
  | { kind: 'found'; projects: readonly Project[] }
  | { kind: 'unknown'; words: string }
  | { kind: 'trouble'; trouble: Exclude<Outcome<unknown>, { kind: 'done' }> };

/** Ids that the service is asked about at once. */
const AT_ONCE = 4;

/**
 * The projects that were meant. Words that fit none of the list may be the id of one that wasn't read: where the list
 * was cut, the service is asked about them.
 */
export async function lookUpUnread(
  { context }: Pick<Call, 'context'>,
  meant: readonly (Project | string)[],
  { isTruncated }: Pick<Listed, 'isTruncated'>,
): Promise<LookedUp> {
  const unknown = meant.find((one) => typeof one === 'string' && (!isTruncated || one.trim() === ''));
  if (typeof unknown === 'string') return { kind: 'unknown', words: unknown };
  const found = await mapLimited(meant, AT_ONCE, (one) =>
    typeof one === 'string' ? lookUp(context, one) : Promise.resolve(one),
  );
  const projects = new Map<string, Project>();
  for (const one of found) {
    if ('kind' in one) return one;
    projects.set(one.id, one);
  }
  return { kind: 'found', projects: [...projects.values()] };
}

/** Only the service's "no" makes an id unknown: that it didn't answer says nothing of the project. */
async function lookUp(
  { api }: AppContext,
  words: string,
): Promise<Project | Exclude<LookedUp, { kind: 'found' }>> {
  const id = words.trim();
  const outcome = await getUpnextPost(api, id);
  if (outcome.kind === 'done') return { id, name: id };
  const isUnknown = outcome.kind === 'invalid' || (outcome.kind === 'refused' && outcome.status === 404);
  return isUnknown ? { kind: 'unknown', words } : { kind: 'trouble', trouble: outcome };
}
