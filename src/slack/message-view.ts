import type { InputBlock, KnownBlock, ModalView, PlainTextInput } from '@slack/types';
import { z } from 'zod';
import { plain, section } from './blocks.ts';
import { LIMITS } from './limits.ts';
import type { Message } from './message.ts';
import { APP_NAME } from './name.ts';
import { replaceTables } from './table.ts';

/** A modal that we have built. */
export type Modal = ModalView & { blocks: KnownBlock[] };

/** Builds a modal without a submit button. `close`: the label of the button that closes it. */
export function buildModal(title: string, blocks: KnownBlock[], close = 'Close'): Modal {
  return {
    type: 'modal',
    title: plain(title, LIMITS.viewTitle),
    close: plain(close, LIMITS.viewTitle),
    blocks,
  };
}

/** Builds a modal with a submit button that isn't a `Form`. `id`: its callback id. `submit`: the label of its button. */
export function buildSubmitModal(
  view: { id: string; metadata: string; title: string; submit: string; close?: string },
  blocks: KnownBlock[],
): ModalView {
  return {
    ...buildModal(view.title, blocks, view.close ?? 'Back'),
    callback_id: view.id,
    private_metadata: view.metadata,
    submit: plain(view.submit, LIMITS.viewTitle),
  };
}

/** Builds an input for a text in such a modal. `hint`: plain text below it. */
export function buildTextInput(
  block: string,
  label: string,
  { hint, optional = false, ...element }: { hint?: string; optional?: boolean } & Partial<PlainTextInput>,
): InputBlock {
  return {
    type: 'input',
    block_id: block,
    optional,
    label: plain(label),
    ...(hint !== undefined && { hint: plain(hint) }),
    element: { type: 'plain_text_input', action_id: 'value', ...element },
  };
}

/** Builds a modal that only shows a message. `close` is the label of the button that returns to the view below. */
export function buildMessageView({ text, blocks }: Message, close = 'Back'): Modal {
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
 * view, which is the confirmation of the form underneath. `external_id`: an id with which the message can be changed.
 */
export function buildMessageResponse(body: unknown, message: Message, external_id?: string): object {
  const view = { ...buildMessageView(message), ...(external_id !== undefined && { external_id }) };
  return { response_action: isThirdView(body) ? 'update' : 'push', view };
}

/** Whether a submitted view is on top of two others. */
export function isThirdView(body: unknown): boolean {
  const { previous_view_id: previousId, root_view_id: rootId } = viewPlace.safeParse(body).data?.view ?? {};
  return Boolean(previousId && rootId) && previousId !== rootId;
}
