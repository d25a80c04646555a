import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { runScript } from '../support/run-script.ts';

const generate = (...args: string[]) => runScript('src/cli/generate.ts', args, {});

describe('npm run generate', () => {
  test('the options --oauth and --url print the manifest for many workspaces, with rotating tokens', async () => {
    const { status, stdout } = await generate('--oauth', '--url', 'https://upnext.example.com');
    expect(status).toBe(0);
    expect(parse(stdout)).toMatchObject({
      oauth_config: { redirect_urls: ['https://upnext.example.com/slack/oauth_redirect'] },
      settings: { token_rotation_enabled: true, org_deploy_enabled: true, socket_mode_enabled: false },
    });
  });

  test('the option --url alone prints the manifest for a single workspace, without rotating tokens', async () => {
    const { stdout } = await generate('--url', 'https://upnext.example.com');
    expect(parse(stdout)).toMatchObject({ settings: { token_rotation_enabled: false } });
  });

  test('the option --oauth without --url is an error', async () => {
    expect(await generate('--oauth')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^--oauth needs --url/),
    });
  });
});
