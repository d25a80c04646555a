import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { features } from '../../../src/app/features.ts';
import type { BotSchema } from '../../../src/store/schema.ts';
import { type BotDatabase, openBotDatabase } from '../../support/bot.ts';
import { command, foreignIds, press, seed } from './seeded-ids.ts';
import { NUMBERS, ownerOf, projectId, runnerOf, threeWorkspaces, workspaceId } from './three-workspaces.ts';

let database: BotDatabase;
let world: Awaited<ReturnType<typeof threeWorkspaces>>;

beforeAll(async () => {
  database = await openBotDatabase();
  world = await threeWorkspaces(database.db);
  await seed(world);
}, 120_000);
afterAll(async () => {
  await world.close();
  await database.close();
});

/** What is kept of a workspace beside what somebody leaves behind by trying: forms, requests and the record. */
const KEPT = [
  'submission',
  'access_grant',
  'channel_project',
  'zone',
  'digest',
  'digest_occurrence',
  'credential',
  'draft_copy',
] as const satisfies readonly (keyof BotSchema)[];

/** Everything that is kept of a workspace, but what `own` is about. */
async function keptIn(workspace: string, own: RegExp): Promise<string[]> {
  const rows = await Promise.all(
    KEPT.map((table) =>
      database.db.selectFrom(table).selectAll().where('workspace', '=', workspace).execute(),
    ),
  );
  return rows
    .flat()
    .map((row) => JSON.stringify(row))
    .filter((row) => !own.test(row))
    .toSorted();
}

async function formsIn(workspace: string): Promise<string[]> {
  const rows = await Promise.all(
    (['open_form', 'access_request'] as const).map((table) =>
      database.db.selectFrom(table).selectAll().where('workspace', '=', workspace).execute(),
    ),
  );
  return rows
    .flat()
    .map((row) => JSON.stringify(row))
    .toSorted();
}

const actionIds = features
  .flatMap(({ actions = {} }) => Object.keys(actions))
  .filter((id) => !/\.[1-9]\d*$/.test(id));
const viewIds = features.flatMap(({ views = {} }) => Object.keys(views));
const optionIds = features.flatMap(({ options = {} }) => Object.keys(options));

/** Everything that a button, menu or form can carry of this id. */
function carryingId(id: string): string[] {
  const state = {
    project: id,
    id,
    template: id,
    source: id,
    post: id,
    copy: id,
    words: '',
    page: 0,
    kind: 'person',
  };
  return [id, JSON.stringify(state)];
}

function view(number: number, user: string, callback_id: string, metadata: string, project: string) {
  const select = {
    x: { type: 'static_select', selected_option: { value: project, text: { text: project } } },
  };
  return {
    ...{ team: { id: workspaceId(number) }, user: { id: user }, trigger_id: 't', channel: { id: 'C1' } },
    view: {
      ...{
        id: 'V1',
        hash: 'h',
        callback_id,
        private_metadata: metadata,
        blocks: [{ block_id: 'project.0' }],
      },
      state: { values: { 'project.0': select, 'projects.0': select } },
    },
  };
}

/** Everything that somebody can be made to send, with every id put into it. */
function* attacks(number: number, user: string, ids: readonly string[], projects: readonly string[]) {
  for (const action of actionIds)
    for (const id of [...ids, ...projects])
      for (const value of carryingId(id)) yield press(number, user, action, value);
  const forms = ids.flatMap((id) => [1, 3].map((version) => `${version}.${id}`));
  for (const form of forms) {
    const [project = 'p0'] = projects;
    for (const id of viewIds) yield { type: 'view_submission', ...view(number, user, id, form, project) };
    for (const id of optionIds)
      yield { type: 'block_suggestion', action_id: id, value: '', ...view(number, user, id, form, project) };
  }
  for (const name of features.flatMap(({ commands }) => commands.map((one) => one.name)))
    for (const project of projects) yield command(number, user, `${name} ${project}`);
}

describe.each([
  ['an owner, with all of another workspace', ownerOf(1), 2],
  ['an owner, with all of a third workspace', ownerOf(1), 3],
  ['who runs one project, with all of the others and of their owner', runnerOf(1), 1],
  ['who runs one project, with all of another workspace', runnerOf(1), 2],
] as const)('%s', (_who, user, of) => {
  test('sees nothing of it, and changes nothing', async () => {
    const isAtHome = of === 1;
    // What is theirs, of the first project, they may see and change.
    const own = isAtHome ? new RegExp(`"${projectId(1, 1)}"|${user}`) : /(?!)/;
    const projects = NUMBERS.filter((project) => !isAtHome || project !== 1).map((project) =>
      projectId(of, project),
    );
    const foreign = await foreignIds(database.db, of, user);
    expect(foreign.length).toBeGreaterThan(8);
    const secret = isAtHome ? /Secret-1-[23]/ : new RegExp(`Secret-${of}`);
    const service = world.services.get(workspaceId(of));
    const calls = () =>
      service?.calls
        .map(({ method, path }) => `${method} ${path}`)
        .filter((call) => !isAtHome || /projects\/p1[23]\//.test(call));
    const before = [
      await keptIn(workspaceId(of), own),
      calls(),
      isAtHome ? [] : await formsIn(workspaceId(of)),
    ];
    const leaks: string[] = [];
    let sent = 0;
    for (const body of attacks(1, user, foreign, projects)) {
      const said = JSON.stringify(await world.ask(body));
      sent += 1;
      if (secret.test(said)) leaks.push(`${JSON.stringify(body).slice(0, 400)} → ${secret.exec(said)}`);
    }
    expect(sent).toBeGreaterThan(1_000);
    expect(leaks).toEqual([]);
    const after = [
      await keptIn(workspaceId(of), own),
      calls(),
      isAtHome ? [] : await formsIn(workspaceId(of)),
    ];
    expect(after).toEqual(before);
  }, 300_000);
});

test('an owner does see their own: the pretence holds', async () => {
  const said = JSON.stringify(await world.ask(command(2, ownerOf(2), `templates ${projectId(2, 3)}`)));
  expect(said).toContain('Secret-2-3');
  const runner = JSON.stringify(await world.ask(command(1, runnerOf(1), 'templates')));
  expect(runner).toContain('Secret-1-1');
});
