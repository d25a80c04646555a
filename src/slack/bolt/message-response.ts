import { z } from 'zod';
import type { Message } from '../message.ts';
import { buildMessageView } from '../message-view.ts';

const viewPlace = z.object({
  view: z.object({
    previous_view_id: z.string().nullish().catch(undefined),
    root_view_id: z.string().nullish().catch(undefined),
  }),
});

/**
 * Builds the acknowledgement of a submission that shows a message on top of the submitted view. The view stays open
 * underneath with its content. Slack shows at most three views on top of each other, so the message replaces a third
 * view, which is the confirmation of the form underneath.
 */
export function buildMessageResponse(body: unknown, message: Message): object {
  return { response_action: isThirdView(body) ? 'update' : 'push', view: buildMessageView(message) };
}

function isThirdView(body: unknown): boolean {
  const { previous_view_id: previousId, root_view_id: rootId } = viewPlace.safeParse(body).data?.view ?? {};
  return Boolean(previousId && rootId) && previousId !== rootId;
}
