import { z } from 'zod';
import type { ActionCall, Call } from '../../app/call.ts';
import { openSealed, storeSealed } from '../../forms/sealed-store.ts';
import { actions, button, section } from '../../slack/blocks.ts';
import type { Offers } from '../../slack/bolt/bolt.ts';
import type { CommandDescription } from '../../slack/catalogue.ts';
import { clip, sanitizeLine } from '../../slack/escape.ts';
import { LIMITS } from '../../slack/limits.ts';
import { buildQuotingMessage, type Message } from '../../slack/message.ts';
import type { ParsedCommand } from '../../slack/read-command.ts';

/** Buttons for lines that can't run as typed: a corrected command, or a press that can open the form. */
export const offers: Offers = {
  async offerSuggestion(call, read) {
    if (read.suggestion === undefined) return call.reply(unknownCommandMessage(read));
    const line = `/upnext ${read.suggestion} ${read.args}`.trim();
    await call.reply(unknownCommandMessage(read, { line, id: await storeLine(call, line) }));
  },
  offerFormButton: async (call, line, command) =>
    call.reply(openFormMessage(command, await storeLine(call, line))),
};

/** Runs the stored line, with the trigger of this press. */
export async function runStoredLine(call: ActionCall): Promise<void> {
  const line = await readStoredLine(call, call.action.value ?? '');
  await (line === undefined ? call.reply(EXPIRED_LINE) : call.type(line));
}

const KIND = 'typed-line.2';

/** Stores a typed line, which may contain the text of a post, for a button. Returns its opaque id. */
function storeLine(call: Call, line: string): Promise<string> {
  return storeSealed(call, KIND, line.toWellFormed());
}

/** Only the author can read a stored line. Undefined for everybody else, and after the line has expired. */
function readStoredLine(call: Call, id: string): Promise<string | undefined> {
  return openSealed(call, KIND, z.string(), id);
}

export const OFFERED = 'help.offered';
export const LIST = 'help.list';
export const OFFERED_USE = 'help.use';

/** Characters of the typed line that a message quotes. */
const MAX_QUOTE_LENGTH = 40;

export const EXPIRED_LINE: Message = {
  text: 'This button belongs to somebody else, or to words that are no longer kept. Type them again.',
};

/** For an unknown command. `offer`: the suggested command with the rest of the typed words. */
function unknownCommandMessage(
  read: Extract<ParsedCommand, { kind: 'unknown' }>,
  offer?: { line: string; id: string },
): Message {
  const suggestionText = read.suggestion === undefined ? '' : `Did you mean \`/upnext ${read.suggestion}\`? `;
  const message = buildQuotingMessage(
    `I do not know “${clip(sanitizeLine(read.name), MAX_QUOTE_LENGTH)}”.`,
    `${suggestionText}Type \`/upnext help\` to see what there is.`,
  );
  const offered = offer
    ? [button(clip(sanitizeLine(offer.line), LIMITS.buttonText), OFFERED, offer.id, 'primary')]
    : [];
  return {
    ...message,
    blocks: [...(message.blocks ?? []), actions(...offered, button('What there is', LIST))],
  };
}

/** Slack opens a form only after a press, so this message has a button that opens it. */
function openFormMessage(command: CommandDescription, id: string): Message {
  const text = `${command.summary}. That is a form, and Slack opens forms only for a press.`;
  return { text, blocks: [section(text), actions(button('Open the form', OFFERED, id, 'primary'))] };
}
