import type { Answer } from '../deliver/courier.ts';
import type { Retry } from '../deliver/delivery.ts';
import type { Json } from '../json.ts';
import { EVENT_RULES } from '../rules/event-rules.ts';
import type { Site } from '../site.ts';
import { hasAnyScope } from '../state/granted-scopes.ts';
import { makeId } from '../state/ids.ts';
import { type EventAbout, eventEnvelope } from './payload-parts.ts';

/** An event that failed is sent again at once, after a minute, and after five (docs.slack.dev, "The Events API"). */
const AGAIN_AFTER_MS = [0, 60_000, 300_000];

/** An event's own time, as Slack writes it. */
export function eventTs(site: Site): string {
  return (site.now() / 1000).toFixed(6);
}

/** Why it is to be sent again, in Slack's words; undefined where it is not. */
function retryReason(site: Site, answer: Answer): string | undefined {
  if (answer.kind === 'acknowledged' || (answer.kind === 'refused' && answer.final === true))
    return undefined;
  // Events that come while no socket is open are lost.
  if (site.courier.wire === 'socket') return answer.kind === 'not-connected' ? undefined : 'timeout';
  if (answer.kind === 'late') return 'http_timeout';
  return answer.kind === 'refused' ? 'http_error' : 'connection_failed';
}

async function send(site: Site, label: string, payload: Json, retry?: Retry): Promise<void> {
  const again = retry ? `${label}, sent again (${retry.num})` : label;
  const answer = await site.courier.deliver(
    { kind: 'events_api', label: again },
    { type: 'events_api', payload, acceptsResponse: false, ...(retry ? { retry } : {}) },
  );
  const reason = retryReason(site, answer);
  const num = (retry?.num ?? 0) + 1;
  const wait = AGAIN_AFTER_MS[num - 1];
  if (reason === undefined || wait === undefined) return;
  site.runAfter(wait, () => sendSoon(site, label, payload, { num, reason }));
}

/** Nobody waits for it, so nobody else hears where it fails. */
function sendSoon(...sent: Parameters<typeof send>): void {
  send(...sent).catch((error: unknown) => console.error('The workspace could not send an event:', error));
}

/** What an app hears of even when it is no longer in the workspace. */
const LAST_WORDS = new Set(['app_uninstalled', 'tokens_revoked', 'team_access_revoked']);

/** The app asked for it, is there, and was given the scope that it takes. */
function mayHear(site: Site, subscription: string): boolean {
  if (!site.manifest.events.includes(subscription)) return false;
  const { ended, absent } = site.state.app;
  if ((ended !== undefined || absent === true) && !LAST_WORDS.has(subscription)) return false;
  return hasAnyScope(site, EVENT_RULES[subscription]?.scopes ?? []);
}

/** Sends an event if the app subscribed to it. Nobody waits for an event to be acknowledged. */
export function sendEvent(site: Site, subscription: string, event: Json, about: EventAbout = {}): void {
  if (!mayHear(site, subscription)) return;
  sendSoon(site, subscription, eventEnvelope(site, event, makeId('Ev'), about));
}
