import { Refusal } from '../refusal.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import type { Site, Trigger } from '../site.ts';
import { makeSecret } from './ids.ts';
import type { StoredResponseUrl } from './saved-state.ts';

/** Used and expired triggers are stored for this time, because Slack has other errors for unknown ones. */
const RETENTION_MS = 60_000;

/** Makes a trigger_id. It can be used once, within 3 s. */
export function makeTrigger({ triggers, now }: Site, person: string, fromView?: string): string {
  const madeAt = now();
  for (const [id, trigger] of triggers) {
    if (madeAt - trigger.madeAt < RETENTION_MS) break;
    triggers.delete(id);
  }
  const id = `${Math.floor(madeAt / 1000)}.${madeAt % 1000}.${makeSecret(16)}`;
  triggers.set(id, { person, fromView, madeAt, isUsed: false });
  return id;
}

/** Uses a trigger_id. Throws Slack's errors if it is unknown, used or expired. */
export function useTrigger({ triggers, now }: Site, id: string): Trigger {
  const trigger = triggers.get(id);
  if (!trigger) throw new Refusal('invalid_trigger_id');
  if (trigger.isUsed) throw new Refusal('exchanged_trigger_id');
  if (now() - trigger.madeAt > SLACK_LIMITS.triggerIdMs.value) throw new Refusal('expired_trigger_id');
  trigger.isUsed = true;
  return trigger;
}

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
