import type { Button, KnownBlock } from '@slack/types';
import { z } from 'zod';
import type { Project } from '../../api/projects.ts';
import { getTemplate, listTemplates, type Template } from '../../api/templates.ts';
import { answerWhenReady } from '../../handlers/answer-when-ready.ts';
import type { ActionCall, Call } from '../../handlers/call.ts';
import type { Feature } from '../../handlers/feature.ts';
import { createProjectMessage } from '../../lists/list.ts';
import { createRecordList, type ListState, listState } from '../../lists/record-list.ts';
import { newPostButton } from '../../posts/new-post-button.ts';
import {
  actions,
  addAccessibilityLabel,
  buildTextSections,
  button,
  clipLine,
  context,
  escapeFormatting,
  escapeText,
  section,
} from '../../slack/blocks.ts';
import { decodeButtonState, encodeButtonState } from '../../slack/interaction-values.ts';
import { buildQuotingMessage, type Message } from '../../slack/message.ts';
import type { ReadFailure } from '../../slack/service-failure.ts';

const VIEW_ACTION = 'templates.view';

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
    const fail = (failure: ReadFailure) => ({
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
    return outcome.data ? renderTemplateCard(project, outcome.data, state) : fail('unreadable');
  });
}

/** Renders [Use in a post], which opens the form for posts with the template. The form checks that it exists. */
function renderUseButton({ id }: Template, { project }: ListState, style?: Button['style']): Button {
  return newPostButton('Use in a post', { project, template: id }, style);
}

const LIST_ACTION = 'templates.list';

const MAX_NAME_LENGTH = 100;
const MAX_EXCERPT_LENGTH = 200;
/** Maximum sections for a template's text. Three full sections fit in the 10,000 characters of a message's blocks. */
const MAX_TEXT_SECTIONS = 3;

function renderTemplateName(template: Template): string {
  return clipLine(template.name, MAX_NAME_LENGTH);
}

function renderTemplateEntry(template: Template, state: ListState): KnownBlock[] {
  const excerpt = clipLine(template.content ?? '', MAX_EXCERPT_LENGTH);
  const value = encodeButtonState({ ...state, template: template.id });
  const name = renderTemplateName(template);
  return [
    section(`*${escapeFormatting(name)}*\n${excerpt === '' ? '(no text)' : escapeFormatting(excerpt)}`),
    ...(value === undefined
      ? []
      : [
          actions(
            addAccessibilityLabel(renderUseButton(template, state), `Use ${name} in a post`),
            addAccessibilityLabel(button('View', VIEW_ACTION, value), `View ${name}`),
          ),
        ]),
  ];
}

function renderTemplateCard(project: Project, template: Template, state: ListState): Message {
  const text = (template.content ?? '').toWellFormed();
  const sections = buildTextSections(text, MAX_TEXT_SECTIONS);
  const listButtonState = encodeButtonState(state);
  const title = `Template “${renderTemplateName(template)}” of ${clipLine(project.name, MAX_NAME_LENGTH)}`;
  return {
    text: escapeText(`${title}: ${clipLine(text, MAX_EXCERPT_LENGTH)}`),
    blocks: [
      section(`*${escapeText(title)}*`),
      ...(sections.length === 0 ? [context('I can’t read its text.')] : sections),
      actions(
        renderUseButton(template, state, 'primary'),
        button('All templates', LIST_ACTION, listButtonState),
      ),
    ],
  };
}
