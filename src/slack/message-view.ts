import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { plain, section } from './blocks.ts';
import { LIMITS } from './limits.ts';
import type { Message } from './message.ts';
import { APP_NAME } from './name.ts';
import { replaceTables } from './table.ts';

/** Builds a modal without inputs. `close`: the label of the button that closes it. */
export function buildModal(title: string, blocks: KnownBlock[], close = 'Close'): ModalView {
  return {
    type: 'modal',
    title: plain(title, LIMITS.viewTitle),
    close: plain(close, LIMITS.viewTitle),
    blocks,
  };
}

/** Builds a modal that only shows a message. `close` is the label of the button that returns to the view below. */
export function buildMessageView({ text, blocks }: Message, close = 'Back'): ModalView {
  return buildModal(APP_NAME, replaceTables(blocks ?? [section(text)]), close);
}

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
