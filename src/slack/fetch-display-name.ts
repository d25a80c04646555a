import type { Call } from '../app/call.ts';

/** A person's name in Slack, for places where a mention would notify them. Undefined if the lookup fails. */
export async function fetchDisplayName(
  { client, log, reference }: Pick<Call, 'client' | 'log' | 'reference'>,
  user: string,
): Promise<string | undefined> {
  try {
    const { user: found } = await client.users.info({ user });
    return found?.profile?.display_name || found?.real_name;
  } catch (error) {
    log.info({ reference, reason: String(error) }, 'could not look up the name of a person');
    return undefined;
  }
}
