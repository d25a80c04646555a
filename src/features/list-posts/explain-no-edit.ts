import type { Project } from '../../api/projects.ts';
import { DAY_MS } from '../../durations.ts';
import { fetchReader, type Reader } from '../../forms/form-context.ts';
import { createProjectMessage } from '../../forms/list.ts';
import type { Call } from '../../handlers/call.ts';
import { renderPostRow } from '../../posts/post-card.ts';
import { renderKeepEditable } from '../../posts/post-text.ts';
import { actions, button, clip, escapeText, sanitizeLine, section } from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';
import { parsePostFilter } from './filter/parse-post-filter.ts';
import { type ListState, MATCH_ALL, type PostFilter } from './filter/post-filter.ts';
import { DUPLICATE_ACTION, findEditability } from './open-post.ts';
import { sortPosts } from './page/arrange.ts';
import { renderAllPostsButton, renderScheduleButton } from './page/list-buttons.ts';
import { createRows, renderRowText, toShownPost } from './page/post-row.ts';
import { type FoundPosts, readPosts } from './page/read-list.ts';
import { NAMES } from './show-list.ts';

const MAX_OFFERED_POSTS = 5;
const MAX_NAME_LENGTH = 100;
const TWO_WEEKS_MS = 14 * DAY_MS;

const CANNOT_EDIT = 'I can’t edit, move or cancel a scheduled post.';
const ALTERNATIVE =
  'Duplicate it with the new text or time, then delete the original in the scheduling service. Otherwise both will be published.';

/** Explains that posts can't be changed, moved or cancelled, and offers copies of upcoming posts instead. */
export async function createEditMessage(call: Call, state: ListState): Promise<Message> {
  const question = await createPostQuestion(call, state);
  return {
    text: `${CANNOT_EDIT} ${ALTERNATIVE} ${question.text}`,
    blocks: [
      section(`*${CANNOT_EDIT}*`),
      section(ALTERNATIVE),
      ...(question.blocks ?? [section(question.text)]),
    ],
  };
}

function createPostQuestion(call: Call, state: ListState): Promise<Message> {
  const names = { ...NAMES, command: '/upnext duplicate', button: 'edit', choice: 'edit-project' };
  return createProjectMessage(call, state, names, async (project, words) => {
    const reader = await fetchReader(call);
    const result = await findPosts(call, project, words, reader);
    if (result.kind === 'found') return renderPostChoices(call, project, result, reader);
    return { failure: result.failure, state: { project: project.id, words, page: 0 } };
  });
}

/**
 * Reads the posts that match the filter. If the text isn't a filter, reads the scheduled posts of the next two weeks, or
 * all upcoming posts if these weeks have none.
 */
async function findPosts(call: Call, project: Project, filterText: string, reader: Reader) {
  const parseResult = filterText === '' ? undefined : parsePostFilter(filterText, reader);
  if (parseResult?.kind === 'parsed') return readPosts(call, project, parseResult.filter);
  const from = reader.now.getTime();
  const upcomingFilter: PostFilter = { statuses: ['SCHEDULED'], platforms: [], from, zone: reader.zone };
  const twoWeekPosts = await readPosts(call, project, { ...upcomingFilter, to: from + TWO_WEEKS_MS });
  const isEmpty = twoWeekPosts.kind === 'found' && twoWeekPosts.dated.length === 0;
  return isEmpty ? readPosts(call, project, upcomingFilter) : twoWeekPosts;
}

async function renderPostChoices(
  call: Call,
  project: Project,
  posts: FoundPosts,
  reader: Reader,
): Promise<Message> {
  const listedPosts = sortPosts(posts, MATCH_ALL, reader).slice(0, MAX_OFFERED_POSTS);
  const [rows, editability] = await Promise.all([
    createRows(call, project, listedPosts),
    findEditability(call, project),
  ]);
  const name = clip(sanitizeLine(project.name), MAX_NAME_LENGTH);
  const questionText = rows.length === 0 ? `${name} has no scheduled posts.` : `Which ${name} post?`;
  const lines = rows.map((row) => renderRowText(row, reader));
  return {
    text: escapeText([questionText, ...lines].join('\n')),
    blocks: [
      section(`*${escapeText(questionText)}*`),
      ...rows.map((row) =>
        renderPostRow({
          ...toShownPost(row, reader),
          accessory: button('Duplicate', DUPLICATE_ACTION, row.copyId),
        }),
      ),
      actions(...renderAllPostsButton(project), renderScheduleButton(project)),
      ...renderKeepEditable(editability),
    ],
  };
}
