import { findRepeatWindow, MIN_POST_GAP_MS } from './platform-rules/platform-rules.ts';
import { renderPlatformNames, sortPlatforms } from './platforms.ts';

/**
 * The one rule about posts that are too close, for the times of a form, across forms, in an import, a series and after a
 * move: on a platform, two posts are near within `MIN_POST_GAP_MS`, and one repeats the other if it has the same text while
 * the platform may refuse it.
 */

/** A post on one platform. */
export interface PlatformPost {
  instant: Date;
  platform: string;
  /** See `computeTextKey`. Undefined for a post without a text. */
  textKey: string | undefined;
}

type Timed = Pick<PlatformPost, 'instant'>;

function getDistance(one: Timed, other: Timed): number {
  return Math.abs(one.instant.getTime() - other.instant.getTime());
}

export function isNear(one: Timed, other: Timed): boolean {
  return getDistance(one, other) < MIN_POST_GAP_MS;
}

export function isRepeat(one: PlatformPost, other: PlatformPost): boolean {
  const window = findRepeatWindow(one.platform);
  return (
    window !== undefined &&
    one.platform === other.platform &&
    one.textKey !== undefined &&
    one.textKey === other.textKey &&
    getDistance(one, other) <= window
  );
}

/** Maximum posts that are found on each side of one, because people need to know only of the nearest. */
const MAX_FOUND = 5;

/**
 * Creates the function that finds the posts too close to one: the nearest of each kind. A post isn't close to itself. Each is
 * found in its place, so that thousands can be compared.
 */
export function createCloseFinder<Post extends PlatformPost>(
  posts: readonly Post[],
): (own: PlatformPost) => { near: Post[]; repeats: Post[] } {
  const sortByTime = (group: readonly Post[]) =>
    group.toSorted((one, other) => one.instant.getTime() - other.instant.getTime());
  const groupSorted = (getKey: (post: Post) => string) =>
    new Map([...Map.groupBy(posts, getKey)].map(([key, group]) => [key, sortByTime(group)]));
  const byPlatform = groupSorted(({ platform }) => platform);
  const byText = groupSorted(toTextName);
  return (own) => ({
    near: findAround(byPlatform.get(own.platform) ?? [], own, (other) => isNear(own, other)),
    repeats:
      own.textKey === undefined
        ? []
        : findAround(byText.get(toTextName(own)) ?? [], own, (other) => isRepeat(own, other)),
  });
}

const toTextName = ({ platform, textKey = '' }: PlatformPost) => `${platform} ${textKey}`;

/** Goes from the place of a post in both directions, as long as the others are close. */
function findAround<Post extends PlatformPost>(
  sorted: readonly Post[],
  own: PlatformPost,
  isClose: (other: Post) => boolean,
): Post[] {
  const place = findPlace(sorted, own.instant.getTime());
  const walk = (start: number, step: 1 | -1) => {
    const found: Post[] = [];
    for (let index = start; found.length < MAX_FOUND; index += step) {
      const other = sorted[index];
      if (!other || !isClose(other)) break;
      if (other !== own) found.push(other);
    }
    return found;
  };
  return [...walk(place - 1, -1), ...walk(place, 1)];
}

/** The index of the first post at a time or later. */
function findPlace(sorted: readonly PlatformPost[], time: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle]?.instant.getTime() ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Warns that a text goes out more than once on platforms that may refuse that. Plain text. */
export function renderRepeat(platforms: readonly string[]): string {
  const names = renderPlatformNames(sortPlatforms([...new Set(platforms)]));
  return `The same text goes out on ${names} again. ${names} may refuse it, so vary it.`;
}

/** Says that there may be other posts that are too close. Plain text. */
export const CLOSE_UNCHECKED = 'I couldn’t check the scheduling service’s posts, so others may be close.';
