import type { KnownBlock, ModalView } from '@slack/types';
import type { Project } from '../../api/projects.ts';
import type { Call, OpenView } from '../../app/call.ts';
import { fetchReader, type Reader } from '../../forms/form-context.ts';
import { addNote, resolveListProject } from '../../forms/resolve-list-project.ts';
import { plain, section } from '../../slack/blocks.ts';
import { fetchDisplayName } from '../../slack/fetch-people.ts';
import { LIMITS } from '../../slack/limits.ts';
import { buildLoadFailureMessage, replyInTime } from '../../slack/list-answers.ts';
import { paginate } from '../../slack/list-pages.ts';
import type { Message } from '../../slack/message.ts';
import { isViewChangedOrClosed } from '../../slack/slack-errors.ts';
import { within } from '../../within.ts';
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

/** The delay before a notice that the service is slow. Slack requires a response to a command within 3 s. */
const SLOW_NOTICE_MS = 2_000;

function getSlowNoticeMs({ context }: Call): number {
  return Math.min(SLOW_NOTICE_MS, context.pace.slowNoticeDelayMs);
}

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

/**
 * Shows a message as soon as it is created: in the open view if there is one, otherwise as a reply. With `replace`, the
 * reply replaces the message of the pressed button.
 */
export async function showMessage(
  call: Call & { view?: OpenView },
  pendingMessage: Promise<Message>,
  { replace }: { replace: boolean },
): Promise<void> {
  const { view } = call;
  if (!view) return replyInTime(call, pendingMessage, { slowMs: getSlowNoticeMs(call), replace });
  const earlyMessage = await within(getSlowNoticeMs(call), pendingMessage);
  if (!earlyMessage && !(await updateView(call, view.id, renderSlowListView()))) return;
  await updateView(call, view.id, renderListView(call.sealButtons(earlyMessage ?? (await pendingMessage))));
}

/** Updates an open view. Returns false if the user has closed the view. */
export async function updateView({ client }: Call, viewId: string, view: ModalView): Promise<boolean> {
  try {
    await client.views.update({ view_id: viewId, view });
    return true;
  } catch (error) {
    if (isViewChangedOrClosed(error)) return false;
    throw error;
  }
}

export function renderListView({ text, blocks }: Message): ModalView {
  return renderListModal(blocks ?? [section(text)]);
}

export function renderSlowListView(): ModalView {
  return renderListModal([section('The scheduling service is slow. Still waiting…')]);
}

function renderListModal(blocks: KnownBlock[]): ModalView {
  return {
    type: 'modal',
    title: plain('Posts', LIMITS.viewTitle),
    close: plain('Close', LIMITS.viewTitle),
    blocks,
  };
}
