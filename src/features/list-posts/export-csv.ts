import { POST_FIELDS } from '../../api/post-fields.ts';
import { findOwnText } from '../../api/posts.ts';
import type { Project } from '../../api/projects.ts';
import { fetchReader } from '../../forms/form-context.ts';
import type { Call } from '../../handlers/call.ts';
import {
  buildExportName,
  createExportGuard,
  createProjectMessage,
  findExportZone,
} from '../../lists/list.ts';
import { describePost } from '../../posts/describe-post.ts';
import { listPlatformChoices, renderPlatformNames } from '../../posts/platforms.ts';
import { formatCsv, formatExportTime, sendCsv } from '../../slack/csv.ts';
import { fetchDisplayName } from '../../slack/fetch-people.ts';
import { renderUnreadable } from '../../slack/list-pages.ts';
import type { Message } from '../../slack/message.ts';
import { renderReadFailure } from '../../slack/service-failure.ts';
import { renderCount } from '../../words.ts';
import { sortPosts } from './page/post-row.ts';
import { type FoundPosts, type ListedPost, listAuthors, readPosts } from './page/read-list.ts';
import { createWeekFilter, type ListState } from './post-filter.ts';
import { NAMES } from './show-list.ts';

/** The ids of records mean nothing to the people who read the file. */
const EXPORTED_FIELDS = POST_FIELDS.filter(({ isId }) => !isId);

const renderHeader = (zone: string, ownTextNames: readonly string[]) => [
  `Time (${zone})`,
  'Post’s time zone',
  'Status',
  `Hand-over (${zone})`,
  'Project',
  'Platforms',
  'Author',
  ...EXPORTED_FIELDS.map(({ label }) => label),
  ...ownTextNames.map((name) => `Text for ${name}`),
];

/** [Export as CSV] sends all posts of the list to the person as a file, with those that only Upnext has. */
export function exportPosts(call: Call, state: ListState): Promise<Message> {
  const names = { ...NAMES, button: 'export' };
  return createProjectMessage(call, { ...state, words: '' }, names, async (project) => {
    const reader = await fetchReader(call);
    const filter = state.filter ?? createWeekFilter(reader);
    const posts = await readPosts(call, project, filter);
    if (posts.kind === 'failed') {
      const line = 'I couldn’t load the posts, so nothing was exported.';
      return { failure: posts.failure, state, line };
    }
    const listedPosts = sortPosts(posts, filter, reader);
    const [authorNames, zone] = await Promise.all([
      fetchAuthorNames(call, listedPosts),
      findExportZone(call, project, reader.zone),
    ]);
    return sendCsv(call, {
      csv: formatPostCsv(project, listedPosts, { names: authorNames, zone, now: call.now() }),
      filename: buildExportName('posts', project, { now: call.now(), zone }),
      text: renderExportComment(project, posts, listedPosts.length),
      guard: createExportGuard(call, { role: 'viewer', projects: [project], action: 'posts export' }),
    });
  });
}

async function fetchAuthorNames(
  call: Call,
  posts: readonly ListedPost[],
): Promise<ReadonlyMap<string, string>> {
  const names = await Promise.all(
    listAuthors(posts).map(async (id) => [id, await fetchDisplayName(call, id)] as const),
  );
  return new Map(names.flatMap(([id, name]) => (name === undefined ? [] : [[id, name]])));
}

/** Formats posts as CSV, with times in the zone. `names`: display names by Slack id, which stands for a missing one. */
export function formatPostCsv(
  { name: projectName }: Project,
  posts: readonly ListedPost[],
  { names, zone, now }: { names: ReadonlyMap<string, string>; zone: string; now: Date },
): string {
  const ownTextPlatforms = listPlatformChoices().filter(({ platform }) =>
    posts.some(({ post }) => findOwnText(post, platform) !== undefined),
  );
  const rows = posts.map(({ post, author = '', held, facts = { status: post.status } }) => [
    formatExportTime(post.scheduleDate, zone),
    post.timezone ?? '',
    describePost({ at: post.scheduleDate, ...(held?.facts ?? facts) }, { viewers: { zone }, now }).name,
    ['HELD', 'REVIEW'].includes(post.status ?? '') ? formatExportTime(held?.handOverAt, zone) : '',
    projectName,
    renderPlatformNames(post.platforms),
    names.get(author) ?? author,
    ...EXPORTED_FIELDS.map((field) => post[field.name] ?? ''),
    ...ownTextPlatforms.map(({ platform }) => findOwnText(post, platform) ?? ''),
  ]);
  const ownTextNames = ownTextPlatforms.map(({ name }) => name);
  return formatCsv([renderHeader(zone, ownTextNames), ...rows]);
}

/** Plain text. */
function renderExportComment({ name }: Project, posts: FoundPosts, count: number): string {
  const { failure, isTruncated, unreadableCount } = posts;
  const parts = [
    `${renderCount(count, 'post')} of ${name}, as CSV.`,
    ...(failure ? [`The posts of the scheduling service are missing. ${renderReadFailure(failure)}`] : []),
    ...(isTruncated ? ['There are more posts than I can read.'] : []),
    ...renderUnreadable(unreadableCount),
  ];
  return parts.join(' ');
}
