import { z } from 'zod';

/** How the practice Slack is made to fail, as types and as the schema of the control API. */

/** The longest timer of Node.js: 24 days. */
const delay = z
  .number()
  .min(0)
  .max(2 ** 31 - 1);

const names = z.union([z.string(), z.array(z.string()).readonly()]);

const always = {
  share: z
    .number()
    .min(0)
    .max(1)
    .exactOptional()
    .describe('The share of the calls that fail. Defaults to 1. The rules of a list divide one call’s luck.'),
  times: z.int().min(0).exactOptional().describe('How many calls fail. Defaults to all.'),
};

const ofCalls = {
  ...always,
  method: names
    .exactOptional()
    .describe('A method such as chat.postMessage, or several, or response_url. Defaults to all.'),
  channel: z.string().exactOptional().describe('Only calls with this channel, by name or id.'),
  delayMs: delay.exactOptional().describe('Milliseconds before anything happens.'),
};

const commit = z
  .enum(['first', 'never'])
  .describe('Whether the call does its work before it fails: `first`, or `never`.');

/** Ways in which an expired trigger_id is reported. `invalid_arguments` says "expired" among its messages. */
const expiredTrigger = z.enum(['expired_trigger_id', 'trigger_expired', 'invalid_arguments']);

const webApiRule = z.discriminatedUnion('fault', [
  z.strictObject({ ...ofCalls, fault: z.literal('slow'), delayMs: delay }),
  z
    .strictObject({ ...ofCalls, fault: z.literal('cut'), commit })
    .describe('The connection is reset instead of an answer.'),
  z.strictObject({ ...ofCalls, fault: z.literal('hang'), commit }).describe('No answer ever comes.'),
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
    .describe('HTTP 429 with Retry-After: seconds, or what no app expects.'),
  z
    .strictObject({
      ...ofCalls,
      fault: z.literal('error'),
      error: z.string(),
      commit: commit.exactOptional(),
    })
    .describe('An error of Slack’s, such as channel_not_found. `commit` defaults to `never`.'),
  z
    .strictObject({ ...ofCalls, fault: z.literal('expired-trigger'), spelling: expiredTrigger })
    .describe('The trigger_id has expired. Defaults to views.open and views.push.'),
]);
export type WebApiRule = z.infer<typeof webApiRule>;

const ofDeliveries = {
  ...always,
  kind: names
    .exactOptional()
    .describe(
      'slash_commands, interactive or events_api; or the type of an interaction or event, such as view_submission or app_mention. Defaults to all.',
    ),
};

/**
 * A duplicate is the same request once more, whatever the app answered: in Socket Mode the same envelope, over HTTP
 * signed again, which is another signature only in another second. `identical`: with the first's timestamp and
 * signature, as Slack's first retry has, which it sends "nearly immediately"
 * (https://docs.slack.dev/apis/events-api/#retries) and signs by whole seconds.
 */
const deliveryRule = z.discriminatedUnion('fault', [
  z.strictObject({
    ...ofDeliveries,
    fault: z.literal('duplicate'),
    afterMs: delay.exactOptional(),
    identical: z.boolean().exactOptional().describe('With the timestamp and signature of the first.'),
  }),
  // bolt-python #668 got four messages in the order 4, 2, 1, 3.
  z
    .strictObject({ ...ofDeliveries, fault: z.literal('delayed'), afterMs: delay })
    .describe('The app gets the request later, so that the next ones overtake it.'),
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
    .describe(
      'The same seed brings the same luck to the n-th call of each method and delivery of each kind.',
    ),
  webApi: z.array(webApiRule).readonly().exactOptional(),
  deliveries: z.array(deliveryRule).readonly().exactOptional(),
});
export type SlackFaultPlan = z.infer<typeof slackFaultPlan>;

/** Stands for a method in {@link WebApiRule}. */
export const RESPONSE_URL = 'response_url';
