import { expect, test } from 'vitest';
import { submitWith } from '../../support/form-steps.ts';
import { data, json } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask } from '../../support/steps.ts';

const { running, startBot } = setUpBot();

const LABEL = 'Type DELETE FILE';

async function openForm() {
  await startBot({ allowFileDeletion: true });
  running.service.on('DELETE /file', data(null));
  const ana = running.workspace.as('Ana').in('#general');
  await ana.type('/upnext file');
  return { ana, form: await ana.modal('Delete a file') };
}

const listDeletions = () =>
  running.service.calls.filter(({ method }) => method === 'DELETE').map(({ path, body }) => [path, body]);

test('while file deletion is disabled, /upnext file says why, and how to enable it', async () => {
  await startBot();
  const ana = running.workspace.as('Ana').in('#general');
  await ask(ana, '/upnext file', 'can’t check which file would be deleted');
  await ana.sees('Ask the person who runs Upnext to turn it on.');
  expect(running.service.calls).toEqual([]);
});

test('while file deletion is enabled, the form requires the confirmation phrase, and the request selects no file', async () => {
  const { form } = await openForm();
  expect(form.text()).toContain('Nobody knows which file this deletes.');
  for (const phrase of ['delete file', 'DELETE', 'DELETE FILES', 'DELETEFILE']) {
    await form.fill(LABEL, phrase);
    expect((await form.submit()).errors).toEqual({ [LABEL]: 'Type DELETE FILE in capitals.' });
  }
  expect(listDeletions()).toEqual([]);
  const { view } = await submitWith(form, { [LABEL]: ' DELETE  FILE ' });
  expect(view?.text()).toContain('The service deleted a file. It doesn’t say which one.');
  expect(listDeletions()).toEqual([['/api/v1/common/file', undefined]]);
});

test('a deletion with an unknown outcome is retried only on request', async () => {
  const { form } = await openForm();
  running.service.on('DELETE /file', json(500, {}));
  const { view } = await submitWith(form, { [LABEL]: 'DELETE FILE' });
  expect(view?.text()).toContain('I can’t check');
  expect(listDeletions()).toHaveLength(1);
  running.service.on('DELETE /file', data(null));
  await view?.press('Send again');
  await (await running.workspace.as('Ana').modal('Deleted')).close();
  expect(listDeletions()).toHaveLength(2);
});

test('if there is no file, the answer doesn’t name a project', async () => {
  const { form } = await openForm();
  running.service.on('DELETE /file', json(404, {}));
  await form.fill(LABEL, 'DELETE FILE');
  expect((await form.submit()).view?.text()).toContain('Not sent. The service found no file to delete.');
});
