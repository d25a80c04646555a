import { randomUUID } from 'node:crypto';
import type { WebClient } from '@slack/web-api';
import { within } from '../../promises.ts';
import { unescapeText } from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import { NotAllowed } from '../../slack/not-allowed.ts';
import { RateLimited } from '../../slack/rate-limits.ts';
import { trackCommits } from '../../store/commits.ts';
import { runForTenant } from '../../store/tenant-turns.ts';
import { withStepBudget } from '../../when/when.ts';
import type { AppContext, Call } from '../call.ts';
import type { Command } from '../feature.ts';
import { mayHaveChanged } from '../request-changes.ts';
import type { Incoming } from './bolt-app.ts';
import { createCall } from './calls.ts';
import { answerFailure, unwrapError } from './failure.ts';
import {
  type Acknowledge,
  answerOptions,
  buildLateResponse,
  buildUnknownResponse,
  logUnknownRequest,
  runAction,
  runShortcut,
  submitView,
} from './interactions.ts';
import { hasOverlongText, parseRequest, type Request, type RequestOfKind } from './payloads.ts';
import { createAcknowledgement, type RouterOptions, runLine } from './routing.ts';
import { awaitsAnswer, runEvent } from './run-event.ts';
import { createViewReplies } from './view-replies.ts';

/** `arrivedAt` defaults to now. */
interface RoutedRequest extends Omit<Incoming, 'arrivedAt'>, Partial<Pick<Incoming, 'arrivedAt'>> {
  client: WebClient;
  /** The bot's own user id. */
  bot?: string | undefined;
}

/**
 * Creates the router, which runs the handler of each request from Slack. It replies if there is none, or if the handler
 * fails. Never rejects. Resolves when all work for the request is done.
 */
export function createRouter(options: RouterOptions): (incoming: RoutedRequest) => Promise<void> {
  return async ({ body, ack: acknowledge, client, bot, arrivedAt = performance.now(), sentAt }) => {
    const request = parseRequest(body);
    if (!request) {
      logUnknownRequest(options.log, body);
      return acknowledge(buildUnknownResponse(body));
    }
    const reference = randomUUID().slice(0, 8);
    const ack = createAcknowledgement(acknowledge, {
      arrivedAt,
      deadlineMs: options.context.pace.acknowledgementDeadlineMs,
      fallback: () => buildLateResponse(request, reference),
      onFailure: (error) =>
        options.log.error({ reference, err: error }, 'could not deliver the acknowledgement to Slack'),
    });
    const viewReplies =
      request.kind === 'action'
        ? createViewReplies(request, client, (err) =>
            options.log.warn({ reference, err }, 'could not show that the reply is loading'),
          )
        : undefined;
    const createCallWith = (context: AppContext) =>
      createCall(
        { ...options, context },
        { request, client, ack, reference, viewReplies, receivedAt: arrivedAt, sentAt },
        (...typed) => runLine(options, ...typed).then(() => undefined),
      );
    let call = createCallWith(options.context);
    await runRequest(call.actor.workspace, async () => {
      let command: Command | undefined;
      try {
        if (request.kind === 'action' || request.kind === 'shortcut') await ack.send();
        const limit = findLimit(request);
        if (limit) options.limits?.count(limit, call.actor);
        if (hasOverlongText(request)) throw createTooLongRefusal(request);
        const countSteps = limit && options.limits?.createStepCounter(call.actor);
        const workspaceContext = await options.loadWorkspaceContext?.(call.actor);
        if (workspaceContext) call = createCallWith({ ...options.context, ...workspaceContext });
        command = await withStepBudget(
          () => dispatch(options, request, call, { acknowledge: (payload) => ack.send(payload), bot }),
          countSteps,
        );
        if (request.kind === 'command' || request.kind === 'event') await ack.send();
      } catch (error) {
        await answerFailure({ error, request, call, ack, hasChanged: mayHaveChanged(unwrapError(error)) });
        if (error instanceof RateLimited) return;
      } finally {
        ack.stopDeadline();
        await viewReplies?.finish();
      }
      if (mayChangeData(request) && !command?.isReadOnly) await refreshSurfaces(options, call);
    });
  };
}

const runRequest = (workspace: string, work: () => Promise<void>): Promise<void> =>
  trackCommits(() => runForTenant(workspace, work));

/** Resolves with the command that ran, if the request was a command line. */
async function dispatch(
  options: RouterOptions,
  request: Request,
  call: Call,
  { acknowledge, bot }: { acknowledge: Acknowledge; bot: string | undefined },
): Promise<Command | undefined> {
  switch (request.kind) {
    case 'command':
      return runLine(options, call, buildLine(options, request));
    case 'action':
      await runAction(options, request, call);
      break;
    case 'shortcut':
      await runShortcut(options, request, call);
      break;
    case 'view':
      await submitView(options, request, call, acknowledge);
      break;
    case 'options':
      await answerOptions(options, request, call, acknowledge);
      break;
    case 'event':
      await runEvent(options, request, call, bot);
  }
  return undefined;
}

/** Builds the line of a slash command. An unknown one is treated as `/upnext`, which an admin may have renamed. */
function buildLine({ catalogue }: RouterOptions, request: RequestOfKind<'command'>): string {
  const isSlashCommand = catalogue.some(({ commands }) =>
    commands.some(({ slashCommand }) => slashCommand === request.command),
  );
  return `${isSlashCommand ? request.command : '/upnext'} ${unescapeText(request.text)}`;
}

/** Creates the refusal of a request whose text is too long to be read at all. */
function createTooLongRefusal({ kind }: Request): NotAllowed {
  const limit = `${LIMITS.messageText.toLocaleString('en')} characters`;
  return new NotAllowed({
    text:
      kind === 'view'
        ? `One of your texts is longer than ${limit}, so nothing was sent. Your form is still here: go back and shorten it.`
        : `That text is longer than ${limit}, so nothing was done. Shorten it and try again.`,
  });
}

/** Returns the kind of the rate limit of a request. Events that nobody waits for are never refused, so none is lost. */
function findLimit(request: Request): 'request' | 'typing' | undefined {
  if (request.kind === 'event') return awaitsAnswer(request) ? 'request' : undefined;
  if (request.kind === 'options') return 'typing';
  if (request.kind !== 'action') return 'request';
  return request.actions.every(({ type }) => type.endsWith('_input')) ? 'typing' : 'request';
}

/** True if the request may have changed data. Searches and typing don't change data. */
function mayChangeData(request: Request): boolean {
  if (request.kind === 'action')
    return request.actions.some(({ type }) => type === 'button' || type === 'overflow');
  return request.kind === 'command' || request.kind === 'view';
}

async function refreshSurfaces(options: RouterOptions, call: Call): Promise<void> {
  try {
    await options.refresh?.(call);
  } catch (error) {
    // The failure isn't reported to the actor, because the request itself succeeded.
    options.log.warn(
      { reference: call.reference, err: error },
      'could not refresh surfaces after the request',
    );
  }
}

export type WorkTracker = ReturnType<typeof createWorkTracker>;

/** Creates a tracker of the work in flight. Work may go on after its request was acknowledged. */
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
    /** Waits until no work is in flight, up to `maxMs`. */
    async waitForAll(maxMs: number): Promise<void> {
      const waitUntilIdle = async () => {
        while (running.size > 0) await Promise.allSettled(running);
      };
      await within(maxMs, waitUntilIdle());
    },
  };
}

// What other modules use of this folder, besides what this file declares.
export {
  buildNotHandledMessage,
  createBoltLogger,
  RespondingApp,
  respondWithoutToken,
} from './bolt-app.ts';
export { createForeignAppFilter, logUnknownRequest } from './interactions.ts';
export { parseRequest } from './payloads.ts';
export type { FallbackReplies, LineCall } from './routing.ts';
export { MAX_CLOCK_SKEW_SECONDS, REQUEST_RESULTS } from './signed-requests.ts';
export { SLACK_OUTCOMES, type SlackAnswer, watchAnswers } from './slack-answers.ts';
export { createClientOptions, createTransport, type SendToSlack, sendToSlack } from './transport.ts';
