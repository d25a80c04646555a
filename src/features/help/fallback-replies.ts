import { z } from 'zod';
import { readSealedValue, storeSealedValue } from '../../forms/sealed-store.ts';
import type { FallbackReplies } from '../../handlers/bolt/bolt.ts';
import type { ActionCall, Call } from '../../handlers/call.ts';
import { actions, button, clip, sanitizeLine, section } from '../../slack/blocks.ts';
import { type CommandDescription, renderCommandName } from '../../slack/catalogue.ts';
import { LIMITS } from '../../slack/limits.ts';
import { buildQuotingMessage, type Message } from '../../slack/message.ts';
import type { ParsedCommand } from '../../slack/read-command.ts';

/** Replies to lines that can't run as typed. A button runs the corrected line, or opens the form of the command. */
export const fallbackReplies: FallbackReplies = {
  async offerSuggestion(call, command) {
    const { suggestion: name, args } = command;
    if (name === undefined) return call.reply(renderUnknownCommand(command));
    const described = call.catalogue.flatMap(({ commands }) => commands).find((one) => one.name === name);
    const suggestion = renderCommandName(described ?? { name });
    const line = `${suggestion} ${args}`.trim();
    await call.reply(renderUnknownCommand(command, { suggestion, line, id: await storeLine(call, line) }));
  },
  offerFormButton: async (call, line, command) =>
    call.reply(renderFormOffer(command, await storeLine(call, line))),
};

/** Runs the line that was stored for the pressed button. The line can open a form, because a press has a trigger. */
export async function runStoredLine(call: ActionCall): Promise<void> {
  // Undefined if somebody else typed the line, or if it has expired.
  const line = await readSealedValue(call, STORED_LINE_KIND, z.string(), call.action.value ?? '');
  await (line === undefined ? call.reply(EXPIRED_LINE) : call.runLine(line));
}

const STORED_LINE_KIND = 'typed-line.2';

/**
 * Stores a typed line for a button, encrypted, because the line may contain the text of a post. Returns an opaque id.
 */
function storeLine(call: Call, line: string): Promise<string> {
  return storeSealedValue(call, STORED_LINE_KIND, line.toWellFormed());
}

// Action ids.
export const RUN_STORED_LINE_ACTION = 'help.offered';
export const LIST_ACTION = 'help.list';
export const OPEN_PROJECT_CHOICE_ACTION = 'help.use';

/** Maximum length of the quoted line, in characters. */
const MAX_QUOTE_LENGTH = 40;

export const EXPIRED_LINE: Message = {
  text: 'This button isn’t yours, or it’s too old. Type the command again.',
};

/** Renders the reply to an unknown command. `offer`: the corrected command, its line, and the id under which the line is stored. */
function renderUnknownCommand(
  command: Extract<ParsedCommand, { kind: 'unknown' }>,
  offer?: { suggestion: string; line: string; id: string },
): Message {
  const message = buildQuotingMessage(
    `I don’t know “${clip(sanitizeLine(command.name), MAX_QUOTE_LENGTH)}”.`,
    offer ? `Did you mean \`${offer.suggestion}\`?` : 'See all commands with `/upnext help all`.',
  );
  const offerButtons = offer
    ? [button(clip(sanitizeLine(offer.line), LIMITS.buttonText), RUN_STORED_LINE_ACTION, offer.id, 'primary')]
    : [];
  return {
    ...message,
    blocks: [...(message.blocks ?? []), actions(...offerButtons, button('All commands', LIST_ACTION))],
  };
}

/** Renders a button that runs the stored line, because Slack opens a form only after a press. */
function renderFormOffer(command: CommandDescription, id: string): Message {
  const text = `${command.summary}. Slack opens forms only from a button.`;
  return {
    text,
    blocks: [section(text), actions(button('Open the form', RUN_STORED_LINE_ACTION, id, 'primary'))],
  };
}
