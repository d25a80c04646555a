import type { KnownBlock } from '@slack/types';
import type { Call } from '../../app/call.ts';
import { context, divider, section } from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';
import { outboxOf, waitingTooLong } from '../../submissions/sql/lists.ts';
import type { SubmissionRow } from '../../submissions/sql/submissions.ts';
import { isState } from '../../submissions/state-copy.ts';
import { renderSubmission, type Shown } from '../../submissions/text/render-submission.ts';
import { shortBlocks } from '../../submissions/text/state-blocks.ts';

/** What has waited so long for its person, or is due so soon, is shown to those who run the project. */
const WAITED_MS = 60 * 60 * 1000;
const DUE_MS = 2 * 60 * 60 * 1000;

/** A message holds 50 blocks, and each entry takes up to five. */
const MOST = 9;

/** Stands in the value of a list's buttons: a press draws the list anew. */
export const IN_LIST = 'list:';

/** Somebody's outbox: their own, and what of others waits for somebody. */
interface Outbox {
  own: readonly Shown[];
  others: readonly { shown: Shown; author: string }[];
  /** How many this version cannot read. */
  unreadable: number;
  /** What a press has brought to light of one of them (mrkdwn). */
  about?: { id: string; said?: string | undefined };
}

/** Who runs a project may look after what waits for others there. */
export function runsIt(call: Call): (project: string | undefined) => boolean {
  return (project) => call.may('manager', project ?? '');
}

export async function readOutbox(call: Call, about?: Outbox['about']): Promise<Outbox> {
  const { machine } = call.context.submissions;
  const { workspace, user: author } = call.actor;
  const now = call.now().getTime();
  const wanted = {
    workspace,
    author,
    since: new Date(machine.clock().getTime() - WAITED_MS),
    dueBefore: new Date(now + DUE_MS),
  };
  const [own, others] = await Promise.all([
    outboxOf(machine.db, { workspace, author }),
    call.may('manager') ? waitingTooLong(machine.db, wanted) : [],
  ]);
  const seen = { now: call.now(), practice: call.context.isEmulated };
  const runs = runsIt(call);
  const theirs = others.filter(({ project }) => runs(project ?? undefined));
  const readable = new Set([...own, ...theirs].filter(({ state }) => isState(state)));
  const read = (row: SubmissionRow) => renderSubmission(machine, row, seen);
  return {
    own: own.filter((row) => readable.has(row)).map(read),
    others: theirs
      .filter((row) => readable.has(row))
      .map((row) => ({ shown: read(row), author: row.author })),
    unreadable: own.length + theirs.length - readable.size,
    ...(about && { about }),
  };
}

/** `/upnext outbox`. */
export function outboxMessage(outbox: Outbox): Message {
  const blocks = outboxBlocks(outbox);
  if (blocks.length === 0) return { text: 'Nothing of yours is waiting: all that you sent is done.' };
  const count = outbox.own.length + outbox.others.length + outbox.unreadable;
  return { text: `${count === 1 ? 'One thing is' : `${count} things are`} not done yet.`, blocks };
}

/** None where nothing waits. */
function outboxBlocks({ own, others, unreadable, about }: Outbox): KnownBlock[] {
  const findNote = ({ id }: Shown) => (about?.id === id ? about.said : undefined);
  const mine = own.slice(0, MOST).flatMap((shown) => shortBlocks(shown, findNote(shown), IN_LIST));
  const room = Math.max(0, MOST - own.length);
  const theirs = others
    .slice(0, room)
    .flatMap(({ shown, author }) => [
      ...shortBlocks({ ...shown, rule: withoutEditing(shown) }, findNote(shown), IN_LIST),
      context(`Sent by <@${author}>`),
    ]);
  const rest = own.length + others.length - Math.min(own.length, MOST) - Math.min(others.length, room);
  return [
    ...(mine.length > 0 ? [section('*Sent, and not done yet*'), ...mine] : []),
    ...(theirs.length > 0 ? [divider(), section('*Waiting for somebody*'), ...theirs] : []),
    ...(rest > 0 ? [context(`…and ${rest} more. They come up here as these are done.`)] : []),
    ...(unreadable > 0
      ? [context(`I can't show ${unreadable === 1 ? 'one submission' : `${unreadable} submissions`}.`)]
      : []),
  ];
}

/** What somebody wrote is theirs to change. */
function withoutEditing({ rule }: Shown): Shown['rule'] {
  return { ...rule, buttons: rule.buttons.filter((name) => name !== 'edit' && name !== 'new-time') };
}
