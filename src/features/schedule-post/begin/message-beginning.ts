import { z } from 'zod';
import type { Call } from '../../../app/call.ts';
import { readSlackText } from '../../../slack/text/read-slack-text.ts';
import { splitText } from '../form/split-text.ts';
import { textValues } from '../form/text-parts.ts';
import type { Beginning } from './beginning.ts';
import { lookUpNames, namesAsked } from './look-up-names.ts';

/** A message that somebody wants to schedule, as Slack sent it. */
export const startingMessage = z.object({ text: z.string(), blocks: z.unknown(), files: z.unknown() });

/** "Schedule this message": what people see of it, and what is different outside of Slack. */
export async function messageBeginning(
  call: Call,
  message: z.infer<typeof startingMessage>,
): Promise<Beginning> {
  const asked = namesAsked();
  readSlackText({ ...message, names: asked.names });
  const names = await lookUpNames(call, asked.ids);
  const { text, changes } = readSlackText({ ...message, names });
  const { parts, rest } = splitText(text);
  const said = [
    ...(text === '' ? ['There is no text in this message.'] : []),
    ...changes,
    ...(rest === '' ? [] : ['The message is longer than a post can be: its end is missing here.']),
  ];
  return { prefill: textValues(parts), ...(said.length > 0 && { said }) };
}
