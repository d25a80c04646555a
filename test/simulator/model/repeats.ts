import type { CreatedPost, Deed, Entry } from '../history.ts';
import { format } from './describe.ts';

/** With these, people ask for a post again that the service may have. */
const AGAIN = /^(?:Send again|Schedule again|Try .+ again)$/u;
/** They know that the service has one like it, and want another. */
const KNOWN = /lists? (?:\d+|more than one|a post|one) like|may have published it/u;
/** These change nothing of the post. */
const HARMLESS = /^(?:Open|History|Comment|Share|Check again|close)$/u;
/** A post that the service has is in its lists after so long, also on the clock of an instance. */
const LISTED_MS = 60_000;

/**
 * A post that the service has by the time at which somebody asks for it again isn't sent again: Upnext looks first, and finds
 * it. That needs lists that have all posts, and a service that answers.
 */
export function createRepeatCheck({ listsAll }: { listsAll: boolean }) {
  const created = new Map<string, (CreatedPost & { at: number })[]>();
  /** When somebody asked for a post again, by its token. */
  const asked = new Map<string, number>();
  let troubledUntil = Number.NEGATIVE_INFINITY;
  let count = 0;

  return {
    addDeed({ at, pressed, saw = '' }: Deed & { at: number }, tokens: readonly string[]): void {
      if (pressed === undefined || HARMLESS.test(pressed)) return;
      const [token, ...others] = tokens;
      for (const each of tokens) asked.delete(each);
      if (token !== undefined && others.length === 0 && AGAIN.test(pressed) && !KNOWN.test(saw))
        asked.set(token, at);
    },
    addCreated(post: CreatedPost & { at: number }, token: string): string[] {
      if (!post.isApplied || post.isDraft) return [];
      const earlier = created.get(token) ?? [];
      created.set(token, [...earlier, post]);
      const askedAt = asked.get(token);
      if (askedAt === undefined || !listsAll || askedAt < troubledUntil) return [];
      count += 1;
      const equal = earlier.find((other) => other.at < askedAt - LISTED_MS && isEqual(other, post));
      return equal
        ? [`${token} was sent again, although the service had it ${format(equal.at)}, before somebody asked`]
        : [];
    },
    add(entry: Entry): void {
      if (entry.kind === 'note' && entry.trouble && !entry.trouble.leavesLists)
        troubledUntil = Math.max(troubledUntil, entry.at + entry.trouble.forMs);
    },
    /** How often a post was sent again that somebody had asked for. */
    readCount: () => count,
  };
}

function isEqual(one: CreatedPost, other: CreatedPost): boolean {
  return (
    one.content === other.content &&
    one.publishAt === other.publishAt &&
    one.project === other.project &&
    one.platforms.join() === other.platforms.join()
  );
}
