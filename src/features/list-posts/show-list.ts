import type { Project } from '../../api/projects.ts';
import type { Call } from '../../app/call.ts';
import { fetchReader, type Reader } from '../../forms/form-context.ts';
import { addNote, resolveListProject } from '../../forms/resolve-list-project.ts';
import { fetchDisplayName } from '../../slack/fetch-people.ts';
import { paginate } from '../../slack/list-pages.ts';
import type { Message } from '../../slack/message.ts';
import { buildLoadFailureMessage } from '../../slack/service-failure.ts';
import { createBulkButtons } from './bulk-buttons.ts';
import { createWeekFilter, parsePostFilter } from './filter/parse-post-filter.ts';
import { isSlackId, type ListState, type PostFilter } from './filter/post-filter.ts';
import { sortPosts } from './page/arrange.ts';
import { LIST_ACTION } from './page/list-buttons.ts';
import { PAGE_SIZE, renderPostList } from './page/list-message.ts';
import { renderDaysQuestion, renderUnknownWords } from './page/list-questions.ts';
import { createRows } from './page/post-row.ts';
import { readPosts } from './page/read-list.ts';

export const COMMAND = '/upnext posts';
export const PROJECT_ACTION_PREFIX = 'list-posts.project';

/** Loads the list that the state describes. Returns a page of posts, a question about the filter, or an error. */
export async function createListMessage(call: Call, state: ListState): Promise<Message> {
  const [resolvedProject, reader] = await Promise.all([
    resolveListProject(
      call,
      { project: state.project, words: state.words ?? '' },
      {
        command: COMMAND,
        noun: 'posts',
        action: PROJECT_ACTION_PREFIX,
        retryAction: LIST_ACTION,
        buildState: ({ project, words }) => ({
          ...state,
          project,
          ...(state.words !== undefined && { words }),
        }),
      },
    ),
    fetchReader(call),
  ]);
  if ('message' in resolvedProject) return resolvedProject.message;
  return addNote(await createProjectList(call, resolvedProject, state, reader), resolvedProject.note);
}

async function createProjectList(
  call: Call,
  { project, rest: filterText }: { project: Project; rest: string },
  state: ListState,
  reader: Reader,
): Promise<Message> {
  if (state.words === undefined) {
    return createPageMessage(
      call,
      project,
      { filter: state.filter ?? createWeekFilter(reader), page: state.page },
      reader,
    );
  }
  const parseResult = parsePostFilter(filterText, reader);
  switch (parseResult.kind) {
    case 'too-long':
      return { text: parseResult.reason };
    case 'unknown-words':
      return renderUnknownWords(project, parseResult);
    case 'ambiguous':
      return renderDaysQuestion(project, parseResult.phrase, parseResult.candidates);
    case 'parsed':
      return createPageMessage(call, project, { ...parseResult, page: 0 }, reader);
  }
}

async function createPageMessage(
  call: Call,
  project: Project,
  request: { filter: PostFilter; page: number; suggestion?: string | undefined },
  reader: Reader,
): Promise<Message> {
  const { filter, page: pageNumber, suggestion } = request;
  const posts = await readPosts(call, project, filter);
  if (posts.kind === 'failed') {
    const state: ListState = { project: project.id, filter, page: pageNumber };
    const failureOptions = { reference: call.reference, retry: { action: LIST_ACTION, state } };
    return buildLoadFailureMessage(
      `I couldn’t load the posts of ${project.name}.`,
      posts.failure,
      failureOptions,
    );
  }
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
