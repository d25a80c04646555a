import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPlainText } from './support/blocks.ts';
import { expectError } from './support/fixtures.ts';
import { type BoltFixture, startWithBolt } from './support/workspace-bolt.ts';
import { openLivePage } from './support/workspace-page.ts';

describe.each(['socket', 'http'] as const)(
  'the clock of the practice workspace, with an app over %s',
  (mode) => {
    let fixture: BoltFixture;
    let trigger = '';
    beforeAll(async () => {
      fixture = await startWithBolt({ mode });
      fixture.app.command('/say', async ({ ack, body }) => {
        trigger = body.trigger_id;
        await ack();
      });
    });
    afterAll(() => fixture.stop());

    it('a trigger_id expires when the clock moves three seconds ahead, and not earlier', async () => {
      const { workspace, app } = fixture;
      const view = { type: 'modal' as const, title: createPlainText('A view'), blocks: [] };
      await workspace.as('Ana').type('/say');
      workspace.clock.advance(2_000);
      await app.client.views.open({ trigger_id: trigger, view });
      await workspace.as('Ana').type('/say');
      workspace.clock.advance(3_100);
      await expectError(app.client.views.open({ trigger_id: trigger, view }), 'expired_trigger_id');
    });

    it('messages have the date that was set, and signed requests are still accepted', async () => {
      const { workspace, app } = fixture;
      const page = await openLivePage(workspace, '?person=ana');
      await page.receiveMessage();
      workspace.clock.set(new Date('2027-03-01T09:00:00Z'));
      let update = await page.receiveMessage();
      while (update.type !== 'clock') update = await page.receiveMessage();
      expect(Number(update.now)).toBeGreaterThanOrEqual(Date.parse('2027-03-01T09:00:00Z'));
      page.close();
      const { ts } = await app.client.chat.postMessage({ channel: 'C01GENERAL', text: 'a year on' });
      expect(Math.abs(Number(ts) - Date.parse('2027-03-01T09:00:00Z') / 1000)).toBeLessThan(60);
      trigger = '';
      await workspace.as('Ana').type('/say');
      expect(trigger).not.toBe('');
    });
  },
);
