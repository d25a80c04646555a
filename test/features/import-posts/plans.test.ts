import { expect, test } from 'vitest';
import { csv, setUpImports } from '../../support/set-up-imports.ts';
import { seeAll } from '../../support/steps.ts';

const { ana, drop, setPolicy } = setUpImports();

test('the names of the columns may be below a title, which is named as left out', async () => {
  const dm = await drop(
    'Content plan December 2026,,,,',
    ',,,,',
    'Date,Time,Copy,Channel,Project',
    "'2026-12-01,09:00,We open,X,Harbour Coffee",
  );
  await seeAll(
    dm,
    '1 post for Harbour Coffee',
    'The names of the columns are below “Content plan December 2026”, which isn’t imported.',
  );
});

test.each(['ExportBlock.zip', 'events.ics', 'plan.json'])(
  'who sends %s reads how to get a CSV file',
  async (name) => {
    const dm = await ana();
    const start = name.endsWith('zip') ? 'PK\u0003\u0004' : '{}';
    await dm.drop(csv([start], name));
    await dm.sees('This isn’t a CSV file. In your spreadsheet, choose File, Save as or Download');
    expect(dm.read()).toContain('[Get the template]');
  },
);

test('a long text is imported for X if a manager has said that the project’s account pays', async () => {
  const rows = ['Time,Platforms,Project,Text', `2026-12-01 09:00,X,Harbour Coffee,${'a'.repeat(300)}`];
  const dm = await drop(...rows);
  await dm.sees('X: 20 characters too long.');
  await setPolicy({ leadMinutes: 60, xAccount: 'paid' });
  await dm.drop(csv(rows, 'again.csv'));
  await dm.sees('[Import 1 post]');
});
