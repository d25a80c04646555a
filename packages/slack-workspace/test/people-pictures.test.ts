import { expect, test } from 'vitest';
import { drawAvatar } from '../src/state/avatar.ts';
import { readPictureSize } from '../src/state/files.ts';
import { openWorkspace } from './support/fixtures.ts';

const { workspace, client } = await openWorkspace();

const ANA = 'U01ANAFERR';

test('a profile has pictures of six sizes, which everybody can load', async () => {
  const { user } = await client.users.info({ user: ANA });
  const profile = user?.profile as Record<string, string>;
  for (const size of [24, 32, 48, 72, 192, 512]) {
    const response = await fetch(profile[`image_${size}`] ?? '');
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(readPictureSize(Buffer.from(await response.arrayBuffer()))).toEqual({ width: size, height: size });
  }
  expect(profile).toMatchObject({
    avatar_hash: expect.stringMatching(/^g[0-9a-f]{11}$/),
    phone: '+351 555 0101',
  });
  expect(profile).not.toHaveProperty('is_custom_image');
});

test('pictures of other people and sizes differ, and unknown ones are not found', async () => {
  const draw = (id: string) => drawAvatar({ id, color: '#102030' }, 24);
  expect(draw('U1').equals(draw('U2'))).toBe(false);
  for (const name of ['U0NOBODY-24', `${ANA}-25`, `${ANA}-x`]) {
    expect((await fetch(`${workspace.url}/avatars/${name}.png`)).status).toBe(404);
  }
});

test('the app has the same icons in its messages and in bots.info', async () => {
  const { message } = await client.chat.postMessage({ channel: 'C01GENERAL', text: 'Hello' });
  const icons = message?.bot_profile?.icons ?? {};
  expect(Object.keys(icons)).toEqual(['image_36', 'image_48', 'image_72']);
  expect((await client.bots.info()).bot?.icons).toEqual(icons);
  for (const address of Object.values(icons)) expect((await fetch(String(address))).status).toBe(200);
});

test('a person may have an address, a phone and a title of their own', async () => {
  const user = workspace.admin.addPerson({
    name: 'Kim Park',
    email: 'kim@harbour.example',
    phone: '+44 555 0102',
    title: 'Roaster',
  });
  expect((await client.users.info({ user })).user?.profile).toMatchObject({
    email: 'kim@harbour.example',
    phone: '+44 555 0102',
    title: 'Roaster',
  });
  expect((await client.users.lookupByEmail({ email: 'Kim@harbour.example' })).user?.id).toBe(user);
});
