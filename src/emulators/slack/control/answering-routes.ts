import { z } from 'zod';
import { withApp, withTimeout } from './options.ts';
import { defineRoute, NO_QUERY, type Route } from './route.ts';
import { ownerName, timeoutMs } from './schemas.ts';

const values = z.record(z.string(), z.unknown());

/** Actions of a person, answered with their result. A step ends later than it starts, so waiting for it is a second call. */
export const ANSWERING_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/people/{person}/install',
    operationId: 'install',
    tag: 'People',
    summary: 'Install an app from its own page, and follow all redirects',
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
    summary: 'List the options of a menu',
    body: z.strictObject({
      menu: z.string(),
      typed: z
        .string()
        .exactOptional()
        .describe('The search text, for menus that load their options from the app.'),
      timeout_ms: timeoutMs,
    }),
    query: NO_QUERY,
    answer: z.strictObject({ options: z.array(z.string()) }),
    errors: ['unknown_person', 'not_visible', 'query_too_short', 'refused'],
    run: async (call) => {
      const { menu, typed, timeout_ms: timeout } = call.body;
      return {
        options: await call.team
          .screen(call.params.person ?? '')
          .listOptions(menu, typed, withTimeout(timeout)),
      };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/people/{person}/run-step',
    operationId: 'runStep',
    tag: 'People',
    summary: 'Run a step of an app by its title, as a workflow would',
    body: z.strictObject({
      title: z.string(),
      app: ownerName,
      inputs: values
        .exactOptional()
        .describe('The inputs by name. People and channels can have names, such as Ben and #general.'),
    }),
    query: NO_QUERY,
    answer: z.strictObject({ id: z.string().describe('function_execution_id') }),
    errors: ['unknown_person', 'deactivated_person', 'unknown_step', 'unknown_app', 'refused'],
    run({ team, params, body: { title, inputs = {}, app } }) {
      const { id } = team.as(params.person ?? '').runStep(title, inputs, withApp(app));
      return { id };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/people/{person}/wait-for-step',
    operationId: 'waitForStep',
    tag: 'People',
    summary: 'Wait until a step completes, and read its outputs',
    body: z.strictObject({ id: z.string(), timeout_ms: timeoutMs }),
    query: NO_QUERY,
    answer: z.strictObject({ outputs: values }),
    errors: ['unknown_person', 'deactivated_person', 'not_visible', 'step_failed'],
    async run({ team, params, body: { id, timeout_ms: timeout } }) {
      const step = team.as(params.person ?? '').step(id);
      return { outputs: await step.outputs(withTimeout(timeout)) };
    },
  }),
];
