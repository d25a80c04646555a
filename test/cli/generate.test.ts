import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { startCommand } from '../support/command.ts';

async function generate(...args: string[]) {
  const command = startCommand('cli/generate.ts', { env: {}, args });
  return { status: await command.exit, output: command.readOutput() };
}

describe('npm run generate', () => {
  test('the options --oauth and --url print the manifest for many workspaces, with rotating tokens', async () => {
    const { status, output } = await generate('--oauth', '--url', 'https://upnext.example.com');
    expect(status).toBe(0);
    expect(parse(output)).toMatchObject({
      oauth_config: { redirect_urls: ['https://upnext.example.com/slack/oauth_redirect'] },
      settings: { token_rotation_enabled: true, org_deploy_enabled: true, socket_mode_enabled: false },
    });
  });

  test('the option --url alone prints the manifest for a single workspace, without rotating tokens', async () => {
    const { output } = await generate('--url', 'https://upnext.example.com');
    expect(parse(output)).toMatchObject({ settings: { token_rotation_enabled: false } });
  });

  test('the option --oauth without --url is an error', async () => {
    expect(await generate('--oauth')).toMatchObject({
      status: 2,
      output: expect.stringMatching(/^--oauth needs --url/),
    });
  });
});
