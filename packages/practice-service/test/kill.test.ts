import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createTemporaryFolder, HARBOUR, runService, send } from './running-service.ts';

const CHILD = fileURLToPath(new URL('./serve-folder.ts', import.meta.url));
const POSTS_BEFORE_KILL = 60;

test('every acknowledged post exists once after kill -9, with its log line', async () => {
  const { folder, remove } = await createTemporaryFolder();
  const child = fork(CHILD, [folder], { execArgv: [] });
  const exited = once(child, 'exit');
  const [url] = await once(child, 'message');
  const acknowledged: string[] = [];
  let createdCount = 0;
  const createPosts = async (): Promise<void> => {
    createdCount += 1;
    const body = { Content: `Post ${createdCount}` };
    const response = await send(String(url), 'POST', `${HARBOUR}/posts`, { body }).catch(() => undefined);
    if (response === undefined) return;
    expect(response.status).toBe(200);
    acknowledged.push(response.json.data.Id);
    // Kills the service while other requests are in flight.
    if (acknowledged.length === POSTS_BEFORE_KILL) child.kill('SIGKILL');
    await createPosts();
  };
  await Promise.all([createPosts(), createPosts(), createPosts(), createPosts()]);
  await exited;
  expect(acknowledged.length).toBeGreaterThanOrEqual(POSTS_BEFORE_KILL);

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
});
