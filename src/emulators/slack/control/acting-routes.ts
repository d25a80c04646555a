import { z } from 'zod';
import type { FieldValue, Screen } from '../acting/screen.ts';
import { describeScreen } from './describe-screen.ts';
import { type ControlCall, defineRoute, NO_BODY, NO_QUERY, type Route } from './route.ts';
import { appName, screenShape, timeoutMs } from './schemas.ts';

/** Acting as a person. Every action answers with what the person sees afterwards. */

function screenOf({ team, params }: ControlCall<unknown, unknown>): Screen {
  return team.screen(params.person ?? '');
}

interface Action<Body extends z.ZodType> {
  name: string;
  summary: string;
  body: Body;
  errors?: Route['errors'];
  run(screen: Screen, body: z.output<Body>): Promise<void> | void;
}

/** `POST /people/{person}/NAME`, answered with the screen. */
function defineAction<Body extends z.ZodType>({ name, summary, body, errors, run }: Action<Body>): Route {
  return defineRoute({
    method: 'post',
    path: `/people/{person}/${name}`,
    operationId: name,
    tag: 'People',
    summary,
    body,
    query: NO_QUERY,
    answer: screenShape,
    errors: ['unknown_person', 'deactivated_person', 'refused', ...(errors ?? [])],
    async run(call) {
      const screen = screenOf(call);
      await run(screen, call.body);
      return describeScreen(screen);
    },
  });
}

const file = z.strictObject({ name: z.string(), base64: z.base64() });
const fieldValue = z.union([
  z.string().describe('Text, a date, a time, or the text of an option, or the name of a person or channel.'),
  z.array(z.string()).describe('Several options.'),
  z.strictObject({ files: z.array(file) }).describe('For a file field.'),
  z.null().describe('Empties the field.'),
]);

function readValue(value: z.infer<typeof fieldValue>): FieldValue {
  if (value === null || typeof value === 'string' || Array.isArray(value)) return value;
  return { files: value.files.map(({ name, base64 }) => ({ name, bytes: Buffer.from(base64, 'base64') })) };
}

export const ACTING_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/people/{person}/screen',
    operationId: 'read',
    tag: 'People',
    summary: 'What the person sees now',
    body: NO_BODY,
    query: NO_QUERY,
    answer: screenShape,
    errors: ['unknown_person', 'deactivated_person'],
    run: (call) => describeScreen(screenOf(call)),
  }),
  defineAction({
    name: 'open',
    summary: 'Go to a channel, a tab of the app or a new chat with it, and stay there',
    body: z.union([
      z.strictObject({ channel: z.string().describe('By name or id: #general.') }),
      z.strictObject({ tab: z.enum(['messages', 'new_chat']) }),
      z.strictObject({ tab: z.literal('home'), app: appName.exactOptional() }),
    ]),
    errors: ['unknown_channel', 'unknown_app'],
    run: (screen, body) =>
      'tab' in body
        ? screen.openTab(body.tab, 'app' in body ? body.app : undefined)
        : screen.openChannel(body.channel),
  }),
  defineAction({
    name: 'type',
    summary: 'Send a message, or a command such as /todo Buy milk',
    body: z.strictObject({
      text: z.string().min(1),
      in_thread_of: z.string().exactOptional().describe('Replies to the newest message with this text.'),
    }),
    errors: ['unknown_message'],
    run: (screen, { text, in_thread_of: thread }) =>
      thread === undefined ? screen.type(text) : screen.actor.reply(thread, text),
  }),
  defineAction({
    name: 'mention',
    summary: 'Mention the app in a message',
    body: z.strictObject({
      text: z.string(),
      in_thread_of: z.string().exactOptional().describe('Replies to the newest message with this text.'),
    }),
    errors: ['unknown_message'],
    run: ({ actor }, { text, in_thread_of: thread }) =>
      actor.mention(text, thread === undefined ? {} : { inThreadOf: thread }),
  }),
  defineAction({
    name: 'fill',
    summary: 'Fill in fields and choose from menus, by label, and wait for each',
    body: z.strictObject({ fields: z.record(z.string(), fieldValue), timeout_ms: timeoutMs }),
    errors: ['not_visible', 'unknown_option', 'wrong_element', 'query_too_short', 'unknown_channel'],
    run(screen, { fields, timeout_ms: timeout }) {
      const values = Object.entries(fields).map(([label, value]) => [label, readValue(value)] as const);
      return screen.fill(Object.fromEntries(values), withTimeout(timeout));
    },
  }),
  defineAction({
    name: 'press',
    summary: 'Press a button, also the submit or close button of a modal, and wait for it',
    body: z.strictObject({ button: z.string(), timeout_ms: timeoutMs }),
    errors: ['not_visible', 'closed_modal'],
    run: (screen, { button, timeout_ms: timeout }) => screen.press(button, withTimeout(timeout)),
  }),
  defineAction({
    name: 'react',
    summary: 'Add an emoji to the newest message with a text, or remove it',
    body: z.strictObject({ message: z.string(), emoji: z.string().describe('A name such as eyes.') }),
    errors: ['unknown_message'],
    run: ({ actor }, { message, emoji }) => actor.react(message, emoji),
  }),
  defineAction({
    name: 'shortcut',
    summary: 'Run a shortcut by its name',
    body: z.strictObject({
      name: z.string(),
      on_message: z.string().exactOptional().describe('For a message shortcut: a text of the message.'),
    }),
    errors: ['unknown_shortcut', 'unknown_message'],
    run: ({ actor }, { name, on_message: message }) => actor.shortcut(name, message),
  }),
  defineAction({
    name: 'enter',
    summary: 'Press Enter in a text field, of which the app learns if the field’s block has dispatch_action',
    body: z.strictObject({ field: z.string(), timeout_ms: timeoutMs }),
    errors: ['not_visible'],
    run: (screen, { field, timeout_ms: timeout }) => screen.enter(field, withTimeout(timeout)),
  }),
  defineAction({
    name: 'wait',
    summary: 'Wait until the person sees something',
    body: z
      .strictObject({
        text: z.string().exactOptional(),
        no_text: z.string().exactOptional().describe('Waits until this text is nowhere visible.'),
        modal: z.string().exactOptional().describe('The title of the modal on top.'),
        timeout_ms: timeoutMs,
      })
      .describe('All conditions have to be true at the same time.'),
    errors: ['not_visible'],
    run: (screen, { text, no_text: noText, modal, timeout_ms: timeout }) =>
      screen.wait({ text, noText, modal }, withTimeout(timeout)),
  }),
  defineRoute({
    method: 'post',
    path: '/people/{person}/install',
    operationId: 'install',
    tag: 'People',
    summary: 'Install the app from its own page, and follow all redirects',
    body: z.strictObject({
      url: z.url().describe('The app’s page with a link or redirect to Slack.'),
      cancel: z.boolean().exactOptional(),
      declined_scopes: z.array(z.string()).exactOptional().describe('Optional scopes.'),
    }),
    query: NO_QUERY,
    answer: z.strictObject({ status: z.int(), url: z.string(), html: z.string() }),
    errors: ['unknown_person', 'install_failed'],
    run({ team, params: { person = '' }, body: { url, declined_scopes: declinedScopes, ...choice } }) {
      return team.as(person).install(url, { ...choice, ...(declinedScopes && { declinedScopes }) });
    },
  }),
  defineRoute({
    method: 'post',
    path: '/people/{person}/options',
    operationId: 'options',
    tag: 'People',
    summary: 'The options that a menu offers',
    body: z.strictObject({
      menu: z.string(),
      typed: z.string().exactOptional().describe('For a menu that loads its options from the app.'),
      timeout_ms: timeoutMs,
    }),
    query: NO_QUERY,
    answer: z.strictObject({ options: z.array(z.string()) }),
    errors: ['unknown_person', 'not_visible', 'query_too_short', 'refused'],
    run: async (call) => {
      const { menu, typed, timeout_ms: timeout } = call.body;
      return { options: await screenOf(call).listOptions(menu, typed, withTimeout(timeout)) };
    },
  }),
];

function withTimeout(timeout: number | undefined): { timeoutMs?: number } {
  return timeout === undefined ? {} : { timeoutMs: timeout };
}
