import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { startCommand } from '../support/command.ts';

async function generate(...args: string[]) {
  const command = startCommand('cli/generate.ts', { env: {}, args });
  return { status: await command.ended, said: command.output() };
}

describe('npm run generate', () => {
  test('--oauth --url prints the manifest for many workspaces: tokens rotate, and people come back', async () => {
    const { status, said } = await generate('--oauth', '--url', 'https://upnext.example.com');
    expect(status).toBe(0);
    expect(parse(said)).toMatchObject({
      oauth_config: { redirect_urls: ['https://upnext.example.com/slack/oauth_redirect'] },
      settings: { token_rotation_enabled: true, org_deploy_enabled: true, socket_mode_enabled: false },
    });
  });

  test('--url alone prints one for a token that is pasted: it does not rotate', async () => {
    const { said } = await generate('--url', 'https://upnext.example.com');
    expect(parse(said)).toMatchObject({ settings: { token_rotation_enabled: false } });
  });

  test('--oauth without an address asks for one', async () => {
    expect(await generate('--oauth')).toMatchObject({
      status: 1,
      said: expect.stringMatching(/^--oauth needs --url/),
    });
  });
});
