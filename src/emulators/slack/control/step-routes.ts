import { z } from 'zod';
import { defineRoute, NO_QUERY, type Route } from './route.ts';
import { timeoutMs } from './schemas.ts';

const values = z.record(z.string(), z.unknown());

/** Steps for workflows that the app offers. A step ends when the app says so, so running it and waiting for it are two calls. */
export const STEP_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/people/{person}/run-step',
    operationId: 'runStep',
    tag: 'People',
    summary: 'Run a step of the app by its title, as a workflow would',
    body: z.strictObject({
      title: z.string(),
      inputs: values.exactOptional().describe('By name. People and channels can be named: Ben, #general.'),
    }),
    query: NO_QUERY,
    answer: z.strictObject({ id: z.string().describe('function_execution_id') }),
    errors: ['unknown_person', 'deactivated_person', 'unknown_step', 'refused'],
    run({ team, params, body: { title, inputs = {} } }) {
      const { id } = team.as(params.person ?? '').runStep(title, inputs);
      return { id };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/people/{person}/wait-for-step',
    operationId: 'waitForStep',
    tag: 'People',
    summary: 'Wait until a step is completed, and get its outputs',
    body: z.strictObject({ id: z.string(), timeout_ms: timeoutMs }),
    query: NO_QUERY,
    answer: z.strictObject({ outputs: values }),
    errors: ['unknown_person', 'deactivated_person', 'not_visible', 'step_failed'],
    async run({ team, params, body: { id, timeout_ms: timeout } }) {
      const step = team.as(params.person ?? '').step(id);
      return { outputs: await step.outputs(timeout === undefined ? {} : { timeoutMs: timeout }) };
    },
  }),
];
