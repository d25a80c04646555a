import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { includesRole, type RequiredRole } from '../../../src/access/access.ts';
import { features } from '../../../src/app/features.ts';
import { getRequiredRole } from '../../../src/features/roles/required-role.ts';
import { buildBlockId } from '../../../src/forms/field.ts';
import { type BotDatabase, openBotDatabase } from '../../support/bot-database.ts';
import { isGeneralFault } from './general-fault.ts';
import { surfaces } from './ownership/surfaces.ts';
import { createRecordingRouter, PEOPLE, WORKSPACE } from './recorded-router.ts';
import { REQUIRED_ROLES } from './required-roles.ts';

/** A surface of a feature. `handlerId` names the handler that runs for a person with the required role. */
interface Cell {
  feature: string;
  surface: string;
  handlerId: string;
  requiredRole: RequiredRole | undefined;
  body(user: string): object;
}

const team = { id: WORKSPACE };
const commonFields = { trigger_id: 'trigger', team };

const BODIES: Record<string, (user: string, id: string) => object> = {
  command: (user_id, name) => buildSlashBody('/upnext', name, user_id),
  'own command': (user_id, name) => buildSlashBody(name, '', user_id),
  mention: (user, name) => buildEventBody({ type: 'app_mention', user, text: `<@U0BOT> ${name}` }),
  'direct message': (user, name) => buildEventBody({ type: 'message', channel_type: 'im', user, text: name }),
  open: (user, name) => buildPressBody(user, `open.${name}`),
  action: buildPressBody,
  view: (user, callback_id) => ({
    ...commonFields,
    type: 'view_submission',
    user: { id: user },
    view: { id: 'V1', callback_id },
  }),
  options: (user, action_id) => ({
    ...commonFields,
    type: 'block_suggestion',
    user: { id: user },
    action_id,
  }),
  shortcut: (user, callback_id) => ({ ...commonFields, type: 'shortcut', user: { id: user }, callback_id }),
  'message shortcut': (user, callback_id) => ({
    ...{ ...commonFields, type: 'message_action', user: { id: user }, callback_id },
    ...{ channel: { id: 'C1' }, message: { ts: '1.1', text: 'a message' } },
  }),
  event: (user, type) => buildEventBody({ type, user, tab: 'home' }),
};

function buildSlashBody(command: string, text: string, user_id: string): object {
  const commandFields = {
    team_id: WORKSPACE,
    channel_id: 'C1',
    trigger_id: 't',
    response_url: 'https://example.com',
  };
  return { ...commandFields, command, text, user_id };
}

function buildPressBody(user: string, action_id: string): object {
  return {
    ...commonFields,
    type: 'block_actions',
    user: { id: user },
    actions: [{ action_id, type: 'button' }],
  };
}

function buildEventBody(event: object): object {
  const fullEvent = { channel: 'C1', ts: '1.1', ...event };
  return { type: 'event_callback', event_id: 'Ev1', team_id: WORKSPACE, event: fullEvent };
}

const cells: Cell[] = surfaces.map(({ feature, surface, id, key }) => {
  const surfaceRoles = REQUIRED_ROLES[feature] ?? {};
  const defaultKey = { action: 'buttons', options: 'options' }[surface];
  return {
    feature,
    surface: `${surface} ${id}`,
    handlerId: key === 'open' ? `open ${feature}` : key,
    requiredRole: surfaceRoles[key] ?? (defaultKey === undefined ? undefined : surfaceRoles[defaultKey]),
    body: (user) => BODIES[surface]?.(user, id) ?? {},
  };
});

let database: BotDatabase;
let router: Awaited<ReturnType<typeof createRecordingRouter>>;
beforeAll(async () => {
  database = await openBotDatabase();
  router = await createRecordingRouter(database.db);
});
afterAll(async () => {
  await router.record.flush();
  await database.close();
});

test('every command, form, button, option, shortcut and event has a required role', () => {
  expect(
    cells
      .filter(({ requiredRole }) => requiredRole === undefined)
      .map((cell) => `${cell.feature}: ${cell.surface}`),
  ).toEqual([]);
});

test('no role is listed for a surface that no longer exists', () => {
  const existingKeys = new Set(
    cells.map(({ feature, handlerId }) => `${feature} ${handlerId.startsWith('open') ? 'open' : handlerId}`),
  );
  const obsoleteKeys = Object.entries(REQUIRED_ROLES).flatMap(([feature, surfaceRoles]) =>
    Object.keys(surfaceRoles)
      .filter((key) => !['buttons', 'options'].includes(key) && !existingKeys.has(`${feature} ${key}`))
      .map((key) => `${feature}: ${key}`),
  );
  expect(obsoleteKeys).toEqual([]);
});

describe.each(Object.entries(PEOPLE))('%s', (user, { role, isOutsider = false }) => {
  test('each kind of person can use exactly the surfaces that their role permits', async () => {
    const problems: string[] = [];
    for (const { feature, surface, requiredRole, handlerId, body } of cells) {
      const isPermitted = !isOutsider && requiredRole !== undefined && includesRole(role, requiredRole);
      const { ranHandlers, answer, failures } = await router.ask(body(user));
      const surfaceName = `${feature}: ${surface}`;
      if (failures.length > 0 || isGeneralFault(answer))
        problems.push(`${surfaceName} failed: ${failures.join()} ${answer}`);
      if (isPermitted ? ranHandlers.join() !== handlerId : ranHandlers.length > 0)
        problems.push(`${surfaceName} ran "${ranHandlers.join()}"`);
      if (isPermitted || surface.startsWith('options')) continue;
      if (!isExplained(answer)) problems.push(`${surfaceName} said ${answer}`);
      // Only full members can get a role, so only they have a button to ask for one.
      const canAsk = !isOutsider;
      if (answer.includes('"roles.ask"') !== canAsk)
        problems.push(`${surfaceName} offers to ask: ${!canAsk}`);
    }
    expect(problems).toEqual([]);
  }, 120_000);
});

function isExplained(answer: string): boolean {
  return /You need (?:the \w+|a) role|can’t use Upnext|can use Upnext here|couldn’t check/.test(answer);
}

test('a draft requires the role contributor, and a scheduled post the role publisher', () => {
  const schedule = features.find(({ name }) => name === 'schedule-post');
  const createStatus = (value: string) => ({
    [buildBlockId('status', {})]: {
      'schedule-post.status': { type: 'radio_buttons', selected_option: { value } },
    },
  });
  const getRole = (value: string) =>
    schedule &&
    getRequiredRole(schedule, { surface: 'view', id: 'schedule-post', values: createStatus(value) });
  expect([getRole('DRAFT'), getRole('SCHEDULED')]).toEqual(['contributor', 'publisher']);
});
