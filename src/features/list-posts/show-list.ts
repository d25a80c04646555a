import type { Project } from '../../api/projects.ts';
import type { Call } from '../../app/call.ts';
import { fetchReader, type Reader } from '../../forms/form-context.ts';
import { createProjectMessage, type ListFailure } from '../../forms/list.ts';
import { renderDaysQuestion } from '../../forms/list-search.ts';
import { fetchDisplayName } from '../../slack/fetch-people.ts';
import { paginate } from '../../slack/list-pages.ts';
import type { Message } from '../../slack/message.ts';
import { createBulkButtons } from './bulk-buttons.ts';
import { createWeekFilter, parsePostFilter } from './filter/parse-post-filter.ts';
import { isSlackId, type ListState, type PostFilter } from './filter/post-filter.ts';
import { sortPosts } from './page/arrange.ts';
import { PREFIX } from './page/list-buttons.ts';
import { PAGE_SIZE, renderPostList } from './page/list-message.ts';
import { renderUnknownWords } from './page/list-questions.ts';
import { createRows } from './page/post-row.ts';
import { readPosts } from './page/read-list.ts';

export const COMMAND = '/upnext posts';
export const NAMES = { command: COMMAND, noun: 'posts', prefix: PREFIX } as const;

/** Loads the list that the state describes. Creates a page of posts, a question about the filter, or an error. */
export function createListMessage(call: Call, state: ListState): Promise<Message> {
  return createProjectMessage(call, state, NAMES, async (project, words) => {
    const reader = await fetchReader(call);
    if (state.words === undefined) {
      const { filter = createWeekFilter(reader), page } = state;
      return createPageMessage(call, project, { filter, page }, reader);
    }
    const parseResult = parsePostFilter(words, reader);
    switch (parseResult.kind) {
      case 'too-long':
        return { text: parseResult.reason };
      case 'unknown-words':
        return renderUnknownWords(project, parseResult);
      case 'ambiguous': {
        const candidates = parseResult.candidates.map(({ label, filter }) => ({
          label,
          state: { project: project.id, filter, page: 0 },
        }));
        return renderDaysQuestion(PREFIX, parseResult.phrase, candidates);
      }
      case 'parsed':
        return createPageMessage(call, project, { ...parseResult, page: 0 }, reader);
    }
  });
}

async function createPageMessage(
  call: Call,
  project: Project,
  request: { filter: PostFilter; page: number; suggestion?: string | undefined },
  reader: Reader,
): Promise<Message | ListFailure> {
  const { filter, page: pageNumber, suggestion } = request;
  const posts = await readPosts(call, project, filter);
  if (posts.kind === 'failed')
    return { failure: posts.failure, state: { project: project.id, filter, page: pageNumber } };
  const shownPage = paginate(sortPosts(posts, filter, reader), pageNumber, PAGE_SIZE);
  const { author = '' } = filter;
  const [rows, authorName, bulkButtons] = await Promise.all([
    createRows(call, project, shownPage.items),
    isSlackId(author) ? fetchDisplayName(call, author) : undefined,
    // The list of a week also shows the drafts without a date, which don't belong to the week.
    createBulkButtons(call, project, posts.undatedDrafts ? posts.dated : [...posts.dated, ...posts.undated]),
  ]);
  const list = renderPostList({
    ...{ project, filter, posts, rows, reader, authorName, suggestion },
    page: shownPage,
  });
  return { ...list, blocks: [...list.blocks, ...bulkButtons] };
}
