import { readerFacts } from '../../forms/loaded.ts';
import type { Call } from '../../slack/feature.ts';
import { zonesFor } from '../../store/zones.ts';
import type { Parts } from '../../submissions/parts.ts';
import { isZone } from '../../when/zones.ts';

/** Who reads: in which zone, and how they write days. */
export interface Reader {
  now: Date;
  /** IANA name; UTC where nobody says. */
  zone: string;
  /** e.g. `de-DE`; absent where Slack does not say. */
  locale?: string | undefined;
}

/** The zone that somebody chose for themselves, else that of their Slack profile. */
export async function readerOf(call: Call<Parts>): Promise<Reader> {
  const { workspace, user } = call.who;
  const [{ own }, loaded] = await Promise.all([
    zonesFor(call.parts.db, { workspace, user, channel: undefined }),
    readerFacts.load(call, {}),
  ]);
  const facts = 'facts' in loaded ? loaded.facts : undefined;
  const zone = [own, facts?.readerZone].find((one) => one !== undefined && isZone(one)) ?? 'UTC';
  return { now: call.now(), zone, locale: facts?.readerLocale };
}
