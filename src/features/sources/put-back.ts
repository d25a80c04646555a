import type { KnownBlock } from '@slack/types';
import type { ActionCall, Call } from '../../app/call.ts';
import { actions, button, context, plain, plainSection, section } from '../../slack/blocks.ts';
import { escapeText } from '../../slack/escape.ts';
import { encodeButtonState } from '../../slack/interaction-values.ts';
import { LIMITS } from '../../slack/limits.ts';
import type { Message } from '../../slack/message.ts';
import { answerPress } from '../../submissions/answer-form.ts';
import { showSubmission } from '../../submissions/show-submission.ts';
import { listConfirmedSince } from '../../submissions/sql/lists.ts';
import { findNewestSubmission, findOwnSubmissionOfKind } from '../../submissions/sql/submissions.ts';
import { openSubmission, readContent } from '../../submissions/submission.ts';
import { isSameText, knownValue, MASK, type SeenSource } from './seen-source.ts';
import { EDIT } from './source-messages.ts';
import { findOldValues, PUT_BACK_MS, type SourceContent, sourceSubmission } from './source-submission.ts';
import { readCurrentSource } from './submit-source.ts';

export const PUT_BACK_ANYWAY = 'sources.put-back-anyway';

const NOT_YOURS: Message = {
  text: 'This button belongs to somebody else, or to something that is no longer kept.',
};

/**
 * [Put the old values back]: reads the source first. If somebody else has changed it since, shows that change, and only
 * a second press (`anyway`) overwrites it.
 */
export async function putBack(call: ActionCall, anyway: boolean): Promise<void> {
  const { context, actor } = call;
  const id = call.action.value ?? '';
  const { workspace, user: author } = actor;
  const row = await findOwnSubmissionOfKind(context.db, {
    id,
    workspace,
    author,
    kind: sourceSubmission.name,
  });
  if (!row || row.content === null || row.state !== 'confirmed') return call.reply(NOT_YOURS);
  const { content, channel } = openSubmission(context, sourceSubmission, row);
  const { project, source } = content;
  await call.permit('manager', project.id, 'sources put back');
  const showNote = (note: string) => showSubmission(call, sourceSubmission, id, note);
  const age = context.submissions.machine.clock().getTime() - row.changed_at.getTime();
  if (age > PUT_BACK_MS)
    return showNote('Nothing was put back: the 24 hours for that are over. `/update-source` changes it.');
  const origin = `${row.id}.back`;
  const earlier = await findNewestSubmission(context.db, { workspace, origin, item: 0 });
  if (earlier?.state === 'confirmed')
    return showNote('They were put back already, once. `/update-source` changes it again.');
  const old = findOldValues(content);
  if (!old) return showNote('The old values are not known here.');
  const withinMs = context.pace.slowMs;
  const read = await readCurrentSource(call, { project: project.id, source: source.id, withinMs });
  if (read.kind === 'trouble')
    return showNote(`:warning: Nothing was put back. ${read.text} Press again to try again.`);
  if (read.kind === 'gone') return showNote('Nothing was put back: this source is not there any more.');
  const current = read.source;
  if (hasValues(current, old)) return showNote('Nothing to do: the old values are there already.');
  if (!anyway && !hasValues(current, content.to)) return showLaterChange(call, content, current);
  const value = knownValue(current);
  const { description } = current;
  const before = { ...(description !== undefined && { description }), ...(value !== undefined && { value }) };
  const contents = [{ ...content, to: old, before, back: true }];
  await answerPress(call, sourceSubmission, { origin, contents, ...(channel !== undefined && { channel }) });
  context.reads.drop(context.api, project.id);
}

/** Whether the source has these values. A value that the service doesn't show counts as equal. */
function hasValues(source: SeenSource, values: SourceContent['to']): boolean {
  const value = knownValue(source);
  const sameValue = values.value === undefined || value === undefined || isSameText(value, values.value);
  return (
    sameValue && (values.description === undefined || isSameText(source.description, values.description))
  );
}

/** Shows that the source now has neither the old nor the sent values. Its value itself is shown only in the form. */
async function showLaterChange(call: ActionCall, content: SourceContent, current: SeenSource): Promise<void> {
  const { project, source, to } = content;
  const line = `“${source.name}” was changed again since, so nothing was put back yet.`;
  const edit = encodeButtonState({ project: project.id, source: source.id });
  const sameValue = isSameText(knownValue(current), to.value);
  const blocks: KnownBlock[] = [
    plainSection(line),
    context(plain(`Project: ${project.name}`)),
    plainSection(`Description now: ${current.description ?? '(none)'}`),
    context(plain(`Value now: ${sameValue ? 'as you sent it' : 'another one'} (${MASK})`)),
    section('Putting the old values back replaces what is there now.'),
    actions(
      button('Put back all the same', PUT_BACK_ANYWAY, call.action.value, 'danger'),
      ...(edit === undefined ? [] : [button('Look at it in the form', EDIT, edit)]),
    ),
  ];
  if (!call.view)
    return call.reply({ text: escapeText(`${line} Project: ${project.name}`), blocks }, { replace: true });
  const title = plain('Changed again', LIMITS.viewTitle);
  const view = { type: 'modal' as const, title, close: plain('Close', LIMITS.viewTitle), blocks };
  await call.client.views.update({ view_id: call.view.id, view });
}

/** The sources whose old values the person can still put back: source id → id of the newest submission. */
export async function findRevertible(
  { context, actor }: Call,
  project: string,
): Promise<ReadonlyMap<string, string>> {
  const { machine } = context.submissions;
  const rows = await listConfirmedSince(context.db, {
    workspace: actor.workspace,
    author: actor.user,
    kind: sourceSubmission.name,
    project,
    since: new Date(machine.clock().getTime() - PUT_BACK_MS),
  });
  const newest = new Map<string, string>();
  const seen = new Set<string>();
  for (const row of rows) {
    const read = readContent(machine, sourceSubmission, row);
    if (!read || seen.has(read.content.source.id)) continue;
    seen.add(read.content.source.id);
    if (findOldValues(read.content)) newest.set(read.content.source.id, row.id);
  }
  return newest;
}
