import { setTimeout as delay } from 'node:timers/promises';
import type { ActionCall, CommandCall } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import type { Message } from '../../slack/message.ts';
import { buildPermissionUnknownMessage, NotAllowed } from '../../slack/not-allowed.ts';
import { closeNotification } from '../../submissions/notify-author.ts';
import { decide, pressedRow } from '../../submissions/press.ts';
import { showRow } from '../../submissions/show-submission.ts';
import type { SubmissionRow } from '../../submissions/sql/submissions.ts';
import { ACTIONS } from '../../submissions/text/state-blocks.ts';
import { IN_LIST, outboxMessage, readOutbox, runsIt } from './outbox-list.ts';

/** What people have submitted and has not ended well yet. */
export const outbox: Feature = {
  name: 'outbox',
  commands: [
    {
      name: 'outbox',
      aliases: ['pending', 'waiting', 'unsent'],
      summary: 'What you sent and is not done yet: on its way, waiting, uncertain, failed',
      usage: '',
      examples: ['/upnext outbox'],
      run: showOutbox,
    },
  ],
  // Everybody may look after their own; what they may do with it is asked again when it is sent.
  role: () => 'viewer',
  actions: {
    [ACTIONS.check]: (call) => pressDecision(call, 'check'),
    [ACTIONS.again]: (call) => pressDecision(call, 'again'),
    [ACTIONS.discard]: (call) => pressDecision(call, 'discard'),
    [ACTIONS.draft]: (call) => pressDecision(call, 'draft'),
    [ACTIONS.edit]: (call) => pressEdit(call, 'edit'),
    [ACTIONS['new-time']]: (call) => pressEdit(call, 'new-time'),
  },
};

async function showOutbox(call: CommandCall): Promise<void> {
  await call.reply(outboxMessage(await readOutbox(call)));
}

type Press = ActionCall;

/** What a button of another person, workspace or time says. */
const NOT_YOURS: Message = {
  text: 'This button belongs to somebody else, or to something that is no longer kept.',
};

/** [Check again], [Send again], [Discard], [Save as draft]: done, then shown where the button stands. */
async function pressDecision(call: Press, what: 'check' | 'again' | 'discard' | 'draft'): Promise<void> {
  const { machine } = call.context.submissions;
  const { id, isList } = readPress(call);
  const by = { ...call.actor, runs: runsIt(call) };
  const deciding = decide(machine, by, id, what);
  const early = await Promise.race([deciding, delay(machine.pace.answerMs, undefined, { ref: false })]);
  if (!early) await showMeanwhile(call, by, what);
  const pressed = early ?? (await deciding);
  if (pressed.kind === 'not-yours') return call.reply(NOT_YOURS);
  if (pressed.kind === 'not-checked') throw new NotAllowed(buildPermissionUnknownMessage(call.reference));
  await show(call, isList, pressed.row, pressed.said);
  await closeNotification(machine, pressed.row);
}

/** [Edit], [Fix and send again], [New time]: the form with every word, unless it has been sent meanwhile. */
async function pressEdit(call: Press, button: 'edit' | 'new-time'): Promise<void> {
  const { machine } = call.context.submissions;
  const { id, isList } = readPress(call);
  // What somebody wrote is theirs to change, whoever runs the project.
  const found = await pressedRow(machine, { ...call.actor, runs: () => false }, id, button);
  if (!found) return call.reply(NOT_YOURS);
  const feature = machine.kindOf(found.row.kind)?.feature;
  if (!found.fits || feature === undefined) {
    await show(call, isList, found.row);
    return closeNotification(machine, found.row);
  }
  await call.open(feature, { submission: found.row.id });
}

async function showMeanwhile(
  call: Press,
  by: Parameters<typeof pressedRow>[1],
  what: Parameters<typeof decide>[3],
): Promise<void> {
  const { id, isList } = readPress(call);
  const found = await pressedRow(call.context.submissions.machine, by, id, what);
  const said = what === 'check' ? 'Looking… the service has not answered yet.' : undefined;
  if (found) await show(call, isList, found.row, said);
}

function readPress(call: Press): { id: string; isList: boolean } {
  const { value = '' } = call.action;
  const isList = value.startsWith(IN_LIST);
  return { id: isList ? value.slice(IN_LIST.length) : value, isList };
}

/** Where the button stands: in a list, or alone in a view or message. */
async function show(call: Press, isList: boolean, row: SubmissionRow, said?: string): Promise<void> {
  if (!isList) return showRow(call, row, said);
  await call.reply(outboxMessage(await readOutbox(call, { id: row.id, said })), { replace: true });
}
