import type { ActionCall, CommandCall, Handler } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { createForm } from '../../forms/create-form.ts';
import { buildProjectActions } from '../../forms/resolve-list-project.ts';
import { answerWhenReady } from '../../slack/answer-when-ready.ts';
import { decodeButtonState } from '../../slack/interaction-values.ts';
import { createEditMessage, EDIT_ACTION, EDIT_PROJECT_ACTION_PREFIX } from './explain-no-edit.ts';
import { exportPosts } from './export-csv.ts';
import { type ListState, listState } from './filter/post-filter.ts';
import { filterForm, prefillFilter } from './filter-form.ts';
import {
  ALL_POSTS_ACTION,
  EARLIER_ACTION,
  EXPORT_ACTION,
  FILTER_ACTION,
  LATER_ACTION,
  LIST_ACTION,
  NEXT_ACTION,
  OUTBOX_ACTION,
  PREVIOUS_ACTION,
  SCHEDULE_ACTION,
  SUGGESTION_ACTION,
} from './page/list-buttons.ts';
import { FILTER_EXAMPLES, RANGE_ACTION_PREFIX } from './page/list-questions.ts';
import { OPEN_ACTION } from './page/post-row.ts';
import { DUPLICATE_ACTION } from './page/post-view.ts';
import { duplicatePost, openPost, openPostOfService } from './row-actions.ts';
import { COMMAND, createListMessage, PROJECT_ACTION_PREFIX } from './show-list.ts';

const form = createForm(filterForm);

const listHandler: Handler<ActionCall> = { deed: 'open the list of posts', run: showList };
const editHandler: Handler<ActionCall> = {
  deed: 'open the list of posts to change one',
  run: explainNoEdit,
};

/** Lists the posts that match a typed filter or the filter of a form, and explains why posts can't be edited. */
export const listPosts: Feature = {
  name: 'list-posts',
  commands: [
    {
      name: 'posts',
      aliases: ['list', 'list-posts', 'calendar'],
      shorthands: ['drafts', 'scheduled', 'published', 'mine', 'today', 'tomorrow', 'week', 'month'],
      summary: 'A project’s posts, with filters for status, platform and days',
      usage: '[filters or “filter”]',
      examples: {
        [COMMAND]: 'List all posts.',
        ...Object.fromEntries(FILTER_EXAMPLES.map((words) => [`${COMMAND} ${words}`, 'Filter the list.'])),
      },
      opensForm: isFilterCommand,
      isReadOnly: true,
      deed: 'open the list of posts',
      run: runPostsCommand,
    },
    {
      name: 'duplicate',
      aliases: ['edit', 'change', 'cancel', 'reschedule', 'undo', 'move', 'delete', 'remove', 'unschedule'],
      summary: 'Duplicate a post, because posts can’t be edited',
      usage: '[filters]',
      examples: {
        '/upnext duplicate': 'Choose a post.',
        '/upnext reschedule tomorrow': 'Choose one of tomorrow’s posts, and give the copy a new time.',
      },
      button: false,
      isReadOnly: true,
      deed: 'open the list of posts to change one',
      run: (call) => answerWhenReady(call, createEditMessage(call, { words: call.text, page: 0 })),
    },
  ],
  role: 'viewer',
  // `project` and `post` are ids of the service.
  optionalScopes: {
    'files:write': {
      purpose: 'to send a list of posts as a CSV file',
      missingAbility: 'send CSV files',
    },
  },
  open: {
    ...form.open,
    run(call, { words = '', project, post, time }) {
      if (project !== undefined && post !== undefined && time !== undefined)
        return openPostOfService(call, { project, post, time });
      const state = { ...(project === undefined ? { words } : { project }), page: 0 };
      return answerWhenReady(call, createListMessage(call, state));
    },
  },
  views: form.views,
  options: form.options,
  actions: {
    ...form.actions,
    ...buildProjectActions(PROJECT_ACTION_PREFIX, listHandler),
    ...buildProjectActions(RANGE_ACTION_PREFIX, listHandler),
    ...buildProjectActions(EDIT_PROJECT_ACTION_PREFIX, editHandler),
    [LIST_ACTION]: listHandler,
    [PREVIOUS_ACTION]: listHandler,
    [NEXT_ACTION]: listHandler,
    [EARLIER_ACTION]: listHandler,
    [LATER_ACTION]: listHandler,
    [ALL_POSTS_ACTION]: listHandler,
    [SUGGESTION_ACTION]: listHandler,
    [EDIT_ACTION]: editHandler,
    [FILTER_ACTION]: { deed: 'open the filter of the list of posts', run: openFilter },
    [EXPORT_ACTION]: { deed: 'export posts as CSV', run: (call) => exportPosts(call, decodeState(call)) },
    [OUTBOX_ACTION]: {
      deed: 'open their pending submissions',
      run: (call) => call.runLine('/upnext outbox'),
    },
    [OPEN_ACTION]: { deed: 'open a post', run: (call) => openPost(call, call.action.value ?? '') },
    // Buttons that open the form for a post need the role of that form.
    [DUPLICATE_ACTION]: {
      deed: 'open the form for a copy of a post',
      role: 'contributor',
      run: (call) => duplicatePost(call, call.action.value ?? ''),
    },
    [SCHEDULE_ACTION]: {
      deed: 'open the post form',
      role: 'contributor',
      run: (call) =>
        call.openFeature('schedule-post', {
          ...(call.action.value !== undefined && { project: call.action.value }),
        }),
    },
  },
};

/** Whether the text after the command requests the form: `/upnext posts filter`. */
function isFilterCommand(text: string): boolean {
  return /^filters?$/i.test(text.trim());
}

async function runPostsCommand(call: CommandCall): Promise<void> {
  const { channelName } = call;
  if (isFilterCommand(call.text))
    return form.openForm(call, channelName === undefined ? {} : { channelName });
  await answerWhenReady(call, createListMessage(call, { words: call.text, page: 0 }));
}

function decodeState(call: ActionCall): ListState {
  return decodeButtonState(listState, call.action.value) ?? { page: 0 };
}

/** Replaces the pressed message or view with the list that the button's state describes. */
async function showList(call: ActionCall): Promise<void> {
  await answerWhenReady(call, createListMessage(call, decodeState(call)), { replace: true });
}

async function explainNoEdit(call: ActionCall): Promise<void> {
  await answerWhenReady(call, createEditMessage(call, decodeState(call)), { replace: true });
}

/** [Filter] opens the form with the current filter. If the list is in a modal, the form replaces the list. */
async function openFilter(call: ActionCall): Promise<void> {
  const options = { prefill: prefillFilter(decodeState(call), { now: call.now(), user: call.actor.user }) };
  await form.openForm(call, options, call.view ? { viewId: call.view.id } : {});
}
