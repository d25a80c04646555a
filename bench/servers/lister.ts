import { parentPort, workerData } from 'node:worker_threads';

/** Lists the posts of a project repeatedly, in pages of a thousand, and sends its parent a message for each page. */
const PAGE_SIZE = 1_000;
const { url, token, project } = workerData as { url: string; token: string; project: string };

async function fetchPage(path: string): Promise<{ Id: string; Name: string }[]> {
  const response = await fetch(`${url}/api/v1/projects${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return ((await response.json()) as { data: { Id: string; Name: string }[] }).data;
}

const id = (await fetchPage('')).find(({ Name }) => Name === project)?.Id;
for (let skip = 0; ; ) {
  const page = await fetchPage(`/${id}/posts?limit=${PAGE_SIZE}&skip=${skip}`);
  parentPort?.postMessage(page.length);
  skip = page.length < PAGE_SIZE ? 0 : skip + PAGE_SIZE;
}
