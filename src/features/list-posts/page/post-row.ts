import type { Button, KnownBlock, Overflow } from '@slack/types';
import type { Project } from '../../../api/projects.ts';
import { storePostCopies, toPostCopy } from '../../../forms/post-copies.ts';
import type { Call } from '../../../handlers/call.ts';
import { listMenuButtons } from '../../../held-posts/text/held-post-buttons.ts';
import { renderPostRow } from '../../../posts/post-card.ts';
import { renderExcerpt } from '../../../posts/post-text.ts';
import { renderPostTime } from '../../../posts/post-time.ts';
import { addAccessibilityLabel, buildButtonMenu, button } from '../../../slack/blocks.ts';
import { within } from '../../../within.ts';
import { isWholeWeek, MATCH_ALL, type PostFilter } from '../filter/post-filter.ts';
import { getGroup, type ListViewer } from './arrange.ts';
import type { ListedPost } from './read-list.ts';

/** The action id of [Open] on a row. The button's value is the opaque id of the stored post. */
export const OPEN_ACTION = 'list-posts.row';

/** A post on a page. */
export interface Row extends ListedPost {
  /** The opaque id of the stored post. */
  copyId: string;
  /** The text of the post's template, or else its name. Absent if the post has its own text. */
  templateText?: string | undefined;
}

/**
 * Renders a post under the heading of its day, with [Open]. In a week, a post that can be edited has a menu instead. Posts
 * in the outbox have their buttons there.
 */
export function renderRow(row: Row, filter: PostFilter, viewer: ListViewer): KnownBlock {
  const { day, status } = getGroup(row.post, filter, viewer);
  const [onlyStatus] = filter.statuses.length === 1 ? filter.statuses : [];
  return renderPostRow({
    ...toShownPost(row, viewer),
    heading: { day, status: onlyStatus ?? status },
    ...(!row.isUnsent && { accessory: renderAccessory(row, filter) }),
  });
}

function renderAccessory(row: Row, filter: PostFilter): Button | Overflow {
  const open = button('Open', OPEN_ACTION, row.copyId);
  const others = isWholeWeek(filter) && row.held ? listMenuButtons(row.held) : [];
  if (others.length > 0) return buildButtonMenu(OPEN_ACTION, [open, ...others]);
  return addAccessibilityLabel(open, `Open: ${renderExcerpt(row.post, row.templateText)}`);
}

/** Converts a listed post to the input of a card. */
export function toShownPost(
  { post, author, duplicate, templateText, held, facts }: Omit<Row, 'copyId'>,
  viewer: ListViewer,
) {
  return {
    post,
    now: viewer.now,
    viewers: { zone: viewer.knownZone, locale: viewer.locale, user: viewer.user },
    author: author === undefined ? undefined : { id: author },
    facts: held?.facts ?? facts,
    statusNotes: duplicate ? [renderDuplicate(duplicate, viewer)] : [],
    templateText,
  };
}

/** Renders a row as plain text, for notifications and screen readers. */
export function renderRowText({ post, templateText }: Row, viewer: ListViewer): string {
  const { scheduleDate: instant, timezone: zone } = post;
  const time =
    instant &&
    renderPostTime({ instant, zone }, { zone: viewer.knownZone, locale: viewer.locale }, viewer.now);
  return `${time?.plain ?? getGroup(post, MATCH_ALL, viewer).title}: ${renderExcerpt(post, templateText)}`;
}

/** Renders the duplicate of a draft: "scheduled as Tue 1 Dec, 09:00 (Berlin)", or "copied as another draft". */
function renderDuplicate(
  { scheduledAt: instant, zone }: NonNullable<ListedPost['duplicate']>,
  { now, knownZone, locale }: ListViewer,
): string {
  if (instant === undefined) return 'copied as another draft';
  return `scheduled as ${renderPostTime({ instant, zone }, { zone: knownZone, locale }, now).plain}`;
}

/** Creates rows. Stores a copy of each post, so that [Open] needs no request to the service. */
export async function createRows(
  call: Call,
  project: Project,
  listedPosts: readonly ListedPost[],
): Promise<readonly Row[]> {
  const templateTexts = await findTemplateTexts(call, project, listedPosts);
  const posts = listedPosts.map((listedPost) => ({
    ...listedPost,
    templateText: templateTexts.get(listedPost.post.templateId ?? ''),
  }));
  const copyIds = await storePostCopies(
    call,
    posts.map((post) => toPostCopy(project, post)),
  );
  return posts.map((post, index) => ({ ...post, copyId: copyIds[index] ?? '' }));
}

/** How long a list waits for the templates. After that, it shows no text for posts from a template. */
const TEMPLATES_TIMEOUT_MS = 1_500;

/** Finds the texts of the templates of posts without a text, by the id of the template. */
async function findTemplateTexts(
  { context: { reads, api } }: Call,
  project: Project,
  listedPosts: readonly ListedPost[],
): Promise<ReadonlyMap<string, string>> {
  const needsTemplate = ({ post }: ListedPost) => post.templateId !== undefined && !post.content?.trim();
  if (!listedPosts.some(needsTemplate)) return new Map();
  const outcome = await within(TEMPLATES_TIMEOUT_MS, reads.listTemplates(api, project.id));
  const templates = outcome?.kind === 'done' ? outcome.data.items : [];
  return new Map(templates.map(({ id, name, content }) => [id, content ?? name]));
}
