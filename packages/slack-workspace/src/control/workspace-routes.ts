import { z } from 'zod';
import { requireApp } from '../acting/require-by-name.ts';
import { slackFaultPlan } from '../faults/slack-fault-plan.ts';
import type { SlackFaults } from '../faults/slack-faults.ts';
import type { Site } from '../site.ts';
import { MAX_CLOCK_TIME } from '../state/clock.ts';
import { findBotToken } from '../state/grants.ts';
import { ControlError } from './control-errors.ts';
import { type ControlCall, defineRoute, NO_BODY, NO_QUERY, type Route } from './route.ts';
import { appName, clockShape, faultsShape, workspaceShape } from './schemas.ts';

/** The settings of an app's connection, the clock, faults and the reset. */

function describeApp(app: Site) {
  const { manifest, state, connection, appToken, signingSecret, clientId, clientSecret } = app;
  return {
    about: { name: manifest.name, bot_user_id: state.app.botUserId, connected: connection.connected },
    credentials: {
      bot_token: findBotToken(app) ?? '',
      app_token: appToken,
      signing_secret: signingSecret,
      client_id: clientId,
      client_secret: clientSecret,
    },
  };
}

function describeWorkspace({
  workspace: { url, apiUrl, authorizeUrl },
  team: { id, name },
  site,
}: ControlCall<unknown, unknown>): z.infer<typeof workspaceShape> {
  const { about, credentials } = describeApp(site);
  const others = site.apps.slice(1).map(describeApp);
  return {
    ...{ url, api_url: apiUrl, authorize_url: authorizeUrl, team: { id, name } },
    ...credentials,
    app: about,
    other_apps: others.map((other) => ({ ...other.about, ...other.credentials })),
  };
}

function describeClock({ workspace }: ControlCall<unknown, unknown>): z.infer<typeof clockShape> {
  const now = workspace.clock.now();
  return { now: new Date(now).toISOString(), offset_ms: workspace.clock.offset };
}

type FaultsCall = ControlCall<unknown, z.output<typeof FAULTS.query>>;

function findFaults({ site, query }: FaultsCall): SlackFaults {
  return requireApp(site, query.app).faults;
}

function describeFaults(call: FaultsCall): z.infer<typeof faultsShape> {
  const { plan } = findFaults(call);
  const counts = findFaults(call).counts();
  return { plan, calls: { ...counts.calls }, faults: { ...counts.faults } };
}

const WORKSPACE = { tag: 'Workspace', query: NO_QUERY } as const;
const FAULTS = {
  tag: 'Workspace',
  query: z.object({ app: appName }),
  path: '/faults',
  errors: ['unknown_app'],
  answer: faultsShape,
} as const;

export const WORKSPACE_ROUTES: readonly Route[] = [
  defineRoute({
    ...WORKSPACE,
    method: 'get',
    path: '/workspace',
    operationId: 'getWorkspace',
    summary: 'Read the settings of the app’s connection',
    body: NO_BODY,
    answer: workspaceShape,
    run: describeWorkspace,
  }),
  defineRoute({
    ...WORKSPACE,
    method: 'post',
    path: '/reset',
    operationId: 'reset',
    summary:
      'Restore the workspace as it was at the start. The app stays connected, and its tokens stay valid.',
    body: NO_BODY,
    answer: workspaceShape,
    run(call) {
      call.workspace.reset();
      return describeWorkspace(call);
    },
  }),
  defineRoute({
    ...WORKSPACE,
    method: 'get',
    path: '/clock',
    operationId: 'getClock',
    summary: 'Read the workspace’s time',
    body: NO_BODY,
    answer: clockShape,
    run: describeClock,
  }),
  defineRoute({
    ...WORKSPACE,
    method: 'post',
    path: '/clock',
    operationId: 'moveClock',
    summary: 'Move the clock, which continues to run',
    body: z.union([
      z.strictObject({ advance_seconds: z.number() }),
      z.strictObject({ now: z.iso.datetime({ offset: true }) }),
    ]),
    answer: clockShape,
    run(call) {
      const { body, workspace } = call;
      const now = 'now' in body ? Date.parse(body.now) : workspace.clock.now() + body.advance_seconds * 1000;
      if (Math.abs(now) > MAX_CLOCK_TIME)
        throw new ControlError('invalid_request', 'The time is out of range.');
      workspace.clock.set(now);
      return describeClock(call);
    },
  }),
  defineRoute({
    ...WORKSPACE,
    method: 'delete',
    path: '/clock',
    operationId: 'resetClock',
    summary: 'Return to the computer’s time',
    body: NO_BODY,
    answer: clockShape,
    run(call) {
      call.workspace.clock.reset();
      return describeClock(call);
    },
  }),
  defineRoute({
    ...FAULTS,
    method: 'get',
    operationId: 'getFaults',
    summary: 'Read the faults, and how often each happened',
    body: NO_BODY,
    run: describeFaults,
  }),
  defineRoute({
    ...FAULTS,
    method: 'put',
    operationId: 'setFaults',
    summary: 'Make Slack fail from the next call on',
    body: slackFaultPlan,
    run(call) {
      findFaults(call).set(call.body);
      return describeFaults(call);
    },
  }),
  defineRoute({
    ...FAULTS,
    method: 'delete',
    operationId: 'clearFaults',
    summary: 'End all faults',
    body: NO_BODY,
    run(call) {
      findFaults(call).clear();
      return describeFaults(call);
    },
  }),
];
