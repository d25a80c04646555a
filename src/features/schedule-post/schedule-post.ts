import { createForm } from '../../forms/create-form.ts';
import { buildActionId } from '../../forms/field.ts';
import type { ActionCall, CommandCall, ShortcutCall } from '../../handlers/call.ts';
import type { Feature } from '../../handlers/feature.ts';
import { replaceEmojiCodes } from '../../slack/text/text.ts';
import { warmUpDateParser } from '../../when/when.ts';
import { searchZones } from '../../when/zones.ts';
import { FORM_NAME } from './form/fields.ts';
import { editHeldPostInForm } from './hold/edit-held-post.ts';
import { postForm } from './post-form.ts';
import { isDraftLine, splitLine } from './prefill/parse-line.ts';
import { createPreviewActions, previewLine } from './preview/preview.ts';
import {
  DUPLICATE_ACTION,
  SCHEDULE_ANOTHER_ACTION,
  SHARE_ACTION,
  SHARE_OUTSIDE_ACTION,
  toFormValues,
} from './sent/post-content.ts';
import { BUTTON_UNAVAILABLE, findOwnPost, sharePost } from './sent/share-post.ts';

const form = createForm(postForm);

const MESSAGE_SHORTCUT = buildActionId(FORM_NAME, 'message');
const GLOBAL_SHORTCUT = buildActionId(FORM_NAME, 'new');

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
        '/schedule-post tomorrow 9am on x, linkedin: We are live!': 'See a preview, then schedule the post.',
      },
      slashCommand: '/schedule-post',
      opensForm: (text) => splitLine(text).text === undefined,
      deed: 'start a post',
      roleToRequest: ({ text }) => (isDraftLine(text) ? 'contributor' : 'publisher'),
      run: runScheduleCommand,
    },
  ],
  role: 'contributor',
  submissions: form.submissions,
  optionalScopes: {
    'emoji:read': {
      purpose: 'to warn about the workspace’s custom emoji in a post',
      missingAbility: 'warn about custom emoji in posts',
    },
  },
  open: {
    ...form.open,
    roleToRequest: 'publisher',
    run(call, prefill) {
      const { copy, channel, held } = prefill;
      if (held !== undefined) return editHeldPostInForm(call, form, held);
      if (copy === undefined) return form.open.run(call, prefill);
      return form.openForm(call, { prefill: { copy }, ...(channel !== undefined && { channel }) });
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
  views: form.views,
  actions: {
    ...form.actions,
    ...createPreviewActions(form),
    [SHARE_ACTION]: { deed: 'share a post', run: sharePost },
    [SHARE_OUTSIDE_ACTION]: {
      deed: 'share a post with people outside the workspace',
      role: 'owner',
      run: sharePost,
    },
    [SCHEDULE_ANOTHER_ACTION]: { deed: 'open the post form', run: scheduleAnother },
    [DUPLICATE_ACTION]: { deed: 'open the form for a copy of a post', run: duplicatePost },
  },
  options: form.options,
};

/** Shows a preview if the line contains the text of a post. Otherwise opens the form. */
async function runScheduleCommand(call: CommandCall): Promise<void> {
  const { text: line } = call;
  if (line === '') return form.openForm(call);
  if (splitLine(line).text !== undefined) return previewLine(call, line);
  await form.openForm(call, { prefill: { line } });
}

async function scheduleMessage(call: ShortcutCall): Promise<void> {
  const { message } = call;
  if (!message) return form.openForm(call);
  const { text, blocks, files } = message;
  await form.openForm(call, { prefill: { message: { text, blocks, files } } });
}

/** [New post] opens a form for the same project. If the button is in a modal, the form replaces the modal. */
async function scheduleAnother(call: ActionCall): Promise<void> {
  const post = await findOwnPost(call);
  if (!post) return call.reply(BUTTON_UNAVAILABLE);
  const options = {
    ...(post.channel !== undefined && { channel: post.channel }),
    prefill: { project: post.content.project },
  };
  await form.openForm(call, options, call.view ? { viewId: call.view.id } : {});
}

/** [Duplicate] opens a form with the values of the post, except its time. */
async function duplicatePost(call: ActionCall): Promise<void> {
  const post = await findOwnPost(call);
  if (!post) return call.reply(BUTTON_UNAVAILABLE);
  await call.requireFormPermission(post.content.project.id);
  const { moment: _moment, draft: _draft, ...content } = post.content;
  const options = {
    ...(post.channel !== undefined && { channel: post.channel }),
    prefill: { ...toFormValues(content), when: '' },
  };
  await form.openForm(call, options, call.view ? { viewId: call.view.id } : {});
}

/** Loads the data for emoji, dates and zones at startup, so that the first acknowledgements aren't delayed. */
async function warmUpParsers(): Promise<void> {
  // V8 compiles a regular expression to machine code only when it runs for the second time.
  for (let run = 0; run < 2; run += 1) replaceEmojiCodes(':tada:');
  await warmUpDateParser();
  searchZones('Berlin', new Date(0));
}
