import type { Container, ElementState, ViewValues } from './protocol.ts';

/** What the page asks of its server; each is answered by one `result` with the same `id`. */
export type PageRequest =
  | { id: number; act: 'command'; channel: string; text: string }
  | { id: number; act: 'message'; channel: string; text: string; threadTs?: string }
  /** A press or a change of an element that dispatches: becomes `block_actions`. */
  | {
      id: number;
      act: 'press';
      container: Container;
      blockId: string;
      actionId: string;
      /** The element's state after it (`selected_option` …), or for a button `{ type: 'button' }`. */
      element: ElementState;
      /** All inputs of the container as they stand. */
      values: ViewValues;
    }
  | { id: number; act: 'submit'; viewId: string; values: ViewValues }
  | { id: number; act: 'close'; viewId: string; all?: boolean }
  /** Answered with `{ options }` or `{ option_groups }` in Slack's shape. */
  | { id: number; act: 'options'; container: Container; blockId: string; actionId: string; value: string }
  /** Adds the person's reaction, or removes it if it is there. */
  | { id: number; act: 'react'; channel: string; ts: string; name: string }
  /** `app` is the app's user id. Defaults to the first app that has the shortcut. */
  | {
      id: number;
      act: 'shortcut';
      callbackId: string;
      app?: string;
      message?: { channel: string; ts: string };
    }
  /** A new chat with an app as an assistant, beside this channel; answered with a {@link Chat}. */
  | { id: number; act: 'start-chat'; app?: string; channel?: string }
  /** The person is in another channel while the chat is open. */
  | { id: number; act: 'chat-context'; ts: string; channel: string }
  /** Runs a step of the app as a workflow would; answered with a {@link StepRun}. */
  | { id: number; act: 'run-step'; app?: string; callbackId: string; inputs: Record<string, unknown> }
  /** Opens (or makes) the direct message with the app or a person; answered with `{ channel }`. */
  | { id: number; act: 'open-dm'; user: string }
  /** Messages before this ts, the newest 100 of them, oldest first; answered with {@link OlderMessages}. */
  | { id: number; act: 'history'; channel: string; before: string }
  /** A whole thread, its first message included; answered with {@link OlderMessages}. */
  | { id: number; act: 'replies'; channel: string; ts: string }
  /** `app` is the app's user id. Defaults to the first app. */
  | { id: number; act: 'home-opened'; app?: string }
  /** The Messages tab of the app. */
  | { id: number; act: 'messages-opened'; app?: string }
  /** Moves the workspace's clock on to a moment, ms since the epoch; `now`: back to the computer's own time. */
  | { id: number; act: 'clock'; to: number | 'now' }
  /** Makes something fail; without a choice it works as usual again. */
  | { id: number; act: 'fault'; switch: string; choice?: string };
