import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { HARBOUR, runService, send, temporaryFolder } from './running-service.ts';

const CHILD = fileURLToPath(new URL('./serve-folder.ts', import.meta.url));
const ENOUGH = 60;

test('every acknowledged post exists once after kill -9, with its log', async () => {
  const { folder, remove } = await temporaryFolder();
  const child = fork(CHILD, [folder], { execArgv: [] });
  const exited = once(child, 'exit');
  const [url] = await once(child, 'message');
  const acknowledged: string[] = [];
  let written = 0;
  const write = async (): Promise<void> => {
    written += 1;
    const body = { Content: `Post ${written}` };
    const answer = await send(String(url), 'POST', `${HARBOUR}/posts`, { body }).catch(() => undefined);
    if (answer === undefined) return;
    expect(answer.status).toBe(200);
    acknowledged.push(answer.json.data.Id);
    // Killed while other requests are in flight.
    if (acknowledged.length === ENOUGH) child.kill('SIGKILL');
    await write();
  };
  await Promise.all([write(), write(), write(), write()]);
  await exited;
  expect(acknowledged.length).toBeGreaterThanOrEqual(ENOUGH);

  const service = await runService({ folder });
  const { json } = await service.send('GET', `${HARBOUR}/posts?limit=1000`);
  const ids: string[] = json.data.map(({ Id }: { Id: string }) => Id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining(acknowledged));
  const contents = new Set(json.data.map(({ Content }: { Content: string }) => Content));
  expect(contents.size).toBe(ids.length);
  const logs = await service.send('GET', `${HARBOUR}/logs`);
  for (const id of acknowledged) expect(JSON.stringify(logs.json)).toContain(`${id} was created as DRAFT.`);
  expect((await service.send('POST', `${HARBOUR}/posts`, { body: { Content: 'and on' } })).status).toBe(200);
  await service.close();
  await remove();
}, 60_000);
