import { setTimeout as delay } from 'node:timers/promises';
import type { Call } from '../app/call.ts';
import { actions, button, plainSection, section } from './blocks.ts';
import { escapeText } from './escape.ts';
import type { Message } from './message.ts';
import { type ServiceFailure, serviceFailureText } from './service-failure.ts';
import { encodeButtonState } from './view-values.ts';

/** The reply to a command is a separate message that can't be edited later, so this text must stay true. */
const SLOW: Message = { text: 'The scheduling service is slow to answer. What you asked for follows.' };

/** Replies with the message. If it takes longer than `slowMs`, first replies that it will follow. */
export async function replyInTime(
  call: Pick<Call, 'reply' | 'acknowledge'>,
  work: Promise<Message>,
  { slowMs, replace = false }: { slowMs: number; replace?: boolean },
): Promise<void> {
  const early = await Promise.race([work, delay(slowMs, undefined, { ref: false })]);
  if (!early) {
    await call.acknowledge();
    await call.reply(SLOW, { replace });
  }
  await call.reply(early ?? (await work), { replace });
}

/** The message for a list that couldn't be loaded: `line` says which, then why, and a button that tries again. */
export function loadFailureMessage(
  line: string,
  trouble: ServiceFailure | 'unreadable',
  { reference, again }: { reference: string; again: { action: string; state: object } },
): Message {
  const why =
    trouble === 'unreadable'
      ? 'The scheduling service answered, but I cannot read its answer.'
      : serviceFailureText(trouble);
  const more = `${why} Nothing was changed. Reference: ${reference}`;
  const value = encodeButtonState(again.state);
  return {
    text: `${escapeText(line)} ${more}`,
    blocks: [
      plainSection(line),
      section(more),
      ...(value === undefined ? [] : [actions(button('Try again', again.action, value))]),
    ],
  };
}
