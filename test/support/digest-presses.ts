import type { Digests } from '../../src/digests/digests.ts';
import { CONFIRM_SENT, RESUME, SEND_AGAIN } from '../../src/digests/messages/notices.ts';
import { decideOccurrence, resumeFromNotice } from '../../src/features/digests/digest-buttons.ts';
import type { ActionCall } from '../../src/handlers/call.ts';

type Row = { id: string; workspace: string };

/** Presses a button of a notice, and returns the text of the reply. */
export async function press(digests: Digests, action: string, row: Row): Promise<string> {
  let replyText = '';
  const call = {
    context: { digests },
    actor: { workspace: row.workspace, user: 'UANA' },
    action: { id: action, value: row.id },
    reply: async ({ text }: { text: string }) => {
      replyText = text;
    },
  } as unknown as ActionCall;
  if (action === RESUME)
    await resumeFromNotice(call, { workspace: row.workspace, id: row.id }, ['T0ROASTER']);
  else await decideOccurrence(call);
  return replyText;
}

export const pressConfirmSent = (digests: Digests, row: Row) => press(digests, CONFIRM_SENT, row);
export const pressSendAgain = (digests: Digests, row: Row) => press(digests, SEND_AGAIN, row);
