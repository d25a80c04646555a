import { createForm } from '../../forms/create-form.ts';
import { buildActionId } from '../../forms/field.ts';
import type { ActionCall, Call, CommandCall, ShortcutCall } from '../../handlers/call.ts';
import type { Feature } from '../../handlers/feature.ts';
import {
  authorizeShare,
  getSharedId,
  renderShared,
  returnToModalBelow,
  sendShared,
} from '../../handlers/share-outside.ts';
import { findActorsSubmission, showSubmission } from '../../handlers/show-submission.ts';
import { readHeldContent } from '../../held-posts/held-post-context.ts';
import { findHeldPost, listPostsOfSubmissions } from '../../held-posts/sql/held-posts.ts';
import { listHeldPostMessages } from '../../held-posts/sql/messages.ts';
import { NEW_POST_ACTION, toNewPostPrefill } from '../../posts/new-post-button.ts';
import { renderLead } from '../../posts/post-text.ts';
import { SUGGESTED_LEAD_MINUTES } from '../../preferences/project-policy.ts';
import { fetchDisplayName } from '../../slack/fetch-people.ts';
import { BUTTON_UNAVAILABLE } from '../../slack/message.ts';
import { replaceEmojiCodes } from '../../slack/text/text.ts';
import { decryptSubmission } from '../../submissions/content.ts';
import { loadShown } from '../../submissions/shown.ts';
import { listFormSubmissions } from '../../submissions/sql/lists.ts';
import { setSharedAt } from '../../submissions/sql/submissions.ts';
import type { SubmissionRow } from '../../submissions/submission.ts';
import { ALL_PREFIX, renderReceipt } from '../../submissions/text/state-blocks.ts';
import { warmUpDateParser } from '../../when/when.ts';
import { searchZones } from '../../when/zones.ts';
import { FORM_NAME } from './form/fields.ts';
import { FORM_ACTIONS } from './form/form-actions.ts';
import { editHeldPostInForm } from './hold/edit-held-post.ts';
import { editSeriesInForm } from './hold/hold-series.ts';
import { answerHolding, KEEP_LATER_ACTION } from './hold/holding-question.ts';
import { postForm } from './post-form.ts';
import { DRAFT_PATTERN } from './prefill/line-names.ts';
import { createMomentReader } from './prefill/moment-reader.ts';
import { parseLine } from './prefill/parse-line.ts';
import { isColon, splitLine } from './prefill/split-line.ts';
import {
  postContent,
  renderSharedCard,
  SHARE_ACTION,
  SHARE_OUTSIDE_ACTION,
  toFormValues,
} from './sent/post-content.ts';
import { postSubmission } from './sent/post-submission.ts';
import { answerLine, OPEN_LINE_ACTION, openLine, storeLine } from './typed-line.ts';

/** [Share] of a form with several times sends one card for all to the channel in which the form was opened, once. */
async function sharePosts(call: ActionCall): Promise<void> {
  const row = await findOwnRow(call);
  if (!row?.channel) return call.reply(BUTTON_UNAVAILABLE);
  const { content: firstContent } = decryptSubmission(call.context, postSubmission, row);
  const { context } = call;
  const share = {
    channel: row.channel,
    projects: [firstContent.project.id],
    id: `${ALL_PREFIX}${row.id}`,
    confirmAction: SHARE_OUTSIDE_ACTION,
    subject: 'schedule-post share',
  } as const;
  if (!(await authorizeShare(call, share))) return;
  const author = { id: call.actor.user, name: await fetchDisplayName(call, call.actor.user) };
  const now = call.now();
  const showResult = async (text: string) => {
    if (!call.view) return showReceipt(call, row, text);
    const modalCall = await returnToModalBelow(call, text);
    await showSubmission(modalCall ?? call, postSubmission, row.id, modalCall ? undefined : text);
  };
  const claimedRows: SubmissionRow[] = [];
  for (const formRow of await listUnsharedPosts(call, row)) {
    const isFirstShare = await setSharedAt(context.db, { id: formRow.id, sharedAt: now });
    if (isFirstShare) claimedRows.push(formRow);
  }
  if (claimedRows.length === 0) call.recordOutcome?.('unchanged', firstContent.project.id);
  const [content, ...otherContents] = claimedRows.map(
    (claimedRow) => decryptSubmission(context, postSubmission, claimedRow).content,
  );
  const [sharedRow] = claimedRows;
  if (!content || !sharedRow) return showResult(`I already shared this in <#${row.channel}>.`);
  const isOver = sharedRow.publish_at && sharedRow.publish_at <= now;
  const { findPublication } = context.submissions.context;
  const publication = isOver ? await findPublication(sharedRow) : undefined;
  const card = renderSharedCard([content, ...otherContents], { now, author, publication });
  const sent = await sendShared(call, row.channel, card);
  if ('response' in sent) return showResult(await renderShared(call, row.channel));
  for (const { id } of claimedRows) await setSharedAt(context.db, { id, sharedAt: null });
  return showResult(sent.refusal);
}

async function listFormPosts({ context, actor }: ActionCall, row: SubmissionRow): Promise<SubmissionRow[]> {
  const rows = await listFormSubmissions(context.db, row);
  return rows.filter(
    ({ author, state, content }) => author === actor.user && state === 'confirmed' && content !== null,
  );
}

/** Leaves out the posts of a form that were shared with its channel from their own cards. */
async function listUnsharedPosts(call: ActionCall, row: SubmissionRow): Promise<SubmissionRow[]> {
  const { db } = call.context;
  const rows = await listFormPosts(call, row);
  const posts = await listPostsOfSubmissions(db, rows);
  const wasShared = await Promise.all(
    rows.map(async ({ id, channel }) => {
      const post = posts.get(id);
      const messages = post ? await listHeldPostMessages(db, post) : [];
      return messages.some((message) => message.purpose === 'shared' && message.channel === channel);
    }),
  );
  return rows.filter((_, index) => !wasShared[index]);
}

/** Replaces the receipt whose button was pressed. `note` describes the result (mrkdwn). */
async function showReceipt(call: ActionCall, row: SubmissionRow, note: string): Promise<void> {
  const { submissions } = await loadShown(call.context.submissions.context, await listFormPosts(call, row));
  await call.reply(renderReceipt(submissions, { note }), { replace: true });
}

/** [Keep later posts editable] answers for the project what the form asks, with the suggested time. */
async function keepLaterPosts(call: ActionCall): Promise<void> {
  const row = await findOwnRow(call);
  if (!row) return call.reply(BUTTON_UNAVAILABLE);
  const { project } = decryptSubmission(call.context, postSubmission, row).content;
  const isFirst = await answerHolding(call, project.id, SUGGESTED_LEAD_MINUTES);
  const lead = renderLead(SUGGESTED_LEAD_MINUTES);
  await showReceipt(
    call,
    row,
    isFirst
      ? `From the next one on, posts stay editable until ${lead} before they go out. Change that with \`/upnext policy\`.`
      : 'Somebody has already chosen how long posts stay editable. See it with `/upnext policy`.',
  );
}

/** Finds the submission that a button belongs to. Undefined if the actor isn’t its author. */
async function findOwnRow(call: ActionCall): Promise<SubmissionRow | undefined> {
  const id = (getSharedId(call) ?? '').replace(ALL_PREFIX, '');
  const row = await findActorsSubmission(call, postSubmission, id);
  return row?.content === null ? undefined : row;
}

const form = createForm(postForm);

const MESSAGE_SHORTCUT = buildActionId(FORM_NAME, 'message');
const GLOBAL_SHORTCUT = buildActionId(FORM_NAME, 'new');

function isDraftLine(line: string): boolean {
  return DRAFT_PATTERN.test(splitLine(line).head);
}

/** Whether a line without a command is a post: a moment and platforms before a colon, "friday 9am on x: Hello". */
function isPostLine(line: string, locale?: string): boolean {
  const { head, text } = splitLine(line);
  if (text === undefined || !isColon(line, head.length)) return false;
  // A moment has the same words on every day, so any clock will do.
  const momentReader = createMomentReader(new Date(0), locale);
  const parsed = parseLine(line, { items: [], isTruncated: false }, momentReader);
  return parsed.when !== '' && parsed.platforms.length + parsed.unknownPlatforms.length > 0;
}

/** Schedules posts and saves drafts, from a form or from one line. */
export const schedulePost: Feature = {
  name: 'schedule-post',
  commands: [
    {
      name: 'schedule',
      aliases: ['post', 'new'],
      shorthands: ['draft'],
      summary: 'Schedule a post, or save a draft',
      usage: '[when] [on platforms] [for project] [draft]: [text]',
      examples: {
        '/schedule-post': 'Open the form.',
        '/schedule-post tomorrow 9am on x, linkedin: We are live!':
          'Open the form filled in, and schedule with one press.',
        '/schedule-post every weekday at 9 on x: Good morning!': 'Start a series.',
      },
      slashCommand: '/schedule-post',
      phrases: { test: isPostLine },
      // A line is answered with what was understood.
      opensForm: (text) => text === '',
      deed: 'start a post',
      // A form that is open or unfinished isn't at Home.
      isReadOnly: true,
      roleToRequest: ({ text }) => (isDraftLine(text) ? 'contributor' : 'publisher'),
      run: runScheduleCommand,
      keepTyped: storeLine,
    },
  ],
  role: 'contributor',
  ...form,
  optionalScopes: {
    'files:read': {
      purpose: 'to read the pictures and videos that people upload for a post',
      missingAbility: 'take pictures and videos from Slack',
    },
    'emoji:read': {
      purpose: 'to warn about the workspace’s custom emoji in a post',
      missingAbility: 'tell custom emoji from words between colons (posts with either are refused)',
    },
    'usergroups:read': {
      purpose: 'to name the user groups in a message that becomes a post',
      missingAbility: 'name the user groups in a message that becomes a post',
    },
  },
  open: {
    ...form.open,
    roleToRequest: 'publisher',
    run(call, prefill) {
      const { copy, channel, held, duplicate, series, from, when } = prefill;
      if (held !== undefined) return editHeldPostInForm(call, form, held);
      if (duplicate !== undefined) return duplicatePost(call, duplicate);
      if (series !== undefined)
        return editSeriesInForm(call, form, { id: series, from: from === undefined ? from : Number(from) });
      if (copy === undefined) return form.open.run(call, prefill);
      return form.openForm(call, { prefill: { copy, when }, channel });
    },
  },
  shortcuts: {
    [MESSAGE_SHORTCUT]: {
      name: 'Schedule this message',
      description: 'Turn this message into a post',
      type: 'message',
      deed: 'open the post form from a message',
      roleToRequest: 'publisher',
      run: scheduleMessage,
    },
    [GLOBAL_SHORTCUT]: {
      name: 'Schedule a post',
      description: 'Schedule a post, or save a draft',
      type: 'global',
      deed: 'open the post form',
      roleToRequest: 'publisher',
      run: (call) => form.openForm(call),
    },
  },
  warmUp: warmUpParsers,
  actions: {
    ...form.actions,
    ...FORM_ACTIONS,
    [OPEN_LINE_ACTION]: { deed: 'open the post form', run: (call) => openLine(call, form) },
    [SHARE_ACTION]: { deed: 'share a post', run: sharePosts },
    [SHARE_OUTSIDE_ACTION]: {
      deed: 'share a post with people outside the workspace',
      role: 'owner',
      run: sharePosts,
    },
    [KEEP_LATER_ACTION]: { deed: 'change the policy of posts', run: keepLaterPosts },
    [NEW_POST_ACTION]: { deed: 'open the post form', run: beginPost },
  },
};

async function runScheduleCommand(call: CommandCall): Promise<void> {
  const { text: line, changes } = call;
  if (line === '') return form.openForm(call);
  if (call.trigger === undefined) return answerLine(call, line, changes);
  await form.openForm(call, { prefill: { line, changes }, typed: splitLine(line).text ?? line });
}

async function scheduleMessage(call: ShortcutCall): Promise<void> {
  const { message } = call;
  if (!message) return form.openForm(call);
  const { text, blocks, attachments, files } = message;
  await form.openForm(call, { prefill: { message: { text, blocks, attachments, files } } });
}

/** [New post], and [Fill] for a free day or slot. */
function beginPost(call: ActionCall): Promise<void> {
  return call.openFeature('schedule-post', toNewPostPrefill(call.action.value ?? '', call.now()));
}

/** [Duplicate] opens a form with the values of a post, except its time. `id`: that of the post. */
async function duplicatePost(call: Call, id: string): Promise<void> {
  const { context, actor } = call;
  const row = await findHeldPost(context.db, { id, workspace: actor.workspace });
  const content = row && call.may('viewer', row.project) && readHeldContent(context.heldPosts, row)?.content;
  if (!row || !content) return call.reply({ text: 'I can’t find this post.' });
  await call.requireFormPermission(row.project);
  const { moment: _moment, draft: _draft, slot: _slot, ...copied } = postContent.parse(content);
  const prefill = { ...toFormValues(copied), when: '' };
  // Somebody else may not be in the channel of its author.
  const channel = row.author === actor.user ? (row.channel ?? call.channel) : call.channel;
  await form.openForm(call, { channel, prefill });
}

/** Loads the data for emoji, dates and zones at startup, so that the first acknowledgements aren't delayed. */
async function warmUpParsers(): Promise<void> {
  // V8 compiles a regular expression to machine code only when it runs for the second time.
  for (let run = 0; run < 2; run += 1) replaceEmojiCodes(':tada:');
  await warmUpDateParser();
  searchZones('Berlin', new Date(0));
}
