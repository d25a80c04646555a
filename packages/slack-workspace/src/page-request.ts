import type { Container, ElementState, ViewValues } from './protocol.ts';

/** A request of the page to its server, which answers each with one `result` of the same `id`. */
export type PageRequest =
  | { id: number; act: 'command'; channel: string; text: string }
  | { id: number; act: 'message'; channel: string; text: string; threadTs?: string }
  /** A press of a button, or a change of an element that dispatches `block_actions`. */
  | {
      id: number;
      act: 'press';
      container: Container;
      blockId: string;
      actionId: string;
      /** The new state of the element (`selected_option` …), or `{ type: 'button' }` for a button. */
      element: ElementState;
      /** The current values of all inputs of the container. */
      values: ViewValues;
    }
  | { id: number; act: 'submit'; viewId: string; values: ViewValues }
  | { id: number; act: 'close'; viewId: string; all?: boolean }
  /** Answered with `{ options }` or `{ option_groups }` in Slack's shape. */
  | { id: number; act: 'options'; container: Container; blockId: string; actionId: string; value: string }
  /** Adds the person's reaction, or removes it if it is there. */
  | { id: number; act: 'react'; channel: string; ts: string; name: string }
  /** `app` is the id of the app's bot user. Defaults to the first app with the shortcut. */
  | {
      id: number;
      act: 'shortcut';
      callbackId: string;
      app?: string;
      message?: { channel: string; ts: string };
    }
  /** Starts a chat with an app as an assistant. `channel` is where the person is. Answered with a {@link Chat}. */
  | { id: number; act: 'start-chat'; app?: string; channel?: string }
  /** The person went to another channel while the chat is open. */
  | { id: number; act: 'chat-context'; ts: string; channel: string }
  /** Runs a step of the app as a workflow would. Answered with a {@link StepRun}. */
  | { id: number; act: 'run-step'; app?: string; callbackId: string; inputs: Record<string, unknown> }
  /** Opens or creates the direct message with the app or a person. Answered with `{ channel }`. */
  | { id: number; act: 'open-dm'; user: string }
  /** The newest 100 messages before this ts, oldest first. Answered with {@link OlderMessages}. */
  | { id: number; act: 'history'; channel: string; before: string }
  /** All messages of a thread, including its first. Answered with {@link OlderMessages}. */
  | { id: number; act: 'replies'; channel: string; ts: string }
  /** Opens the app's Home tab. `app` is the id of its bot user. Defaults to the first app. */
  | { id: number; act: 'home-opened'; app?: string }
  /** Opens the app's Messages tab. */
  | { id: number; act: 'messages-opened'; app?: string }
  /** Moves the workspace's clock forward to a time (ms since the epoch), or with `now` back to the computer's time. */
  | { id: number; act: 'clock'; to: number | 'now' }
  /** Turns a fault on. Without a choice, turns it off. */
  | { id: number; act: 'fault'; switch: string; choice?: string };
