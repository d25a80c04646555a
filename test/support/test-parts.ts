import { PLATFORMS as ALL_PLATFORMS } from '../../src/api/platforms.ts';
import type { PostContent } from '../../src/features/schedule-post/sent/post-content.ts';
import { readShownPost } from '../../src/held-posts/show.ts';
import { describePost } from '../../src/posts/describe-post.ts';
import { createPostAt } from './post-submissions.ts';
import { data, invalid, type ServiceCall } from './scripted-service.ts';
import { startTestHeldPosts } from './start-held-posts.ts';

const PLATFORMS = ['X', 'LINKEDIN', 'THREADS'];
/** The item of the submission with the text for X. */
export const ITEM_OF_X = 1 + ALL_PLATFORMS.indexOf('X');

/** Writes a post with texts of its own for some platforms. */
export function write(text: string, ownTexts: Record<string, string>, platforms = PLATFORMS): PostContent {
  const post = createPostAt(text, 0);
  return { ...post, values: { ...post.values, platforms, ownTexts } };
}

/** A post with another text for X than for LinkedIn and Threads. */
export const STORY = write('A long story', { X: 'Short' });

export const press = (row: { id: string }, version = 1, actor = 'U1') => ({
  ...{ id: row.id, workspace: 'T1', actor, version },
});

export const getPlatforms = (call: ServiceCall) => (call.body as { Platforms: readonly string[] }).Platforms;

/** Starts held posts, of which there is one at a time, with a part for each text. */
export async function startTestParts() {
  const fixture = await startTestHeldPosts();
  async function readOne() {
    const [row, ...others] = await fixture.listRows();
    if (!row || others.length > 0) throw new Error('there isn’t exactly one held post');
    return row;
  }
  const hold = (content: PostContent, options: Parameters<typeof fixture.hold>[1] = {}) =>
    fixture.holdOne('', { contents: [content], ...options });
  return {
    fixture,
    readOne,
    hold,
    /** Holds the story, and hands it over. */
    async handOver() {
      const row = await hold(STORY);
      await fixture.runAt(60);
      return row;
    },
    /** What the service was asked to create: "X: Short". */
    listSent: () =>
      fixture.service
        .created()
        .map(({ Platforms, Content }) => `${String(Platforms)}: ${String(Content)}`)
        .toSorted(),
    /** Lets the service refuse what is for this platform. */
    refuse(platform: string) {
      const refusal = invalid({ loc: ['body', 'Content'], msg: 'too dull' });
      const acceptance = data({ Id: 'post_1' });
      fixture.service.on('POST /posts', (call, response) =>
        (getPlatforms(call).includes(platform) ? refusal : acceptance)(call, response),
      );
    },
    /** Lets the service answer nothing to what is for X, and refuse the rest. */
    loseX() {
      const refusal = invalid({ loc: ['body', 'Content'], msg: 'too dull' });
      fixture.service.on('POST /posts', (call, response) =>
        getPlatforms(call).includes('X') ? void response.destroy() : refusal(call, response),
      );
    },
    /** Lets the service list what it got for X. */
    listX() {
      const post = { Id: 'x', Content: 'Short', Platforms: ['X'], Status: 'SCHEDULED' };
      fixture.service.on('GET /posts', data([{ ...post, ScheduleDate: fixture.publishAt }]));
    },
    /** Asks the author about each part that wasn't refused. */
    async giveUpOnX() {
      await fixture.db
        .updateTable('submission')
        .set({ state: 'unsure', reason: 'not-found', next_at: null, notify_at: null })
        .where('state', '!=', 'refused')
        .execute();
    },
    async readDescription() {
      const shown = await readShownPost(fixture.context, await readOne());
      const readers = { viewers: 'everyone', now: fixture.context.clock.now() } as const;
      return describePost(shown.facts, readers);
    },
  };
}
