import type { Call, SubmissionAnswer } from '../../app/call.ts';
import { LIMITS } from '../limits.ts';
import { messageView } from '../message-view.ts';
import { chosenMessage, openView, submissionAnswer } from './calls.ts';
import { findHandler, type RouterOptions } from './frame.ts';
import { outdatedMessage } from './outdated.ts';
import type { Request, RequestOf } from './payloads.ts';

/** Acknowledges the request. False if it was already acknowledged. */
export type Acknowledge = (payload?: unknown) => Promise<boolean>;

const NOT_SEALED = { open: (value: string): string | undefined => value };

export async function runAction(
  options: RouterOptions,
  request: RequestOf<'action'>,
  call: Call,
): Promise<void> {
  const [action] = request.actions;
  const found = action && findHandler(options.features, (feature) => feature.actions, action.action_id);
  if (!found) {
    options.log.warn({ reference: call.reference, action: action?.action_id }, 'no handler for action');
    return call.reply(outdatedMessage());
  }
  const isButton = action.type === 'button';
  const allowed = await options.permit(call, found.feature, {
    surface: 'action',
    id: action.action_id,
    isButton,
  });
  const ts = request.container?.message_ts;
  const { state = NOT_SEALED } = options;
  const value =
    typeof action.value === 'string' ? state.open(action.value, call.actor, call.now()) : undefined;
  await found.handler({
    ...allowed,
    action: {
      id: action.action_id,
      ...(value !== undefined && { value }),
      ...(action.selected_option && { selectedValue: action.selected_option.value }),
    },
    ...(request.view && { view: openView(request.view) }),
    ...(request.channel && ts !== undefined && { message: { channel: request.channel.id, ts } }),
  });
}

export async function runShortcut(
  options: RouterOptions,
  request: RequestOf<'shortcut'>,
  call: Call,
): Promise<void> {
  const found = findHandler(options.features, (feature) => feature.shortcuts, request.callback_id);
  if (!found) {
    options.log.warn({ reference: call.reference, shortcut: request.callback_id }, 'no handler for shortcut');
    return call.reply(outdatedMessage());
  }
  const attempt = { surface: 'shortcut', id: request.callback_id } as const;
  const allowed = await options.permit(call, found.feature, attempt);
  const message = chosenMessage(request, call.client);
  await found.handler.run({ ...allowed, ...(message && { message }) });
}

export async function answerOptions(
  options: RouterOptions,
  request: RequestOf<'options'>,
  call: Call,
  give: Acknowledge,
): Promise<void> {
  const found = findHandler(options.features, (feature) => feature.options, request.action_id);
  if (!found) return void (await give({ options: [] }));
  const attempt = { surface: 'options', id: request.action_id } as const;
  const allowed = await options.permit(call, found.feature, attempt);
  const view = request.view && { view: openView(request.view) };
  const choices = await found.handler({ ...allowed, query: request.value, ...view });
  await give({ options: choices.slice(0, LIMITS.options) });
}

export async function submitView(
  options: RouterOptions,
  request: RequestOf<'view'>,
  call: Call,
  give: Acknowledge,
): Promise<void> {
  const view = openView(request.view);
  const found = findHandler(options.features, (feature) => feature.views, view.callbackId);
  if (!found) {
    options.log.warn({ reference: call.reference, view: view.callbackId }, 'no handler for submitted form');
    return void (await give(showOnTop(outdatedMessage().text)));
  }
  const attempt = { surface: 'view', id: view.callbackId, values: view.values } as const;
  const allowed = await options.permit(call, found.feature, attempt);
  await found.handler({ ...allowed, view, answer });

  async function answer(response: SubmissionAnswer) {
    if (await give(submissionAnswer(response))) return true;
    // The deadline has passed and the fallback was sent. The view can still be updated, but field errors can't be
    // shown.
    if ('errors' in response) return false;
    await call.client.views.update({ view_id: view.id, view: response.view });
    return true;
  }
}

/** The fallback acknowledgement if no handler has answered in time. */
export function lateAnswer(request: Request, reference: string): unknown {
  if (request.kind === 'options') return { options: [] };
  if (request.kind !== 'view') return undefined;
  const text = `That took too long, and I do not know how it ended. See \`/upnext\` before you send it again. Reference: ${reference}`;
  return showOnTop(text);
}

/** Shows a message on top of a form, which stays open underneath with its content. */
export function showOnTop(text: string): object {
  return { response_action: 'push', view: messageView({ text }) };
}
