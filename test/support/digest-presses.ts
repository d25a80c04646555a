import type { ActionCall } from '../../src/app/call.ts';
import { AGAIN, RESUME, THERE } from '../../src/digests/action-ids.ts';
import type { Digests } from '../../src/digests/digests.ts';
import { DIGEST_ACTIONS, resumeNoticed } from '../../src/digests/presses.ts';

type Row = { id: string; workspace: string };

/** A button of a notice is pressed, of a paused one by an owner; what its person reads then. */
export async function press(digests: Digests, action: string, row: Row): Promise<string> {
  let said = '';
  const call = {
    context: { digests },
    who: { workspace: row.workspace, user: 'UANA' },
    action: { id: action, value: row.id },
    reply: async ({ text }: { text: string }) => {
      said = text;
    },
  } as unknown as ActionCall;
  if (action === RESUME) await resumeNoticed(call, { workspace: row.workspace, id: row.id }, ['T0ROASTER']);
  else await DIGEST_ACTIONS[action]?.(call);
  return said;
}

export const pressThere = (digests: Digests, row: Row) => press(digests, THERE, row);
export const pressAgain = (digests: Digests, row: Row) => press(digests, AGAIN, row);
