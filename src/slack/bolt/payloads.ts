import { z } from 'zod';
import { viewValues } from '../view-values.ts';

/** What may be there, and is no fault of Slack's where it is of another kind. */
const words = z.string().optional().catch(undefined);

const user = z.object({ id: z.string().min(1), team_id: words });
/** Null in views and global shortcuts where a whole organisation has the app. */
const team = z.object({ id: z.string().min(1) }).nullish();

const view = z.object({
  id: z.string(),
  type: z.string().default('modal'),
  hash: z.string().default(''),
  callback_id: z.string().default(''),
  private_metadata: z.string().default(''),
  app_installed_team_id: words,
  blocks: z.array(z.object({ block_id: z.string().optional() })).default([]),
  // Requests for options may come without one.
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
  trigger_id: z.string(),
  response_url: z.string(),
});

const blockActions = z.object({
  type: z.literal('block_actions'),
  team,
  user,
  trigger_id: z.string().optional(),
  response_url: z.string().optional(),
  channel: z.object({ id: z.string() }).optional(),
  container: z.object({ message_ts: words, thread_ts: words }).optional(),
  view: view.optional(),
  actions: z
    .array(
      z.object({
        action_id: z.string(),
        type: z.string().default(''),
        value: z.string().nullish(),
        selected_option: z.object({ value: z.string() }).nullish(),
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
  channel: z.object({ id: z.string() }),
  message: z.object({
    ts: z.string(),
    text: z.string().default(''),
    user: words,
    bot_id: words,
    thread_ts: words,
    blocks: z.unknown().optional(),
    files: z.unknown().optional(),
  }),
});

const event = z.object({
  type: z.literal('event_callback'),
  event_id: z.string().min(1),
  team_id: z.string().min(1),
  // In a channel that two workspaces share, `team_id` may be the other one.
  authorizations: z
    .array(z.object({ team_id: z.string().nullish() }))
    .optional()
    .catch(undefined),
  event: z.looseObject({
    type: z.string(),
    subtype: words,
    user: words,
    inviter: words,
    bot_id: words,
    channel: words,
    channel_type: words,
    text: words,
    ts: words,
    thread_ts: words,
  }),
});

export type ViewPayload = z.infer<typeof view>;

/** With the workspace that it belongs to. */
type Placed<T> = Omit<T, 'team'> & { team: { id: string } };

/** A request of Slack's, told apart by what it is. A person waits for all but most events. */
export type Request =
  | ({ kind: 'command' } & z.infer<typeof command>)
  | ({ kind: 'action' } & Placed<z.infer<typeof blockActions>>)
  | ({ kind: 'view' } & Placed<z.infer<typeof viewSubmission>>)
  | ({ kind: 'options' } & Placed<z.infer<typeof blockSuggestion>>)
  | ({ kind: 'shortcut'; channel?: never; message?: never } & Placed<z.infer<typeof shortcut>>)
  | ({ kind: 'shortcut' } & Placed<z.infer<typeof messageAction>>)
  | ({ kind: 'event' } & z.infer<typeof event>);

export type RequestOf<Kind extends Request['kind']> = Extract<Request, { kind: Kind }>;

/** Undefined for what this app does not know or cannot read. */
export function readRequest(body: unknown): Request | undefined {
  const asCommand = command.safeParse(body);
  if (asCommand.success) return { kind: 'command', ...asCommand.data };
  const asAction = placed(blockActions.safeParse(body).data);
  if (asAction) return { kind: 'action', ...asAction };
  const asView = placed(viewSubmission.safeParse(body).data);
  if (asView) return { kind: 'view', ...asView };
  const asOptions = placed(blockSuggestion.safeParse(body).data);
  if (asOptions) return { kind: 'options', ...asOptions };
  const asEvent = event.safeParse(body);
  if (asEvent.success) return { kind: 'event', ...asEvent.data };
  const asShortcut = placed(shortcut.safeParse(body).data);
  if (asShortcut) return { kind: 'shortcut', ...asShortcut };
  const onMessage = placed(messageAction.safeParse(body).data);
  return onMessage && { kind: 'shortcut', ...onMessage };
}

interface Interaction {
  team?: { id: string } | null | undefined;
  user: { team_id?: string | undefined };
  view?: { app_installed_team_id?: string | undefined } | undefined;
}

/**
 * The workspace by which the app was reached: in a view the one that it is installed in, which need not be the
 * person's own; by an organisation's installation the person's.
 */
function placed<T extends Interaction>(found: T | undefined): Placed<T> | undefined {
  if (!found) return undefined;
  const installed = found.view?.app_installed_team_id;
  const own = installed?.startsWith('T') ? installed : undefined;
  const id = own ?? found.team?.id ?? found.user.team_id;
  return id === undefined ? undefined : { ...found, team: { id } };
}
