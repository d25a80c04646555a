import { z } from 'zod';
import type { Exchange } from '../acting/app-traffic.ts';
import { withApp, withTimeout } from './options.ts';
import { defineRoute, NO_BODY, NO_QUERY, type Route } from './route.ts';
import { appName, exchangeShape, timeoutMs } from './schemas.ts';

/** The calls by an app and the requests to it. The workspace stores the newest 500 of both together. */

function describeExchange({ at, durationMs, answer, ...rest }: Exchange): z.infer<typeof exchangeShape> {
  return {
    ...rest,
    at: new Date(at).toISOString(),
    ...(answer !== undefined && { answer }),
    ...(durationMs !== undefined && { duration_ms: durationMs }),
  };
}

export const APP_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/app/calls',
    operationId: 'listCalls',
    tag: 'App',
    summary: 'List the calls by the app, oldest first',
    body: NO_BODY,
    query: z.object({
      method: z.string().exactOptional().describe('Such as chat.postMessage.'),
      app: appName,
    }),
    errors: ['unknown_app'],
    answer: z.strictObject({ calls: z.array(exchangeShape) }),
    run: ({ team, query }) => ({
      calls: team.trafficOf(withApp(query.app)).calls(query.method).map(describeExchange),
    }),
  }),
  defineRoute({
    method: 'get',
    path: '/app/requests',
    operationId: 'listRequests',
    tag: 'App',
    summary: 'List the requests to the app, oldest first',
    body: NO_BODY,
    query: z.object({
      kind: z.string().exactOptional().describe('Such as view_submission.'),
      app: appName,
    }),
    errors: ['unknown_app'],
    answer: z.strictObject({ requests: z.array(exchangeShape) }),
    run: ({ team, query }) => ({
      requests: team.trafficOf(withApp(query.app)).requests(query.kind).map(describeExchange),
    }),
  }),
  defineRoute({
    method: 'post',
    path: '/app/wait-for-call',
    operationId: 'waitForCall',
    tag: 'App',
    summary: 'Wait until a call of a method is answered, and read the newest one. Earlier calls count, too.',
    body: z.strictObject({ method: z.string(), app: appName, timeout_ms: timeoutMs }),
    query: NO_QUERY,
    answer: exchangeShape,
    errors: ['not_called', 'unknown_app'],
    run: async ({ team, body: { method, app, timeout_ms: timeout } }) =>
      describeExchange(await team.trafficOf(withApp(app)).waitForCall(method, withTimeout(timeout))),
  }),
  defineRoute({
    method: 'post',
    path: '/app/wait-for-connection',
    operationId: 'waitForConnection',
    tag: 'App',
    summary: 'Wait until the app is connected. An app over HTTP counts as connected.',
    body: z.strictObject({ app: appName, timeout_ms: timeoutMs }),
    query: NO_QUERY,
    answer: z.strictObject({}),
    errors: ['not_connected', 'unknown_app'],
    async run({ team, body: { app, timeout_ms: timeout } }) {
      await team.trafficOf(withApp(app)).waitUntilConnected(withTimeout(timeout));
      return {};
    },
  }),
];
