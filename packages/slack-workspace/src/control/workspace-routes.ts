import { z } from 'zod';
import { requireApp } from '../acting/require-by-name.ts';
import { type SlackFaults, slackFaultPlan } from '../faults/slack-faults.ts';
import type { Site } from '../site.ts';
import { MAX_CLOCK_TIME } from '../state/clock.ts';
import { findBotToken } from '../state/grants.ts';
import { type ControlCall, ControlError, defineRoute, type Route } from './route.ts';
import { appName, clockShape, faultsShape, workspaceShape } from './schemas.ts';

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

const findFaults = ({ site, query }: FaultsCall): SlackFaults => requireApp(site, query.app).faults;

function describeFaults(call: FaultsCall): z.infer<typeof faultsShape> {
  const faults = findFaults(call);
  return { plan: faults.plan, ...faults.counts() };
}

const FAULTS = {
  query: z.object({ app: appName }),
  answer: faultsShape,
} as const;

export const WORKSPACE_ROUTES: readonly Route[] = [
  defineRoute('Workspace', 'get /workspace', 'getWorkspace', {
    summary: 'Read the settings of the app’s connection',
    answer: workspaceShape,
    run: describeWorkspace,
  }),
  defineRoute('Workspace', 'post /reset', 'reset', {
    summary:
      'Restore the workspace as it was at the start. The app stays connected, and its tokens stay valid.',
    answer: workspaceShape,
    run(call) {
      call.workspace.reset();
      return describeWorkspace(call);
    },
  }),
  defineRoute('Workspace', 'get /clock', 'getClock', {
    summary: 'Read the workspace’s time',
    answer: clockShape,
    run: describeClock,
  }),
  defineRoute('Workspace', 'post /clock', 'moveClock', {
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
  defineRoute('Workspace', 'delete /clock', 'resetClock', {
    summary: 'Return to the computer’s time',
    answer: clockShape,
    run(call) {
      call.workspace.clock.reset();
      return describeClock(call);
    },
  }),
  defineRoute('Workspace', 'get /faults', 'getFaults', {
    ...FAULTS,
    summary: 'Read the faults, and how often each happened',
    run: describeFaults,
  }),
  defineRoute('Workspace', 'put /faults', 'setFaults', {
    ...FAULTS,
    summary: 'Make Slack fail from the next call on',
    body: slackFaultPlan,
    run(call) {
      findFaults(call).set(call.body);
      return describeFaults(call);
    },
  }),
  defineRoute('Workspace', 'delete /faults', 'clearFaults', {
    ...FAULTS,
    summary: 'End all faults',
    run(call) {
      findFaults(call).clear();
      return describeFaults(call);
    },
  }),
];
