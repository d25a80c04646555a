import { actions, button, section } from '../../slack/blocks.ts';
import type { CommandWords } from '../../slack/catalogue.ts';
import { clip } from '../../slack/clip.ts';
import { tame } from '../../slack/escape.ts';
import { LIMITS } from '../../slack/limits.ts';
import { type Message, quotingMessage } from '../../slack/message.ts';
import type { ReadCommand } from '../../slack/read-command.ts';

export const OFFERED = 'help.offered';
export const LIST = 'help.list';
export const OFFERED_USE = 'help.use';

/** So much of what was typed is quoted. */
const QUOTED = 40;

export const OUT_OF_DATE: Message = {
  text: 'This button belongs to somebody else, or to words that are no longer kept. Type them again.',
};

/** There is no such command; `offer` is the one that was probably meant, with the words that followed. */
export function unknownCommand(
  read: Extract<ReadCommand, { kind: 'unknown' }>,
  offer?: { line: string; id: string },
): Message {
  const meant = read.suggestion === undefined ? '' : `Did you mean \`/upnext ${read.suggestion}\`? `;
  const message = quotingMessage(
    `I do not know “${clip(tame(read.typed), QUOTED)}”.`,
    `${meant}Type \`/upnext help\` to see what there is.`,
  );
  const offered = offer
    ? [button(clip(tame(offer.line), LIMITS.buttonText), OFFERED, offer.id, 'primary')]
    : [];
  return {
    ...message,
    blocks: [...(message.blocks ?? []), actions(...offered, button('What there is', LIST))],
  };
}

/** Slack opens a form for a press alone. */
export function needsPress(command: CommandWords, id: string): Message {
  const text = `${command.summary}. That is a form, and Slack opens forms only for a press.`;
  return { text, blocks: [section(text), actions(button('Open the form', OFFERED, id, 'primary'))] };
}
