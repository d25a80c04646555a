import { POST_FIELDS } from '../../api/post-fields.ts';
import type { Project } from '../../api/projects.ts';
import type { ActionCall } from '../../app/call.ts';
import { fetchReader } from '../../forms/form-context.ts';
import { resolveListProject } from '../../forms/resolve-list-project.ts';
import { renderPlatformNames } from '../../posts/platforms.ts';
import { renderCount } from '../../posts/post-count.ts';
import { renderPostStatus } from '../../posts/post-status.ts';
import { formatCsv, sendCsv } from '../../slack/csv.ts';
import { fetchDisplayName } from '../../slack/fetch-people.ts';
import { buildLoadFailureMessage, renderReadFailure } from '../../slack/service-failure.ts';
import { createWeekFilter } from './filter/parse-post-filter.ts';
import type { ListState } from './filter/post-filter.ts';
import { sortPosts } from './page/arrange.ts';
import { EXPORT_ACTION } from './page/list-buttons.ts';
import type { ListedPost } from './page/listed-post.ts';
import { type FoundPosts, readPosts } from './page/read-list.ts';
import { COMMAND, PROJECT_ACTION_PREFIX } from './show-list.ts';

/** The ids of records mean nothing to the people who read the file. */
const EXPORTED_FIELDS = POST_FIELDS.filter(({ isId }) => !isId);

const HEADER = [
  'Time (UTC)',
  'Time zone',
  'Status',
  'Hand-over (UTC)',
  'Project',
  'Platforms',
  'Author',
  ...EXPORTED_FIELDS.map(({ label }) => label),
];

/** Maximum authors whose names are looked up. Slack allows about 100 lookups a minute. */
const MAX_AUTHORS = 30;

/** [Export as CSV] sends all posts of the list to the person as a file, with those that only Upnext has. */
export async function exportPosts(call: ActionCall, state: ListState): Promise<void> {
  call.countCostlyAction();
  await call.acknowledge();
  const [resolved, reader] = await Promise.all([
    resolveListProject(
      call,
      { project: state.project, words: '' },
      {
        command: COMMAND,
        noun: 'posts',
        action: PROJECT_ACTION_PREFIX,
        retryAction: EXPORT_ACTION,
        buildState: (choice) => ({ ...state, ...choice }),
      },
    ),
    fetchReader(call),
  ]);
  if ('message' in resolved) return call.reply(resolved.message);
  const { project } = resolved;
  const filter = state.filter ?? createWeekFilter(reader);
  const posts = await readPosts(call, project, filter);
  if (posts.kind === 'failed') {
    const options = { reference: call.reference, retry: { action: EXPORT_ACTION, state } };
    return call.reply(
      buildLoadFailureMessage('I couldn’t load the posts, so nothing was exported.', posts.failure, options),
    );
  }
  const listedPosts = sortPosts(posts, filter, reader);
  const names = await fetchAuthorNames(call, listedPosts);
  const message = await sendCsv(call, {
    csv: formatPostCsv(project, listedPosts, names),
    filename: `posts-${call.now().toISOString().slice(0, 10)}.csv`,
    text: renderExportComment(project, posts, listedPosts.length),
  });
  await call.reply(message);
}

async function fetchAuthorNames(
  call: ActionCall,
  posts: readonly ListedPost[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(posts.flatMap(({ author }) => author ?? []))].slice(0, MAX_AUTHORS);
  const names = await Promise.all(ids.map(async (id) => [id, await fetchDisplayName(call, id)] as const));
  return new Map(names.flatMap(([id, name]) => (name === undefined ? [] : [[id, name]])));
}

/** Formats posts as CSV. `names`: display names by Slack id; the id stands for an author without a name. */
export function formatPostCsv(
  { name: projectName }: Project,
  posts: readonly ListedPost[],
  names: ReadonlyMap<string, string>,
): string {
  const rows = posts.map(({ post, author = '', held }) => [
    post.scheduleDate?.toISOString() ?? '',
    post.timezone ?? '',
    renderPostStatus(post.status).replace(/^\P{L}+/u, ''),
    (['HELD', 'REVIEW'].includes(post.status ?? '') && held?.handOverAt?.toISOString()) || '',
    projectName,
    renderPlatformNames(post.platforms),
    names.get(author) ?? author,
    ...EXPORTED_FIELDS.map((field) => post[field.name] ?? ''),
  ]);
  return formatCsv([HEADER, ...rows]);
}

/** Renders the comment on the file. Plain text. */
function renderExportComment({ name }: Project, { failure, isTruncated }: FoundPosts, count: number): string {
  const parts = [
    `${renderCount(count, 'post')} of ${name}, as CSV.`,
    ...(failure ? [`The posts of the scheduling service are missing. ${renderReadFailure(failure)}`] : []),
    ...(isTruncated ? ['There are more posts than I can read.'] : []),
  ];
  return parts.join(' ');
}
