import { describe, expect, it } from 'vitest';
import { createInput, createModal } from '../support/blocks.ts';
import { openBolt } from '../support/fixtures.ts';
import { SMALL_PNG } from '../support/small-png.ts';

const createPicture = (name: string) => ({ name, bytes: SMALL_PNG });

const fixture = await openBolt();
const receivedFiles: unknown[] = [];
const { app } = fixture;
app.command('/form', async ({ ack, body, client }) => {
  await ack();
  const element = {
    type: 'file_input' as const,
    action_id: 'files',
    max_files: 2,
    filetypes: ['png', 'jpg'],
  };
  await client.views.open({
    trigger_id: body.trigger_id,
    view: createModal('Pictures', [createInput('Files', element)], { callback_id: 'form' }),
  });
});
app.view('form', async ({ ack, view }) => {
  await ack();
  receivedFiles.push(...(view.state.values.files?.files?.files ?? []));
});

describe('a form with a file field', () => {
  it('a form shows errors about its files, and the app gets all selected files', async () => {
    const { workspace } = fixture;
    const ana = workspace.as('Ana');
    await ana.type('/form');
    const form = await ana.modal('Pictures');
    expect((await form.submit()).errors).toEqual({ Files: 'Please complete this required field.' });
    await form.attach('Files', [createPicture('1.png'), createPicture('2.png'), createPicture('3.png')]);
    expect((await form.submit()).errors).toEqual({ Files: 'Please choose no more than 2 files.' });
    await form.attach('Files', [createPicture('1.pdf')]);
    expect((await form.submit()).errors).toEqual({ Files: 'Please choose files of these types: png, jpg.' });
    await form.attach('Files', [createPicture('1.png'), createPicture('2.JPG')]);
    workspace.clock.advance(1000);
    expect(await form.submit()).toMatchObject({ errors: {}, closed: true });
    await expect.poll(() => receivedFiles).toHaveLength(2);
    expect(receivedFiles[0]).toMatchObject({
      name: '1.png',
      mimetype: 'image/png',
      user: 'U01ANAFERR',
      mode: 'hosted',
    });
    const [file] = receivedFiles as { url_private: string }[];
    const headers = { Authorization: `Bearer ${workspace.botToken}` };
    const bytes = await (await fetch(file?.url_private ?? '', { headers })).arrayBuffer();
    expect(Buffer.from(bytes).equals(SMALL_PNG)).toBe(true);
  });

  it('a file can be uploaded from the form’s page, but not from other sites', async () => {
    const { workspace } = fixture;
    const upload = (query: string, headers: Record<string, string> = {}, body: Uint8Array = SMALL_PNG) =>
      fetch(`${workspace.url}/page/files?${query}`, { method: 'POST', body: new Uint8Array(body), headers });
    const acceptedSubmission = await upload('person=U01ANAFERR&name=a.png');
    expect(await acceptedSubmission.json()).toMatchObject({
      ok: true,
      file: { name: 'a.png', mimetype: 'image/png' },
    });
    expect((await upload('person=U01ANAFERR&name=a.png', { origin: 'https://evil.example' })).status).toBe(
      403,
    );
    expect((await upload('person=U0NOBODY&name=a.png')).status).toBe(400);
    expect((await upload('person=U01ANAFERR&name=a.png', {}, new Uint8Array())).status).toBe(400);
  });
});
