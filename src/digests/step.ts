import { stepOf } from '../delivery/lifecycle.ts';
import { handleUnknownOutcome } from './after-sending.ts';
import { followUp } from './follow-up.ts';
import type { Moving } from './lifecycle.ts';
import { look } from './look.ts';
import type { Machine } from './machine.ts';
import { type InHand, sendMessage } from './send-message.ts';

/** What is due and in our hands goes one step further. */
export async function step(machine: Machine, inHand: InHand): Promise<void> {
  await machine.pace.at?.('after-claim');
  return stepOf(STEPS, inHand.row.state)(machine, inHand);
}

const STEPS: Readonly<Record<Moving, (machine: Machine, inHand: InHand) => Promise<void>>> = {
  due: sendMessage,
  // Whoever was sending it is gone, and what they knew with them.
  sending: (machine, { row }) => handleUnknownOutcome(machine, row),
  looking: look,
  'following-up': (machine, { row, digest }) => followUp(machine, row, digest),
};
