import { nameById } from '../../api/project-ids.ts';
import { createForm } from '../../forms/create-form.ts';
import { fetchReader } from '../../forms/form-context.ts';
import { DUPLICATE_COPY_ACTION, readPostCopy, storePostCopies, toPostCopy } from '../../forms/post-copies.ts';
import type { ActionCall, Call, CommandCall } from '../../handlers/call.ts';
import type { Feature } from '../../handlers/feature.ts';
import { findAuthor } from '../../held-posts/sql/authors.ts';
import { splitTypedTime } from '../../held-posts/text/held-post-buttons.ts';
import { createList } from '../../lists/list.ts';
import { describePost } from '../../posts/describe-post.ts';
import { renderPostCard } from '../../posts/post-card.ts';
import { readPostList } from '../../posts/read-post-list.ts';
import { actions, button } from '../../slack/blocks.ts';
import { decodeButtonState } from '../../slack/interaction-values.ts';
import { buildUnavailableMessage } from '../../slack/message.ts';
import { buildModal } from '../../slack/message-view.ts';
import { renderReadFailure } from '../../slack/service-failure.ts';
import { findScheduledDrafts } from '../../submissions/sql/scheduled-drafts.ts';
import { exportPosts } from './export-csv.ts';
import { filterForm, prefillFilter } from './filter-form.ts';
import { FILTER_ACTION, LIST_BUTTONS, PREFIX } from './page/list-buttons.ts';
import { OPEN_ACTION, toShownPost } from './page/post-row.ts';
import { isAboutDays, type ListState, listState } from './post-filter.ts';
import { createChangeMessage } from './posts-to-change.ts';
import { COMMAND, createListMessage, FILTER_EXAMPLES, WEEK_COMMAND } from './show-list.ts';

const COPY_EXPIRED = buildUnavailableMessage('See the current posts with `/upnext posts`.');

async function duplicatePost(call: ActionCall, value: string): Promise<void> {
  const { id, when } = splitTypedTime(value);
  const copy = await readPostCopy(call, id);
  if (!copy) return call.reply(COPY_EXPIRED);
  await call.openFeature('schedule-post', { copy: id, channel: copy.channel, when });
}

/** [Open] shows the stored post, without a request to the service. A held post is shown as it is now. */
async function openPost(call: Call, id: string): Promise<void> {
  const [copy, viewer] = await Promise.all([readPostCopy(call, id), fetchReader(call)]);
  if (!copy) return call.reply(COPY_EXPIRED);
  if (copy.held !== undefined) return call.openFeature('held-posts', { id: copy.held });
  const duplicatesByDraft = await findScheduledDrafts(call.context.db, {
    workspace: call.actor.workspace,
    project: copy.project.id,
    drafts: copy.id === undefined ? [] : [copy.id],
  });
  const { scheduleDate, readAt, author, project, held: _, ...fields } = copy;
  const post = { ...fields, ...(scheduleDate !== undefined && { scheduleDate: new Date(scheduleDate) }) };
  const facts = { status: copy.status, at: post.scheduleDate, readAt: readAt ? new Date(readAt) : undefined };
  const { title, emoji, sentence, isQuiet } = describePost(facts, { viewers: viewer, now: viewer.now });
  const card = renderPostCard({
    ...toShownPost({ post, author, duplicate: duplicatesByDraft.get(copy.id ?? '') }, viewer),
    ...{ title, emoji },
    line: isQuiet ? undefined : sentence,
    smallPrint: isQuiet ? [sentence] : [],
    project: project.name,
    hasWholeText: true,
  });
  const duplicate = button('Duplicate', DUPLICATE_COPY_ACTION, id, 'primary');
  // If the list is in a modal, the post is on top of it, so that closing the post returns to the list.
  await call.openView(buildModal('Post', [...card.blocks, actions(duplicate)]));
}

const POST_GONE = { text: 'This post is no longer there. Refresh to see the current ones.' };

/** Opens a post by its service id, among those at its time: the service has no operation for a single post. */
async function openPostOfService(
  call: Call,
  { project: id, post: postId, time }: { project: string; post: string; time: string },
): Promise<void> {
  const { context } = call;
  await call.permit('viewer', id, 'post copy');
  const instant = new Date(time);
  if (Number.isNaN(instant.getTime())) return call.reply(POST_GONE);
  const [projects, posts] = await Promise.all([
    context.reads.fetchProjects(context.api),
    readPostList(context.api, { projectId: id, from: instant, to: instant, platforms: [], statuses: [] }),
  ]);
  if (posts.kind === 'failed') return call.reply({ text: renderReadFailure(posts.failure) });
  const post = posts.posts.find((candidate) => candidate.id === postId);
  if (!post) return call.reply(POST_GONE);
  const project = projects.kind === 'done' ? projects.data.items.find((item) => item.id === id) : undefined;
  const { workspace } = call.actor;
  const author = await findAuthor(context.db, { workspace, kind: 'post', serviceId: postId });
  const [copyId = ''] = await storePostCopies(call, [
    toPostCopy(project ?? nameById(id), { post, author, facts: { readAt: call.now() } }),
  ]);
  await openPost(call, copyId);
}

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
  createMessage: createChangeMessage,
});

/** Lists the posts that match a typed filter or the filter of a form, and offers posts to change. */
export const listPosts: Feature = {
  name: 'list-posts',
  commands: [
    {
      name: 'posts',
      aliases: ['list', 'list-posts', 'calendar', 'search', 'find', 'export'],
      shorthands: ['drafts', 'scheduled', 'published', 'mine', 'today', 'tomorrow', 'month'],
      summary: 'A project’s posts, with filters for status, platform and days',
      usage: '[filters or “filter”]',
      examples: {
        [COMMAND]: 'List all posts.',
        ...Object.fromEntries(FILTER_EXAMPLES.map((words) => [`${COMMAND} ${words}`, 'Filter the list.'])),
      },
      opensForm: isFilterCommand,
      phrases: { test: isAboutDays },
      isReadOnly: true,
      ...list.command,
      run: runPostsCommand,
    },
    {
      name: 'week',
      aliases: [],
      summary: 'The week by day, with its free days: move, edit or cancel posts',
      usage: '[filters]',
      examples: {
        [WEEK_COMMAND]: 'Work on this week.',
        [`${WEEK_COMMAND} next`]: 'Work on next week.',
        [`${WEEK_COMMAND} x`]: 'Work on this week’s posts on X.',
      },
      isReadOnly: true,
      ...list.command,
      run: (call) => list.command.run({ ...call, text: `week ${call.text}`.trim() }),
    },
    {
      name: 'duplicate',
      aliases: ['edit', 'change', 'cancel', 'reschedule', 'undo', 'move', 'delete', 'remove', 'unschedule'],
      summary: 'Change a post that’s still editable, or duplicate it',
      usage: '[filters]',
      examples: {
        '/upnext duplicate': 'Choose a post.',
        '/upnext reschedule tomorrow': 'Choose one of tomorrow’s posts, and give it or its copy a new time.',
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
    [OPEN_ACTION]: { deed: 'open a post', run: (call) => openPost(call, call.action.value ?? '') },
    // Buttons that open the form for a post need the role of that form.
    [DUPLICATE_COPY_ACTION]: {
      deed: 'open the form for a copy of a post',
      role: 'contributor',
      run: (call) => duplicatePost(call, call.action.value ?? ''),
    },
  },
};

/** Whether the text after the command requests the form: `/upnext posts filter`. */
function isFilterCommand(text: string): boolean {
  return /^filters?$/i.test(text.trim());
}

async function runPostsCommand(call: CommandCall): Promise<void> {
  if (isFilterCommand(call.text)) return form.openForm(call, { channelName: call.channelName });
  await list.command.run(call);
}

/** [Filter] opens the form with the current filter. If the list is in a modal, the form replaces the list. */
async function openFilter(call: ActionCall): Promise<void> {
  const state = decodeButtonState(listState, call.action.value) ?? start('');
  const options = { prefill: prefillFilter(state, { now: call.now(), user: call.actor.user }) };
  await form.openForm(call, options, call.view ? { view: { id: call.view.id } } : {});
}
