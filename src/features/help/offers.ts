import type { ActionCall } from '../../app/call.ts';
import type { Offers } from '../../slack/bolt/bolt.ts';
import { keepLine, keptLine } from './kept-line.ts';
import { needsPress, OUT_OF_DATE, unknownCommand } from './offer-messages.ts';

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
