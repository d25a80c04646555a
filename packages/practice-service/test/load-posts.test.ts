import { Kysely, PGliteDialect } from 'kysely';
import { expect, test } from 'vitest';
import { createProgressBar, loadPosts } from '../src/load-posts.ts';
import { createTemporaryFolder, HARBOUR, openDatabase, runService } from './running-service.ts';

const NOW = new Date('2026-11-20T12:00:00Z');

test('posts of all kinds are loaded into a project, and listed together with its other posts', async () => {
  const { folder, remove } = await createTemporaryFolder();
  const progress: number[] = [];
  for (const [project, count] of [
    ['Harbour Coffee', 20_001],
    ['Another One', 5],
  ] as const) {
    const db = await openDatabase(folder);
    await loadPosts({ db, count, project, now: NOW, onProgress: (done) => progress.push(done) });
    await db.destroy();
  }
  expect(progress).toEqual([0, 20_000, 20_001, 0, 5]);

  const service = await runService({ folder, now: () => NOW });
  const names = (await service.send('GET', '/api/v1/projects')).json.data.map(
    ({ Name }: { Name: string }) => Name,
  );
  expect(names).toEqual(['Another One', 'Harbour Coffee', 'Night Market Books']);
  const fetchPage = async (query: string) =>
    (await service.send('GET', `${HARBOUR}/posts?${query}`)).json.data;
  const samples = 10;
  expect(await fetchPage(`skip=${20_000 + samples}&limit=10`)).toHaveLength(1);
  for (const kind of ['status=DRAFT', 'status=SCHEDULED', 'status=PUBLISHED', 'platforms=REDDIT']) {
    expect(await fetchPage(`${kind}&skip=500&limit=1`), `${kind}: more than 500`).toHaveLength(1);
  }
  await service.close();
  await remove();
});

test.each([0, -1, 1.5, Number.NaN])('%d posts cannot be loaded', async (count) => {
  const dialect = new PGliteDialect({ pglite: () => Promise.reject(new Error('nobody should open this')) });
  await expect(loadPosts({ db: new Kysely({ dialect }), count, project: 'P' })).rejects.toThrow(RangeError);
});

test('the progress bar redraws one line on a terminal, and otherwise prints few lines', () => {
  const drawToEnd = (isTTY: boolean) => {
    const writtenTexts: string[] = [];
    const bar = createProgressBar({ isTTY, write: (text: string) => writtenTexts.push(text) });
    for (let done = 0; done <= 1_000; done += 1) bar(done, 1_000);
    return writtenTexts;
  };
  expect(drawToEnd(true)).toHaveLength(101);
  expect(drawToEnd(true).at(-1)).toMatch(/^\r█{30} 100 % {2}1,000 of 1,000 posts\n$/);
  expect(drawToEnd(false)).toHaveLength(11);
});
