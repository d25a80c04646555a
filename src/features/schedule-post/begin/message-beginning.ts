import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Call } from '../../../app/call.ts';
import { type NamedKind, readSlackText } from '../../../slack/text/text.ts';
import { splitText, textValues } from '../form/text-parts.ts';
import type { Beginning } from './beginning.ts';

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

/** Nobody mentions more by hand; each is a call to Slack, which allows about 50 to 100 a minute. */
const MOST_NAMES = 20;

/** The form does not wait longer: what has no name by then is sent without it. */
const WAIT_MS = 1_500;

interface Asked {
  kind: NamedKind;
  id: string;
}
type Names = (kind: NamedKind, id: string) => string | undefined;

/** Knows no name, and writes down which were asked for, each once. */
function namesAsked(): { names: Names; ids: readonly Asked[] } {
  const ids: Asked[] = [];
  return {
    ids,
    names(kind, id) {
      if (!ids.some((one) => one.kind === kind && one.id === id)) ids.push({ kind, id });
      return undefined;
    },
  };
}

/** The names of people and channels, as far as Slack says them to the bot in time. */
async function lookUpNames(call: Call, asked: readonly Asked[]): Promise<Names> {
  const found = new Map<string, string>();
  const looking = asked.slice(0, MOST_NAMES).map(async ({ kind, id }) => {
    const name = await nameOf(call, kind, id);
    if (name !== undefined && name !== '') found.set(`${kind} ${id}`, name);
  });
  await Promise.race([Promise.all(looking), delay(WAIT_MS, undefined, { ref: false })]);
  return (kind, id) => found.get(`${kind} ${id}`);
}

async function nameOf({ client, log, reference }: Call, kind: NamedKind, id: string) {
  try {
    if (kind === 'user') {
      const { user } = await client.users.info({ user: id });
      return user?.profile?.display_name || user?.real_name || user?.name;
    }
    // Groups are named by the message itself, or not at all: the bot does not ask for the right to list them.
    if (kind === 'usergroup') return undefined;
    return (await client.conversations.info({ channel: id })).channel?.name;
  } catch (error) {
    // One that it may not see, or Slack is busy: the message's own words stand.
    log.debug({ reference, reason: String(error) }, 'a name was not found');
    return undefined;
  }
}
