import type { Answer } from '../deliver/app-connection.ts';
import type { Retry } from '../deliver/delivery.ts';
import type { Json } from '../json.ts';
import { EVENT_RULES } from '../rules/event-rules.ts';
import type { Site } from '../site.ts';
import { hasAnyScope } from '../state/grants.ts';
import { makeId } from '../state/ids.ts';
import { buildEventEnvelope, type EventContext } from './payload-parts.ts';

/** Slack retries a failed event at once, after a minute, and after five minutes (docs.slack.dev, "The Events API"). */
const RETRY_DELAYS_MS = [0, 60_000, 300_000];

/** `event_ts`: seconds with six decimals. */
export function makeEventTs(site: Site): string {
  return (site.now() / 1000).toFixed(6);
}

/** The value of `x-slack-retry-reason`, or undefined if the event isn't retried. */
function getRetryReason(site: Site, answer: Answer): string | undefined {
  if (answer.kind === 'acknowledged' || (answer.kind === 'refused' && answer.final === true))
    return undefined;
  // Without an open socket, events are lost.
  if (site.connection.transport === 'socket') return answer.kind === 'not-connected' ? undefined : 'timeout';
  if (answer.kind === 'late') return 'http_timeout';
  return answer.kind === 'refused' ? 'http_error' : 'connection_failed';
}

async function send(site: Site, label: string, payload: Json, retry?: Retry): Promise<void> {
  const recordLabel = retry ? `${label}, sent again (${retry.num})` : label;
  const answer = await site.connection.deliver(
    { kind: 'events_api', label: recordLabel },
    { type: 'events_api', payload, acceptsResponse: false, ...(retry ? { retry } : {}) },
  );
  const reason = getRetryReason(site, answer);
  const num = (retry?.num ?? 0) + 1;
  const delayMs = RETRY_DELAYS_MS[num - 1];
  if (reason === undefined || delayMs === undefined) return;
  site.runAfter(delayMs, () => sendSoon(site, label, payload, { num, reason }));
}

/** Sends an event that nobody waits for, so errors go to the log. */
function sendSoon(...sent: Parameters<typeof send>): void {
  send(...sent).catch((error: unknown) => console.error('could not send an event:', error));
}

/** Events that an app gets even after it was uninstalled. */
const AFTER_UNINSTALL = new Set(['app_uninstalled', 'tokens_revoked', 'team_access_revoked']);

/** Whether the app gets an event: it subscribed to it, is installed, and has the scope. */
function isSubscribed(site: Site, subscription: string): boolean {
  if (!site.manifest.events.includes(subscription)) return false;
  const { ended, absent } = site.state.app;
  if ((ended !== undefined || absent === true) && !AFTER_UNINSTALL.has(subscription)) return false;
  return hasAnyScope(site, EVENT_RULES[subscription]?.scopes ?? []);
}

/**
 * Sends an event with these fields if the app subscribed to it. Its type is the name of the subscription, unless the
 * fields have another one. Doesn't wait for the acknowledgement.
 */
export function sendEvent(site: Site, subscription: string, fields: Json, about: EventContext = {}): void {
  if (!isSubscribed(site, subscription)) return;
  const event = { type: subscription, event_ts: makeEventTs(site), ...fields };
  sendSoon(site, subscription, buildEventEnvelope(site, event, makeId('Ev'), about));
}
