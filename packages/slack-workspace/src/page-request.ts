import { z } from 'zod';

const element = z.looseObject({ type: z.string() });
const values = z.record(z.string(), z.record(z.string(), element));
const container = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message'), channel: z.string(), ts: z.string() }),
  z.object({ type: z.literal('view'), viewId: z.string() }),
  /** `app` is the id of the app's bot user. Defaults to the first app. */
  z.object({ type: z.literal('home'), app: z.string().exactOptional() }),
]);
const elementFields = { container, blockId: z.string(), actionId: z.string() };
/** The id of the bot user of an app. Defaults to the first app that fits. */
const app = z.string().exactOptional();
const channel = z.string();

/** A request of the page to its server, which answers each with one `result` of the same `id` (a number). */
export const pageRequestSchema = z.discriminatedUnion('act', [
  z.object({ act: z.literal('command'), channel, text: z.string() }),
  z.object({
    act: z.literal('message'),
    channel,
    /** May be empty if there are files. */
    text: z.string(),
    /** The ids of files that the person has uploaded. */
    files: z.array(z.string()).exactOptional(),
    threadTs: z.string().exactOptional(),
  }),
  /**
   * A press of a button, or a change of an element that dispatches `block_actions`. `element` is its new state
   * (`selected_option` …), or `{ type: 'button' }`, and `values` are those of all inputs of the container.
   */
  z.object({ act: z.literal('press'), ...elementFields, element, values }),
  z.object({ act: z.literal('submit'), viewId: z.string(), values }),
  z.object({ act: z.literal('close'), viewId: z.string(), all: z.boolean().exactOptional() }),
  /** Answered with `{ options }` or `{ option_groups }` in Slack's shape. */
  z.object({ act: z.literal('options'), ...elementFields, value: z.string() }),
  z.object({
    act: z.literal('shortcut'),
    callbackId: z.string(),
    app,
    message: z.object({ channel, ts: z.string() }).exactOptional(),
  }),
  /** Adds the person's reaction, or removes it if it is there. */
  z.object({ act: z.literal('react'), channel, ts: z.string(), name: z.string() }),
  /** Starts a chat with an app as an assistant. `channel` is where the person is. Answered with a `Chat`. */
  z.object({ act: z.literal('start-chat'), app, channel: channel.exactOptional() }),
  /** The person went to another channel while the chat is open. */
  z.object({ act: z.literal('chat-context'), ts: z.string(), channel }),
  /** Runs a step of the app as a workflow would. Answered with a `StepRun`. */
  z.object({
    act: z.literal('run-step'),
    app,
    callbackId: z.string(),
    inputs: z.record(z.string(), z.unknown()),
  }),
  /** Opens or creates the direct message with the app or a person. Answered with `{ channel }`. */
  z.object({ act: z.literal('open-dm'), user: z.string() }),
  /** The newest 100 messages before this ts, oldest first. Answered with `OlderMessages`. */
  z.object({ act: z.literal('history'), channel, before: z.string() }),
  /** All messages of a thread, including its first. Answered with `OlderMessages`. */
  z.object({ act: z.literal('replies'), channel, ts: z.string() }),
  z.object({ act: z.literal('home-opened'), app }),
  z.object({ act: z.literal('messages-opened'), app }),
  /** Moves the workspace's clock forward to a time (ms since the epoch), or with `now` back to the computer's time. */
  z.object({ act: z.literal('clock'), to: z.union([z.number(), z.literal('now')]) }),
  /** Shares a channel with another workspace or organisation, or ends that. */
  z.object({ act: z.literal('share-channel'), channel, team: z.string(), isShared: z.boolean() }),
  z.object({
    act: z.literal('change-role'),
    person: z.string(),
    role: z.enum(['member', 'guest', 'single-channel-guest']),
  }),
  /** Turns a fault on. Without a choice, turns it off. */
  z.object({ act: z.literal('fault'), switch: z.string(), choice: z.string().exactOptional() }),
]);

export type PageRequest = z.infer<typeof pageRequestSchema>;
/** The message or view of an element. */
export type Container = z.infer<typeof container>;
/**
 * The state of one element in Slack's own shape, as in `view.state.values[block_id][action_id]`:
 * `{ type: 'plain_text_input', value }`, `{ type: 'static_select', selected_option }`,
 * `{ type: 'checkboxes', selected_options }`, `{ type: 'datepicker', selected_date }`, …
 */
export type ElementState = z.infer<typeof element>;
/** block_id → action_id → state. */
export type ViewValues = z.infer<typeof values>;
