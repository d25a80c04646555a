import { z } from 'zod';
import { slackFaultPlan } from '../faults/slack-faults.ts';

/** The JSON schemas of the control API, with the names of its components at the end. */

export const timeoutMs = z
  .int()
  .min(0)
  .max(60_000)
  .exactOptional()
  .describe('How long to wait, in milliseconds. Defaults to 1,000.');

export const appName = z
  .string()
  .exactOptional()
  .describe('The name of an app, if the workspace has several. Defaults to the first.');

export const ownerName = z
  .string()
  .exactOptional()
  .describe('The name of an app, if several have one of this name. Defaults to the first that has one.');

export const personName = z.string().describe('A full name, first name, handle or user id.');

export const messageShape = z.strictObject({
  ts: z.string(),
  user: z.string().describe('The full name of the author.'),
  text: z.string().describe('The visible text, with buttons in brackets and values in parentheses.'),
  buttons: z.array(z.string()),
  thread_ts: z.string().exactOptional(),
  ephemeral: z.boolean().describe('Whether only this person sees it.'),
});

const field = z.strictObject({
  label: z.string(),
  type: z.string().describe('Block Kit’s type, such as plain_text_input.'),
  value: z.string().describe('The visible value.'),
  error: z.string().exactOptional(),
});

export const modalShape = z.strictObject({
  title: z.string(),
  text: z.string(),
  fields: z.array(field),
  buttons: z.array(z.string()),
});

export const screenShape = z
  .strictObject({
    person: z.string(),
    place: z.string().describe('#general, @ben, Home or Chat.'),
    text: z.string().describe('Everything visible.'),
    messages: z
      .array(messageShape)
      .describe('The messages of the channel or chat, oldest first. Empty on Home.'),
    notices: z.array(z.string()).describe('Slack’s own notices, such as the failure of a command.'),
    modal: z.union([modalShape, z.null()]).describe('The modal on top.'),
  })
  .describe('What a person sees.');

export const personShape = z.strictObject({
  id: z.string(),
  name: z.string().describe('The full name.'),
  handle: z.string(),
  role: z.enum(['owner', 'admin', 'member', 'guest', 'single-channel-guest']),
  time_zone: z.string().describe('A name of the IANA database, such as Europe/Lisbon.'),
  locale: z.string(),
  is_bot: z.boolean(),
  deactivated: z.boolean(),
});

function isAccepted(create: () => unknown): boolean {
  try {
    create();
    return true;
  } catch {
    return false;
  }
}

const timeZone = z
  .string()
  .refine((zone) => isAccepted(() => new Intl.DateTimeFormat('en', { timeZone: zone })), 'Unknown time zone')
  .describe('Defaults to Europe/Berlin.');

const locale = z
  .string()
  .refine((tag) => isAccepted(() => new Intl.Locale(tag)), 'Not a locale such as en-GB')
  .describe('Defaults to en-GB.');

export const organisationId = z
  .string()
  .regex(/^[TE][A-Z0-9]+$/)
  .describe('The id of a workspace (`T…`) or organisation (`E…`).');

const organisationShape = z.strictObject({ id: organisationId, name: z.string().min(1) });

export const newPersonShape = z.strictObject({
  name: z.string().min(1).describe('The full name. Its first word becomes the handle.'),
  role: personShape.shape.role.exactOptional(),
  time_zone: timeZone.exactOptional(),
  locale: locale.exactOptional(),
  from: organisationShape
    .exactOptional()
    .describe('The person’s own workspace or organisation, if it is another one (Slack Connect).'),
});

export const channelShape = z.strictObject({
  id: z.string(),
  name: z.string().describe('Without #.'),
  kind: z.enum(['public', 'private', 'im', 'mpim']),
  topic: z.string(),
  members: z.array(z.string()).describe('Full names.'),
  has_app: z.boolean(),
  archived: z.boolean(),
  shared_with: z.array(z.string()).describe('Ids of the other workspaces and organisations in the channel.'),
});

export const newChannelShape = z.strictObject({
  name: z.string().min(1),
  private: z.boolean().exactOptional(),
  members: z.array(personName),
  has_app: z.boolean().exactOptional().describe('Whether the app is a member. Defaults to true.'),
});

export const groupShape = z.strictObject({
  id: z.string(),
  handle: z.string().describe('Without @.'),
  name: z.string(),
  members: z.array(z.string()).describe('Full names.'),
  disabled: z.boolean(),
});

export const teamShape = z.strictObject({ id: z.string().describe('For `team`.'), name: z.string() });

const appShape = z.strictObject({
  name: z.string(),
  bot_user_id: z.string(),
  connected: z.boolean().describe('Over HTTP always true: requests are sent without a connection.'),
});

const credentials = z.strictObject({
  bot_token: z.string().describe('Empty if the app isn’t installed in the workspace.'),
  app_token: z.string(),
  signing_secret: z.string(),
  client_id: z.string(),
  client_secret: z.string(),
});

export const workspaceShape = z.strictObject({
  url: z.string(),
  api_url: z.string().describe('For slackApiUrl, base_url or methodsEndpointUrlPrefix of Slack’s SDKs.'),
  authorize_url: z.string(),
  ...credentials.shape,
  team: teamShape,
  app: appShape,
  other_apps: z.array(z.strictObject({ ...appShape.shape, ...credentials.shape })),
});

export const exchangeShape = z.strictObject({
  at: z.string().describe('The time of the workspace’s clock, ISO 8601.'),
  kind: z.string().describe('Web API, response_url or upload; or slash_commands, block_actions and so on.'),
  name: z.string().describe('The method of a call; the command, event or action_id of a request.'),
  payload: z
    .unknown()
    .describe('The arguments of a call, or the payload of a request. Tokens are shortened.'),
  answer: z.unknown().exactOptional().describe('Absent without an answer, and for an empty one.'),
  duration_ms: z.number().exactOptional(),
  outcome: z.enum(['waiting', 'acknowledged', 'answered', 'late', 'failed']),
  error: z.string().exactOptional().describe('Slack’s error, or the reason why the app didn’t acknowledge.'),
});

export const clockShape = z.strictObject({ now: z.string().describe('ISO 8601.'), offset_ms: z.number() });

export const faultsShape = z.strictObject({
  plan: slackFaultPlan,
  calls: z.record(z.string(), z.number()).describe('How often each method was called since the start.'),
  faults: z.record(z.string(), z.number()).describe('How often each fault happened since the start.'),
});

/** The components of the OpenAPI document. Other schemas have the names of their operations. */
export const COMPONENTS: Readonly<Record<string, z.ZodType>> = {
  Message: messageShape,
  Modal: modalShape,
  Screen: screenShape,
  Person: personShape,
  NewPerson: newPersonShape,
  Channel: channelShape,
  NewChannel: newChannelShape,
  Group: groupShape,
  Team: teamShape,
  Workspace: workspaceShape,
  Exchange: exchangeShape,
  Clock: clockShape,
  Faults: faultsShape,
  FaultPlan: slackFaultPlan,
};
