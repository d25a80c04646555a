import type { Kysely } from 'kysely';
import type { Digests } from '../../src/digests/digests.ts';
import { CONFIRM_SENT, SEND_AGAIN } from '../../src/digests/messages/notices.ts';
import { noticeHandlers } from '../../src/features/digests/digest-buttons.ts';
import type { ActionCall } from '../../src/handlers/call.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';

/** The actions that the presses have added to the audit log. */
export const recordedActions: string[] = [];

type Row = { id: string; workspace: string };

/** Presses a button of a notice, as somebody with all roles, and returns the text of the reply. `db`: for `RESUME`. */
export async function press(
  digests: Digests,
  action: string,
  row: Row,
  db?: Kysely<BotSchema>,
): Promise<string> {
  let replyText = '';
  const call = {
    context: {
      ...{ digests, db },
      record: { enqueue: ({ action }: { action: string }) => recordedActions.push(action) },
    },
    actor: { workspace: row.workspace, user: 'UANA' },
    action: { id: action, value: row.id },
    client: { conversations: { info: async () => ({ channel: { is_member: true, is_ext_shared: false } }) } },
    permit: async () => undefined,
    now: () => new Date('2026-12-01T12:00:00Z'),
    reply: async ({ text }: { text: string }) => {
      replyText = text;
    },
  } as unknown as ActionCall;
  await Object.entries(noticeHandlers)
    .find(([id]) => id === action)?.[1]
    .run(call);
  return replyText;
}

export const pressConfirmSent = (digests: Digests, row: Row) => press(digests, CONFIRM_SENT, row);
export const pressSendAgain = (digests: Digests, row: Row) => press(digests, SEND_AGAIN, row);
