import { Refusal } from '../refusal.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import type { Site } from '../site.ts';
import { makeSecret } from './ids.ts';
import type { StoredResponseUrl } from './saved-state.ts';

const LIFETIME_MS = SLACK_LIMITS.responseUrlMs.value;

/** Makes a response_url. `ts` is the message of the interaction, which `replace_original` replaces. */
export function makeResponseUrl(site: Site, about: { channel: string; person: string; ts?: string }): string {
  const secret = makeSecret();
  const madeAt = site.now();
  const { responseUrls } = site.state;
  // Oldest first. An expired address is stored for a while, because Slack refuses it differently from an unknown one.
  const firstStored = responseUrls.findIndex((entry) => madeAt - entry.madeAt < 2 * LIFETIME_MS);
  responseUrls.splice(0, firstStored < 0 ? responseUrls.length : firstStored);
  responseUrls.push({ ...about, secret, madeAt, uses: 0 });
  site.touch();
  return `${site.url}/response/${secret}`;
}

/** Counts one use. Refuses a sixth use, a use after 30 minutes, and an unknown address. */
export function useResponseUrl(site: Site, secret: string): StoredResponseUrl {
  const found = site.state.responseUrls.findLast((entry) => entry.secret === secret);
  if (!found) throw new Refusal('invalid_url');
  if (site.now() - found.madeAt > LIFETIME_MS) throw new Refusal('expired_url');
  if (found.uses >= SLACK_LIMITS.responseUrlUses.value) throw new Refusal('used_url');
  found.uses += 1;
  site.touch();
  return found;
}
