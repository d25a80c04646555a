import type { KnownBlock } from '@slack/types';
import type { ActionCall, Call } from '../../app/call.ts';
import { actions, button, context, plain, plainSection, section } from '../../slack/blocks.ts';
import { escapeText } from '../../slack/escape.ts';
import { encodeButtonState } from '../../slack/interaction-values.ts';
import { LIMITS } from '../../slack/limits.ts';
import type { Message } from '../../slack/message.ts';
import { answerPress } from '../../submissions/answer-form.ts';
import { readContent } from '../../submissions/read-content.ts';
import { showSubmission } from '../../submissions/show-submission.ts';
import { listChangedSince } from '../../submissions/sql/lists.ts';
import { newestSubmission, ownSubmission } from '../../submissions/sql/submissions.ts';
import { openSubmission } from '../../submissions/submission.ts';
import { isSameText, knownValue, MASK, type SeenSource } from './seen-source.ts';
import { EDIT } from './source-messages.ts';
import { oldValues, PUT_BACK_MS, type SourceContent, sourceSubmission } from './source-submission.ts';
import { readAgain } from './submit-source.ts';

export const PUT_BACK_ANYWAY = 'sources.put-back-anyway';

const NOT_YOURS: Message = {
  text: 'This button belongs to somebody else, or to something that is no longer kept.',
};

/**
 * [Put the old values back]: read again first. Where somebody else has changed it since, that is shown, and a second
 * press (`anyway`) decides.
 */
export async function putBack(call: ActionCall, anyway: boolean): Promise<void> {
  const { context, actor } = call;
  const id = call.action.value ?? '';
  const { workspace, user: author } = actor;
  const row = await ownSubmission(context.db, { id, workspace, author, kind: sourceSubmission.name });
  if (!row || row.content === null || row.state !== 'confirmed') return call.reply(NOT_YOURS);
  const { content, channel } = openSubmission(context, sourceSubmission, row);
  const { project, source } = content;
  await call.permit('manager', project.id, 'sources put back');
  const say = (said: string) => showSubmission(call, sourceSubmission, id, said);
  const age = context.submissions.machine.clock().getTime() - row.changed_at.getTime();
  if (age > PUT_BACK_MS)
    return say('Nothing was put back: the 24 hours for that are over. `/update-source` changes it.');
  const origin = `${row.id}.back`;
  const before = await newestSubmission(context.db, { workspace, origin, item: 0 });
  if (before?.state === 'confirmed')
    return say('They were put back already, once. `/update-source` changes it again.');
  const old = oldValues(content);
  if (!old) return say('The old values are not known here.');
  const withinMs = context.pace.slowMs;
  const now = await readAgain(call, { project: project.id, source: source.id, withinMs });
  if (now.kind === 'trouble')
    return say(`:warning: Nothing was put back. ${now.words} Press again to try again.`);
  if (now.kind === 'gone') return say('Nothing was put back: this source is not there any more.');
  if (isAsOld(now.source, old)) return say('Nothing to do: the old values are there already.');
  if (!anyway && !isAsSent(now.source, content)) return showChanged(call, content, now.source);
  const value = knownValue(now.source);
  const { description } = now.source;
  const there = { ...(description !== undefined && { description }), ...(value !== undefined && { value }) };
  const contents = [{ ...content, to: old, before: there, back: true }];
  await answerPress(call, sourceSubmission, { origin, contents, ...(channel !== undefined && { channel }) });
  context.reads.drop(context.api, project.id);
}

/** What cannot be seen is not held against it. */
function isAsSent(now: SeenSource, { to }: SourceContent): boolean {
  return isAsOld(now, to);
}

function isAsOld(now: SeenSource, values: SourceContent['to']): boolean {
  const value = knownValue(now);
  const sameValue = values.value === undefined || value === undefined || isSameText(value, values.value);
  return sameValue && (values.description === undefined || isSameText(now.description, values.description));
}

/** What is there now, where it is neither the old nor what was sent. The value itself stands in the form only. */
async function showChanged(call: ActionCall, content: SourceContent, now: SeenSource): Promise<void> {
  const { project, source, to } = content;
  const line = `“${source.name}” was changed again since, so nothing was put back yet.`;
  const edit = encodeButtonState({ project: project.id, source: source.id });
  const sameValue = isSameText(knownValue(now), to.value);
  const blocks: KnownBlock[] = [
    plainSection(line),
    context(plain(`Project: ${project.name}`)),
    plainSection(`Description now: ${now.description ?? '(none)'}`),
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

/** Of a project's sources, which the person has changed and can still put back: source id → id of the submission. */
export async function stillBack(
  { context, actor }: Call,
  project: string,
): Promise<ReadonlyMap<string, string>> {
  const { machine } = context.submissions;
  const rows = await listChangedSince(context.db, {
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
    if (oldValues(read.content)) newest.set(read.content.source.id, row.id);
  }
  return newest;
}
