import type { WebClient } from '@slack/web-api';
import { readSlackText } from '../text/read-slack-text.ts';

/** Beyond these nobody's name is looked up. */
const MOST_NAMES = 10;
const PERSON = /<@([A-Z0-9]+)(?:\|[^<>]*)?>/g;

/** What follows the bot's name in a message, or all of it where the bot is not named; as people read it. */
export async function saidTo(bot: string | undefined, text: string, client: WebClient): Promise<string> {
  const name = [...text.matchAll(PERSON)].find(([, id]) => id === bot);
  // People write "@Upnext: next" too.
  const said = name ? text.slice(name.index + name[0].length).replace(/^\s*[:,]/, '') : text;
  const people = [...new Set([...said.matchAll(PERSON)].map(([, id = '']) => id))].slice(0, MOST_NAMES);
  const named = await Promise.all(people.map(async (id) => [id, await nameOf(id, client)] as const));
  const names = new Map(named);
  return readSlackText({ text: said, names: (kind, id) => (kind === 'user' ? names.get(id) : undefined) })
    .text;
}

async function nameOf(user: string, client: WebClient): Promise<string | undefined> {
  try {
    const { user: found } = await client.users.info({ user });
    return found?.profile?.display_name || found?.real_name;
  } catch {
    // A name is missing from what was said, which is no reason not to do it.
    return undefined;
  }
}
