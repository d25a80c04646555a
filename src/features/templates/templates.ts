import { z } from 'zod';
import type { Role } from '../../access/roles.ts';
import { getTemplate, listTemplates } from '../../api/templates.ts';
import { askedProject, projectActions } from '../../forms/asked-project.ts';
import { readCarried } from '../../slack/carried.ts';
import type { ActionCall, Attempt, Call, Feature } from '../../slack/feature.ts';
import { notShown, replyInTime } from '../../slack/list-answers.ts';
import { type Message, quotingMessage } from '../../slack/message.ts';
import type { Parts } from '../../submissions/parts.ts';
import {
  LIST,
  type ListState,
  NEXT,
  PREVIOUS,
  PROJECT,
  templateCard,
  templateList,
  USE,
  VIEW,
} from './template-messages.ts';

const COMMAND = '/upnext templates';

/** The templates of a project: listed, looked at, used in a post. */
export const templates: Feature<Parts, Role> = {
  name: 'templates',
  commands: [
    {
      name: 'templates',
      aliases: ['template'],
      summary: 'The templates of a project: look at one, use it in a post',
      usage: '[words]',
      examples: [COMMAND, `${COMMAND} opening hours`],
      run: (call) => show(call, { words: call.words, page: 0 }, false),
    },
  ],
  role: (attempt: Attempt) => (attempt.surface === 'action' && attempt.id === USE ? 'author' : 'viewer'),
  actions: {
    ...projectActions(PROJECT, turn),
    [LIST]: turn,
    [PREVIOUS]: turn,
    [NEXT]: turn,
    [VIEW]: view,
    [USE]: use,
  },
};

const listState = z.object({ project: z.string().optional(), words: z.string(), page: z.number().int() });
const oneState = listState.extend({ project: z.string().optional(), template: z.string() });

function show(call: Call<Parts>, state: ListState, replace: boolean): Promise<void> {
  return replyInTime(call, listMessage(call, state), { slowMs: call.parts.pace.slowMs, replace });
}

async function listMessage(call: Call<Parts>, { page, ...asked }: ListState): Promise<Message> {
  const found = await askedProject(call, asked, {
    command: COMMAND,
    action: PROJECT,
    again: LIST,
    state: (chosen) => ({ ...chosen, page }),
  });
  if ('instead' in found) return found.instead;
  const { project, rest: words } = found;
  const state = { project: project.id, words, page };
  const line = `I could not get the templates of ${project.name}.`;
  const failed = { reference: call.reference, again: { action: LIST, state } };
  const outcome = await listTemplates(call.parts.api, project.id);
  if (outcome.kind !== 'done') return notShown(line, outcome, failed);
  if (outcome.data.shape === 'unreadable') return notShown(line, 'unreadable', failed);
  return templateList(project, outcome.data, state);
}

async function turn(call: ActionCall<Parts>): Promise<void> {
  await show(call, readCarried(listState, call.action.value) ?? { words: '', page: 0 }, true);
}

/** [View]: the template in the list's place. */
async function view(call: ActionCall<Parts>): Promise<void> {
  const state = readCarried(oneState, call.action.value);
  if (state)
    await replyInTime(call, oneMessage(call, state), { slowMs: call.parts.pace.slowMs, replace: true });
}

async function oneMessage(
  call: Call<Parts>,
  { template: templateId, ...list }: z.infer<typeof oneState>,
): Promise<Message> {
  const { project: id, words, page } = list;
  const found = await askedProject(
    call,
    { project: id, words },
    {
      command: COMMAND,
      action: PROJECT,
      again: LIST,
      state: (chosen) => ({ ...chosen, page }),
    },
  );
  if ('instead' in found) return found.instead;
  const { project } = found;
  const line = `I could not get this template of ${project.name}.`;
  const failed = {
    reference: call.reference,
    again: { action: VIEW, state: { ...list, template: templateId } },
  };
  const outcome = await getTemplate(call.parts.api, { projectId: project.id, templateId });
  if (outcome.kind === 'refused' && outcome.status === 404) {
    return quotingMessage(
      `${project.name} has no such template any more.`,
      `\`${COMMAND}\` lists those that it has.`,
    );
  }
  if (outcome.kind !== 'done') return notShown(line, outcome, failed);
  const { template } = outcome.data;
  if (!template) return notShown(line, 'unreadable', failed);
  return templateCard(project, template, list);
}

/** [Use in a post]: the form for a post, with the template chosen. What is chosen there is checked there. */
async function use(call: ActionCall<Parts>): Promise<void> {
  const state = readCarried(oneState, call.action.value);
  if (!state) return;
  const { project, template } = state;
  await call.open('schedule-post', { template, ...(project !== undefined && { project }) });
}
