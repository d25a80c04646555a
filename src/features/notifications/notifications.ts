import type { ActionCall } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { createForm } from '../../forms/create-form.ts';
import { storePostCopies, toPostCopy } from '../../forms/post-copies.ts';
import { DUPLICATE, OPEN_POSTS } from '../../publications/publication-messages.ts';
import { readContent } from '../../submissions/content.ts';
import { findOwnSubmission } from '../../submissions/sql/submissions.ts';
import { notificationsForm } from './notifications-form.ts';

const form = createForm(notificationsForm);

/** `/upnext notifications` sets which notifications the actor gets about posts. Also handles their buttons. */
export const notifications: Feature = {
  name: 'notifications',
  commands: [
    {
      name: 'notifications',
      aliases: ['notify', 'notification', 'alerts', 'mute'],
      summary: 'Choose what I message you about',
      usage: '',
      examples: { '/upnext notifications': 'Choose which messages you get.' },
      opensForm: true,
      deed: 'open the notification settings',
      run: (call) => form.openForm(call),
    },
  ],
  role: 'viewer',
  open: form.open,
  views: form.views,
  options: form.options,
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

/** Lists the posts of the project of the actor's post. */
async function openPosts(call: ActionCall): Promise<void> {
  const project = (await findPressedSubmission(call))?.project;
  await call.openFeature('list-posts', typeof project === 'string' ? { project } : {});
}

/** Opens the form for posts with a copy of the actor's post. */
async function duplicatePost(call: ActionCall): Promise<void> {
  const { context } = call.context.submissions;
  const row = await findPressedSubmission(call);
  const kind = row && context.findKind(row.kind);
  const content = row && readContent(context, kind, row)?.content;
  const [project, post] = content === undefined ? [] : [kind?.getProject(content), kind?.toPost?.(content)];
  if (!project || !post) return call.reply({ text: 'This button isn’t yours, or it’s too old.' });
  const [copy = ''] = await storePostCopies(call, [toPostCopy(project, { post })]);
  await call.openFeature('schedule-post', { copy });
}

function findPressedSubmission({ context, actor, action }: ActionCall) {
  const { workspace, user: author } = actor;
  return findOwnSubmission(context.db, { id: action.value ?? '', workspace, author });
}
