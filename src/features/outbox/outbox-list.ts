import type { KnownBlock } from '@slack/types';
import type { Call } from '../../app/call.ts';
import { context, divider, section } from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';
import { listOutbox, listOverdueOfOthers } from '../../submissions/sql/lists.ts';
import type { SubmissionRow } from '../../submissions/sql/submissions.ts';
import { isState } from '../../submissions/state-copy.ts';
import { type RenderedSubmission, renderSubmission } from '../../submissions/text/render-submission.ts';
import { renderShortBlocks } from '../../submissions/text/state-blocks.ts';

/** Managers of the project also see submissions that have waited for their author this long, or are due this soon. */
const MIN_WAIT_MS = 60 * 60 * 1000;
const DUE_WITHIN_MS = 2 * 60 * 60 * 1000;

/** A message holds 50 blocks, and each entry takes up to five. */
const MAX_ENTRIES = 9;

/** Begins the value of each button in a list. A press of such a button renders the list again. */
export const LIST_PREFIX = 'list:';

/** A person's own submissions, and submissions of others that the person may handle. */
interface Outbox {
  ownSubmissions: readonly RenderedSubmission[];
  othersSubmissions: readonly { shown: RenderedSubmission; author: string }[];
  /** How many submissions this version can't read. */
  unreadableCount: number;
  /** The result of a button press, shown with its submission (mrkdwn). */
  note?: { id: string; text?: string | undefined };
}

/** Returns whether the person manages a project, and so may handle submissions of others there. */
export function createManagerCheck(call: Call): (project: string | undefined) => boolean {
  return (project) => call.may('manager', project ?? '');
}

export async function readOutbox(call: Call, note?: Outbox['note']): Promise<Outbox> {
  const { machine } = call.context.submissions;
  const { workspace, user: author } = call.actor;
  const now = call.now().getTime();
  const query = {
    workspace,
    author,
    since: new Date(machine.clock().getTime() - MIN_WAIT_MS),
    dueBefore: new Date(now + DUE_WITHIN_MS),
  };
  const [ownRows, othersRows] = await Promise.all([
    listOutbox(machine.db, { workspace, author }),
    call.may('manager') ? listOverdueOfOthers(machine.db, query) : [],
  ]);
  const viewer = { now: call.now(), isEmulated: call.context.isEmulated };
  const isManager = createManagerCheck(call);
  const managedRows = othersRows.filter(({ project }) => isManager(project ?? undefined));
  const readableRows = new Set([...ownRows, ...managedRows].filter(({ state }) => isState(state)));
  const render = (row: SubmissionRow) => renderSubmission(machine, row, viewer);
  return {
    ownSubmissions: ownRows.filter((row) => readableRows.has(row)).map(render),
    othersSubmissions: managedRows
      .filter((row) => readableRows.has(row))
      .map((row) => ({ shown: render(row), author: row.author })),
    unreadableCount: ownRows.length + managedRows.length - readableRows.size,
    ...(note && { note }),
  };
}

/** `/upnext outbox`. */
export function renderOutbox(outbox: Outbox): Message {
  const blocks = renderOutboxBlocks(outbox);
  if (blocks.length === 0) return { text: 'Nothing of yours is waiting: all that you sent is done.' };
  const count = outbox.ownSubmissions.length + outbox.othersSubmissions.length + outbox.unreadableCount;
  return { text: `${count === 1 ? 'One thing is' : `${count} things are`} not done yet.`, blocks };
}

/** Empty if nothing is pending. */
function renderOutboxBlocks({
  ownSubmissions: own,
  othersSubmissions: others,
  unreadableCount: unreadable,
  note,
}: Outbox): KnownBlock[] {
  const findNote = ({ id }: RenderedSubmission) => (note?.id === id ? note.text : undefined);
  const ownBlocks = own
    .slice(0, MAX_ENTRIES)
    .flatMap((shown) => renderShortBlocks(shown, findNote(shown), LIST_PREFIX));
  const maxOthers = Math.max(0, MAX_ENTRIES - own.length);
  const otherBlocks = others
    .slice(0, maxOthers)
    .flatMap(({ shown, author }) => [
      ...renderShortBlocks({ ...shown, rule: removeEditButtons(shown) }, findNote(shown), LIST_PREFIX),
      context(`Sent by <@${author}>`),
    ]);
  const hiddenCount =
    own.length + others.length - Math.min(own.length, MAX_ENTRIES) - Math.min(others.length, maxOthers);
  return [
    ...(ownBlocks.length > 0 ? [section('*Sent, and not done yet*'), ...ownBlocks] : []),
    ...(otherBlocks.length > 0 ? [divider(), section('*Waiting for somebody*'), ...otherBlocks] : []),
    ...(hiddenCount > 0 ? [context(`…and ${hiddenCount} more. They come up here as these are done.`)] : []),
    ...(unreadable > 0
      ? [context(`I can't show ${unreadable === 1 ? 'one submission' : `${unreadable} submissions`}.`)]
      : []),
  ];
}

/** Removes the buttons that edit: only the author edits a submission. */
function removeEditButtons({ rule }: RenderedSubmission): RenderedSubmission['rule'] {
  return { ...rule, buttons: rule.buttons.filter((name) => name !== 'edit' && name !== 'new-time') };
}
