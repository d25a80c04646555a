import type { KnownBlock } from '@slack/types';
import type { Call } from '../../app/call.ts';
import { context, divider, section } from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';
import { listOutbox, listOverdueOfOthers } from '../../submissions/sql/lists.ts';
import type { SubmissionRow } from '../../submissions/sql/submissions.ts';
import { isState } from '../../submissions/state-copy.ts';
import { type RenderedSubmission, renderSubmission } from '../../submissions/text/render-submission.ts';
import { renderShortBlocks } from '../../submissions/text/state-blocks.ts';

/** A submission that has waited for its author this long is also shown to the managers of the project. */
const MIN_WAIT_MS = 60 * 60 * 1000;
/** A submission whose publishing time is this close is also shown to the managers of the project. */
const DUE_WITHIN_MS = 2 * 60 * 60 * 1000;

/** Entries in a message. A message holds 50 blocks, and an entry needs up to five. */
const MAX_ENTRIES = 9;

/** Prefix of the values of buttons in the list. Pressing one of these buttons renders the whole list again. */
export const LIST_PREFIX = 'list:';

/** A person's own submissions, and submissions of others that the person may handle. */
interface Outbox {
  ownSubmissions: readonly RenderedSubmission[];
  othersSubmissions: readonly { submission: RenderedSubmission; author: string }[];
  /** Number of submissions in a state that this version doesn't know. */
  unreadableCount: number;
  /** The result of a button press, shown with its submission (mrkdwn). */
  note?: { id: string; text?: string | undefined };
}

/** Creates the check whether the actor manages a project. Managers may handle submissions of others in the project. */
export function createManagerCheck(call: Call): (project: string | undefined) => boolean {
  return (project) => call.may('manager', project ?? '');
}

export async function readOutbox(call: Call, note?: Outbox['note']): Promise<Outbox> {
  const { context: submissionContext } = call.context.submissions;
  const { workspace, user: author } = call.actor;
  const now = call.now().getTime();
  const query = {
    workspace,
    author,
    since: new Date(submissionContext.clock().getTime() - MIN_WAIT_MS),
    dueBefore: new Date(now + DUE_WITHIN_MS),
  };
  const [ownRows, othersRows] = await Promise.all([
    listOutbox(submissionContext.db, { workspace, author }),
    call.may('manager') ? listOverdueOfOthers(submissionContext.db, query) : [],
  ]);
  const viewer = { now: call.now(), isEmulated: call.context.isEmulated };
  const isManager = createManagerCheck(call);
  const managedRows = othersRows.filter(({ project }) => isManager(project ?? undefined));
  const readableRows = new Set([...ownRows, ...managedRows].filter(({ state }) => isState(state)));
  const render = (row: SubmissionRow) => renderSubmission(submissionContext, row, viewer);
  return {
    ownSubmissions: ownRows.filter((row) => readableRows.has(row)).map(render),
    othersSubmissions: managedRows
      .filter((row) => readableRows.has(row))
      .map((row) => ({ submission: render(row), author: row.author })),
    unreadableCount: ownRows.length + managedRows.length - readableRows.size,
    ...(note && { note }),
  };
}

/** The reply to `/upnext outbox`. */
export function renderOutbox(outbox: Outbox): Message {
  const blocks = renderOutboxBlocks(outbox);
  if (blocks.length === 0) return { text: 'Nothing of yours is waiting: all that you sent is done.' };
  const count = outbox.ownSubmissions.length + outbox.othersSubmissions.length + outbox.unreadableCount;
  return { text: `${count === 1 ? 'One thing is' : `${count} things are`} not done yet.`, blocks };
}

/** Returns no blocks if nothing is pending. */
function renderOutboxBlocks({
  ownSubmissions,
  othersSubmissions,
  unreadableCount,
  note,
}: Outbox): KnownBlock[] {
  const findNote = ({ id }: RenderedSubmission) => (note?.id === id ? note.text : undefined);
  const ownBlocks = ownSubmissions
    .slice(0, MAX_ENTRIES)
    .flatMap((submission) => renderShortBlocks(submission, findNote(submission), LIST_PREFIX));
  const maxOthers = Math.max(0, MAX_ENTRIES - ownSubmissions.length);
  const othersBlocks = othersSubmissions
    .slice(0, maxOthers)
    .flatMap(({ submission, author }) => [
      ...renderShortBlocks(
        { ...submission, rule: removeEditButtons(submission) },
        findNote(submission),
        LIST_PREFIX,
      ),
      context(`Sent by <@${author}>`),
    ]);
  const hiddenOwnCount = Math.max(0, ownSubmissions.length - MAX_ENTRIES);
  const hiddenCount = hiddenOwnCount + Math.max(0, othersSubmissions.length - maxOthers);
  return [
    ...(ownBlocks.length > 0 ? [section('*Sent, and not done yet*'), ...ownBlocks] : []),
    ...(othersBlocks.length > 0 ? [divider(), section('*Waiting for somebody*'), ...othersBlocks] : []),
    ...(hiddenCount > 0 ? [context(`…and ${hiddenCount} more. They come up here as these are done.`)] : []),
    ...(unreadableCount > 0
      ? [
          context(
            `I can't show ${unreadableCount === 1 ? 'one submission' : `${unreadableCount} submissions`}.`,
          ),
        ]
      : []),
  ];
}

/** Removes the buttons that edit: only the author edits a submission. */
function removeEditButtons({ rule }: RenderedSubmission): RenderedSubmission['rule'] {
  return { ...rule, buttons: rule.buttons.filter((name) => name !== 'edit' && name !== 'new-time') };
}
