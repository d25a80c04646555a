import { setTimeout as delay } from 'node:timers/promises';
import type { KnownBlock, ModalView } from '@slack/types';
import type { Project } from '../../api/projects.ts';
import type { Call, OpenView } from '../../app/call.ts';
import { resolveListProject } from '../../forms/list-project.ts';
import { fetchReader, type Reader } from '../../forms/reader.ts';
import { plain, section } from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import { loadFailureMessage, replyInTime } from '../../slack/list-answers.ts';
import { paginate } from '../../slack/list-pages.ts';
import type { Message } from '../../slack/message.ts';
import { isViewGone } from '../../slack/slack-trouble.ts';
import type { ListState, PostFilter } from './filter/post-filter.ts';
import { readPostWords, thisWeek } from './filter/read-post-words.ts';
import { inOrder } from './page/arrange.ts';
import { LIST } from './page/list-buttons.ts';
import { LISTED, postList } from './page/list-message.ts';
import { rowsOf } from './page/post-row.ts';
import { readList } from './page/read-list.ts';
import { notUnderstood, whichDays } from './page/said-instead.ts';

export const COMMAND = '/upnext posts';
export const PROJECT = 'list-posts.project';

/** Past this the person is told that the service is slow; a command has to be answered within 3 s. */
const SLOW_MS = 2_000;

function slowMs({ context }: Call): number {
  return Math.min(SLOW_MS, context.pace.slowMs);
}

/** What a state stands for: a page of posts, a question, or why there is none. */
export async function listMessage(call: Call, asked: ListState): Promise<Message> {
  const [found, reader] = await Promise.all([
    resolveListProject(
      call,
      { project: asked.project, words: asked.words ?? '' },
      {
        command: COMMAND,
        action: PROJECT,
        again: LIST,
        state: ({ project, words }) => ({ ...asked, project, ...(asked.words !== undefined && { words }) }),
      },
    ),
    fetchReader(call),
  ]);
  if ('instead' in found) return found.instead;
  const { project, rest } = found;
  if (asked.words === undefined) {
    return page(call, project, { filter: asked.filter ?? thisWeek(reader), page: asked.page }, reader);
  }
  const words = readPostWords(rest, reader);
  switch (words.kind) {
    case 'too-long':
      return { text: words.reason };
    case 'unclear':
      return notUnderstood(project, words);
    case 'ask':
      return whichDays(project, words.asked, words.candidates);
    case 'read':
      return page(call, project, { filter: words.filter, page: 0 }, reader);
  }
}

async function page(
  call: Call,
  project: Project,
  { filter, page: wanted }: { filter: PostFilter; page: number },
  reader: Reader,
): Promise<Message> {
  const found = await readList(call, project, filter);
  if (found.kind === 'trouble') {
    const state: ListState = { project: project.id, filter, page: wanted };
    const failed = { reference: call.reference, again: { action: LIST, state } };
    return loadFailureMessage(`I could not get the posts of ${project.name}.`, found.trouble, failed);
  }
  const shown = paginate(inOrder(found, filter, reader.now), wanted, LISTED);
  const rows = await rowsOf(call, project, shown.items);
  return postList({ project, filter, found, page: shown, rows, reader });
}

/** Shows what `work` comes to in the view or message that was pressed, else as a new message to the person alone. */
export async function show(
  call: Call & { view?: OpenView },
  work: Promise<Message>,
  { replace }: { replace: boolean },
): Promise<void> {
  const { view } = call;
  if (!view) return replyInTime(call, work, { slowMs: slowMs(call), replace });
  const early = await Promise.race([work, delay(slowMs(call), undefined, { ref: false })]);
  if (!early && !(await update(call, view.id, loadingView()))) return;
  await update(call, view.id, listView(call.sealed(early ?? (await work))));
}

/** False once the person has closed it. */
export async function update({ client }: Call, viewId: string, view: ModalView): Promise<boolean> {
  try {
    await client.views.update({ view_id: viewId, view });
    return true;
  } catch (error) {
    if (isViewGone(error)) return false;
    throw error;
  }
}

export function listView({ text, blocks }: Message): ModalView {
  return modal(blocks ?? [section(text)]);
}

export function loadingView(): ModalView {
  return modal([section('The scheduling service is slow to answer. I am still waiting.')]);
}

function modal(blocks: KnownBlock[]): ModalView {
  return {
    type: 'modal',
    title: plain('Posts', LIMITS.viewTitle),
    close: plain('Close', LIMITS.viewTitle),
    blocks,
  };
}
