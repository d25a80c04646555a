import { z } from 'zod';
import { getRecord, getString, type Json } from '../json.ts';

const DEFAULT_SEED = 1;

/** Decides for each call or delivery which rule of a list it meets, by the rules' `share` and `times`. */
class RuleSampler<Rule extends { share?: number; times?: number }> {
  readonly #seed: number;
  readonly #remaining: { rule: Rule; times: number }[];
  readonly #counts = new Map<string, number>();

  constructor(rules: readonly Rule[] = [], seed = DEFAULT_SEED) {
    this.#seed = seed;
    this.#remaining = rules.map((rule) => ({ rule, times: rule.times ?? Number.POSITIVE_INFINITY }));
  }

  /** Returns the rule for the next call with this name. Calls with one name don't influence those with another. */
  pickNext(name: string, isCandidate: (rule: Rule) => boolean): Rule | undefined {
    if (this.#remaining.length === 0) return undefined;
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    const random = computeRandom(this.#seed, name, count);
    let threshold = 0;
    const picked = this.#remaining.find(({ rule, times }) => {
      if (times === 0 || !isCandidate(rule)) return false;
      threshold += rule.share ?? 1;
      return random < threshold;
    });
    if (picked) picked.times -= 1;
    return picked?.rule;
  }
}

/** A number from 0 up to 1 that depends on the arguments alone: FNV-1a, then the finalizer of MurmurHash3. */
function computeRandom(seed: number, name: string, count: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (const character of `${name} ${count}`)
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** The methods of an `expired-trigger` rule without methods. */
const TRIGGER_METHODS = ['views.open', 'views.push'];

export class SlackFaults {
  #plan: SlackFaultPlan = {};
  #webApi = new RuleSampler<WebApiRule>();
  #deliveries = new RuleSampler<DeliveryRule>();
  readonly #calls = new Map<string, number>();
  readonly #faults = new Map<string, number>();

  get plan(): SlackFaultPlan {
    return this.#plan;
  }

  /** Replaces the plan from the next call on. Hanging calls continue to hang. */
  set(plan: SlackFaultPlan): void {
    this.#plan = plan;
    this.#webApi = new RuleSampler(plan.webApi, plan.seed);
    this.#deliveries = new RuleSampler(plan.deliveries, plan.seed);
  }

  clear(): void {
    this.set({});
  }

  /** Ends all faults, and sets all counts to zero. */
  reset(): void {
    this.clear();
    this.#calls.clear();
    this.#faults.clear();
  }

  /**
   * Since the start: calls of each Web API method, with and without faults, and the faults, such as
   * `{ 'cut first': 2, 'error is_archived': 1, duplicate: 3, 'rate-limited': 1 }`.
   */
  counts() {
    return { calls: Object.fromEntries(this.#calls), faults: Object.fromEntries(this.#faults) };
  }

  /** Returns the fault of the next call. `isInChannel` compares the call's channel with that of a rule. */
  pickForCall(method: string, isInChannel: (channel: string) => boolean): WebApiRule | undefined {
    count(this.#calls, method);
    const rule = this.#webApi.pickNext(method, (candidate) => {
      const { fault, channel } = candidate;
      const methods = candidate.method ?? (fault === 'expired-trigger' ? TRIGGER_METHODS : undefined);
      return includesAny(methods, [method]) && (channel === undefined || isInChannel(channel));
    });
    if (rule) count(this.#faults, describeRule(rule));
    return rule;
  }

  pickForDelivery({ type, payload }: { type: string; payload: Json }): DeliveryRule | undefined {
    const event = getRecord(payload, 'event');
    const kind = (event ? getString(event, 'type') : getString(payload, 'type')) ?? type;
    const rule = this.#deliveries.pickNext(kind, (candidate) => includesAny(candidate.kind, [type, kind]));
    if (rule) count(this.#faults, rule.fault);
    return rule;
  }
}

/** A rule without names applies to all. */
function includesAny(ruleNames: string | readonly string[] | undefined, names: readonly string[]): boolean {
  if (ruleNames === undefined) return true;
  return [ruleNames].flat().some((name) => names.includes(name));
}

function describeRule(rule: WebApiRule): string {
  switch (rule.fault) {
    case 'cut':
    case 'hang':
      return `${rule.fault} ${rule.commit}`;
    case 'status':
      return `status ${rule.status} ${rule.commit ?? 'never'}`;
    case 'error':
      return `error ${rule.error}`;
    default:
      return rule.fault;
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

// The rest of this file is the schema of fault plans, which is also in the control API.

/** A time in ms. The maximum is the longest timer of Node.js, 24 days. */
const delay = z
  .number()
  .min(0)
  .max(2 ** 31 - 1);

const names = z.union([z.string(), z.array(z.string()).readonly()]);

const ofAll = {
  share: z
    .number()
    .min(0)
    .max(1)
    .exactOptional()
    .describe('The share of calls that fail. Defaults to 1. The shares of several rules add up.'),
  times: z.int().min(0).exactOptional().describe('How many calls fail. Defaults to all.'),
};

const ofCalls = {
  ...ofAll,
  method: names
    .exactOptional()
    .describe('A method such as chat.postMessage, or several, or response_url. Defaults to all.'),
  channel: z.string().exactOptional().describe('Only calls with this channel, by name or id.'),
  delayMs: delay.exactOptional().describe('Milliseconds before the fault.'),
};

const commit = z
  .enum(['first', 'never'])
  .describe('Whether the call takes effect before it fails: `first`, or `never`.');

/** Slack's errors for an expired trigger_id. With `invalid_arguments`, a message says "expired". */
const expiredTrigger = z.enum(['expired_trigger_id', 'trigger_expired', 'invalid_arguments']);

/** A fault of calls with these fields of its own. */
const callFault = <const Fault extends string, Fields extends z.ZodRawShape>(fault: Fault, fields: Fields) =>
  z.strictObject({ ...ofCalls, fault: z.literal(fault), ...fields });

const webApiRule = z.discriminatedUnion('fault', [
  z.strictObject({ ...ofCalls, fault: z.literal('slow'), delayMs: delay }),
  callFault('cut', { commit }).describe('The connection is reset without an answer.'),
  callFault('hang', { commit }).describe('The call is never answered.'),
  callFault('status', { status: z.int().min(200).max(599), commit: commit.exactOptional() }).describe(
    'An HTTP status without Slack’s JSON. `commit` defaults to `never`.',
  ),
  callFault('rate-limited', { retryAfter: z.union([z.number(), z.string().regex(/^[ -~]*$/)]) }).describe(
    'HTTP 429 with Retry-After: seconds, or an invalid value.',
  ),
  callFault('error', { error: z.string(), commit: commit.exactOptional() }).describe(
    'One of Slack’s errors, such as channel_not_found. `commit` defaults to `never`.',
  ),
  callFault('expired-trigger', { spelling: expiredTrigger }).describe(
    'The trigger_id has expired. Defaults to views.open and views.push.',
  ),
]);
export type WebApiRule = z.infer<typeof webApiRule>;

const ofDeliveries = {
  ...ofAll,
  kind: names
    .exactOptional()
    .describe(
      'slash_commands, interactive or events_api; or the type of an interaction or event, such as view_submission or app_mention. Defaults to all.',
    ),
};

/**
 * A duplicate repeats the request, whatever the app answered. In Socket Mode it is the same envelope. Over HTTP it has a
 * signature of its own, unless it is `identical`: Slack's first retry is sent "nearly immediately"
 * (docs.slack.dev/apis/events-api, "Retries"), within the same second, and so has the same timestamp and signature.
 */
const deliveryRule = z.discriminatedUnion('fault', [
  z.strictObject({
    ...ofDeliveries,
    fault: z.literal('duplicate'),
    afterMs: delay.exactOptional(),
    identical: z
      .boolean()
      .exactOptional()
      .describe('Whether it has the timestamp and signature of the first request.'),
  }),
  // In bolt-python #668, an app got four messages in the order 4, 2, 1, 3.
  z
    .strictObject({ ...ofDeliveries, fault: z.literal('delayed'), afterMs: delay })
    .describe('The app gets the request later than following ones.'),
  z
    .strictObject({ ...ofDeliveries, fault: z.literal('unacknowledged') })
    .describe('The app gets the request, and its acknowledgement gets lost.'),
  z.strictObject({ ...ofDeliveries, fault: z.literal('lost') }).describe('The app never gets the request.'),
]);
type DeliveryRule = z.infer<typeof deliveryRule>;

export const slackFaultPlan = z.strictObject({
  seed: z
    .int()
    .exactOptional()
    .describe('With the same seed, the same calls of each method and deliveries of each kind fail.'),
  webApi: z.array(webApiRule).readonly().exactOptional(),
  deliveries: z.array(deliveryRule).readonly().exactOptional(),
});
export type SlackFaultPlan = z.infer<typeof slackFaultPlan>;

/** Takes the place of a method in {@link WebApiRule}. */
export const RESPONSE_URL = 'response_url';
