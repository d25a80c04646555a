import type { ActionCall, CommandCall } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { createForm } from '../../forms/create-form.ts';
import { buildProjectActions } from '../../forms/resolve-list-project.ts';
import { decodeButtonState } from '../../slack/view-values.ts';
import { EDIT, EDIT_PROJECT, editMessage } from './explain-no-edit.ts';
import { type ListState, listState } from './filter/post-filter.ts';
import { filterForm, prefillFilter } from './filter-form.ts';
import { ALL, EARLIER, FILTER, LATER, LIST, NEXT, PREVIOUS, SCHEDULE } from './page/list-buttons.ts';
import { EXAMPLES, RANGE, SUGGESTION } from './page/list-questions.ts';
import { ROW } from './page/post-row.ts';
import { AGAIN_BUTTON } from './page/post-view.ts';
import { pressRow, scheduleAgain } from './presses.ts';
import { COMMAND, listMessage, PROJECT, show } from './show-list.ts';

const form = createForm(filterForm);

/** Lists posts, filtered by words or a form, and explains why posts can't be edited. */
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
      run: (call) => show(call, editMessage(call, { words: call.words, page: 0 }), { replace: false }),
    },
  ],
  // Buttons that open the form for posts need the role for that form.
  role: (attempt) =>
    attempt.surface === 'action' && [AGAIN_BUTTON, SCHEDULE].includes(attempt.id) ? 'contributor' : 'viewer',
  open: (call, { words = '' }) => show(call, listMessage(call, { words, page: 0 }), { replace: false }),
  views: form.views,
  options: form.options,
  actions: {
    ...form.actions,
    ...buildProjectActions(PROJECT, showState),
    ...buildProjectActions(RANGE, showState),
    ...buildProjectActions(EDIT_PROJECT, explain),
    [LIST]: showState,
    [PREVIOUS]: showState,
    [NEXT]: showState,
    [EARLIER]: showState,
    [LATER]: showState,
    [ALL]: showState,
    [SUGGESTION]: showState,
    [EDIT]: explain,
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

function readState(call: ActionCall): ListState {
  return decodeButtonState(listState, call.action.value) ?? { page: 0 };
}

/** Replaces the pressed message or view with another page, week or filter. */
async function showState(call: ActionCall): Promise<void> {
  await show(call, listMessage(call, readState(call)), { replace: true });
}

async function explain(call: ActionCall): Promise<void> {
  await show(call, editMessage(call, readState(call)), { replace: true });
}

/** [Filter] opens the form with the current filter. If the list is itself a modal, the form replaces it. */
async function filter(call: ActionCall): Promise<void> {
  const begin = { prefill: prefillFilter(readState(call), call.now()) };
  await form.openForm(call, begin, call.view ? { viewId: call.view.id } : {});
}
