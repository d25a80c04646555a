import { MAX_DRAFTS } from '../../api/cached-reads.ts';
import type { Outcome } from '../../api/outcome.ts';
import type { Post } from '../../api/posts.ts';
import type { Project } from '../../api/projects.ts';
import type { Records } from '../../api/records.ts';
import type { AppContext } from '../../app/context.ts';
import type { HeldInfo } from '../../held-posts/listed-posts.ts';

/** A post, with its project. */
export interface ProjectPost {
  project: Project;
  post: Post;
  /** Set if Upnext keeps the post. */
  held?: HeldInfo;
}

export type LoadedProject = Awaited<ReturnType<typeof loadProjectPosts>>;

/** What is known of a project whose posts the service didn't return. */
export const NOTHING_READ = {
  ...{ week: [], laterPosts: [], drafts: [], isIncomplete: true },
  ...{ hasMoreThisWeek: false, hasWholeWeek: false, hasMoreDrafts: false },
};

/** Loads the posts of a project. `laterPosts` is empty, or contains the next post if the week has no posts. */
export async function loadProjectPosts({ api, reads: { posts } }: AppContext, project: Project, now: Date) {
  const [weekOutcome, draftsOutcome] = await Promise.all([
    posts.listWeek(api, project.id),
    posts.listDrafts(api, project.id),
  ]);
  const listedPosts = weekOutcome.kind === 'done' ? weekOutcome.data.items : [];
  const weekPosts = listedPosts.filter(
    (post) => !hasPassedSince(post, { readAt: getReadTime(weekOutcome), now }),
  );
  const hasMoreThisWeek = isListTruncated(weekOutcome);
  const nextOutcome = weekPosts.length === 0 ? await posts.getNext(api, project.id) : undefined;
  const laterPosts = nextOutcome?.kind === 'done' && nextOutcome.data.post ? [nextOutcome.data.post] : [];
  const draftPosts = draftsOutcome.kind === 'done' ? draftsOutcome.data.items : [];
  const outcomes = [weekOutcome, draftsOutcome, ...(nextOutcome ? [nextOutcome] : [])];
  const toProjectPost = (post: Post): ProjectPost => ({ project, post });
  return {
    project,
    readAt: new Date(Math.min(...outcomes.map((outcome) => (getReadTime(outcome) ?? now).getTime()))),
    week: weekPosts.map(toProjectPost),
    laterPosts: laterPosts.map(toProjectPost),
    drafts: draftPosts.map(toProjectPost),
    hasMoreThisWeek,
    hasWholeWeek:
      !hasMoreThisWeek && isComplete(weekOutcome) && weekPosts.every(({ scheduleDate }) => scheduleDate),
    hasMoreDrafts: draftPosts.length >= MAX_DRAFTS || isListTruncated(draftsOutcome),
    isIncomplete: !outcomes.every(isComplete),
  };
}

function getReadTime(outcome: Outcome<{ readAt: Date }>): Date | undefined {
  return outcome.kind === 'done' ? outcome.data.readAt : undefined;
}

/** Whether the post's time has passed since the list was read. */
function hasPassedSince({ scheduleDate }: Post, { readAt, now }: { readAt: Date | undefined; now: Date }) {
  return scheduleDate !== undefined && readAt !== undefined && scheduleDate > readAt && scheduleDate <= now;
}

function isListTruncated(outcome: Outcome<Records<Post>>): boolean {
  return outcome.kind === 'done' && outcome.data.isTruncated;
}

/** Whether the request succeeded, and all records in the response are readable. */
export function isComplete(outcome: {
  kind: string;
  data?: { isReadable: boolean; unreadableCount?: number };
}): boolean {
  const { kind, data } = outcome;
  return kind === 'done' && data?.isReadable === true && (data.unreadableCount ?? 0) === 0;
}
