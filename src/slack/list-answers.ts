import type { Call } from '../app/call.ts';
import { within } from '../within.ts';
import { actions, button, context, escapeText, plainSection, section } from './blocks.ts';
import { encodeButtonState } from './interaction-values.ts';
import { type Message, renderReference } from './message.ts';
import { renderServiceFailure, type ServiceFailure } from './service-failure.ts';

/** Slack can't edit this reply later, so the text must stay true after the result has arrived. */
const SLOW_SERVICE_MESSAGE: Message = {
  text: 'The scheduling service is slow. What you asked for follows.',
};

/** Replies with the message of `work`. If `work` takes longer than `slowMs`, first replies that the message follows. */
export async function replyInTime(
  call: Pick<Call, 'reply' | 'acknowledge'>,
  work: Promise<Message>,
  { slowMs, replace = false }: { slowMs: number; replace?: boolean },
): Promise<void> {
  const earlyMessage = await within(slowMs, work);
  if (!earlyMessage) {
    await call.acknowledge();
    await call.reply(SLOW_SERVICE_MESSAGE, { replace, isInterim: true });
  }
  await call.reply(earlyMessage ?? (await work), { replace });
}

/** Says why something couldn't be read, in one or two sentences (mrkdwn). */
export function renderReadFailure(failure: ServiceFailure | 'unreadable'): string {
  return failure === 'unreadable'
    ? 'The scheduling service answered, but I can’t read its answer.'
    : renderServiceFailure(failure);
}

/** Builds the message for a list that couldn't be loaded, with a retry button. `line` says which list. */
export function buildLoadFailureMessage(
  line: string,
  failure: ServiceFailure | 'unreadable',
  { reference, retry }: { reference: string; retry: { action: string; state: object } },
): Message {
  const reason = renderReadFailure(failure);
  const referenceText = renderReference(reference);
  const retryValue = encodeButtonState(retry.state);
  return {
    text: `${escapeText(line)} ${reason} ${referenceText}`,
    blocks: [
      plainSection(line),
      section(reason),
      context(referenceText),
      ...(retryValue === undefined ? [] : [actions(button('Try again', retry.action, retryValue))]),
    ],
  };
}
