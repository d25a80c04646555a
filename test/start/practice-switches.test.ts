import { openLivePage } from 'slack-workspace-emulator/test-support/workspace-page';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { readSettings } from '../../src/config/config.ts';
import { startService, startSlack } from '../../src/start/parts.ts';
import { createServiceSwitches } from '../../src/start/practice.ts';
import { createDataFolder } from '../support/database-folder.ts';
import { SERVICE_TOKEN, startPracticeService } from '../support/practice-service.ts';

let service: Awaited<ReturnType<typeof startPracticeService>>;

beforeAll(async () => {
  service = await startPracticeService({ control: true });
});
afterAll(() => service.close());

async function createPost(content: string): Promise<string | number> {
  const url = `${service.url}/api/v1/projects/project_000000000002/posts`;
  const headers = { authorization: `Bearer ${SERVICE_TOKEN}`, 'content-type': 'application/json' };
  try {
    const body = JSON.stringify({ Content: content });
    return (await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(400) })).status;
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    return cause instanceof Error && 'code' in cause ? String(cause.code) : 'no answer';
  }
}

test('each switch on the page causes the fault of the practice service that it names', async () => {
  const [serviceSwitch] = createServiceSwitches({ url: service.control ?? '', token: SERVICE_TOKEN });
  const applyFault = (body: unknown) =>
    fetch(serviceSwitch?.url ?? '', {
      method: 'PUT',
      headers: { authorization: `Bearer ${serviceSwitch?.token}` },
      body: JSON.stringify(body),
    });
  const results: Record<string, string | number> = {};
  for (const { id, body } of serviceSwitch?.choices ?? []) {
    expect((await applyFault(body)).status).toBe(200);
    results[id] = await createPost(id);
  }
  await applyFault(serviceSwitch?.resetBody);
  results.usual = await createPost('usual');
  expect(results).toEqual({
    slow: 'no answer',
    hangs: 'no answer',
    down: 'ECONNREFUSED',
    cuts: 'ECONNRESET',
    fails: 503,
    refuses: 422,
    publishing: 200,
    'too-many': 429,
    token: 401,
    usual: 200,
  });
  expect(await service.posts.countByContent('cuts')).toBe(1);
});

test('the page of the practice workspace can make the practice service fail', async () => {
  const settings = readSettings({
    DATA_DIR: await createDataFolder(),
    SERVICE_PORT: '0',
    WORKSPACE_PORT: '0',
  });
  const fail = (reason: unknown) => expect.unreachable(String(reason));
  const [practiceService, slack] = await Promise.all([
    startService(settings, fail, fail),
    startSlack(settings, fail),
  ]);
  slack.offerSwitches?.(practiceService.switches);
  const workspace = { url: slack.page ?? '' };
  const page = await openLivePage(workspace);
  const waitForMessage = async (type: string) => {
    for (;;) {
      const message = await page.receiveMessage();
      if (message.type === type) return message;
    }
  };
  const changedFaults = z.object({
    parts: z.object({ faults: z.array(z.object({ id: z.string(), chosen: z.string().optional() })) }),
  });
  page.send({ id: 1, act: 'fault', switch: 'service', choice: 'down' });
  expect(await waitForMessage('result')).toMatchObject({ ok: true });
  await expect(fetch(practiceService.url)).rejects.toThrow('fetch failed');
  page.send({ id: 2, act: 'fault', switch: 'service' });
  const { parts } = changedFaults.parse(await waitForMessage('changed'));
  expect(parts.faults).toEqual([{ id: 'service' }, { id: 'slack' }]);
  expect((await fetch(practiceService.url)).status).toBe(401);
  page.close();
  await Promise.all([practiceService.close(), slack.close()]);
});
