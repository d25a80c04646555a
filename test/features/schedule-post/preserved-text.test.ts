import { describe, expect, test } from 'vitest';
import { openFilledForm } from '../../support/filled-form.ts';
import { data, invalid, later } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

const { database, running, startBot } = setUpBot();

test('a text that is too long doesn’t block other fields, and is reported on submit', async () => {
  await startBot();
  const { ana, form } = await openFilledForm(running, { text: '🎉'.repeat(1_600) });
  await ana.sees('Tue 1 Dec, 09:00 (Lisbon)');
  expect(running.logged.filter((line) => line.startsWith('request failed'))).toEqual([]);
  expect((await form.submit()).errors.Text).toContain('3000');
  expect(form.value('Text')).toBe('🎉'.repeat(1_600));
});

describe('a post that was refused after its form had been closed', () => {
  async function submitRefusedPost() {
    await startBot({ pace: { acknowledgementTimeoutMs: 150 } });
    running.service.on('POST /posts', later(400, invalid({ loc: ['body', 'Content'], msg: 'is too loud' })));
    const { ana, form } = await openFilledForm(running);
    await (await form.submit()).view?.close();
    await ana.inDirectMessage();
    await ana.sees('Not sent.');
    running.service.on('POST /posts', data({ Id: 'made' }));
    return ana;
  }

  test('a refused post reopens with its text, which is stored only encrypted', async () => {
    const ana = await submitRefusedPost();
    await ana.press('Fix and send again');
    expect((await ana.modal('Schedule a post')).value('Text')).toBe('We open at nine');
    expect(JSON.stringify(await database.db.selectFrom('open_form').selectAll().execute())).not.toContain(
      'We open',
    );
  });

  test('after a refused post was corrected and sent, the button to correct it shows the sent post instead', async () => {
    const ana = await submitRefusedPost();
    await ana.press('Fix and send again');
    const firstForm = await ana.modal('Schedule a post');
    await firstForm.fill('Text', 'we open at nine');
    // The message keeps its button.
    running.workspace.faults.set({
      webApi: [{ fault: 'error', error: 'internal_error', method: 'chat.update' }],
    });
    await firstForm.submit();
    await expect.poll(() => running.service.created()).toHaveLength(2);
    await expect.poll(() => running.workspace.faults.counts().calls['chat.update']).toBeGreaterThan(0);
    running.workspace.faults.set({});
    await ana.press('Fix and send again');
    await ana.sees('Scheduled for Tue 1 Dec, 09:00 (Lisbon).');
    expect(running.service.created()).toHaveLength(2);
  });
});
