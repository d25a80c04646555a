import { z } from 'zod';
import type { ActionCall, Call } from '../../app/call.ts';
import { openSealed, storeSealed } from '../../forms/sealed-store.ts';
import { actions, button, section } from '../../slack/blocks.ts';
import type { Offers } from '../../slack/bolt/bolt.ts';
import type { CommandDescription } from '../../slack/catalogue.ts';
import { clip } from '../../slack/clip.ts';
import { sanitizeLine } from '../../slack/escape.ts';
import { LIMITS } from '../../slack/limits.ts';
import { type Message, quotingMessage } from '../../slack/message.ts';
import type { ReadCommand } from '../../slack/read-command.ts';

/** What is offered where a line cannot be done as it was typed. */
export const offers: Offers = {
  async unknown(call, read) {
    if (read.suggestion === undefined) return call.reply(unknownCommand(read));
    const line = `/upnext ${read.suggestion} ${read.words}`.trim();
    await call.reply(unknownCommand(read, { line, id: await keepLine(call, line) }));
  },
  press: async (call, line, command) => call.reply(needsPress(command, await keepLine(call, line))),
};

/** The button of such an offer: the same words, with the trigger of this press. */
export async function runOffered(call: ActionCall): Promise<void> {
  const line = await keptLine(call, call.action.value ?? '');
  await (line === undefined ? call.reply(OUT_OF_DATE) : call.type(line));
}

const KIND = 'typed-line.2';

/** Stores what somebody typed, which may be the text of a post, for the button that does it; its opaque id. */
function keepLine(call: Call, line: string): Promise<string> {
  return storeSealed(call, KIND, line.toWellFormed());
}

/** Only for the person who typed it; undefined for everybody else, and when it is no longer stored. */
function keptLine(call: Call, id: string): Promise<string | undefined> {
  return openSealed(call, KIND, z.string(), id);
}

export const OFFERED = 'help.offered';
export const LIST = 'help.list';
export const OFFERED_USE = 'help.use';

/** So much of what was typed is quoted. */
const QUOTED = 40;

export const OUT_OF_DATE: Message = {
  text: 'This button belongs to somebody else, or to words that are no longer kept. Type them again.',
};

/** There is no such command; `offer` is the one that was probably meant, with the words that followed. */
function unknownCommand(
  read: Extract<ReadCommand, { kind: 'unknown' }>,
  offer?: { line: string; id: string },
): Message {
  const meant = read.suggestion === undefined ? '' : `Did you mean \`/upnext ${read.suggestion}\`? `;
  const message = quotingMessage(
    `I do not know “${clip(sanitizeLine(read.typed), QUOTED)}”.`,
    `${meant}Type \`/upnext help\` to see what there is.`,
  );
  const offered = offer
    ? [button(clip(sanitizeLine(offer.line), LIMITS.buttonText), OFFERED, offer.id, 'primary')]
    : [];
  return {
    ...message,
    blocks: [...(message.blocks ?? []), actions(...offered, button('What there is', LIST))],
  };
}

/** Slack opens a form for a press alone. */
function needsPress(command: CommandDescription, id: string): Message {
  const text = `${command.summary}. That is a form, and Slack opens forms only for a press.`;
  return { text, blocks: [section(text), actions(button('Open the form', OFFERED, id, 'primary'))] };
}
