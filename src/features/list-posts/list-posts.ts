import { createForm } from '../../forms/create-form.ts';
import { createList } from '../../forms/list.ts';
import type { ActionCall, CommandCall } from '../../handlers/call.ts';
import type { Feature } from '../../handlers/feature.ts';
import { decodeButtonState } from '../../slack/interaction-values.ts';
import { createEditMessage } from './explain-no-edit.ts';
import { exportPosts } from './export-csv.ts';
import { type ListState, listState } from './filter/post-filter.ts';
import { filterForm, prefillFilter } from './filter-form.ts';
import { DUPLICATE_ACTION, duplicatePost, openPost, openPostOfService } from './open-post.ts';
import { FILTER_ACTION, LIST_BUTTONS, OUTBOX_ACTION, PREFIX, SCHEDULE_ACTION } from './page/list-buttons.ts';
import { OPEN_ACTION } from './page/post-row.ts';
import { COMMAND, createListMessage, FILTER_EXAMPLES } from './show-list.ts';

const form = createForm(filterForm);

const start = (words: string): ListState => ({ words, page: 0 });

const list = createList({
  prefix: PREFIX,
  deed: 'open the list of posts',
  buttons: LIST_BUTTONS,
  choices: ['project', 'range'],
  state: listState,
  start,
  createMessage: createListMessage,
  file: { deed: 'export posts as CSV', send: exportPosts },
});

const listToChange = createList({
  prefix: PREFIX,
  deed: 'open the list of posts to change one',
  buttons: ['edit'],
  choices: ['edit-project'],
  state: listState,
  start,
  createMessage: createEditMessage,
});

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
      ...list.command,
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
      ...listToChange.command,
    },
  ],
  role: 'viewer',
  optionalScopes: {
    'files:write': {
      purpose: 'to send a list of posts as a CSV file',
      missingAbility: 'send CSV files',
    },
  },
  // `project` and `post` are ids of the service.
  open: {
    deed: 'open the list of posts',
    run(call, { words = '', project, post, time }) {
      if (project !== undefined && post !== undefined && time !== undefined)
        return openPostOfService(call, { project, post, time });
      const state = { ...(project === undefined ? { words } : { project }), page: 0 };
      return list.show(call, state);
    },
  },
  views: form.views,
  options: form.options,
  actions: {
    ...form.actions,
    ...list.actions,
    ...listToChange.actions,
    [FILTER_ACTION]: { deed: 'open the filter of the list of posts', run: openFilter },
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
  await list.command.run(call);
}

/** [Filter] opens the form with the current filter. If the list is in a modal, the form replaces the list. */
async function openFilter(call: ActionCall): Promise<void> {
  const state = decodeButtonState(listState, call.action.value) ?? start('');
  const options = { prefill: prefillFilter(state, { now: call.now(), user: call.actor.user }) };
  await form.openForm(call, options, call.view ? { viewId: call.view.id } : {});
}
