import { z } from 'zod';
import { getTemplate, listTemplates } from '../../api/templates.ts';
import type { ActionCall, Call } from '../../app/call.ts';
import type { Attempt, Feature } from '../../app/feature.ts';
import { createRecordList, listState } from '../../forms/record-list.ts';
import { buildProjectActions, resolveListProject } from '../../forms/resolve-list-project.ts';
import { loadFailureMessage, replyInTime } from '../../slack/list-answers.ts';
import { type Message, quotingMessage } from '../../slack/message.ts';
import { decodeButtonState } from '../../slack/view-values.ts';
import { LIST, NEXT, PREVIOUS, PROJECT, templateCard, templateList, USE, VIEW } from './template-messages.ts';

const COMMAND = '/upnext templates';
const list = createRecordList({
  command: COMMAND,
  actions: { project: PROJECT, list: LIST },
  noun: 'templates',
  readRecords: listTemplates,
  renderMessage: (_call, { project, records, state }) => templateList(project, records, state),
});

/** The templates of a project: listed, looked at, used in a post. */
export const templates: Feature = {
  name: 'templates',
  commands: [
    {
      name: 'templates',
      aliases: ['template'],
      summary: 'The templates of a project: look at one, use it in a post',
      usage: '[words]',
      examples: [COMMAND, `${COMMAND} opening hours`],
      run: (call) => list.showPage(call, { words: call.words, page: 0 }, false),
    },
  ],
  role: (attempt: Attempt) => (attempt.surface === 'action' && attempt.id === USE ? 'contributor' : 'viewer'),
  actions: {
    ...buildProjectActions(PROJECT, list.showRequestedPage),
    [LIST]: list.showRequestedPage,
    [PREVIOUS]: list.showRequestedPage,
    [NEXT]: list.showRequestedPage,
    [VIEW]: view,
    [USE]: use,
  },
};

const oneState = listState.extend({ template: z.string() });

/** [View]: the template in the list's place. */
async function view(call: ActionCall): Promise<void> {
  const state = decodeButtonState(oneState, call.action.value);
  if (state)
    await replyInTime(call, oneMessage(call, state), { slowMs: call.context.pace.slowMs, replace: true });
}

async function oneMessage(
  call: Call,
  { template: templateId, ...state }: z.infer<typeof oneState>,
): Promise<Message> {
  const { project: id, words, page } = state;
  const found = await resolveListProject(
    call,
    { project: id, words },
    {
      command: COMMAND,
      action: PROJECT,
      retryAction: LIST,
      buildState: (chosen) => ({ ...chosen, page }),
    },
  );
  if ('message' in found) return found.message;
  const { project } = found;
  const line = `I could not get this template of ${project.name}.`;
  const failed = {
    reference: call.reference,
    again: { action: VIEW, state: { ...state, template: templateId } },
  };
  const outcome = await getTemplate(call.context.api, { projectId: project.id, templateId });
  if (outcome.kind === 'refused' && outcome.status === 404) {
    return quotingMessage(
      `${project.name} has no such template any more.`,
      `\`${COMMAND}\` lists those that it has.`,
    );
  }
  if (outcome.kind !== 'done') return loadFailureMessage(line, outcome, failed);
  const { template } = outcome.data;
  if (!template) return loadFailureMessage(line, 'unreadable', failed);
  return templateCard(project, template, state);
}

/** [Use in a post]: the form for a post, with the template chosen. What is chosen there is checked there. */
async function use(call: ActionCall): Promise<void> {
  const state = decodeButtonState(oneState, call.action.value);
  if (!state) return;
  const { project, template } = state;
  await call.open('schedule-post', { template, ...(project !== undefined && { project }) });
}
