import { z } from 'zod';

/** The plan by which the local Slack fails: as types, and as the schema of the control API. */

/** ms. The maximum is the longest timer of Node.js, 24 days. */
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

const webApiRule = z.discriminatedUnion('fault', [
  z.strictObject({ ...ofCalls, fault: z.literal('slow'), delayMs: delay }),
  z
    .strictObject({ ...ofCalls, fault: z.literal('cut'), commit })
    .describe('The connection is reset without an answer.'),
  z.strictObject({ ...ofCalls, fault: z.literal('hang'), commit }).describe('The call is never answered.'),
  z
    .strictObject({
      ...ofCalls,
      fault: z.literal('status'),
      status: z.int().min(200).max(599),
      commit: commit.exactOptional(),
    })
    .describe('An HTTP status without Slack’s JSON. `commit` defaults to `never`.'),
  z
    .strictObject({
      ...ofCalls,
      fault: z.literal('rate-limited'),
      retryAfter: z.union([z.number(), z.string().regex(/^[ -~]*$/)]),
    })
    .describe('HTTP 429 with Retry-After: seconds, or an invalid value.'),
  z
    .strictObject({
      ...ofCalls,
      fault: z.literal('error'),
      error: z.string(),
      commit: commit.exactOptional(),
    })
    .describe('One of Slack’s errors, such as channel_not_found. `commit` defaults to `never`.'),
  z
    .strictObject({ ...ofCalls, fault: z.literal('expired-trigger'), spelling: expiredTrigger })
    .describe('The trigger_id has expired. Defaults to views.open and views.push.'),
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
export type DeliveryRule = z.infer<typeof deliveryRule>;

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
