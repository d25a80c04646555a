import { PLANNED_STATES } from './held-post.ts';
import { type HeldPostContext, readHeldContent } from './held-post-context.ts';
import { readSeriesContent } from './series/occurrences.ts';

/** Posts that are read at once. */
const MEDIA_PAGE = 500;

/**
 * Lists the media of the posts that Upnext keeps or has delivered since then, with their publishing times. A medium that
 * several posts use has the latest. `undefined`: a post without a time, or a series, which may make posts at any time.
 */
export async function listHeldMedia(
  context: HeldPostContext,
  workspace: string,
  since: Date,
): Promise<Map<string, Date | undefined>> {
  const times = await listMediaOfPosts(context, workspace, since);
  const series = await context.db
    .selectFrom('series')
    .selectAll()
    .where('workspace', '=', workspace)
    .where('state', 'in', ['running', 'paused', 'cancelled'])
    .execute();
  // The content before its last edit can be brought back.
  for (const row of series)
    for (const stored of [row.content, row.previous])
      for (const content of readSeriesContent(context, { ...row, content: stored })?.contents ?? []) {
        const { media } = context.kind.toPost?.(context.kind.content.parse(content)) ?? {};
        if (media !== undefined) times.set(media, undefined);
      }
  return times;
}

async function listMediaOfPosts(
  context: HeldPostContext,
  workspace: string,
  since: Date,
): Promise<Map<string, Date | undefined>> {
  const times = new Map<string, Date | undefined>();
  for (let after = ''; ; ) {
    const rows = await context.db
      .selectFrom('held_post')
      .select(['id', 'workspace', 'content', 'publish_at'])
      .where('workspace', '=', workspace)
      .where((post) =>
        post.or([post('state', 'in', [...PLANNED_STATES, 'cancelled']), post('publish_at', '>', since)]),
      )
      .where('id', '>', after)
      .orderBy('id')
      .limit(MEDIA_PAGE)
      .execute();
    for (const row of rows) {
      const held = readHeldContent(context, row);
      const media = held && context.kind.toPost?.(held.content)?.media;
      if (media === undefined) continue;
      const known = times.get(media);
      if (!times.has(media) || (known && (!row.publish_at || row.publish_at > known)))
        times.set(media, row.publish_at ?? undefined);
    }
    const last = rows.at(-1);
    if (!last || rows.length < MEDIA_PAGE) return times;
    after = last.id;
  }
}
