import { expect, test } from 'vitest';
import { parseRequest } from '../../src/handlers/bolt/payloads.ts';
import { readOrigin } from '../../src/workspaces/installations.ts';

test.each<[string, unknown, Partial<ReturnType<typeof readOrigin>>]>([
  ['a command', { command: '/upnext', team_id: 'T1', enterprise_id: 'E1' }, { organisation: 'E1' }],
  [
    'a command of an organisation’s installation',
    { command: '/upnext', team_id: 'T1', enterprise_id: 'E1', is_enterprise_install: 'true' },
    { organisation: 'E1', isOrgWide: true },
  ],
  ['a press', { actions: [], team: { id: 'T1' }, user: { id: 'U1', team_id: 'T2' } }, {}],
  [
    'a press in an organisation without a workspace',
    {
      actions: [],
      team: null,
      enterprise: { id: 'E1' },
      user: { team_id: 'T1' },
      is_enterprise_install: true,
    },
    { organisation: 'E1', isOrgWide: true },
  ],
  [
    'a form that is used in another workspace',
    { type: 'view_submission', team: { id: 'T2' }, user: {}, view: { app_installed_team_id: 'T1' } },
    {},
  ],
  [
    'a form of an organisation’s installation',
    { type: 'view_submission', team: null, user: { team_id: 'T1' }, view: { app_installed_team_id: 'E1' } },
    {},
  ],
  [
    'an event in a channel that another workspace shares',
    { event: {}, team_id: 'T2', authorizations: [{ team_id: 'T1', enterprise_id: null }] },
    {},
  ],
  [
    'an event of an organisation’s installation',
    {
      event: {},
      team_id: 'T1',
      authorizations: [{ team_id: null, enterprise_id: 'E1', is_enterprise_install: true }],
    },
    { organisation: 'E1', isOrgWide: true },
  ],
  ['a request without a workspace', { type: 'view_closed' }, { workspace: undefined }],
  ['a workspace whose id isn’t text', { event: {}, team_id: { id: 'T1' } }, { workspace: undefined }],
])('the origin of %s', (_what, body, expected) => {
  const origin = { workspace: 'T1', organisation: undefined, isOrgWide: false };
  expect(readOrigin(body)).toEqual({ ...origin, ...expected });
});

test.each([
  ['the workspace in which the view is installed', 'T3', { id: 'T1' }, 'T3'],
  ['its workspace, if the app is installed in the organisation', 'E1', { id: 'T1' }, 'T1'],
  ['the actor’s workspace, if the organisation is named only', 'E1', null, 'T2'],
  ['its workspace, if there is no installation', undefined, { id: 'T1' }, 'T1'],
])('the bot and the actor of an interaction are from %s', (_what, installedTeam, team, workspace) => {
  const view = { id: 'V1', callback_id: 'form', app_installed_team_id: installedTeam };
  const body = {
    team,
    user: { id: 'U1', team_id: 'T2' },
    view,
    actions: [{ action_id: 'a' }],
    action_id: 'a',
  };
  for (const type of ['block_actions', 'view_submission', 'block_suggestion']) {
    const request = parseRequest({ ...body, type });
    const actorWorkspace = request && 'team' in request ? request.team.id : undefined;
    expect([type, readOrigin({ ...body, type }).workspace, actorWorkspace]).toEqual([
      type,
      workspace,
      workspace,
    ]);
  }
});
