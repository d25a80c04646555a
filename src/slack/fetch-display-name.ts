import type { WebClient } from '@slack/web-api';
import type { Log } from './log.ts';

interface NameCall {
  client: WebClient;
  log: Log;
  reference: string;
}

/** Fetches a person's name, for text in which a mention would notify the person. Undefined if the lookup fails. */
export async function fetchDisplayName(call: NameCall, user: string): Promise<string | undefined> {
  const [name] = await fetchNames(call, user);
  return name;
}

/** Fetches all names of a person, the display name first. Empty if the lookup fails. */
export async function fetchNames({ client, log, reference }: NameCall, user: string): Promise<string[]> {
  try {
    const { user: owner } = await client.users.info({ user });
    const names = [owner?.profile?.display_name, owner?.real_name, owner?.name];
    return names.flatMap((name) => (name ? [name] : []));
  } catch (error) {
    log.info({ reference, err: error }, 'could not look up the name of a person');
    return [];
  }
}
