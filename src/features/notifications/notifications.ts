import type { ModalView } from '@slack/types';
import { createForm } from '../../forms/create-form.ts';
import { type Form, valid } from '../../forms/form.ts';
import { actorLoader, type ContextLoader, type FormContext } from '../../forms/form-context.ts';
import { checkboxesField } from '../../forms/inputs/choice.ts';
import { storePostCopies, toPostCopy } from '../../forms/post-copies.ts';
import type { ActionCall } from '../../handlers/call.ts';
import type { Feature } from '../../handlers/feature.ts';
import { findAuthoredSubmission } from '../../held-posts/sql/authors.ts';
import {
  chooseNotifications,
  listChosenNotifications,
  type Notification,
} from '../../preferences/notifications.ts';
import { DUPLICATE, OPEN_POSTS } from '../../publications/publication-messages.ts';
import { section } from '../../slack/blocks.ts';
import { BUTTON_UNAVAILABLE } from '../../slack/message.ts';
import { buildModal } from '../../slack/message-view.ts';
import { readContent } from '../../submissions/content.ts';

const TITLE = 'Notifications';
const ALWAYS_SENT_TEXT = 'I’ll always message you if a post wasn’t scheduled or needs your decision.';

/** The choices. `condition` completes the sentence “I’ll message you …”. */
const CHOICES: { value: Notification; name: string; condition: string }[] = [
  { value: 'published', name: 'When my posts go out', condition: 'when your posts go out' },
  {
    value: 'problems',
    name: 'When a post fails or may have failed',
    condition: 'when a post fails or may have failed',
  },
];

const fields = { chosen: checkboxesField({ label: 'Message me', choices: CHOICES, optional: true }) };

const choicesLoader: ContextLoader<FormContext> = {
  schema: actorLoader.schema,
  async load(call, options) {
    const { workspace, user } = call.actor;
    const [result, chosen] = await Promise.all([
      actorLoader.load(call, options),
      listChosenNotifications(call.context.db, { workspace, user }),
    ]);
    return { ...result, prefill: { chosen: [...chosen] } };
  },
};

const notificationsForm: Form<typeof fields, FormContext, readonly string[]> = {
  name: 'notifications',
  version: 1,
  noun: 'notification settings',
  title: TITLE,
  submitLabel: 'Save',
  command: '/upnext notifications',
  fields,
  contextLoader: choicesLoader,
  footer: ALWAYS_SENT_TEXT,
  check: ({ values }) => valid(values.chosen),
  onSubmit: {
    async respond(call, chosen) {
      await chooseNotifications(call.context.db, call.actor, chosen);
      return { view: buildSavedView(chosen) };
    },
  },
};

function buildSavedView(chosen: readonly string[]): ModalView {
  const conditions = CHOICES.filter(({ value }) => chosen.includes(value)).map(({ condition }) => condition);
  const text =
    conditions.length === 0
      ? 'I won’t message you after your posts’ times.'
      : `I’ll message you ${conditions.join(', and ')}.`;
  return buildModal(TITLE, [section(`Saved. ${text}`), section(ALWAYS_SENT_TEXT)]);
}

const form = createForm(notificationsForm);

/** `/upnext notifications` sets which notifications the actor gets about posts. Also handles their buttons. */
export const notifications: Feature = {
  name: 'notifications',
  commands: [
    {
      name: 'notifications',
      aliases: ['notify', 'notification', 'alerts', 'mute'],
      summary: 'Choose what I message you about',
      examples: { '/upnext notifications': 'Choose which messages you get.' },
      ...form.command,
    },
  ],
  role: 'viewer',
  ...form,
  actions: {
    ...form.actions,
    [OPEN_POSTS]: { deed: 'open the list of posts', run: openPosts },
    // It opens the form for posts, so it needs the role of that form.
    [DUPLICATE]: {
      deed: 'open the form for a copy of a post',
      role: 'contributor',
      run: duplicatePost,
    },
  },
};

async function openPosts(call: ActionCall): Promise<void> {
  const { project } = (await findPressedSubmission(call)) ?? {};
  await call.openFeature('list-posts', { project: project ?? undefined });
}

async function duplicatePost(call: ActionCall): Promise<void> {
  const { context } = call.context.submissions;
  const row = await findPressedSubmission(call);
  const kind = row && context.findKind(row.kind);
  const content = row && readContent(context, kind, row)?.content;
  const [project, post] =
    content === undefined ? [] : [kind?.getProject(content), kind?.post?.toPost(content)];
  if (!project || !post) return call.reply(BUTTON_UNAVAILABLE);
  const [copy = ''] = await storePostCopies(call, [toPostCopy(project, { post })]);
  await call.openFeature('schedule-post', { copy });
}

function findPressedSubmission({ context, actor, action }: ActionCall) {
  const { workspace, user: author } = actor;
  return findAuthoredSubmission(context.db, { id: action.value ?? '', workspace, author });
}
