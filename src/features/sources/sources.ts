import { z } from 'zod';
import { nameById } from '../../api/project-ids.ts';
import { listSources } from '../../api/sources.ts';
import { createForm } from '../../forms/create-form.ts';
import { readCurrentForm, storeChosenProject } from '../../forms/current-form.ts';
import { buildActionId } from '../../forms/field.ts';
import type { ActionCall, CommandCall } from '../../handlers/call.ts';
import type { Feature } from '../../handlers/feature.ts';
import { createRecordList, type ListState } from '../../lists/record-list.ts';
import { button, clipLine, escapeFormatting, section } from '../../slack/blocks.ts';
import { decodeButtonState, encodeButtonState } from '../../slack/interaction-values.ts';
import {
  getSourceSearchText,
  type ListedSource,
  MASK,
  SOURCE_EXPLANATION,
  toListedSources,
} from './source-context.ts';
import { FORM_NAME, sourceForm } from './source-form.ts';

const COMMAND = '/upnext sources';
const PROJECT_CHOSEN = buildActionId(FORM_NAME, 'project');
const form = createForm(sourceForm);
const EDIT_ACTION = 'sources.edit';
const MAX_EXCERPT_LENGTH = 200;
const list = createRecordList({
  command: COMMAND,
  noun: 'source',
  explanation: SOURCE_EXPLANATION,
  readRecords: async (api, project) => toListedSources(await listSources(api, project)),
  getSearchText: getSourceSearchText,
  renderEntry: (source, state) => [renderSource(source, state)],
});

/** `/upnext sources` lists the sources of a project. `/update-source` changes one source. */
export const sources: Feature = {
  name: 'sources',
  commands: [
    {
      name: 'sources',
      aliases: [],
      summary: 'The sources of a project',
      usage: '[words]',
      examples: { [COMMAND]: 'List all sources.' },
      isReadOnly: true,
      ...list.command,
    },
    {
      name: 'source',
      aliases: ['update-source'],
      summary: 'Change a source: its description or its value',
      usage: '[words]',
      examples: {
        '/update-source': 'Choose a source.',
        '/update-source blog': 'Find the sources with this word.',
      },
      slashCommand: '/update-source',
      button: 'Change a source',
      ...form.command,
      run: (call: CommandCall) => form.openForm(call, { prefill: { query: call.text } }),
    },
  ],
  role: 'manager',
  ...form,
  actions: {
    ...form.actions,
    [PROJECT_CHOSEN]: { deed: 'fill in the source form', run: onProjectOrSourceChosen },
    [buildActionId(FORM_NAME, 'source')]: { deed: 'fill in the source form', run: onProjectOrSourceChosen },
    ...list.actions,
    [EDIT_ACTION]: { deed: 'open the source form', run: onEdit },
  },
};

/** Renders one source. Values may be secrets, so the list shows the same mask for every value. */
function renderSource({ id, name, description = '', value }: ListedSource, { project }: ListState) {
  const editState = encodeButtonState({ project, source: id });
  const excerpt = clipLine(description, MAX_EXCERPT_LENGTH);
  const lines = [
    `*${escapeFormatting(name)}*`,
    ...(excerpt === '' || excerpt === name ? [] : [escapeFormatting(excerpt)]),
    `Value: ${value === undefined ? 'not shown' : MASK}`,
  ];
  return {
    ...section(lines.join('\n')),
    ...(editState !== undefined && { accessory: button('Edit', EDIT_ACTION, editState) }),
  };
}

const editStateSchema = z.object({ project: z.string(), source: z.string() });

/** Handles [Edit]. Opens the form for a source. The form loads the current names and values. */
async function onEdit(call: ActionCall): Promise<void> {
  const buttonState = decodeButtonState(editStateSchema, call.action.value);
  if (!buttonState) return;
  const { project, source } = buttonState;
  const prefill = { project: nameById(project), source: { id: source, name: source } };
  await form.openForm(call, { prefill }, call.view ? { view: { id: call.view.id } } : {});
}

/** Handles the choice of a project or source in the form. Reloads the form with the current values of the source. */
async function onProjectOrSourceChosen(call: ActionCall): Promise<void> {
  if (!call.view) return;
  if (call.action.id === PROJECT_CHOSEN) await storeChosenProject(sourceForm, call, call.view);
  const currentForm = await readCurrentForm(sourceForm, call, call.view);
  if (!currentForm) return;
  const { state, stored } = currentForm;
  const { project } = state.values;
  // A source belongs to one project, so no source is chosen after a change of the project.
  const source = call.action.id === PROJECT_CHOSEN ? undefined : state.values.source;
  const { source: shownSource, projectId } = state.formContext;
  const isSourceShown = source?.id === shownSource?.id && (project?.id === projectId || !shownSource);
  const mustClearSource = !source && state.values.source !== undefined;
  if (isSourceShown && !mustClearSource) return;
  const options = { channel: stored.channel, prefill: { project, source } };
  await form.replaceForm(call, options);
}
