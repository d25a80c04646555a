import { z } from 'zod';
import { viewValues } from '../view-values.ts';

const user = z.object({ id: z.string().min(1) });
const team = z.object({ id: z.string().min(1) });

const view = z.object({
  id: z.string(),
  hash: z.string().default(''),
  callback_id: z.string().default(''),
  private_metadata: z.string().default(''),
  blocks: z.array(z.object({ block_id: z.string().optional() })).default([]),
  state: z.object({ values: viewValues }).default({ values: {} }),
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
  container: z.object({ message_ts: z.string().optional() }).optional(),
  view: view.optional(),
  actions: z
    .array(
      z.object({
        action_id: z.string(),
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
  view: view.optional(),
});

export type ViewPayload = z.infer<typeof view>;

/** A request of Slack's that a person waits for, told apart by what it is. */
export type Request =
  | ({ kind: 'command' } & z.infer<typeof command>)
  | ({ kind: 'action' } & z.infer<typeof blockActions>)
  | ({ kind: 'view' } & z.infer<typeof viewSubmission>)
  | ({ kind: 'options' } & z.infer<typeof blockSuggestion>);

/** Undefined for what this app does not know or cannot read. */
export function readRequest(body: unknown): Request | undefined {
  const asCommand = command.safeParse(body);
  if (asCommand.success) return { kind: 'command', ...asCommand.data };
  const asAction = blockActions.safeParse(body);
  if (asAction.success) return { kind: 'action', ...asAction.data };
  const asView = viewSubmission.safeParse(body);
  if (asView.success) return { kind: 'view', ...asView.data };
  const asOptions = blockSuggestion.safeParse(body);
  if (asOptions.success) return { kind: 'options', ...asOptions.data };
  return undefined;
}
