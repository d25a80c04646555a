import { expect, test } from 'vitest';
import { HARBOUR, runService, TOKEN } from '../../emulators/service/running-service.ts';
import { data, invalid, json } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

const { running, startBot } = setUpBot();

const WORDS = 'Type DELETE FILE';

async function opened() {
  await startBot({ allowFileDeletion: true });
  running.service.on('DELETE /file', data(null));
  const ana = running.workspace.as('Ana').in('#general');
  await ana.type('/upnext file');
  return { ana, form: await ana.modal('Delete a file') };
}

const asked = () =>
  running.service.calls.filter(({ method }) => method === 'DELETE').map(({ path, body }) => [path, body]);

test('switched off, it says why, and who can switch it on', async () => {
  await startBot();
  const ana = running.workspace.as('Ana').in('#general');
  await ana.type('/upnext file');
  await ana.sees('API does not say which file it deletes');
  await ana.sees('ALLOW_FILE_DELETION=true');
  expect(running.service.calls).toEqual([]);
});

test('switched on, it wants the words, and sends nothing that selects a file', async () => {
  const { form } = await opened();
  expect(form.text()).toContain('Nobody can say which file this deletes.');
  for (const words of ['delete file', 'DELETE', 'DELETE FILES', 'DELETEFILE']) {
    await form.fill(WORDS, words);
    expect((await form.submit()).errors).toEqual({ [WORDS]: 'Type DELETE FILE, in capitals.' });
  }
  expect(asked()).toEqual([]);
  await form.fill(WORDS, ' DELETE  FILE ');
  const { view } = await form.submit();
  expect(view?.text()).toContain('The service answered that it deleted a file. It does not say which.');
  expect(asked()).toEqual([['/api/v1/common/file', undefined]]);
});

test('what the service refuses stands on top', async () => {
  const { form } = await opened();
  running.service.on('DELETE /file', invalid({ loc: ['query', 'file'], msg: 'is missing' }));
  await form.fill(WORDS, 'DELETE FILE');
  expect((await form.submit()).view?.text()).toContain('file: is missing');
});

test('a deletion that nobody knows of is sent again only when that is asked for', async () => {
  const { form } = await opened();
  running.service.on('DELETE /file', json(500, {}));
  await form.fill(WORDS, 'DELETE FILE');
  const { view } = await form.submit();
  expect(view?.text()).toContain('nowhere to look');
  expect(asked()).toHaveLength(1);
  running.service.on('DELETE /file', data(null));
  await view?.press('Send again');
  await (await running.workspace.as('Ana').modal('Deleted')).close();
  expect(asked()).toHaveLength(2);
});

test('a service that is down has it later', async () => {
  const { form } = await opened();
  await running.service.stop();
  await form.fill(WORDS, 'DELETE FILE');
  expect((await form.submit()).view?.text()).toContain('Saved, not sent yet.');
});

test('the practice service says yes, and its log that nothing was deleted', async () => {
  const service = await runService();
  const options = { practice: true, allowFileDeletion: true, service: { url: service.url, token: TOKEN } };
  await startBot({ ...options });
  const ana = running.workspace.as('Ana').in('#general');
  await ana.type('/upnext file');
  const form = await ana.modal('Delete a file');
  await form.fill(WORDS, 'DELETE FILE');
  expect((await form.submit()).view?.title()).toBe('Deleted');
  const { json: logs } = await service.send('GET', `${HARBOUR}/logs`);
  expect(logs.data[0].Message).toContain('A file was to be deleted.');
  await service.close();
});
