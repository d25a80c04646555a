import { parentPort, workerData } from 'node:worker_threads';

/** Lists a project repeatedly, a thousand posts a page, and sends a message for each page. */
const PAGE = 1_000;
const { url, token, project } = workerData as { url: string; token: string; project: string };

async function read(path: string): Promise<{ Id: string; Name: string }[]> {
  const answer = await fetch(`${url}/api/v1/projects${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return ((await answer.json()) as { data: { Id: string; Name: string }[] }).data;
}

const id = (await read('')).find(({ Name }) => Name === project)?.Id;
for (let skip = 0; ; ) {
  const page = await read(`/${id}/posts?limit=${PAGE}&skip=${skip}`);
  parentPort?.postMessage(page.length);
  skip = page.length < PAGE ? 0 : skip + PAGE;
}
