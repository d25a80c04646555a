import { z } from 'zod';
import type { Role } from '../../access/roles.ts';
import { listSources } from '../../api/sources.ts';
import { askedProject, projectActions } from '../../forms/asked-project.ts';
import { createForm } from '../../forms/create-form.ts';
import { actionId } from '../../forms/ids.ts';
import { standingForm } from '../../forms/standing-form.ts';
import { readCarried } from '../../slack/carried.ts';
import type { ActionCall, Call, CommandCall, Feature } from '../../slack/feature.ts';
import { notShown, replyInTime } from '../../slack/list-answers.ts';
import type { Message } from '../../slack/message.ts';
import type { Parts } from '../../submissions/parts.ts';
import { PUT_BACK_ANYWAY, putBack } from './put-back.ts';
import { seen } from './seen-source.ts';
import { FORM, sourceForm } from './source-form.ts';
import { EDIT, LIST, type ListState, NEXT, PREVIOUS, PROJECT, sourceList } from './source-messages.ts';
import { PUT_BACK } from './source-submission.ts';
import { stillBack } from './still-back.ts';
import { CONFIRMED, submitReviewed } from './submit-source.ts';

const COMMAND = '/upnext sources';
const PROJECT_CHOSEN = actionId(FORM, 'project');
const form = createForm(sourceForm);

/** What a project reads from: listed, and changed. */
export const sources: Feature<Parts, Role> = {
  name: 'sources',
  commands: [
    {
      name: 'sources',
      aliases: [],
      summary: 'The sources of a project',
      usage: '[words]',
      examples: [COMMAND],
      run: (call) => show(call, { words: call.words, page: 0 }, false),
    },
    {
      name: 'source',
      aliases: ['update-source'],
      summary: 'Change a source: its description or its value',
      usage: '[words]',
      examples: ['/update-source', '/update-source blog'],
      ownCommand: '/update-source',
      opensForm: true,
      button: 'Change a source',
      run: (call: CommandCall<Parts>) => form.begin(call, { prefill: { words: call.words } }),
    },
  ],
  role: () => 'manager',
  submissions: form.submissions,
  open: form.open,
  views: { ...form.views, [CONFIRMED]: (call) => submitReviewed(call, form.views) },
  actions: {
    ...form.actions,
    [PROJECT_CHOSEN]: choose,
    [actionId(FORM, 'source')]: choose,
    ...projectActions(PROJECT, turn),
    [LIST]: turn,
    [PREVIOUS]: turn,
    [NEXT]: turn,
    [EDIT]: edit,
    [PUT_BACK]: (call) => putBack(call, false),
    [PUT_BACK_ANYWAY]: (call) => putBack(call, true),
  },
  options: form.options,
};

const listState = z.object({ project: z.string().optional(), words: z.string(), page: z.number().int() });
const oneSource = z.object({ project: z.string(), source: z.string() });

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
  const line = `I could not get the sources of ${project.name}.`;
  const failed = { reference: call.reference, again: { action: LIST, state } };
  const outcome = await listSources(call.parts.api, project.id);
  if (outcome.kind !== 'done') return notShown(line, outcome, failed);
  const { items, shape, unreadable } = outcome.data;
  if (shape === 'unreadable') return notShown(line, 'unreadable', failed);
  const back = await stillBack(call, project.id);
  return sourceList(project, { items: items.map(seen), unreadable, back }, state);
}

async function turn(call: ActionCall<Parts>): Promise<void> {
  await show(call, readCarried(listState, call.action.value) ?? { words: '', page: 0 }, true);
}

/** [Edit]: the form for this source; both are looked for anew among what the service lists. */
async function edit(call: ActionCall<Parts>): Promise<void> {
  const chosen = readCarried(oneSource, call.action.value);
  if (!chosen) return;
  const { project, source } = chosen;
  const prefill = { project: { id: project, name: project }, source: { id: source, name: source } };
  await form.begin(call, { prefill }, call.view ? { viewId: call.view.id } : {});
}

/** A source was chosen, or another project: the form comes anew, with the present values of what is chosen now. */
async function choose(call: ActionCall<Parts>): Promise<void> {
  const standing = call.view && (await standingForm(sourceForm, call, call.view));
  if (!call.view || !standing) return;
  const { state, kept } = standing;
  const { project } = state.typed;
  // The sources of one project are none of another's.
  const source = call.action.id === PROJECT_CHOSEN ? undefined : state.typed.source;
  const { source: shown, of } = state.facts;
  const isSame = source?.id === shown?.id && (project?.id === of || !shown);
  if (isSame && (source || !state.typed.source)) return;
  const prefill = { ...(project && { project }), ...(source && { source }) };
  const here = kept.channel === undefined ? {} : { channel: kept.channel };
  await form.begin(call, { ...here, prefill }, { viewId: call.view.id });
}
