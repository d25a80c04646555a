import { setTimeout as delay } from 'node:timers/promises';
import type { KnownBlock, ModalView } from '@slack/types';
import type { Project } from '../../api/projects.ts';
import type { Call, OpenView } from '../../app/call.ts';
import { fetchReader, type Reader } from '../../forms/form-context.ts';
import { resolveListProject } from '../../forms/resolve-list-project.ts';
import { plain, section } from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import { loadFailureMessage, replyInTime } from '../../slack/list-answers.ts';
import { paginate } from '../../slack/list-pages.ts';
import type { Message } from '../../slack/message.ts';
import { isViewGone } from '../../slack/slack-errors.ts';
import { parsePostFilter, thisWeek } from './filter/parse-post-filter.ts';
import type { ListState, PostFilter } from './filter/post-filter.ts';
import { sortPosts } from './page/arrange.ts';
import { LIST } from './page/list-buttons.ts';
import { PAGE_SIZE, postList } from './page/list-message.ts';
import { daysQuestion, notUnderstood } from './page/list-questions.ts';
import { createRows } from './page/post-row.ts';
import { readList } from './page/read-list.ts';

export const COMMAND = '/upnext posts';
export const PROJECT = 'list-posts.project';

/** The delay before a notice that the service is slow. Slack allows 3 s to answer a command. */
const SLOW_MS = 2_000;

function slowMs({ context }: Call): number {
  return Math.min(SLOW_MS, context.pace.slowMs);
}

/** Renders the state of a list: a page of posts, a question, or an error. */
export async function listMessage(call: Call, state: ListState): Promise<Message> {
  const [found, reader] = await Promise.all([
    resolveListProject(
      call,
      { project: state.project, words: state.words ?? '' },
      {
        command: COMMAND,
        action: PROJECT,
        retryAction: LIST,
        buildState: ({ project, words }) => ({
          ...state,
          project,
          ...(state.words !== undefined && { words }),
        }),
      },
    ),
    fetchReader(call),
  ]);
  if ('message' in found) return found.message;
  const { project, rest } = found;
  if (state.words === undefined) {
    return page(call, project, { filter: state.filter ?? thisWeek(reader), page: state.page }, reader);
  }
  const words = parsePostFilter(rest, reader);
  switch (words.kind) {
    case 'too-long':
      return { text: words.reason };
    case 'unclear':
      return notUnderstood(project, words);
    case 'ask':
      return daysQuestion(project, words.phrase, words.candidates);
    case 'read':
      return page(call, project, { filter: words.filter, page: 0 }, reader);
  }
}

async function page(
  call: Call,
  project: Project,
  { filter, page: pageNumber }: { filter: PostFilter; page: number },
  reader: Reader,
): Promise<Message> {
  const found = await readList(call, project, filter);
  if (found.kind === 'trouble') {
    const state: ListState = { project: project.id, filter, page: pageNumber };
    const failed = { reference: call.reference, again: { action: LIST, state } };
    return loadFailureMessage(`I could not get the posts of ${project.name}.`, found.trouble, failed);
  }
  const shown = paginate(sortPosts(found, filter, reader.now), pageNumber, PAGE_SIZE);
  const rows = await createRows(call, project, shown.items);
  return postList({ project, filter, found, page: shown, rows, reader });
}

/** Shows the result of `work` in the pressed view or message, or else as a new ephemeral message. */
export async function show(
  call: Call & { view?: OpenView },
  work: Promise<Message>,
  { replace }: { replace: boolean },
): Promise<void> {
  const { view } = call;
  if (!view) return replyInTime(call, work, { slowMs: slowMs(call), replace });
  const early = await Promise.race([work, delay(slowMs(call), undefined, { ref: false })]);
  if (!early && !(await updateView(call, view.id, slowListView()))) return;
  await updateView(call, view.id, listView(call.sealButtons(early ?? (await work))));
}

/** False if the user has closed the view. */
export async function updateView({ client }: Call, viewId: string, view: ModalView): Promise<boolean> {
  try {
    await client.views.update({ view_id: viewId, view });
    return true;
  } catch (error) {
    if (isViewGone(error)) return false;
    throw error;
  }
}

export function listView({ text, blocks }: Message): ModalView {
  return listModal(blocks ?? [section(text)]);
}

export function slowListView(): ModalView {
  return listModal([section('The scheduling service is slow to answer. I am still waiting.')]);
}

function listModal(blocks: KnownBlock[]): ModalView {
  return {
    type: 'modal',
    title: plain('Posts', LIMITS.viewTitle),
    close: plain('Close', LIMITS.viewTitle),
    blocks,
  };
}
