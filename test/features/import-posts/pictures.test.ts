import { test } from 'vitest';
import { csv } from '../../support/csv-files.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

const { running, startBot } = setUpBot();
const ana = () => running.workspace.as('Ana').inDirectMessage();

test('a table with pictures and an unknown column, which may have the texts, is refused', async () => {
  await startBot({ limits: false });
  const dm = await ana();
  const [columns, row] = [
    'Time,Platforms,Project,Media',
    '2026-12-01 09:00,Instagram,Harbour Coffee,https://example.com/a.jpg',
  ];
  await dm.drop(csv([`${columns},Our words`, `${row},A new roast`]));
  await dm.sees('I found no column for the texts. Name it “Text” in the first row.');
  await dm.sees('If the posts have no texts, add an empty column with this name.');
  await dm.drop(csv([columns, row]));
  await dm.sees('[Import 1 post]');
});
