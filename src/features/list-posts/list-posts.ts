import type { ActionCall, CommandCall } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { createForm } from '../../forms/create-form.ts';
import { projectActions } from '../../forms/list-project.ts';
import { decodeButtonState } from '../../slack/carried.ts';
import { FIXED, FIXED_PROJECT, fixedMessage } from './explain-fixed.ts';
import { type ListState, listState } from './filter/post-filter.ts';
import { filled, filterForm } from './filter-form.ts';
import { ALL, EARLIER, FILTER, LATER, LIST, NEXT, PREVIOUS, SCHEDULE } from './page/list-buttons.ts';
import { ROW } from './page/post-row.ts';
import { AGAIN_BUTTON } from './page/post-view.ts';
import { EXAMPLES, MEANT, RANGE } from './page/said-instead.ts';
import { pressRow, scheduleAgain } from './presses.ts';
import { COMMAND, listMessage, PROJECT, show } from './show-list.ts';

const form = createForm(filterForm);

/** The posts of a project, by words or by a form; and what to do instead of changing one. */
export const listPosts: Feature = {
  name: 'list-posts',
  commands: [
    {
      name: 'posts',
      aliases: ['list', 'list-posts', 'calendar'],
      shorthands: ['drafts', 'scheduled', 'published', 'mine', 'today', 'tomorrow', 'week', 'month'],
      summary: 'The posts of a project: this week’s, drafts, yours, by platform and days',
      usage: '[filters or “filter”]',
      examples: [COMMAND, ...EXAMPLES.map((words) => `${COMMAND} ${words}`)],
      opensForm: isFilter,
      run: list,
    },
    {
      name: 'edit',
      aliases: ['change', 'cancel', 'reschedule', 'undo', 'move', 'delete', 'remove', 'unschedule'],
      summary: 'Why a post cannot be changed or cancelled, and a copy of it instead',
      usage: '[filters]',
      examples: ['/upnext edit', '/upnext reschedule tomorrow'],
      button: false,
      run: (call) => show(call, fixedMessage(call, { words: call.words, page: 0 }), { replace: false }),
    },
  ],
  // What opens the form for a post is offered to who may use it.
  role: (attempt) =>
    attempt.surface === 'action' && [AGAIN_BUTTON, SCHEDULE].includes(attempt.id) ? 'contributor' : 'viewer',
  open: (call, { words = '' }) => show(call, listMessage(call, { words, page: 0 }), { replace: false }),
  views: form.views,
  options: form.options,
  actions: {
    ...form.actions,
    ...projectActions(PROJECT, turn),
    ...projectActions(RANGE, turn),
    ...projectActions(FIXED_PROJECT, explain),
    [LIST]: turn,
    [PREVIOUS]: turn,
    [NEXT]: turn,
    [EARLIER]: turn,
    [LATER]: turn,
    [ALL]: turn,
    [MEANT]: turn,
    [FIXED]: explain,
    [FILTER]: filter,
    [ROW]: pressRow,
    [AGAIN_BUTTON]: (call) => scheduleAgain(call, call.action.value ?? ''),
    [SCHEDULE]: (call) =>
      call.open('schedule-post', { ...(call.action.value !== undefined && { project: call.action.value }) }),
  },
};

/** `/upnext posts filter` opens the form. */
function isFilter(words: string): boolean {
  return /^filters?$/i.test(words.trim());
}

async function list(call: CommandCall): Promise<void> {
  if (isFilter(call.words)) return form.openForm(call);
  await show(call, listMessage(call, { words: call.words, page: 0 }), { replace: false });
}

function stateOf(call: ActionCall): ListState {
  return decodeButtonState(listState, call.action.value) ?? { page: 0 };
}

/** A page, a week, another reading: in the place of what was pressed. */
async function turn(call: ActionCall): Promise<void> {
  await show(call, listMessage(call, stateOf(call)), { replace: true });
}

async function explain(call: ActionCall): Promise<void> {
  await show(call, fixedMessage(call, stateOf(call)), { replace: true });
}

/** [Filter]: the form with what is listed now; in the list's place where that is a view. */
async function filter(call: ActionCall): Promise<void> {
  const begin = { prefill: filled(stateOf(call), call.now()) };
  await form.openForm(call, begin, call.view ? { viewId: call.view.id } : {});
}
