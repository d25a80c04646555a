import type { Call } from '../app/call.ts';
import { zonesFor } from '../preferences/zones.ts';
import { isZone } from '../when/when.ts';

/** Who reads: in which zone, and how they write days. */
export interface Reader {
  now: Date;
  /** IANA name; UTC where nobody says. */
  zone: string;
  /** The same; absent where nobody says. */
  known?: string | undefined;
  /** e.g. `de-DE`; absent where Slack does not say. */
  locale?: string | undefined;
}

/** The zone that somebody chose for themselves, else that of their Slack profile. */
export async function readerOf(call: Call): Promise<Reader> {
  const { workspace, user } = call.who;
  const [{ own }, { readerZone, readerLocale }] = await Promise.all([
    zonesFor(call.context.db, { workspace, user, channel: undefined }),
    readProfile(call),
  ]);
  const known = [own, readerZone].find((one) => one !== undefined && isZone(one));
  return { now: call.now(), zone: known ?? 'UTC', known, locale: readerLocale };
}

/** From the person's Slack profile: an IANA zone and a locale such as `de-DE`, each absent where Slack doesn't say. */
export async function readProfile(
  call: Pick<Call, 'client' | 'who' | 'log' | 'reference'>,
): Promise<{ readerZone?: string; readerLocale?: string }> {
  const { client, who, log, reference } = call;
  try {
    const { user } = await client.users.info({ user: who.user, include_locale: true });
    return {
      ...(user?.tz !== undefined && isZone(user.tz) && { readerZone: user.tz }),
      ...(user?.locale !== undefined && { readerLocale: user.locale }),
    };
  } catch (error) {
    log.warn({ reference, reason: String(error) }, 'the time zone of a profile could not be read');
    return {};
  }
}
