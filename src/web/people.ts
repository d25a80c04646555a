import { createLookupCache } from '../cache/cache.ts';
import { MINUTE_MS } from '../durations.ts';
import { fetchDisplayName } from '../slack/fetch-people.ts';
import type { Look } from './look.ts';
import type { PageReader } from './time.ts';

const MAX_AGE_MS = 5 * MINUTE_MS;
/** What Slack didn't tell is asked for again soon. */
const MAX_FAILURE_AGE_MS = 5_000;

export type People = ReturnType<typeof createPeople>;

/** Creates the lookups of names and zones in Slack, because people turn pages faster than they move. */
export function createPeople(clock: () => number = () => performance.now()) {
  const options = { maxAgeMs: MAX_AGE_MS, now: clock };
  const readers = createLookupCache<PageReader & { isKnown: boolean }>({
    ...options,
    maxAgeOf: ({ isKnown }) => (isKnown ? undefined : MAX_FAILURE_AGE_MS),
  });
  const names = createLookupCache<{ name: string | undefined }>({
    ...options,
    maxAgeOf: ({ name }) => (name === undefined ? MAX_FAILURE_AGE_MS : undefined),
  });
  const readName = async (look: Look, user: string): Promise<string | undefined> => {
    const key = `${look.actor.workspace} ${user}`;
    const { name } = await names.get(key, async () => ({ name: await fetchDisplayName(look, user) }));
    return name;
  };
  return {
    /** The name of a member. Undefined if Slack doesn't tell it. */
    readName,
    /** How the person of a link reads times. */
    readReader: (look: Look): Promise<PageReader> =>
      readers.get(`${look.actor.workspace} ${look.actor.user}`, async () => {
        const [{ zone, knownZone, locale }, name] = await Promise.all([
          look.fetchReader(),
          readName(look, look.actor.user),
        ]);
        return { name, zone, locale, isKnown: knownZone !== undefined };
      }),
  };
}
