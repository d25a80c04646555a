import { z } from 'zod';
import type { ActionCall, Handler } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { createForm } from '../../forms/create-form.ts';
import { createList, createProjectMessage } from '../../forms/list.ts';
import { KEEP_EDITABLE_ACTION } from '../../posts/post-text.ts';
import { findPolicy } from '../../preferences/project-policy.ts';
import { HELD_POSTS_VIEW } from './held-posts-question.ts';
import { policyForm } from './policy-form.ts';
import { CHANGE_ACTION, renderPolicyMessage } from './policy-text.ts';
import { saveAfterDecision } from './save-policy.ts';

const COMMAND = '/upnext policy';

const form = createForm(policyForm);

const list = createList({
  prefix: 'policy',
  deed: 'open the policy of a project',
  role: 'viewer',
  buttons: ['show'],
  choices: ['project'],
  state: z.object({ project: z.string().optional(), words: z.string() }),
  start: (words) => ({ words }),
  createMessage: (call, state) =>
    createProjectMessage(
      call,
      state,
      { command: COMMAND, noun: 'policy', prefix: 'policy', button: 'show' },
      async (project) => {
        const key = { workspace: call.actor.workspace, project: project.id };
        const current = await findPolicy(call.context.db, key);
        return renderPolicyMessage(project, current, { canChange: call.may('manager', project.id) });
      },
    ),
});
const formHandler: Handler<ActionCall> = {
  deed: 'open the form for a project’s policy',
  run: openForm,
};

/** `/upnext policy` shows whether a project's posts are held and reviewed. Managers change it in a form. */
export const policy: Feature = {
  name: 'policy',
  commands: [
    {
      name: 'policy',
      aliases: ['policies', 'review', 'approval', 'approvals', 'hold', 'holding'],
      summary: 'Whether a project’s posts stay editable, and who reviews them',
      usage: '[project]',
      examples: {
        [COMMAND]: 'See the policy of this channel’s project, and change it.',
        [`${COMMAND} Harbour Coffee`]: 'See the policy of another project.',
      },
      button: 'Policy',
      ...list.command,
    },
  ],
  role: 'manager',
  open: {
    ...form.open,
    run: (call, { project: id }) =>
      form.openForm(call, id === undefined ? {} : { prefill: { project: { id, name: id } } }),
  },
  views: {
    ...form.views,
    [HELD_POSTS_VIEW]: { deed: 'choose what becomes of waiting posts', run: saveAfterDecision },
  },
  actions: {
    ...form.actions,
    ...list.actions,
    [CHANGE_ACTION]: formHandler,
    [KEEP_EDITABLE_ACTION]: formHandler,
  },
  options: form.options,
};

/** Handles [Change policy] and [Keep posts editable]: opens the form for the project in the button's value. */
async function openForm(call: ActionCall): Promise<void> {
  const id = call.action.value ?? '';
  await call.permit('manager', id, 'policy set');
  await form.openForm(call, { prefill: { project: { id, name: id } } });
}
