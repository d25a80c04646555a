import { expect, test } from 'vitest';
import { listProjects } from '../../support/scripted-service.ts';
import { setUpImports } from '../../support/set-up-imports.ts';
import { pressAndSee, seeAll } from '../../support/steps.ts';

const { running, drop, listHeld } = setUpImports();

const PLAN = [
  'Kunde,Time,Platforms,Text',
  'Harbour Coffee,2026-12-01 09:00,X,A',
  'Night Market Books,2026-12-02 09:00,X,B',
  'Alpha,2026-12-03 09:00,X,C',
];

test('a plan with several customers is asked whose they are before anything is imported', async () => {
  running.service.on('GET /projects', listProjects('Harbour Coffee', 'Night Market Books'));
  const dm = await drop(...PLAN);
  await seeAll(
    dm,
    'The column “Kunde” has Harbour Coffee, Night Market Books and Alpha. Does it say the project of each row?',
    '[Yes, the project] [No, don’t use it] [Discard]',
  );
  expect(await listHeld()).toEqual([]);
  await pressAndSee(dm, 'Yes, the project', '2 posts for Harbour Coffee and 1 other project');
  await dm.sees('Row 4: Kunde “Alpha”: I don’t know this project');
});

test('a column that people don’t use is named, and the project is asked for', async () => {
  running.service.on('GET /projects', listProjects('Harbour Coffee', 'Night Market Books'));
  const dm = await drop(...PLAN);
  await pressAndSee(dm, 'No, don’t use it', 'The rows don’t say the project.');
});
