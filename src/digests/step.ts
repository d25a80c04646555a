import { nobodyKnows } from './after-sending.ts';
import { followUp } from './follow-up.ts';
import { look } from './look.ts';
import type { Machine } from './machine.ts';
import { type InHand, sendMessage } from './send-message.ts';

/** What is due and in our hands goes one step further. */
export async function step(machine: Machine, inHand: InHand): Promise<void> {
  await machine.pace.at?.('after-claim');
  const { row, digest } = inHand;
  switch (row.state) {
    case 'due':
      return sendMessage(machine, inHand);
    // Whoever was sending it is gone, and what they knew with them.
    case 'sending':
      return nobodyKnows(machine, row);
    case 'looking':
      return look(machine, inHand);
    case 'following-up':
      return followUp(machine, row, digest);
    default:
      throw new Error(`nothing is to be done for a digest that is ${row.state}`);
  }
}
