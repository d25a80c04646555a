import type { ActionCall } from '../../app/call.ts';
import { failureView } from '../../slack/failure-view.ts';
import type { Message } from '../../slack/message.ts';

/** Where the button stands: in the modal that holds it, else to the person alone. */
export async function say(call: ActionCall, message: Message): Promise<void> {
  if (!call.view) return call.reply(message);
  try {
    await call.client.views.update({ view_id: call.view.id, view: failureView(message) });
  } catch {
    // It was closed meanwhile, or it is Home, which is no modal.
    await call.reply(message);
  }
}
