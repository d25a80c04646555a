import type { Role } from '../../access/access.ts';
import type { ActionCall, CommandCall, ShortcutCall } from '../../app/call.ts';
import type { Attempt, Feature } from '../../app/feature.ts';
import { createForm } from '../../forms/create-form.ts';
import { buildActionId, buildBlockId, parseGenerations } from '../../forms/field.ts';
import { replaceEmojiCodes } from '../../slack/text/text.ts';
import { chosenOption } from '../../slack/view-values.ts';
import { searchZones, warmUpWords } from '../../when/when.ts';
import { findText } from './begin/find-text.ts';
import { FORM } from './form/fields.ts';
import { postForm } from './post-form.ts';
import { previewActions, previewLine } from './preview/preview.ts';
import { PREVIEW } from './preview/preview-message.ts';
import { ANOTHER, SHARE, SHARE_OUTSIDE } from './sent/post-content.ts';
import { NOT_YOURS, ownPost, sharePost } from './sent/share-post.ts';

const form = createForm(postForm);

const FROM_MESSAGE = buildActionId(FORM, 'message');
const FROM_ANYWHERE = buildActionId(FORM, 'new');

/** A post, scheduled or saved as a draft. */
export const schedulePost: Feature = {
  name: 'schedule-post',
  commands: [
    {
      name: 'schedule',
      aliases: ['post', 'new'],
      shorthands: ['draft'],
      summary: 'Schedule a post, or save a draft',
      usage: '[when] [on platforms] [for project] [draft]: [text]',
      examples: ['/schedule-post', '/schedule-post tomorrow 9:30 on x, linkedin: We are live!'],
      ownCommand: '/schedule-post',
      opensForm: (words) => findText(words).text === undefined,
      run: schedule,
    },
  ],
  role: roleFor,
  submissions: form.submissions,
  scopes: {
    'emoji:read': 'to tell before a post is sent which of its emoji only the workspace has',
  },
  open: (call, prefill) =>
    prefill.copy === undefined
      ? form.open(call, prefill)
      : form.openForm(call, { prefill: { copy: prefill.copy } }),
  shortcuts: {
    [FROM_MESSAGE]: {
      name: 'Schedule this message',
      description: 'A post with the words of this message, as people outside of Slack would read them',
      on: 'message',
      run: scheduleMessage,
    },
    [FROM_ANYWHERE]: {
      name: 'Schedule a post',
      description: 'Schedule a post, or save a draft',
      on: 'anything',
      run: (call) => form.openForm(call),
    },
  },
  warmUp: warmUpWhen,
  views: form.views,
  actions: {
    ...form.actions,
    ...previewActions(form),
    [SHARE]: sharePost,
    [SHARE_OUTSIDE]: sharePost,
    [ANOTHER]: scheduleAnother,
  },
  options: form.options,
};

/** Drafts need the role contributor; scheduled posts need publisher. */
function roleFor(attempt: Attempt): Role {
  if (attempt.surface === 'action') {
    if (attempt.id === SHARE_OUTSIDE) return 'owner';
    return attempt.id === PREVIEW.schedule ? 'publisher' : 'contributor';
  }
  // The confirmation view has no values. The role was checked for the form, and is checked again before sending.
  if (attempt.surface !== 'view' || attempt.id !== FORM) return 'contributor';
  const status = buildBlockId('status', parseGenerations(['status'], Object.keys(attempt.values)));
  return chosenOption(attempt.values, status)?.value === 'DRAFT' ? 'contributor' : 'publisher';
}

/** A line with text gets a preview; a line without text opens the form. */
async function schedule(call: CommandCall): Promise<void> {
  const { words: line } = call;
  if (line === '') return form.openForm(call);
  if (findText(line).text !== undefined) return previewLine(call, line);
  await form.openForm(call, { prefill: { line } });
}

async function scheduleMessage(call: ShortcutCall): Promise<void> {
  const { message } = call;
  if (!message) return form.openForm(call);
  const { text, blocks, files } = message;
  await form.openForm(call, { prefill: { message: { text, blocks, files } } });
}

/** [Schedule another]: an empty form in the same modal. */
async function scheduleAnother(call: ActionCall): Promise<void> {
  const post = await ownPost(call);
  if (!post) return call.reply(NOT_YOURS);
  const begin = {
    ...(post.channel !== undefined && { channel: post.channel }),
    prefill: { project: post.content.project },
  };
  await form.openForm(call, begin, call.view ? { viewId: call.view.id } : {});
}

/** Runs slow first-time work at startup, so that it doesn't delay the first acknowledgements. */
async function warmUpWhen(): Promise<void> {
  for (let use = 0; use < 2; use += 1) replaceEmojiCodes(':tada:');
  await warmUpWords();
  searchZones('Berlin', new Date(0));
}
