import { HARBOUR, type RunningService, runService, TOKEN } from 'scheduling-service-emulator/test-support';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NOW } from '../../support/bot.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask, askForForm } from '../../support/steps.ts';

const { ana, running, startBot } = setUpBot();
let service: RunningService;

beforeAll(async () => {
  service = await runService({ now: () => NOW });
  await startBot({ isEmulated: true, service: { url: service.url, token: TOKEN } });
  await ask(ana, '/upnext use harbour', 'This channel now follows Harbour Coffee');
});
afterAll(async () => {
  await service.close();
});

const listLogMessages = async () => {
  const { json } = await service.send('GET', `${HARBOUR}/logs`);
  return json.data.map(({ Message }: { Message: string }) => Message);
};

async function invite(email: string, role: string) {
  const form = await askForForm(ana, `/invite-user ${email} Cleo Marsh`, 'Invite to service');
  expect(form.text()).toContain('Project: Harbour Coffee');
  await form.choose('Role in the scheduling service', role);
  const confirmation = await form.submit();
  return confirmation.view?.title() === 'Invite them?' ? confirmation.view.submit() : confirmation;
}

test('a user can be invited and changed, and the service logs both', async () => {
  expect((await invite('cleo@bücher.example', 'EDITOR')).closed).toBe(true);
  const [inviteMessage] = await listLogMessages();
  const [, id = ''] = /^(user_\w+) was invited as EDITOR\.$/.exec(inviteMessage) ?? [];
  expect(id).not.toBe('');

  const form = await askForForm(ana, '/upnext user cleo@bücher.example', 'Service access');
  expect(form.value('Person')).toBe('Cleo Marsh, cleo@bücher.example');
  await form.choose('Role in the scheduling service', 'VIEWER');
  await form.choose('Status', 'INACTIVE');
  const confirmation = await form.submit();
  const result = await confirmation.view?.submit();
  expect(result?.view?.title()).toBe('Changed');
  expect((await listLogMessages())[0]).toBe(`${id} is now VIEWER and INACTIVE.`);
  await result?.view?.close();
});

test('a retry after a lost response doesn’t invite the person twice', async () => {
  await service.practice.faults.set({
    rules: [{ operation: 'addNonPlatformUserToProject', fault: 'cut', commit: 'first', times: 1 }],
  });
  const { view } = await invite('eve@bücher.example', 'EDITOR');
  expect(view?.title()).toBe('Not sure');
  expect(view?.text()).toContain('may invite them twice');
  const earlierCount = (await listLogMessages()).length;
  await view?.press('Send again');
  await running.workspace.as('Ana').sees('Somebody with this e-mail is already in the project');
  expect(await listLogMessages()).toHaveLength(earlierCount);
  await view?.close();
});
