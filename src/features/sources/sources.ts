import { z } from 'zod';
import { listSources } from '../../api/sources.ts';
import type { ActionCall, CommandCall } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { createForm } from '../../forms/create-form.ts';
import { readCurrentForm, storeReportedProject } from '../../forms/current-form.ts';
import { buildActionId } from '../../forms/field.ts';
import { createRecordList } from '../../forms/record-list.ts';
import { buildProjectActions } from '../../forms/resolve-list-project.ts';
import { decodeButtonState } from '../../slack/view-values.ts';
import { PUT_BACK_ANYWAY, putBack, stillBack } from './put-back.ts';
import { toSeenSource } from './seen-source.ts';
import { FORM, sourceForm } from './source-form.ts';
import { EDIT, LIST, NEXT, PREVIOUS, PROJECT, sourceList } from './source-messages.ts';
import { PUT_BACK } from './source-submission.ts';
import { CONFIRMED, submitReviewed } from './submit-source.ts';

const COMMAND = '/upnext sources';
const PROJECT_CHOSEN = buildActionId(FORM, 'project');
const form = createForm(sourceForm);
const list = createRecordList({
  command: COMMAND,
  actions: { project: PROJECT, list: LIST },
  noun: 'sources',
  readRecords: listSources,
  async renderMessage(call, { project, records: { items, ...records }, state }) {
    const back = await stillBack(call, project.id);
    return sourceList(project, { ...records, items: items.map(toSeenSource), back }, state);
  },
});

/** What a project reads from: listed, and changed. */
export const sources: Feature = {
  name: 'sources',
  commands: [
    {
      name: 'sources',
      aliases: [],
      summary: 'The sources of a project',
      usage: '[words]',
      examples: [COMMAND],
      run: (call) => list.showPage(call, { words: call.words, page: 0 }, false),
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
      run: (call: CommandCall) => form.openForm(call, { prefill: { words: call.words } }),
    },
  ],
  role: () => 'manager',
  submissions: form.submissions,
  open: form.open,
  views: { ...form.views, [CONFIRMED]: (call) => submitReviewed(call, form.views) },
  actions: {
    ...form.actions,
    [PROJECT_CHOSEN]: choose,
    [buildActionId(FORM, 'source')]: choose,
    ...buildProjectActions(PROJECT, list.showRequestedPage),
    [LIST]: list.showRequestedPage,
    [PREVIOUS]: list.showRequestedPage,
    [NEXT]: list.showRequestedPage,
    [EDIT]: edit,
    [PUT_BACK]: (call) => putBack(call, false),
    [PUT_BACK_ANYWAY]: (call) => putBack(call, true),
  },
  options: form.options,
};

const oneSource = z.object({ project: z.string(), source: z.string() });

/** [Edit]: the form for this source; both are looked for anew among what the service lists. */
async function edit(call: ActionCall): Promise<void> {
  const chosen = decodeButtonState(oneSource, call.action.value);
  if (!chosen) return;
  const { project, source } = chosen;
  const prefill = { project: { id: project, name: project }, source: { id: source, name: source } };
  await form.openForm(call, { prefill }, call.view ? { viewId: call.view.id } : {});
}

/** A source was chosen, or another project: the form comes anew, with the present values of what is chosen now. */
async function choose(call: ActionCall): Promise<void> {
  if (!call.view) return;
  if (call.action.id === PROJECT_CHOSEN) await storeReportedProject(sourceForm, call, call.view);
  const standing = await readCurrentForm(sourceForm, call, call.view);
  if (!standing) return;
  const { state, stored } = standing;
  const { project } = state.values;
  // The sources of one project are none of another's.
  const source = call.action.id === PROJECT_CHOSEN ? undefined : state.values.source;
  const { source: shown, of } = state.formContext;
  const isSame = source?.id === shown?.id && (project?.id === of || !shown);
  if (isSame && (source || !state.values.source)) return;
  const prefill = { ...(project && { project }), ...(source && { source }) };
  const here = stored.channel === undefined ? {} : { channel: stored.channel };
  await form.openForm(call, { ...here, prefill }, { viewId: call.view.id });
}
