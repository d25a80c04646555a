import type { Call } from '../app/call.ts';
import { findZones } from '../preferences/zones.ts';
import { isZone } from '../when/when.ts';

/** The person who reads a message: their zone and locale. */
export interface Reader {
  now: Date;
  /** IANA zone. Defaults to UTC. */
  zone: string;
  /** The same without the default. */
  known?: string | undefined;
  /** E.g. `de-DE`; absent if Slack didn't return it. */
  locale?: string | undefined;
}

/** The reader's zone is the one that they chose in Upnext, else that of their Slack profile. */
export async function fetchReader(call: Call): Promise<Reader> {
  const { workspace, user } = call.actor;
  const [{ person: ownZone }, { readerZone, readerLocale }] = await Promise.all([
    findZones(call.context.db, { workspace, user, channel: undefined }),
    readProfile(call),
  ]);
  const known = [ownZone, readerZone].find((one) => one !== undefined && isZone(one));
  return { now: call.now(), zone: known ?? 'UTC', known, locale: readerLocale };
}

/** IANA zone and locale from the person's Slack profile, each absent if Slack doesn't return it. */
export async function readProfile(
  call: Pick<Call, 'client' | 'actor' | 'log' | 'reference'>,
): Promise<{ readerZone?: string; readerLocale?: string }> {
  const { client, actor, log, reference } = call;
  try {
    const { user } = await client.users.info({ user: actor.user, include_locale: true });
    return {
      ...(user?.tz !== undefined && isZone(user.tz) && { readerZone: user.tz }),
      ...(user?.locale !== undefined && { readerLocale: user.locale }),
    };
  } catch (error) {
    log.warn({ reference, reason: String(error) }, 'could not read the time zone of a profile');
    return {};
  }
}
