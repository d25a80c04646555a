import { randomUUID } from 'node:crypto';
import type { WebClient } from '@slack/web-api';
import type { Attempt, Call, Command, Feature, SubmissionAnswer } from '../feature.ts';
import { LIMITS } from '../limits.ts';
import { readCommand } from '../read-command.ts';
import { acknowledgement } from './acknowledgement.ts';
import { callFor, commandWords, type Frame, openView, submissionAnswer } from './calls.ts';
import { answerFailure, failureView } from './failure.ts';
import { type Request, readRequest } from './payloads.ts';
import { outdatedMessage, unknownCommand } from './unknown.ts';

interface RouterOptions<Parts> extends Frame<Parts> {
  /** The feature that `/upnext` alone stands for. */
  first: string;
  /** Throws where a person may not do what they attempt. */
  permit(call: Call<Parts>, feature: string, attempt: Attempt): Promise<void>;
}

/** One request of Slack's, from Bolt. */
interface Incoming {
  body: unknown;
  ack: (payload?: unknown) => Promise<void>;
  client: WebClient;
}

/** Answers every request that Slack sends; never rejects. Resolves when all work that follows is done. */
type Router = (incoming: Incoming) => Promise<void>;

/** Finds each request's handler in the features, and answers for it where it fails or where there is none. */
export function createRouter<Parts>(options: RouterOptions<Parts>): Router {
  return async ({ body, ack: boltAck, client }) => {
    const request = readRequest(body);
    if (!request) {
      const kind = kindOf(body);
      options.log.warn({ kind }, 'a request that this app does not know');
      // An empty acknowledgement would close a form, and its words would be gone.
      return kind === 'view_submission' ? boltAck(onTop(outdatedMessage().text)) : boltAck();
    }
    const reference = randomUUID().slice(0, 8);
    const ack = acknowledgement(
      boltAck,
      () => lateAnswer(request, reference),
      (error) => options.log.error({ reference, err: error }, 'the acknowledgement did not reach Slack'),
    );
    const call = callFor(options, request, client, ack, reference);
    try {
      await dispatch(options, request, call, (payload) => ack.give(payload));
      if (request.kind === 'command') await ack.give();
    } catch (error) {
      await answerFailure({ error, request, call, ack });
    } finally {
      ack.done();
    }
  };
}

type Give = (payload?: unknown) => Promise<boolean>;

async function dispatch<Parts>(
  options: RouterOptions<Parts>,
  request: Request,
  call: Call<Parts>,
  give: Give,
): Promise<void> {
  switch (request.kind) {
    case 'command':
      return runCommand(options, request, call);
    case 'action':
      await give();
      return runAction(options, request, call);
    case 'view':
      return submitView(options, request, call, give);
    case 'options': {
      const found = find(options.features, (feature) => feature.options, request.action_id);
      if (!found) return void (await give({ options: [] }));
      await options.permit(call, found.feature, { surface: 'options', id: request.action_id });
      const view = request.view && { view: openView(request.view) };
      const choices = await found.run({ ...call, query: request.value, ...view });
      await give({ options: choices.slice(0, LIMITS.options) });
    }
  }
}

async function runCommand<Parts>(
  options: RouterOptions<Parts>,
  request: Extract<Request, { kind: 'command' }>,
  call: Call<Parts>,
): Promise<void> {
  const own = options.features.flatMap((feature) =>
    feature.commands
      .filter((one) => one.ownCommand === request.command)
      .map((command) => ({ feature, command })),
  )[0];
  if (own) return permitted(own.feature.name, own.command, commandWords(request.text));
  const read = readCommand(request.text, options.catalogue);
  if (read.kind === 'unknown') return call.reply(unknownCommand(read));
  const name = read.kind === 'none' ? options.first : read.feature;
  const feature = options.features.find((one) => one.name === name);
  const command = feature?.commands.find((one) => read.kind === 'none' || one.name === read.command.name);
  if (!command) throw new Error(`the catalogue lists a command of "${name}" that nothing answers`);
  return permitted(name, command, read.kind === 'none' ? '' : read.words);

  async function permitted(feature: string, { run }: Command<Parts>, words: string) {
    await options.permit(call, feature, { surface: 'command' });
    await run({ ...call, words });
  }
}

async function runAction<Parts>(
  options: RouterOptions<Parts>,
  request: Extract<Request, { kind: 'action' }>,
  call: Call<Parts>,
): Promise<void> {
  const [action] = request.actions;
  const found = action && find(options.features, (feature) => feature.actions, action.action_id);
  if (!found) {
    options.log.warn(
      { reference: call.reference, action: action?.action_id },
      'an action that nothing answers',
    );
    return call.reply(outdatedMessage());
  }
  await options.permit(call, found.feature, { surface: 'action', id: action.action_id });
  const ts = request.container?.message_ts;
  await found.run({
    ...call,
    action: {
      id: action.action_id,
      ...(typeof action.value === 'string' && { value: action.value }),
      ...(action.selected_option && { chosen: action.selected_option.value }),
    },
    ...(request.view && { view: openView(request.view) }),
    ...(request.channel && ts !== undefined && { message: { channel: request.channel.id, ts } }),
  });
}

async function submitView<Parts>(
  options: RouterOptions<Parts>,
  request: Extract<Request, { kind: 'view' }>,
  call: Call<Parts>,
  give: Give,
): Promise<void> {
  const view = openView(request.view);
  const found = find(options.features, (feature) => feature.views, view.callbackId);
  if (!found) {
    options.log.warn({ reference: call.reference, view: view.callbackId }, 'a form that nothing answers');
    return void (await give(onTop(outdatedMessage().text)));
  }
  await options.permit(call, found.feature, { surface: 'view', id: view.callbackId, values: view.values });
  await found.run({ ...call, view, answer });

  async function answer(said: SubmissionAnswer) {
    if (await give(submissionAnswer(said))) return true;
    // Slack has been told that it takes long: the form itself can still change, errors under fields cannot come.
    if ('errors' in said) return false;
    await call.client.views.update({ view_id: view.id, view: said.view });
    return true;
  }
}

function find<Parts, Handler>(
  features: readonly Feature<Parts>[],
  handlersOf: (feature: Feature<Parts>) => Readonly<Record<string, Handler>> | undefined,
  id: string,
): { feature: string; run: Handler } | undefined {
  for (const feature of features) {
    const handlers = handlersOf(feature);
    const run = handlers && Object.hasOwn(handlers, id) ? handlers[id] : undefined;
    if (run !== undefined) return { feature: feature.name, run };
  }
  return undefined;
}

/** What Slack is told when no handler has answered in time. */
function lateAnswer(request: Request, reference: string): unknown {
  if (request.kind === 'options') return { options: [] };
  if (request.kind !== 'view') return undefined;
  const text = `That took too long, and I do not know how it ended. See \`/upnext\` before you send it again. Reference: ${reference}`;
  return onTop(text);
}

/** On top of a form, which stays underneath with every word. */
function onTop(text: string): object {
  return { response_action: 'push', view: failureView(text) };
}

function kindOf(body: unknown): string {
  return typeof body === 'object' && body !== null && 'type' in body ? String(body.type) : typeof body;
}
