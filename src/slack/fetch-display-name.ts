import type { Call } from '../app/call.ts';

/** Fetches a person's name, for text in which a mention would notify the person. Undefined if the lookup fails. */
export async function fetchDisplayName(
  { client, log, reference }: Pick<Call, 'client' | 'log' | 'reference'>,
  user: string,
): Promise<string | undefined> {
  try {
    const { user: profileOwner } = await client.users.info({ user });
    return profileOwner?.profile?.display_name || profileOwner?.real_name;
  } catch (error) {
    log.info({ reference, reason: String(error) }, 'could not look up the name of a person');
    return undefined;
  }
}
