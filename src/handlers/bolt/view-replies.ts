import type { KnownBlock, ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { context, divider, section, unescapeText } from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import { disableParsing, hasPictures, type Message, removePictures } from '../../slack/message.ts';
import { buildModal } from '../../slack/message-view.ts';
import { APP_NAME } from '../../slack/name.ts';
import { isViewChangedOrClosed } from '../../slack/slack-errors.ts';
import { replaceTables } from '../../slack/table.ts';
import type { OpenedView, ReplyOptions } from '../call.ts';
import type { RequestOfKind, ViewPayload } from './payloads.ts';

/** The delay before a press on Home opens a loading view. The trigger id lasts 3 s, and the reply may take longer. */
const LOADING_DELAY_MS = 500;

interface ShownView extends OpenedView {
  /** The title that it keeps. Defaults to the label of the pressed button. */
  title?: string | undefined;
  blocks: readonly KnownBlock[];
  /** Whether the next reply replaces the blocks. Otherwise the reply is added below them. */
  isInterim: boolean;
  isLoading?: boolean;
}

/** Shows the replies to a press in a modal, because nobody on Home or in a modal sees a message. */
export interface ViewReplies {
  /** Throws Slack's error if the reply can't be shown in a modal. */
  reply(message: Message, options: ReplyOptions): Promise<void>;
  openView(view: ModalView, options?: { isForm?: boolean }): Promise<OpenedView>;
  /** Call it when the request has been handled. */
  finish(): Promise<void>;
}

/**
 * Creates the replies to a press. On Home, the reply opens a modal. In a modal, the reply replaces the modal's content
 * or is pushed on top of it. A form keeps its content: replies are only pushed. Undefined if the pressed button is in a
 * message.
 */
export function createViewReplies(
  request: RequestOfKind<'action'>,
  client: WebClient,
  onFailure: (error: unknown) => void,
): ViewReplies | undefined {
  const pressedView = request.view;
  if (!pressedView) return undefined;
  const trigger_id = request.trigger_id ?? '';
  const isHome = pressedView.type === 'home';
  const [action] = request.actions;
  const label = action?.text ?? action?.selected_option?.text;
  const title = unescapeText(label?.text ?? APP_NAME);
  let shownView: ShownView | undefined;
  let lastStep: Promise<unknown> = Promise.resolve();

  /** Runs one step after another, because a trigger id opens only one view. */
  const enqueue = <Result>(step: () => Promise<Result>): Promise<Result> => {
    const result = lastStep.then(step);
    lastStep = result.catch(() => undefined);
    return result;
  };
  const update = async (view_id: string, view: ModalView): Promise<OpenedView> =>
    toOpenedView(await client.views.update({ view_id, view }), view_id);
  const push = async (view: ModalView): Promise<OpenedView> => {
    try {
      return toOpenedView(await client.views.push({ trigger_id, view }), '');
    } catch (error) {
      // Three modals are already open, or the trigger id has expired.
      if (isForm(pressedView)) throw error;
      return update(pressedView.id, view);
    }
  };
  const openTop = async (view: ModalView): Promise<OpenedView> =>
    isHome ? toOpenedView(await client.views.open({ trigger_id, view }), '') : push(view);

  const showReply = async (message: Message, options: ReplyOptions) => {
    const { replace = false, isInterim = false } = options;
    const { title: ownTitle = pressedView.title?.text } = message;
    const blocks = message.blocks && message.blocks.length > 0 ? message.blocks : [section(message.text)];
    const replyView = (content: readonly KnownBlock[], viewTitle = title) =>
      buildReplyView(viewTitle, isHome ? 'Close' : 'Back', content);
    if (shownView) {
      const shownBlocks =
        shownView.isInterim || replace ? blocks : [...shownView.blocks, divider(), ...blocks];
      shownView = { ...shownView, blocks: shownBlocks, isInterim, isLoading: false };
      await update(shownView.id, replyView(shownBlocks, shownView.title));
    } else if (replace && !isHome && !isForm(pressedView)) {
      shownView = { id: pressedView.id, title: ownTitle, blocks, isInterim };
      await update(pressedView.id, replyView(blocks, shownView.title));
    } else shownView = { ...(await openTop(replyView(blocks))), blocks, isInterim };
  };
  const showLoading = async () => {
    if (shownView) return;
    const opened = await openTop(buildReplyView(title, 'Close', [section('Loading…')]));
    shownView = { ...opened, blocks: [], isInterim: true, isLoading: true };
  };
  const loadingTimer = isHome
    ? setTimeout(() => void enqueue(showLoading).catch(onFailure), LOADING_DELAY_MS)
    : undefined;

  return {
    async reply(message, options) {
      try {
        await enqueue(() => showReply(message, options));
      } catch (error) {
        // The person has closed the modal that was updated, so nobody waits for the reply.
        if (!shownView || !isViewChangedOrClosed(error)) throw error;
      }
    },
    openView: (view, { isForm: isOpeningForm = false } = {}) =>
      enqueue(async () => {
        // Slack opens at most three modals on top of each other, and a form needs one for its errors.
        const isReplaced =
          isOpeningForm && typeof pressedView.previous_view_id === 'string' && !isForm(pressedView);
        const replacedId = shownView?.id ?? (isReplaced ? pressedView.id : undefined);
        const opened = replacedId === undefined ? await openTop(view) : await update(replacedId, view);
        shownView = { ...opened, blocks: [], isInterim: true };
        return opened;
      }),
    async finish() {
      clearTimeout(loadingTimer);
      try {
        await enqueue(async () => {
          if (shownView?.isLoading) await showReply({ text: 'Done. You can close this.' }, {});
        });
      } catch (error) {
        if (!isViewChangedOrClosed(error)) onFailure(error);
      }
    },
  };
}

/** True if the view can be submitted. Slack requires a submit button in views with inputs. */
function isForm({ submit }: ViewPayload): boolean {
  return submit !== undefined && submit !== null;
}

function toOpenedView(
  { view }: { view?: { id?: string; hash?: string } | undefined },
  fallbackId: string,
): OpenedView {
  const { id = fallbackId, hash } = view ?? {};
  return { id, ...(hash !== undefined && { hash }) };
}

function buildReplyView(title: string, close: string, messageBlocks: readonly KnownBlock[]): ModalView {
  const blocks = replaceTables(messageBlocks);
  const isTooLong = blocks.length > LIMITS.viewBlocks;
  return buildModal(
    title,
    isTooLong ? [...blocks.slice(0, LIMITS.viewBlocks - 1), context('There’s more than fits here.')] : blocks,
    close,
  );
}

/** Time limit for a call to a response_url, which responds quickly or not at all. */
const TIMEOUT_MS = 5_000;
/**
 * https://docs.slack.dev/interactivity/handling-user-interaction/#message_responses
 * The second host belongs to GovSlack.
 */
const SLACK_HOSTS = ['hooks.slack.com', 'hooks.slack-gov.com'];

/** Slack didn't accept a message. The error doesn't contain the response_url, which is a secret. */
export class ResponseRefused extends Error {
  readonly status: number | undefined;
  constructor(reason: string, options: { status?: number; cause?: unknown } = {}) {
    super(reason, { cause: options.cause });
    this.name = 'ResponseRefused';
    this.status = options.status;
  }
}

/** True if an address from a payload belongs to Slack, or to the configured Slack API (`apiUrl`). */
export function isSlackAddress(responseUrl: string, apiUrl: string | undefined): boolean {
  if (!URL.canParse(responseUrl)) return false;
  const url = new URL(responseUrl);
  if (url.protocol === 'https:' && SLACK_HOSTS.includes(url.host)) return true;
  return apiUrl !== undefined && url.origin === new URL(apiUrl).origin;
}

/** Sends a message that only the actor sees. `thread`: the ts of the thread's first message. Throws ResponseRefused. */
export async function respond(
  responseUrl: string,
  message: Message,
  options: { replace: boolean; thread?: string; apiUrl?: string | undefined; fetch?: typeof fetch },
): Promise<void> {
  if (!isSlackAddress(responseUrl, options.apiUrl))
    throw new ResponseRefused('the response_url is not Slack’s');
  const send = options.fetch ?? fetch;
  const sendBlocks = async (blocks: Message['blocks']): Promise<number> => {
    const response = await send(responseUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...disableParsing({ ...message, ...(blocks && { blocks }) }),
        response_type: 'ephemeral',
        replace_original: options.replace,
        ...(options.thread !== undefined && !options.replace && { thread_ts: options.thread }),
      }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.status;
  };
  let status: number;
  try {
    status = await sendBlocks(message.blocks);
    // Slack refuses a message with a picture that it can't fetch.
    if (status === 400 && hasPictures(message.blocks))
      status = await sendBlocks(removePictures(message.blocks));
  } catch (cause) {
    throw new ResponseRefused('the response_url did not answer', { cause });
  }
  if (status < 200 || status > 299) throw new ResponseRefused('Slack refused the response', { status });
}
