import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { WebClient } from '@slack/web-api';
import type { Call } from '../../app/call.ts';
import type { AppContext } from '../../app/context.ts';
import { withStepBudget } from '../../when/when.ts';
import { unescapeText } from '../escape.ts';
import { RateLimited } from '../rate-limits.ts';
import { createCall } from './calls.ts';
import { answerFailure, unwrapError } from './failure.ts';
import { createAcknowledgement, type RouterOptions, runLine } from './frame.ts';
import {
  type Acknowledge,
  answerOptions,
  lateAnswer,
  runAction,
  runShortcut,
  submitView,
} from './interactions.ts';
import { type Request, type RequestOf, readRequest } from './payloads.ts';
import { awaitsAnswer, runEvent } from './run-event.ts';
import { answerUnknown, kindOf } from './unknown-request.ts';

/** One request from Slack, as Bolt passes it on. */
interface Incoming {
  body: unknown;
  ack: (payload?: unknown) => Promise<void>;
  client: WebClient;
  /** The bot's own user id. */
  bot?: string | undefined;
}

/** Answers every request from Slack. Never rejects. Resolves when all work for the request is done. */
type Router = (incoming: Incoming) => Promise<void>;

/** Finds the handler of each request in the features. Answers the person if the handler fails or doesn't exist. */
export function createRouter(options: RouterOptions): Router {
  return async ({ body, ack: boltAck, client, bot }) => {
    const request = readRequest(body);
    if (!request) {
      const kind = kindOf(body);
      options.log.warn({ kind }, 'unknown request');
      return boltAck(answerUnknown(kind));
    }
    const reference = randomUUID().slice(0, 8);
    const ack = createAcknowledgement(
      boltAck,
      () => lateAnswer(request, reference),
      (error) =>
        options.log.error({ reference, err: error }, 'could not deliver the acknowledgement to Slack'),
    );
    const callWith = (context: AppContext) =>
      createCall({ ...options, context }, { request, client, ack, reference }, (from, line) =>
        runLine(options, from, line),
      );
    let call = callWith(options.context);
    try {
      if (request.kind === 'action' || request.kind === 'shortcut') await ack.give();
      const limit = limitOf(request);
      if (limit) options.limits?.count(limit, call.actor);
      const charge = limit && options.limits?.charge(call.actor);
      const own = await options.contextFor?.(call.actor);
      if (own) call = callWith({ ...options.context, ...own });
      await withStepBudget(
        () => dispatch(options, request, call, { give: (payload) => ack.give(payload), bot }),
        charge,
      );
      if (request.kind === 'command' || request.kind === 'event') await ack.give();
    } catch (error) {
      const mayBeDone = options.mayBeDone?.(unwrapError(error)) ?? false;
      await answerFailure({ error, request, call, ack, mayBeDone });
      if (error instanceof RateLimited) return;
    } finally {
      ack.stopDeadline();
    }
    if (mayHaveChanged(request)) await refresh(options, call);
  };
}

async function dispatch(
  options: RouterOptions,
  request: Request,
  call: Call,
  { give, bot }: { give: Acknowledge; bot: string | undefined },
): Promise<void> {
  switch (request.kind) {
    case 'command':
      return runLine(options, call, lineOf(options, request));
    case 'action':
      return runAction(options, request, call);
    case 'shortcut':
      return runShortcut(options, request, call);
    case 'view':
      return submitView(options, request, call, give);
    case 'options':
      return answerOptions(options, request, call, give);
    case 'event':
      return runEvent(options, request, call, bot);
  }
}

/** The line of a slash command. A command with an unknown name is `/upnext`, renamed because the name was taken. */
function lineOf({ catalogue }: RouterOptions, request: RequestOf<'command'>): string {
  const isOwn = catalogue.some(({ commands }) =>
    commands.some(({ ownCommand }) => ownCommand === request.command),
  );
  return `${isOwn ? request.command : '/upnext'} ${unescapeText(request.text)}`;
}

/** Events that no person waits for are never limited, so none is lost. */
function limitOf(request: Request): 'request' | 'typing' | undefined {
  if (request.kind === 'event') return awaitsAnswer(request) ? 'request' : undefined;
  if (request.kind === 'options') return 'typing';
  if (request.kind !== 'action') return 'request';
  return request.actions.every(({ type }) => type.endsWith('_input')) ? 'typing' : 'request';
}

/** Whether the request may have changed something: not for searches and typing. */
function mayHaveChanged(request: Request): boolean {
  if (request.kind === 'action') return request.actions.some(({ type }) => type === 'button');
  return request.kind === 'command' || request.kind === 'view';
}

async function refresh(options: RouterOptions, call: Call): Promise<void> {
  try {
    await options.afterwards?.(call);
  } catch (error) {
    // The request itself was handled and answered.
    options.log.warn({ reference: call.reference, err: error }, 'refresh after a request failed');
  }
}

/** How long a shutdown waits for work in flight. A call to the service may take longer. */
const MAX_WAIT_MS = 8_000;

export type WorkTracker = ReturnType<typeof createWorkTracker>;

/** Tracks the work in flight that requests have started, acknowledged or not. */
export function createWorkTracker() {
  const running = new Set<Promise<void>>();
  return {
    async add(work: Promise<void>): Promise<void> {
      running.add(work);
      try {
        await work;
      } finally {
        running.delete(work);
      }
    },
    /** Waits for `ending`, up to the limit. */
    async waitFor(ending: Promise<void>): Promise<void> {
      await Promise.race([ending, delay(MAX_WAIT_MS, undefined, { ref: false })]);
    },
    /** Waits for all work in flight, up to the limit (ms). */
    async waitForAll(maxMs = MAX_WAIT_MS): Promise<void> {
      await Promise.race([Promise.allSettled(running), delay(maxMs, undefined, { ref: false })]);
    },
  };
}
