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
afterAll(() => service.close());

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
