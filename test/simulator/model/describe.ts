import type { CreatedPost } from '../history.ts';

/** Describes a post at the service, for a violation. */
export function describe({
  at,
  content,
  publishAt,
  isDraft,
  isApplied,
}: CreatedPost & { at: number }): string {
  const noun = `${isApplied ? '' : 'a request for '}a ${isDraft ? 'draft' : 'post'}`;
  return `${noun} “${content}” for ${publishAt === undefined ? 'no time' : format(publishAt)}, created ${format(at)}`;
}

export function format(at: number): string {
  return new Date(at).toISOString();
}
