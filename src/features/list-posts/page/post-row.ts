import { setTimeout as delay } from 'node:timers/promises';
import type { KnownBlock, Overflow } from '@slack/types';
import type { Post } from '../../../api/posts.ts';
import type { Project } from '../../../api/projects.ts';
import type { Call } from '../../../app/call.ts';
import { storePostCopies, toPostCopy } from '../../../forms/post-copies.ts';
import { renderPlatformNames } from '../../../posts/platforms.ts';
import { renderMoment, renderMomentInActorZone, toExcerpt } from '../../../posts/render-post.ts';
import { clip, context, option, plain, plainSection, sanitizeLine } from '../../../slack/blocks.ts';
import { fetchDisplayName } from '../../../slack/fetch-display-name.ts';
import { renderGroupTitle, stripDay } from './arrange.ts';
import type { ListedPost } from './read-list.ts';

export const ROW_MENU_ACTION = 'list-posts.row';

// Options of a post's menu. An option's value is one of these names, a colon, and the opaque id of the stored post.
export const OPEN_OPTION = 'open';
export const COPY_OPTION = 'again';

/** Number of characters that an excerpt is made from. The rest of a long text is ignored. */
const EXCERPT_SOURCE_LENGTH = 400;
const MAX_NAME_LENGTH = 60;
const MAX_PLATFORMS_LENGTH = 120;

/** A post on a page. */
export interface Row extends ListedPost {
  /** The opaque id of the stored post. */
  copyId: string;
  /** The author's name, if the post was sent from Upnext. */
  authorName?: string | undefined;
  /** The text of the post's template, or else its name. Absent if the post has its own text. */
  templateText?: string | undefined;
}

interface ReaderTime {
  now: Date;
  /** The zone of the days by which the list is grouped. */
  zone: string;
  /** The reader's zone, if known. */
  actorZone: string | undefined;
}

/** Renders a post: the time, an excerpt, the most important fields, and a menu. */
export function renderRow(row: Row, readerTime: ReaderTime): KnownBlock[] {
  const { post } = row;
  const menu: Overflow = {
    type: 'overflow',
    action_id: ROW_MENU_ACTION,
    options: [
      option('Open', `${OPEN_OPTION}:${row.copyId}`),
      option(renderCopyLabel(post), `${COPY_OPTION}:${row.copyId}`),
    ],
  };
  return [
    { ...plainSection(renderRowText(row, readerTime)), accessory: menu },
    context(plain(renderDetails(row, readerTime))),
  ];
}

export function renderCopyLabel({ status }: Pick<Post, 'status'>): string {
  return status?.toUpperCase() === 'DRAFT' ? 'Duplicate' : 'Duplicate';
}

/**
 * Renders the time and an excerpt: "09:00 (Berlin)". The time includes the day if the day in the post's zone differs
 * from the group's title.
 */
export function renderRowText(
  { post, templateText }: Pick<Row, 'post' | 'templateText'>,
  readerTime: ReaderTime,
): string {
  const day = renderGroupTitle(post, readerTime);
  const moment = post.scheduleDate && renderMoment(post.scheduleDate, post.timezone, readerTime.now);
  const text = renderExcerpt(post, templateText);
  return moment === undefined ? text : `${stripDay(day, moment)}\n${text}`;
}

/** Renders an excerpt of the text on one line. If the post has no text, uses its template's text or names its source. */
export function renderExcerpt(
  { content, templateId, promptId, media, unreadableFields = [] }: Post,
  templateText = '',
): string {
  const [text = '', shownTemplateText = ''] = [content ?? '', templateText].map((source) =>
    toExcerpt(sanitizeLine(source.slice(0, EXCERPT_SOURCE_LENGTH))),
  );
  if (text !== '') return text;
  if (unreadableFields.includes('Content')) return 'Unreadable text';
  if (templateId !== undefined)
    return shownTemplateText === '' ? 'Text from a template' : `From a template: ${shownTemplateText}`;
  if (promptId !== undefined) return 'Text from a prompt';
  return media === undefined ? 'No text' : 'No text, only media';
}

/** Renders the status, the platforms and other known fields on one line. */
export function renderDetails(row: Row, readerTime: ReaderTime): string {
  const { post, authorName, draftCopy } = row;
  const day = renderGroupTitle(post, readerTime);
  const readerMoment =
    post.scheduleDate &&
    renderMomentInActorZone(post.scheduleDate, post.timezone ?? 'UTC', readerTime.actorZone, readerTime.now);
  const platforms = clip(renderPlatformNames(post.platforms), MAX_PLATFORMS_LENGTH);
  return [
    renderStatus(post.status),
    ...(draftCopy ? [renderDraftCopy(draftCopy, readerTime.now)] : []),
    platforms === '' ? (post.unreadableFields?.includes('Platforms') ? '' : 'No platform') : platforms,
    readerMoment === undefined ? '' : `Your time: ${stripDay(day, readerMoment)}`,
    authorName === undefined ? '' : `by ${clip(sanitizeLine(authorName), MAX_NAME_LENGTH)}`,
    post.unreadableFields === undefined ? '' : `Unreadable: ${post.unreadableFields.join(', ')}`,
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

export function renderStatus(status: string | undefined): string {
  switch (status?.toUpperCase()) {
    case 'PUBLISHED':
      return '✓ Published';
    case 'SCHEDULED':
      return 'Scheduled';
    case 'DRAFT':
      return 'Draft';
    default:
      return status === undefined ? 'No status' : clip(sanitizeLine(status), MAX_NAME_LENGTH);
  }
}

/** Renders how a copy of a draft was sent: "scheduled as Tue 1 Dec, 09:00 (Berlin)", or "copied as another draft". */
export function renderDraftCopy(
  { scheduledAt, zone }: NonNullable<ListedPost['draftCopy']>,
  now: Date,
): string {
  return scheduledAt === undefined
    ? 'copied as another draft'
    : `scheduled as ${renderMoment(scheduledAt, zone, now)}`;
}

/** Creates rows with the authors' names. Stores a copy of each post, so that the menu needs no service request. */
export async function createRows(
  call: Call,
  project: Project,
  listedPosts: readonly ListedPost[],
): Promise<readonly Row[]> {
  const [authorNames, templateTexts] = await Promise.all([
    findAuthorNames(call, listedPosts),
    findTemplateTexts(call, project, listedPosts),
  ]);
  const posts = listedPosts.map((listedPost) => ({
    ...listedPost,
    templateText: templateTexts.get(listedPost.post.templateId ?? ''),
    authorName: authorNames.get(listedPost.author ?? ''),
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
  const timeout = delay(TEMPLATES_TIMEOUT_MS, undefined, { ref: false });
  const outcome = await Promise.race([reads.listTemplates(api, project.id), timeout]);
  const templates = outcome?.kind === 'done' ? outcome.data.items : [];
  return new Map(templates.map(({ id, name, content }) => [id, content ?? name]));
}

/** Finds the names of the authors, by their Slack ids. */
async function findAuthorNames(
  call: Call,
  listedPosts: readonly ListedPost[],
): Promise<ReadonlyMap<string, string>> {
  const authors = [...new Set(listedPosts.flatMap(({ author }) => author ?? []))];
  const names = await Promise.all(
    authors.map(async (user) => {
      const name = user === call.actor.user ? 'you' : await fetchDisplayName(call, user);
      return [user, name ?? 'somebody'] as const;
    }),
  );
  return new Map(names);
}
