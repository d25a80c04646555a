import { z } from 'zod';
import { getTemplate, listTemplates } from '../../api/templates.ts';
import type { ActionCall, Call } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { createProjectMessage, type ListFailure } from '../../forms/list.ts';
import { createRecordList, listState } from '../../forms/record-list.ts';
import { answerWhenReady } from '../../slack/answer-when-ready.ts';
import { decodeButtonState } from '../../slack/interaction-values.ts';
import { buildQuotingMessage, type Message } from '../../slack/message.ts';
import { renderTemplateCard, renderTemplateEntry, USE_ACTION, VIEW_ACTION } from './template-messages.ts';

const COMMAND = '/upnext templates';
const list = createRecordList({
  command: COMMAND,
  noun: 'template',
  readRecords: listTemplates,
  getSearchText: ({ name, content = '' }) => `${name}\n${content}`,
  renderEntry: renderTemplateEntry,
});

/** `/upnext templates` lists the templates of a project. People can view a template, and use it in a post. */
export const templates: Feature = {
  name: 'templates',
  commands: [
    {
      name: 'templates',
      aliases: ['template'],
      summary: 'A project’s templates, to use in posts',
      usage: '[words]',
      examples: {
        [COMMAND]: 'List all templates.',
        [`${COMMAND} opening hours`]: 'Find templates with these words.',
      },
      isReadOnly: true,
      ...list.command,
    },
  ],
  role: 'viewer',
  actions: {
    ...list.actions,
    [VIEW_ACTION]: { deed: 'open a template', run: onView },
    [USE_ACTION]: { deed: 'use a template in a post', role: 'contributor', run: onUse },
  },
};

const templateStateSchema = listState.extend({ template: z.string() });

/** Handles [View]. Replaces the list with the template. */
async function onView(call: ActionCall): Promise<void> {
  const state = decodeButtonState(templateStateSchema, call.action.value);
  if (state) await answerWhenReady(call, loadTemplateCard(call, state), { replace: true });
}

function loadTemplateCard(call: Call, shown: z.infer<typeof templateStateSchema>): Promise<Message> {
  const { template: templateId, ...state } = shown;
  const names = { command: COMMAND, noun: 'templates', prefix: 'templates', button: 'view' };
  return createProjectMessage(call, shown, names, async (project) => {
    const fail = (failure: ListFailure['failure']) => ({
      failure,
      state: shown,
      line: `I couldn’t load this template of ${project.name}.`,
    });
    const outcome = await getTemplate(call.context.api, { projectId: project.id, templateId });
    if (outcome.kind === 'refused' && outcome.status === 404) {
      return buildQuotingMessage(
        `${project.name} no longer has this template.`,
        `See its templates with \`${COMMAND}\`.`,
      );
    }
    if (outcome.kind !== 'done') return fail(outcome);
    const { template } = outcome.data;
    return template ? renderTemplateCard(project, template, state) : fail('unreadable');
  });
}

/** Handles [Use in a post]. Opens the form for posts with the template. The form checks that the template exists. */
async function onUse(call: ActionCall): Promise<void> {
  const state = decodeButtonState(templateStateSchema, call.action.value);
  if (!state) return;
  const { project, template } = state;
  await call.openFeature('schedule-post', { template, ...(project !== undefined && { project }) });
}
