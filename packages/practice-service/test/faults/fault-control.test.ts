import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectToFaults, HARBOUR, type RunningService, runService, TOKEN } from '../running-service.ts';

let service: RunningService;
let control: string;

beforeAll(async () => {
  service = await runService({ control: true });
  control = service.practice.control ?? '';
});

afterAll(() => service.close());

const fetchProjects = () => service.send('GET', '/api/v1/projects');

test('faults can be set, read and ended over HTTP, even while the service is down', async () => {
  const faults = connectToFaults(control);
  await faults.setFaults({ rules: [{ fault: 'status', status: 503 }] });
  expect((await fetchProjects()).status).toBe(503);
  expect(await faults.readState()).toMatchObject({
    plan: { rules: [{ fault: 'status', status: 503 }] },
    counts: { faults: { 'status 503 never': 1 } },
  });
  await faults.setFaults({ down: true });
  await expect(fetchProjects()).rejects.toThrow('ECONNREFUSED');
  await faults.clearFaults();
  expect((await fetchProjects()).status).toBe(200);
});

test('the stored posts are counted by content', async () => {
  await service.send('POST', `${HARBOUR}/posts`, { body: { Content: 'twice' } });
  await service.send('POST', `${HARBOUR}/posts`, { body: { Content: 'twice' } });
  expect(await connectToFaults(control).countPosts()).toMatchObject({ twice: 2 });
});

test('a project can be deleted and made again with its id: only its time of creation tells it from the earlier one', async () => {
  const findProject = async () =>
    (await fetchProjects()).json.data.find(({ Id }: { Id: string }) => HARBOUR.endsWith(Id));
  await service.send('POST', `${HARBOUR}/posts`, { body: { Content: 'of the earlier project' } });
  const { CreatedAt, ...before } = await findProject();
  await connectToFaults(control).remakeProject(before.Id);
  const { CreatedAt: remadeAt, ...after } = await findProject();
  expect(after).toEqual(before);
  expect(Date.parse(remadeAt)).toBeGreaterThan(Date.parse(CreatedAt));
  for (const list of ['posts', 'templates', 'sources'])
    expect((await service.send('GET', `${HARBOUR}/${list}`)).json.data).toEqual([]);
  await service.send('POST', `${HARBOUR}/posts`, { body: { Content: 'of the new project' } });
  expect((await service.send('GET', `${HARBOUR}/posts`)).json.data).toMatchObject([
    { Content: 'of the new project' },
  ]);
  await expect(connectToFaults(control).remakeProject('project_000000000099')).rejects.toThrow('404');
});

test('a wrong token is refused and changes nothing', async () => {
  await expect(connectToFaults(control, 'wrong').setFaults({ down: true })).rejects.toThrow('401');
  expect((await fetchProjects()).status).toBe(200);
});

test.each([
  [{ rules: [{ fault: 'explode' }] }],
  [{ rules: [{ fault: 'hang' }] }],
  [{ rules: [{ fault: 'cut', commit: 'first', operation: 'noSuchThing' }] }],
  [{ rules: [{ fault: 'status', status: 200 }] }],
  [{ rules: [{ fault: 'status', status: 503, retryAfter: 'a\r\nb' }] }],
  [{ rulez: [] }],
  ['down'],
])('an invalid fault plan is refused: %j', async (plan) => {
  const authorization = `Bearer ${TOKEN}`;
  const response = await fetch(control, {
    method: 'PUT',
    headers: { authorization },
    body: JSON.stringify(plan),
  });
  expect(response.status).toBe(422);
  expect((await fetchProjects()).status).toBe(200);
});
