import type { State } from '../../src/imports/post-import.ts';
import { storeImport } from '../../src/imports/stored-import.ts';
import { createTableBudget } from '../support/table-budget.ts';
import type { ProjectScope } from './forms.ts';
import { getActor } from './world.ts';

/** The states of an import that have buttons. */
const IMPORT_STATES = ['checked', 'importing', 'stopped', 'done'] as const satisfies State[];

/** Creates the person's imports into a project, one in each state. Returns their ids by state. */
export async function createImports({
  world,
  db,
  workspaceNumber,
  project,
  secret,
}: ProjectScope): Promise<ReadonlyMap<string, string>> {
  const { workspace, user: author } = getActor(workspaceNumber);
  const ids = new Map<string, string>();
  const post = {
    project: { id: project, name: secret },
    text: secret,
    media: '',
    platforms: ['X'],
    isDraft: true,
    zone: 'UTC',
  };
  const row = { number: 2, post, time: '', problems: [], notes: [] };
  for (const state of IMPORT_STATES) {
    const { id } = await storeImport(
      world.context.imports,
      {
        ...{ workspace, author },
        source: {
          rows: [
            { number: 1, cells: ['Text', 'Status'] },
            { number: 2, cells: [secret, 'Draft'] },
          ],
          settings: { zone: 'UTC', project: post.project, platforms: ['X'] },
        },
        about: { fileName: `${secret}.csv`, projects: [{ ...post.project, role: 'contributor' }] },
        rows: [
          { ...row, outcome: 'good' },
          { ...row, number: 3, outcome: 'faulty' },
        ],
      },
      createTableBudget(),
    );
    await db
      .updateTable('post_import')
      .set({ state, notify_at: null, next_at: null })
      .where('id', '=', id)
      .execute();
    ids.set(state, id);
  }
  return ids;
}

/** Builds the empty form for pasted rows. It isn't stored, so nobody has to open it. */
export function buildSourceForm({ channel }: Pick<ProjectScope, 'channel'>): [string, object] {
  return [
    'import.source',
    {
      ...{ id: 'V1', hash: 'h', type: 'modal', callback_id: 'import.source', private_metadata: channel },
      blocks: [{ block_id: 'rows' }],
      state: { values: { rows: { value: { type: 'plain_text_input', value: '' } } } },
    },
  ];
}
