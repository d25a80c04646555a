import { z } from 'zod';
import { findInteractionWorkspace } from '../../slack/actor.ts';
import { viewValues } from '../../slack/interaction-values.ts';
import { LIMITS } from '../../slack/limits.ts';

/** An optional string. A value of another type counts as absent. */
const optionalText = z.string().optional().catch(undefined);

const user = z.object({ id: z.string().min(1), team_id: optionalText });
/** Slack sends null for views and global shortcuts if the app is installed in a whole organisation. */
const team = z.object({ id: z.string().min(1) }).nullish();

const view = z.object({
  id: z.string(),
  type: z.string().default('modal'),
  hash: z.string().default(''),
  callback_id: z.string().default(''),
  private_metadata: z.string().default(''),
  app_installed_team_id: optionalText,
  title: z.object({ text: z.string() }).optional().catch(undefined),
  submit: z.unknown().optional(),
  previous_view_id: z.string().nullish().catch(undefined),
  root_view_id: optionalText,
  blocks: z
    .array(z.object({ block_id: z.string().optional(), optional: z.boolean().optional().catch(undefined) }))
    .default([]),
  // Some requests for options have no state.
  state: z
    .object({ values: viewValues.default({}) })
    .nullish()
    .transform((state) => state ?? { values: {} }),
});

const command = z.object({
  command: z.string(),
  text: z.string().default(''),
  team_id: z.string().min(1),
  user_id: z.string().min(1),
  channel_id: z.string().min(1),
  channel_name: optionalText,
  trigger_id: z.string(),
  response_url: z.string(),
});

const blockActions = z.object({
  type: z.literal('block_actions'),
  team,
  user,
  trigger_id: z.string().optional(),
  response_url: z.string().optional(),
  channel: z.object({ id: z.string(), name: optionalText }).optional(),
  container: z
    .object({ message_ts: optionalText, thread_ts: optionalText, is_ephemeral: z.boolean().optional() })
    .optional(),
  view: view.optional(),
  actions: z
    .array(
      z.object({
        action_id: z.string(),
        type: z.string().default(''),
        action_ts: z.coerce.number().positive().optional().catch(undefined),
        text: z.object({ text: z.string() }).optional().catch(undefined),
        value: z.string().nullish(),
        selected_option: z
          .object({ value: z.string(), text: z.object({ text: z.string() }).optional().catch(undefined) })
          .nullish(),
      }),
    )
    .min(1),
});

const viewSubmission = z.object({
  type: z.literal('view_submission'),
  team,
  user,
  trigger_id: z.string().optional(),
  view,
});

const blockSuggestion = z.object({
  type: z.literal('block_suggestion'),
  team,
  user,
  action_id: z.string(),
  value: z.string().default(''),
  channel: z.object({ id: z.string() }).optional(),
  view: view.optional(),
});

const shortcut = z.object({
  type: z.literal('shortcut'),
  team,
  user,
  callback_id: z.string(),
  trigger_id: z.string(),
});

const messageAction = shortcut.extend({
  type: z.literal('message_action'),
  channel: z.object({ id: z.string(), name: optionalText }),
  response_url: z.string().optional(),
  message: z.object({
    ts: optionalText,
    thread_ts: optionalText,
    text: z.string().default(''),
    blocks: z.unknown().optional(),
    attachments: z.unknown().optional(),
    files: z.unknown().optional(),
  }),
});

const event = z.object({
  type: z.literal('event_callback'),
  event_id: z.string().min(1),
  team_id: z.string().min(1),
  // In a channel that two workspaces share, `team_id` may be the other workspace. `authorizations` contains our own.
  authorizations: z
    .array(z.object({ team_id: z.string().nullish() }))
    .optional()
    .catch(undefined),
  event: z.looseObject({
    type: z.string(),
    subtype: optionalText,
    user: optionalText,
    user_id: optionalText,
    inviter: optionalText,
    bot_id: optionalText,
    channel: optionalText,
    channel_type: optionalText,
    text: optionalText,
    ts: optionalText,
    thread_ts: optionalText,
  }),
});

export type ViewPayload = z.infer<typeof view>;

type WithTeam<T> = Omit<T, 'team'> & { team: { id: string } };

/** A request from Slack. A person waits for the response, except for most events. */
export type Request =
  | ({ kind: 'command' } & z.infer<typeof command>)
  | ({ kind: 'action' } & WithTeam<z.infer<typeof blockActions>>)
  | ({ kind: 'view' } & WithTeam<z.infer<typeof viewSubmission>>)
  | ({ kind: 'options' } & WithTeam<z.infer<typeof blockSuggestion>>)
  | ({ kind: 'shortcut'; channel?: never; message?: never } & WithTeam<z.infer<typeof shortcut>>)
  | ({ kind: 'shortcut' } & WithTeam<z.infer<typeof messageAction>>)
  | ({ kind: 'event' } & z.infer<typeof event>);

export type RequestOfKind<Kind extends Request['kind']> = Extract<Request, { kind: Kind }>;

/** Parses a request. Undefined if the request is unreadable or has an unknown type. */
export function parseRequest(body: unknown): Request | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const asCommand = 'command' in body ? command.safeParse(body).data : undefined;
  if (asCommand) return { kind: 'command', ...asCommand };
  // Tries only the schema of the type, because a schema that doesn't match takes as long as one that does.
  switch ('type' in body ? body.type : undefined) {
    case 'block_actions':
      return withKind('action', withTeam(blockActions.safeParse(body).data));
    case 'view_submission':
      return withKind('view', withTeam(viewSubmission.safeParse(body).data));
    case 'block_suggestion':
      return withKind('options', withTeam(blockSuggestion.safeParse(body).data));
    case 'event_callback':
      return withKind('event', event.safeParse(body).data);
    case 'shortcut':
      return withKind('shortcut', withTeam(shortcut.safeParse(body).data));
    case 'message_action':
      return withKind('shortcut', withTeam(messageAction.safeParse(body).data));
    default:
      return undefined;
  }
}

function withKind<Kind extends Request['kind'], Payload extends object>(
  kind: Kind,
  payload: Payload | undefined,
) {
  return payload && { kind, ...payload };
}

function withTeam<T extends Parameters<typeof findInteractionWorkspace>[0]>(
  payload: T | undefined,
): WithTeam<T> | undefined {
  if (!payload) return undefined;
  const id = findInteractionWorkspace(payload);
  return id === undefined ? undefined : { ...payload, team: { id } };
}

/** Returns the ts of the first message in the thread of the request. Undefined if the request isn't in a thread. */
export function getThread(request: Request): string | undefined {
  if (request.kind === 'event') return request.event.thread_ts;
  // The first message of a thread is in its channel too.
  if (request.kind === 'shortcut' && request.message?.thread_ts !== request.message?.ts)
    return request.message?.thread_ts;
  return request.kind === 'action' ? request.container?.thread_ts : undefined;
}

/**
 * Maximum length of a text in a request: twice that of a message, because Slack escapes `&`, `<` and `>`, and writes out
 * links and mentions.
 */
const MAX_TEXT_LENGTH = 2 * LIMITS.messageText;

/** True if a text of the request is longer than Slack permits. Only a modified client sends such a request. */
export function hasOverlongText(request: Request): boolean {
  return listTexts(request).some((text) => (text?.length ?? 0) > MAX_TEXT_LENGTH);
}

type OptionalText = string | null | undefined;

/** The texts that a modified client can make as long as it likes. */
function listTexts(request: Request): OptionalText[] {
  switch (request.kind) {
    case 'command':
      return [request.text];
    case 'event':
      return [request.event.text];
    case 'shortcut':
      return [request.message?.text];
    case 'options':
      return [request.value, ...listViewTexts(request.view)];
    case 'action':
      return [...request.actions.flatMap(listValues), ...listViewTexts(request.view)];
    case 'view':
      return listViewTexts(request.view);
  }
}

function listViewTexts(shownView: ViewPayload | undefined): OptionalText[] {
  if (!shownView) return [];
  const elements = Object.values(shownView.state.values).flatMap((block) => Object.values(block));
  return [shownView.private_metadata, ...elements.flatMap(listValues)];
}

function listValues(element: {
  value?: OptionalText;
  selected_option?: { value: string } | null | undefined;
  selected_options?: readonly { value: string }[] | null | undefined;
}): OptionalText[] {
  const { value, selected_option: selected, selected_options: allSelected } = element;
  return [value, selected?.value, ...(allSelected ?? []).map((option) => option.value)];
}
