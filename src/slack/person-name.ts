import type { Call } from '../app/call.ts';

/** What a person is called, as far as Slack says it to the bot: nobody is mentioned for what is shown of theirs. */
export async function fetchDisplayName(
  { client, log, reference }: Pick<Call, 'client' | 'log' | 'reference'>,
  user: string,
): Promise<string | undefined> {
  try {
    const { user: found } = await client.users.info({ user });
    return found?.profile?.display_name || found?.real_name;
  } catch (error) {
    log.info({ reference, reason: String(error) }, 'the name of a person could not be read');
    return undefined;
  }
}
