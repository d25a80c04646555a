import { SILENT } from 'slack-workspace-emulator/test-support/workspace';
import { afterEach, expect, test } from 'vitest';
import type { InstallationRemoval } from '../../src/workspaces/installations.ts';
import { createUninstallations } from '../../src/workspaces/retention.ts';

const stopFunctions: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stopFunctions.splice(0)) await stop();
});

const UNINSTALLED_AT = new Date('2026-11-20T12:00:00Z');
const createEvent = (fields: object) => ({
  type: 'event_callback',
  event_id: 'Ev1',
  team_id: 'T1',
  event_time: UNINSTALLED_AT.getTime() / 1000 - 1,
  event: { type: 'app_uninstalled' },
  ...fields,
});

/** Creates an instance. It calls `onRemoval` before it deletes something. */
function createInstance(onRemoval: () => void = () => undefined) {
  const removals: unknown[] = [];
  const notifications: string[] = [];
  const recordRemoval =
    (name: string) =>
    async (...details: unknown[]): Promise<readonly string[]> => {
      onRemoval();
      removals.push([name, ...details]);
      return [String(details[0])];
    };
  const removal: InstallationRemoval = {
    remove: recordRemoval('remove'),
    removeWorkspaces: recordRemoval('removeWorkspaces'),
    restoreAccess: async () => [],
    deleteTokens: recordRemoval('deleteTokens'),
  };
  const uninstallations = createUninstallations({
    log: SILENT,
    now: () => new Date(),
    removal,
    onUninstallation: (workspace, kind) => void notifications.push(`${workspace} ${kind}`),
    retryMs: 20,
  });
  stopFunctions.push(uninstallations.stop);
  return { uninstallations, removals, notifications };
}

test.each<[string, object, unknown]>([
  ['an uninstallation', {}, ['remove', 'T1', UNINSTALLED_AT]],
  [
    'a revoked token',
    { event: { type: 'tokens_revoked', tokens: { bot: ['U1'] } } },
    ['deleteTokens', 'T1', UNINSTALLED_AT],
  ],
  [
    'revoked access to two workspaces',
    { enterprise_id: 'E1', event: { type: 'team_access_revoked', team_ids: ['T1', 'T2'] } },
    ['removeWorkspaces', 'E1', ['T1', 'T2'], UNINSTALLED_AT],
  ],
])(
  'an uninstallation because of %s is handled before its event is acknowledged',
  async (_kind, fields, expected) => {
    const { uninstallations, removals, notifications } = createInstance();
    // Slack sends an event again if it got no acknowledgement within three seconds.
    await Promise.all([1, 2].map(() => uninstallations.handle(createEvent(fields))));
    expect(removals).toEqual([expected]);
    expect(notifications).toHaveLength(1);
  },
);

test('a failed uninstallation is not acknowledged, and is retried until it succeeds', async () => {
  let remainingFailures = 3;
  const { uninstallations, removals } = createInstance(() => {
    if (remainingFailures-- > 0) throw new Error('no connection');
  });
  uninstallations.start();
  await expect(uninstallations.handle(createEvent({}))).rejects.toThrow('no connection');
  await expect.poll(() => removals).toEqual([['remove', 'T1', UNINSTALLED_AT]]);
});

test('a revoked user token is not an uninstallation, and its event reaches no other handler', async () => {
  const { uninstallations, removals } = createInstance();
  const userTokenEvent = createEvent({
    event: { type: 'tokens_revoked', tokens: { oauth: ['U1'], bot: [] } },
  });
  await uninstallations.handle(userTokenEvent);
  expect(removals).toEqual([]);
  expect(uninstallations.isUninstallation(userTokenEvent)).toBe(true);
  expect(uninstallations.isUninstallation(createEvent({ event: { type: 'app_mention' } }))).toBe(false);
});
