import type { Post } from '../../../src/api/posts.ts';
import type { Plan, PlannedPost } from '../../../src/digests/content/plan.ts';
import { comparePosts } from '../../../src/posts/post-time.ts';

export const HARBOUR = { id: 'p1', name: 'Harbour Coffee' };
export const BOOKS = { id: 'p2', name: 'Night Market Books' };

let lastNumber = 0;

/** Creates a post that is planned for this time. Defaults to a scheduled post for X. */
export function createPlannedPost(
  isoTime: string,
  post: Partial<Post> & { project?: PlannedPost['project'] } = {},
): PlannedPost {
  const { project = HARBOUR, ...fields } = post;
  const scheduleDate = new Date(isoTime);
  lastNumber += 1;
  return {
    project,
    scheduledAt: scheduleDate,
    post: {
      id: `post-${lastNumber}`,
      content: 'Winter blend',
      status: 'SCHEDULED',
      platforms: ['X'],
      ...fields,
      scheduleDate,
    },
  };
}

export function createPlan(posts: readonly PlannedPost[], projects: Plan['projects'] = [HARBOUR]): Plan {
  const sortedPosts = posts.toSorted((first, second) => comparePosts(first.post, second.post));
  return { projects, posts: sortedPosts, end: new Date('2100-01-01'), isComplete: true, unreadableCount: 0 };
}

const TEXTS = [
  ...['Our winter blend is back: cinnamon, orange and a hint of smoke', 'Свежий кофе каждое утро'],
  ...['Καφές και βιβλία στο λιμάνι', 'קפה טרי כל בוקר בנמל', 'قهوة طازجة كل صباح في الميناء'],
  ...['毎朝のコーヒー at the harbour', '☕🎉 Party with 👩‍👩‍👧 friends & <cake>'],
];

/** Creates posts that are spread over the seven days after `from`, in several scripts and states. */
export function createManyPosts(from: string, count: number): PlannedPost[] {
  const weekMs = 7 * 24 * 60 * 60 * 1000;
  return Array.from({ length: count }, (_, index) => {
    const isoTime = new Date(new Date(from).getTime() + Math.floor((index * weekMs) / count)).toISOString();
    const status = index % 9 === 4 ? 'DRAFT' : index % 11 === 3 ? 'PUBLISHED' : 'SCHEDULED';
    const platforms =
      index % 3 === 0 ? ['X', 'LINKEDIN'] : index % 3 === 1 ? ['INSTAGRAM'] : ['X', 'FACEBOOK', 'THREADS'];
    return createPlannedPost(isoTime, { content: TEXTS[index % TEXTS.length], status, platforms });
  });
}
