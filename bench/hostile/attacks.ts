import { showMoreOptions } from '../../test/support/filled-form.ts';
import { CONNECTION_ATTACKS } from '../../test/support/hostile-connections.ts';
import { listFileAttacks, storePicture } from './file-attacks.ts';
import { keepManyPosts, useLongSeries } from './large-tenant.ts';
import { openPostForm, type Target } from './target.ts';

/** What `servers/attacker.ts` does, all as fast as the app answers. */
export interface Plan {
  /**
   * `vary-words` and `vary-projects`: sends the payloads, with other texts in each request. `unchanged`: sends them as they
   * are. `sockets`: opens the connections of this name in `hostile-connections.ts`, without a signature.
   */
  mode: 'vary-words' | 'vary-projects' | 'unchanged' | 'sockets';
  payloads?: object[];
  sockets?: string;
  /** The path of a public file of the attacker. */
  mediaPath?: string;
}

/** What one member, one service or a stranger sends. */
export interface Attack {
  /** Related attacks have the same number. */
  group: number;
  name: string;
  /** The role of the tenants' members. Defaults to manager. */
  role?: 'viewer';
  /** The lists of the attacker's service: a name in `servers/hostile-service.ts`. Defaults to two short records. */
  lists?: string;
  /** The size of the disk of the built-in database. Defaults to that of the machine. */
  diskMb?: number;
  prepare(target: Target): Promise<Plan>;
}

function createCommand(target: Target, text: string, name = '/upnext'): object {
  return {
    command: name,
    text,
    token: 'unused',
    team_id: target.workspace.team.id,
    user_id: ATTACKER_ID,
    user_name: 'ana',
    channel_id: 'C01GENERAL',
    trigger_id: '1.2.3',
    response_url: `${target.workspace.url}/response/none`,
  };
}

/** Ana. */
export const ATTACKER_ID = 'U01ANAFERR';

/** Lists of `servers/hostile-service.ts` that are slow because of their texts. */
const TEXT_LISTS = [
  'a name of 200,000 marks',
  '1,900 names of 1,000 marks',
  '2,000 names of 1.8 kB',
  ...['words', 'spaces', 'marks', 'emoji', 'one text'].map((texts) => `every list of 4 MiB, of ${texts}`),
];

export const ATTACKS: readonly Attack[] = [
  {
    group: 1,
    name: 'words in forms and commands',
    async prepare(target) {
      const form = await openPostForm(target);
      await form.fill('When', 'tomorrow 9am');
      return {
        mode: 'vary-words',
        payloads: [
          ...target.listSentPayloads('block_actions'),
          createCommand(target, 'WORDS', '/schedule-post'),
        ],
      };
    },
  },
  createListAttack(2, 'a list of large numbers', 'huge numbers'),
  createListAttack(2, 'a record of empty lists', 'empty lists'),
  createListAttack(2, '300,000 projects', 'many records'),
  {
    group: 3,
    name: 'a long list for each project',
    lists: 'long lists',
    async prepare(target) {
      const form = await openPostForm(target);
      await showMoreOptions(target.workspace.as('Ana').in('#general'), form);
      await form.search('Template', 'a');
      return { mode: 'vary-projects', payloads: target.listSentPayloads('block_suggestion') };
    },
  },
  {
    group: 5,
    name: 'refused commands',
    role: 'viewer',
    prepare: async (target) => ({
      mode: 'unchanged',
      payloads: [
        createCommand(target, 'tomorrow 9am on X: Soup', '/schedule-post'),
        createCommand(target, 'ask for access'),
        createCommand(target, 'roles'),
      ],
    }),
  },
  ...['interim responses', 'chunks of one byte', 'a status line'].map((lists) =>
    createListAttack(6, `endless ${lists}`, lists),
  ),
  ...TEXT_LISTS.map((lists) => createListAttack(7, lists, lists)),
  ...listFileAttacks(8),
  ...CONNECTION_ATTACKS.map(
    ({ name }): Attack => ({
      group: 9,
      name,
      lists: 'one project',
      prepare: async (target) => ({
        mode: 'sockets',
        sockets: name,
        ...(/reader/.test(name) && { mediaPath: await storePicture(target) }),
      }),
    }),
  ),
  {
    group: 10,
    name: '200 people of one workspace at once',
    async prepare(target) {
      const ids = Array.from({ length: 200 }, (_, index) =>
        target.workspace.admin.addPerson({ name: `Member ${index}` }),
      );
      const commands = [
        createCommand(target, 'help'),
        createCommand(target, 'posts'),
        createCommand(target, ''),
        createCommand(target, 'tomorrow 9am on X: Soup', '/schedule-post'),
      ];
      return {
        mode: 'unchanged',
        payloads: ids.flatMap((user_id) => commands.map((command) => ({ ...command, user_id }))),
      };
    },
  },
  {
    group: 10,
    name: 'an organisation of 50 workspaces',
    async prepare(target) {
      const { teams } = target.workspace.admin.addOrganisation({
        name: 'Starship',
        teams: Array.from({ length: 50 }, (_, index) => ({
          name: `Team ${index}`,
          people: [{ name: 'Nora Quist', id: 'U0NORAQUIS' }],
        })),
      });
      await teams[0]?.as('Nora').install(`${target.publicUrl}/slack/install`, { organisation: true });
      const payloads = teams.flatMap(({ id: team_id }) =>
        ['help', 'posts', 'status', 'ask for access'].map((text) => ({
          ...createCommand(target, text),
          team_id,
          user_id: 'U0NORAQUIS',
        })),
      );
      return { mode: 'unchanged', payloads };
    },
  },
  {
    group: 10,
    name: '20,000 posts and 5,000 series',
    lists: 'one project',
    async prepare(target) {
      await keepManyPosts(target, { posts: 20_000, series: 5_000 });
      const texts = ['', 'posts', 'posts soup', 'week', 'series', 'posts review', 'outbox', 'digest'];
      return { mode: 'unchanged', payloads: texts.map((text) => createCommand(target, text)) };
    },
  },
  {
    group: 10,
    name: 'a series with 10,000 texts',
    lists: 'one project',
    prepare: async (target) => ({ mode: 'unchanged', payloads: await useLongSeries(target, 10_000) }),
  },
];

function createListAttack(group: number, name: string, lists: string): Attack {
  return {
    ...{ group, name, lists },
    prepare: async (target) => ({ mode: 'unchanged', payloads: createListCommands(target) }),
  };
}

function createListCommands(target: Target): object[] {
  return ['projects', 'posts', 'posts x', 'templates', 'sources', 'status', 'use x', ''].map((text) =>
    createCommand(target, text),
  );
}
