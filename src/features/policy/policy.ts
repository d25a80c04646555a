import { z } from 'zod';
import type { ActionCall, Call, CommandCall, Handler } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { createForm } from '../../forms/create-form.ts';
import { addNote, buildProjectActions, resolveListProject } from '../../forms/resolve-list-project.ts';
import { KEEP_EDITABLE_ACTION } from '../../posts/post-text.ts';
import { findPolicy } from '../../preferences/project-policy.ts';
import { answerWhenReady } from '../../slack/answer-when-ready.ts';
import { decodeButtonState } from '../../slack/interaction-values.ts';
import type { Message } from '../../slack/message.ts';
import { HELD_POSTS_VIEW } from './held-posts-question.ts';
import { policyForm } from './policy-form.ts';
import { CHANGE_ACTION, renderPolicyMessage, SHOW_ACTION } from './policy-text.ts';
import { saveAfterDecision } from './save-policy.ts';

const COMMAND = '/upnext policy';
const PROJECT_ACTION = 'policy.project';

const form = createForm(policyForm);

const policyHandler: Handler<ActionCall> = {
  deed: 'open the policy of a project',
  role: 'viewer',
  run: showRequestedPolicy,
};
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
      deed: 'open the policy of a project',
      role: 'viewer',
      run: (call: CommandCall) => showPolicy(call, { words: call.text }),
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
    ...buildProjectActions(PROJECT_ACTION, policyHandler),
    [SHOW_ACTION]: policyHandler,
    [CHANGE_ACTION]: formHandler,
    [KEEP_EDITABLE_ACTION]: formHandler,
  },
  options: form.options,
};

const stateSchema = z.object({ project: z.string().optional(), words: z.string() });
type State = z.infer<typeof stateSchema>;

async function showPolicy(call: Call, state: State, replace = false): Promise<void> {
  await answerWhenReady(call, createPolicyMessage(call, state), { replace });
}

async function showRequestedPolicy(call: ActionCall): Promise<void> {
  await showPolicy(call, decodeButtonState(stateSchema, call.action.value) ?? { words: '' }, true);
}

async function createPolicyMessage(call: Call, { project: id, words }: State): Promise<Message> {
  const resolution = await resolveListProject(
    call,
    { project: id, words },
    {
      command: COMMAND,
      noun: 'policy',
      action: PROJECT_ACTION,
      retryAction: SHOW_ACTION,
      buildState: (chosen) => chosen,
    },
  );
  if ('message' in resolution) return resolution.message;
  const { project, note } = resolution;
  const key = { workspace: call.actor.workspace, project: project.id };
  const message = renderPolicyMessage(project, await findPolicy(call.context.db, key), {
    canChange: call.may('manager', project.id),
  });
  return addNote(message, note);
}

/** Handles [Change policy] and [Keep posts editable]: opens the form for the project in the button's value. */
async function openForm(call: ActionCall): Promise<void> {
  const id = call.action.value ?? '';
  await call.permit('manager', id, 'policy set');
  await form.openForm(call, { prefill: { project: { id, name: id } } });
}
