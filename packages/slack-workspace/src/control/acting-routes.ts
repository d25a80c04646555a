import { z } from 'zod';
import type { Form } from '../acting/form.ts';
import { getLabel, isButton, type LocalFile } from '../acting/place.ts';
import type { FieldValue, Screen } from '../acting/screen.ts';
import { listElements, listMessageBlocks } from '../blocks/element-values.ts';
import { getText } from '../json.ts';
import { type ControlCall, defineRoute, type Route, readWait } from './route.ts';
import { appName, type messageShape, type modalShape, ownerName, screenShape, timeoutMs } from './schemas.ts';

function describeModal(modal: Form): z.infer<typeof modalShape> {
  const { close, submit } = modal.buttons();
  const placed = listElements(modal.blocks);
  const errors = modal.errors();
  const fields = placed
    .filter((each) => !isButton(each))
    .map((each) => {
      const label = getLabel(each);
      const error = errors[label];
      return { label, type: each.type, value: modal.value(label), ...(error !== undefined && { error }) };
    });
  const buttons = [...placed.filter(isButton).map(getLabel), close, submit].filter(
    (one) => one !== undefined,
  );
  return { title: modal.title(), text: modal.text(), fields, buttons };
}

function describeMessages(screen: Screen): z.infer<typeof messageShape>[] {
  return screen.messages().map((message) => {
    const buttons = listElements(listMessageBlocks(message)).filter(isButton);
    return {
      ts: message.ts,
      user: screen.authorName(message),
      text: screen.actor.messageText(message),
      buttons: buttons.map(({ element }) => getText(element, 'text') ?? ''),
      ...(message.threadTs !== undefined && { thread_ts: message.threadTs }),
      ephemeral: message.ephemeralTo !== undefined,
    };
  });
}

function describeScreen(screen: Screen): z.infer<typeof screenShape> {
  const modal = screen.actor.topModal();
  return {
    person: screen.personName,
    place: screen.placeName(),
    text: screen.text(),
    messages: describeMessages(screen),
    notices: [...screen.actor.notices()],
    modal: modal ? describeModal(modal) : null,
  };
}

function findScreen({ team, params }: ControlCall<unknown, unknown>): Screen {
  return team.screen(params.person ?? '');
}

interface Action<Body extends z.ZodType> {
  summary: string;
  body: Body;
  run(screen: Screen, body: z.output<Body>): Promise<void> | void;
}

/** Defines `POST /people/{person}/NAME`. */
function defineAction<Body extends z.ZodType>(name: string, action: Action<Body>): Route {
  const { summary, body } = action;
  return defineRoute('People', `post /people/{person}/${name}`, name, {
    ...{ summary, body, answer: screenShape },
    async run(call) {
      const screen = findScreen(call);
      await action.run(screen, call.body);
      return describeScreen(screen);
    },
  });
}

const file = z.strictObject({ name: z.string(), base64: z.base64() });
const fieldValue = z.union([
  z.string().describe('Text, a date, a time, the text of an option, or the name of a person or channel.'),
  z.array(z.string()).describe('Several options.'),
  z.strictObject({ files: z.array(file) }).describe('For a file field.'),
  z.null().describe('Empties the field.'),
]);

const dialog = z
  .enum(['confirm', 'deny'])
  .exactOptional()
  .describe('The answer to the confirmation dialog. Required if the element has one.');

function readFiles(files: readonly z.infer<typeof file>[]): LocalFile[] {
  return files.map(({ name, base64 }) => ({ name, bytes: Buffer.from(base64, 'base64') }));
}

function readValue(value: z.infer<typeof fieldValue>): FieldValue {
  if (value === null || typeof value === 'string' || Array.isArray(value)) return value;
  return { files: readFiles(value.files) };
}

const stepValues = z.record(z.string(), z.unknown());

export const ACTING_ROUTES: readonly Route[] = [
  defineRoute('People', 'get /people/{person}/screen', 'read', {
    summary: 'Read what the person sees',
    answer: screenShape,
    run: (call) => describeScreen(findScreen(call)),
  }),
  defineAction('open', {
    summary: 'Go to a channel, a tab of an app or a new chat with it, and stay there',
    body: z.union([
      z.strictObject({ channel: z.string().describe('By name or id: #general.') }),
      z.strictObject({ tab: z.enum(['home', 'messages', 'new_chat']), app: appName }),
    ]),
    run: (screen, body) =>
      'tab' in body ? screen.openTab(body.tab, body) : screen.openChannel(body.channel),
  }),
  defineAction('type', {
    summary: 'Send a message, or a command such as /todo Buy milk',
    body: z.strictObject({
      text: z.string().min(1),
      in_thread_of: z.string().exactOptional().describe('Replies to the newest message with this text.'),
    }),
    run: (screen, { text, in_thread_of: thread }) =>
      thread === undefined ? screen.type(text) : screen.actor.reply(thread, text),
  }),
  defineAction('drop', {
    summary: 'Drop files into the channel, with a message or without',
    body: z.strictObject({ files: z.array(file).min(1), text: z.string().exactOptional() }),
    run: (screen, { files, text }) => screen.drop(readFiles(files), text),
  }),
  defineAction('mention', {
    summary: 'Mention an app in a message',
    body: z.strictObject({
      text: z.string(),
      app: appName,
      in_thread_of: z.string().exactOptional().describe('Replies to the newest message with this text.'),
    }),
    run: ({ actor }, { text, in_thread_of: inThreadOf, ...choice }) =>
      actor.mention(text, { ...choice, ...(inThreadOf !== undefined && { inThreadOf }) }),
  }),
  defineAction('fill', {
    summary: 'Fill in fields and choose from menus, by label, and wait for each',
    body: z.strictObject({ fields: z.record(z.string(), fieldValue), dialog, timeout_ms: timeoutMs }),
    run(screen, { fields, ...wait }) {
      const values = Object.entries(fields).map(([label, value]) => [label, readValue(value)] as const);
      return screen.fill(Object.fromEntries(values), readWait(wait));
    },
  }),
  defineAction('press', {
    summary: 'Press a button, also the submit or close button of a modal, and wait for it',
    body: z.strictObject({ button: z.string(), dialog, timeout_ms: timeoutMs }),
    run: (screen, { button, ...wait }) => screen.press(button, readWait(wait)),
  }),
  defineAction('react', {
    summary: 'Add an emoji to the newest message with a text, or remove it',
    body: z.strictObject({ message: z.string(), emoji: z.string().describe('A name such as eyes.') }),
    run: ({ actor }, { message, emoji }) => actor.react(message, emoji),
  }),
  defineAction('shortcut', {
    summary: 'Run a shortcut by its name',
    body: z.strictObject({
      name: z.string(),
      app: ownerName,
      on_message: z.string().exactOptional().describe('For a message shortcut: a text of the message.'),
    }),
    run: ({ actor }, { name, on_message: message, ...choice }) => actor.shortcut(name, message, choice),
  }),
  defineAction('enter', {
    summary: 'Press Enter in a text field, which dispatches an action if its block has dispatch_action',
    body: z.strictObject({ field: z.string(), timeout_ms: timeoutMs }),
    run: (screen, { field, ...wait }) => screen.enter(field, readWait(wait)),
  }),
  defineAction('wait', {
    summary: 'Wait until the person sees something',
    body: z
      .strictObject({
        text: z.string().exactOptional(),
        no_text: z.string().exactOptional().describe('Waits until this text isn’t visible.'),
        modal: z.string().exactOptional().describe('The title of the modal on top.'),
        timeout_ms: timeoutMs,
      })
      .describe('All conditions must be true at the same time.'),
    run: (screen, condition) => screen.wait(condition, readWait(condition)),
  }),
  // Actions that are answered with their result. A step ends later than it starts, so waiting for it is a second call.
  defineRoute('People', 'post /people/{person}/install', 'install', {
    summary: 'Install an app from its own page, and follow all redirects',
    body: z.strictObject({
      url: z.url().describe('The app’s page with a link or redirect to Slack.'),
      cancel: z.boolean().exactOptional(),
      declined_scopes: z.array(z.string()).exactOptional().describe('Optional scopes.'),
    }),
    answer: z.strictObject({ status: z.int(), url: z.string(), html: z.string() }),
    run(call) {
      const { url, declined_scopes: declinedScopes, ...choice } = call.body;
      return findScreen(call).actor.install(url, { ...choice, ...(declinedScopes && { declinedScopes }) });
    },
  }),
  defineRoute('People', 'post /people/{person}/options', 'options', {
    summary: 'List the options of a menu',
    body: z.strictObject({
      menu: z.string(),
      typed: z
        .string()
        .exactOptional()
        .describe('The search text, for menus that load their options from the app.'),
      timeout_ms: timeoutMs,
    }),
    answer: z.strictObject({ options: z.array(z.string()) }),
    async run(call) {
      const { menu, typed, ...wait } = call.body;
      return { options: await findScreen(call).listOptions(menu, typed, readWait(wait)) };
    },
  }),
  defineRoute('People', 'post /people/{person}/run-step', 'runStep', {
    summary: 'Run a step of an app by its title, as a workflow would',
    body: z.strictObject({
      title: z.string(),
      app: ownerName,
      inputs: stepValues
        .exactOptional()
        .describe('The inputs by name. People and channels can have names, such as Ben and #general.'),
    }),
    answer: z.strictObject({ id: z.string().describe('function_execution_id') }),
    run(call) {
      const { title, inputs = {}, ...choice } = call.body;
      return { id: findScreen(call).actor.runStep(title, inputs, choice).id };
    },
  }),
  defineRoute('People', 'post /people/{person}/wait-for-step', 'waitForStep', {
    summary: 'Wait until a step completes, and read its outputs',
    body: z.strictObject({ id: z.string(), timeout_ms: timeoutMs }),
    answer: z.strictObject({ outputs: stepValues }),
    async run(call) {
      const { id, ...wait } = call.body;
      return { outputs: await findScreen(call).actor.step(id).outputs(readWait(wait)) };
    },
  }),
];
