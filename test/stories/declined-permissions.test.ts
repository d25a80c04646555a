import { describe, expect, test } from 'vitest';
import { NOW } from '../support/bot.ts';
import { submitWith } from '../support/form-steps.ts';
import { data, listProjects } from '../support/scripted-service.ts';
import { failSlack, setUpBot } from '../support/set-up-bot.ts';
import { ask, askAndPress, askForForm, pressAndSee } from '../support/steps.ts';

const { ana, running, startBot } = setUpBot();

describe('in a workspace that declined an optional Slack permission', () => {
  test('without files:write, the preview of a weekly digest has no picture, and explains the reason', async () => {
    await startBot({ declinedScopes: ['files:write'] });
    const ScheduleDate = new Date(NOW.getTime() + 3 * 86_400_000).toISOString();
    running.service.on(
      'GET /posts',
      data([{ Id: 'p1', Content: 'Beans', Platforms: ['X'], Status: 'SCHEDULED', ScheduleDate }]),
    );
    await ana.type('/upnext digest weekly monday 9:00');
    await ana.choose('More options', 'Preview for me');
    await ana.sees('Without the picture of the week: I’m not allowed to add files in this workspace.');
    expect(running.logged.filter((line) => line.includes('preview'))).toEqual([]);
  });

  test('without files:write, an export says that the app may not add files', async () => {
    await startBot({ declinedScopes: ['files:write'] });
    await askAndPress(ana, '/upnext audit', 'Export as CSV');
    await ana.sees('I need permission to add files: install Upnext again with files:write.');
    expect((await ana.inDirectMessage()).read()).not.toContain('CSV');
  });

  test('an export that can’t open a direct message doesn’t blame the permission for files', async () => {
    await startBot();
    await ask(ana, '/upnext import', '[Get the template]');
    failSlack(running, { method: ['conversations.open'], fault: 'error', error: 'missing_scope' });
    await pressAndSee(ana, 'Get the template', 'Something went wrong.');
    expect(ana.read()).not.toContain('files:write');
  });

  test('without usergroups:read, the form for roles says that it can’t list user groups, and people can still be chosen', async () => {
    await startBot({ declinedScopes: ['usergroups:read'] });
    const form = await askForForm(ana, '/upnext roles', 'Give a role', 'Give a role');
    expect(await form.search('User groups', '')).toEqual(['I’m not allowed to list user groups here']);
    await submitWith(form, { People: ['Ben'], Role: ['Viewer'] });
    await ana.sees('Viewer');
  });

  test('without team:read, the question about a shared channel says that the other organisation’s name is unknown', async () => {
    await startBot({ declinedScopes: ['team:read'] });
    running.service.on('GET /projects', listProjects('Harbour Coffee'));
    running.workspace.admin.share('#harbour-coffee', 'T02ROASTER');
    const form = await askForForm(ana, '/upnext digest', 'Digest');
    expect(form.text()).toContain(
      'The channel is shared with another organisation (I couldn’t find out its name)',
    );
  });
});
