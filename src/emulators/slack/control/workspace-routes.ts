import { z } from 'zod';
import { slackFaultPlan } from '../faults/slack-fault-plan.ts';
import { ControlError } from './control-errors.ts';
import { type ControlCall, defineRoute, NO_BODY, NO_QUERY, type Route } from './route.ts';
import { clockShape, faultsShape, workspaceShape } from './schemas.ts';

/** The workspace as a whole: what an app needs to connect, the clock, the faults and the reset. */

function describeWorkspace({
  workspace,
  team,
  site,
}: ControlCall<unknown, unknown>): z.infer<typeof workspaceShape> {
  return {
    url: workspace.url,
    api_url: workspace.apiUrl,
    authorize_url: workspace.authorizeUrl,
    bot_token: workspace.botToken,
    app_token: workspace.appToken,
    signing_secret: workspace.signingSecret,
    client_id: workspace.clientId,
    client_secret: workspace.clientSecret,
    team: { id: team.id, name: team.name },
    app: {
      name: site.manifest.name,
      bot_user_id: site.state.app.botUserId,
      connected: site.courier.connected,
    },
    other_apps: workspace.otherApps.map((other) => ({
      name: other.name,
      bot_token: other.botToken,
      app_token: other.appToken,
      signing_secret: other.signingSecret,
    })),
  };
}

function describeClock({ workspace }: ControlCall<unknown, unknown>): z.infer<typeof clockShape> {
  const now = workspace.clock.now();
  return { now: new Date(now).toISOString(), offset_ms: workspace.clock.offset };
}

function describeFaults({ workspace }: ControlCall<unknown, unknown>): z.infer<typeof faultsShape> {
  const { calls, faults } = workspace.faults.counts();
  return { plan: workspace.faults.plan, calls: { ...calls }, faults: { ...faults } };
}

/** The end of the year 2099. */
const MAX_TIME = Date.UTC(2100, 0, 1);

const WORKSPACE = { tag: 'Workspace', query: NO_QUERY } as const;

export const WORKSPACE_ROUTES: readonly Route[] = [
  defineRoute({
    ...WORKSPACE,
    method: 'get',
    path: '/workspace',
    operationId: 'getWorkspace',
    summary: 'What an app needs to connect',
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
      'Restore the workspace as its manifest makes it. The app stays connected, and its tokens stay valid.',
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
    summary: 'The workspace’s time',
    body: NO_BODY,
    answer: clockShape,
    run: describeClock,
  }),
  defineRoute({
    ...WORKSPACE,
    method: 'post',
    path: '/clock',
    operationId: 'moveClock',
    summary: 'Move the clock, which runs on from there',
    body: z.union([
      z.strictObject({ advance_seconds: z.number() }),
      z.strictObject({ now: z.iso.datetime({ offset: true }) }),
    ]),
    answer: clockShape,
    run(call) {
      const { body, workspace } = call;
      const now = 'now' in body ? Date.parse(body.now) : workspace.clock.now() + body.advance_seconds * 1000;
      if (Math.abs(now) > MAX_TIME) throw new ControlError('invalid_request', 'The time is out of range.');
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
    ...WORKSPACE,
    method: 'get',
    path: '/faults',
    operationId: 'getFaults',
    summary: 'How Slack fails, and how often it did',
    body: NO_BODY,
    answer: faultsShape,
    run: describeFaults,
  }),
  defineRoute({
    ...WORKSPACE,
    method: 'put',
    path: '/faults',
    operationId: 'setFaults',
    summary: 'Make Slack fail from the next call on',
    body: slackFaultPlan,
    answer: faultsShape,
    run(call) {
      call.workspace.faults.set(call.body);
      return describeFaults(call);
    },
  }),
  defineRoute({
    ...WORKSPACE,
    method: 'delete',
    path: '/faults',
    operationId: 'clearFaults',
    summary: 'Let Slack work as usual again',
    body: NO_BODY,
    answer: faultsShape,
    run(call) {
      call.workspace.faults.clear();
      return describeFaults(call);
    },
  }),
];
