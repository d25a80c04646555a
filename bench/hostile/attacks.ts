import { showMoreOptions } from '../../test/support/filled-form.ts';
import type { Target } from './target.ts';

/** The requests of an attacker, and the responses of the attacker's service. */
export interface Attack {
  /** Related attacks have the same number. */
  group: number;
  name: string;
  env?: Record<string, string>;
  /** The kind of list that `servers/hostile-service.ts` returns. */
  lists:
    | 'short'
    | 'huge numbers'
    | 'empty lists'
    | 'many records'
    | 'long lists'
    | 'interim responses'
    | 'chunks of one byte'
    | 'a status line';
  /**
   * Prepares the payloads that `servers/attacker.ts` sends. The mode says which texts differ in each request. In the
   * mode 'pipelined', the attacker sends unsigned GET requests and no payloads.
   */
  prepare(
    target: Target,
  ): Promise<{ mode: 'vary-words' | 'vary-projects' | 'unchanged' | 'pipelined'; payloads: object[] }>;
}

const ALL_OWNERS_ENV = { MEMBERS_DEFAULT_ROLE: 'owner' };

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

const ATTACKER_ID = 'U01ANAFERR';

export const ATTACKS: readonly Attack[] = [
  {
    group: 1,
    name: 'words in forms and commands',
    env: ALL_OWNERS_ENV,
    lists: 'short',
    async prepare(target) {
      const ana = target.workspace.as('Ana').in('#general');
      await ana.type('/schedule-post');
      const form = await ana.modal('Schedule a post');
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
  {
    group: 2,
    name: 'a list of large numbers',
    env: ALL_OWNERS_ENV,
    lists: 'huge numbers',
    prepare: async (target) => ({ mode: 'unchanged', payloads: createListCommands(target) }),
  },
  {
    group: 2,
    name: 'a record of empty lists',
    env: ALL_OWNERS_ENV,
    lists: 'empty lists',
    prepare: async (target) => ({ mode: 'unchanged', payloads: createListCommands(target) }),
  },
  {
    group: 2,
    name: '300,000 projects',
    env: ALL_OWNERS_ENV,
    lists: 'many records',
    prepare: async (target) => ({ mode: 'unchanged', payloads: createListCommands(target) }),
  },
  {
    group: 3,
    name: 'a long list for each project',
    env: ALL_OWNERS_ENV,
    lists: 'long lists',
    async prepare(target) {
      const ana = target.workspace.as('Ana').in('#general');
      await ana.type('/schedule-post');
      const form = await ana.modal('Schedule a post');
      await showMoreOptions(ana, form);
      await form.search('Template', 'a');
      return { mode: 'vary-projects', payloads: target.listSentPayloads('block_suggestion') };
    },
  },
  {
    group: 4,
    name: 'pipelined unsigned requests',
    lists: 'short',
    prepare: async () => ({ mode: 'pipelined', payloads: [] }),
  },
  {
    group: 5,
    name: 'refused commands',
    env: { MEMBERS_DEFAULT_ROLE: 'viewer' },
    lists: 'short',
    prepare: async (target) => ({
      mode: 'unchanged',
      payloads: [
        createCommand(target, 'tomorrow 9am on X: Soup', '/schedule-post'),
        createCommand(target, 'ask for access'),
        createCommand(target, 'roles'),
      ],
    }),
  },
  ...(['interim responses', 'chunks of one byte', 'a status line'] as const).map(
    (lists): Attack => ({
      group: 6,
      name: `endless ${lists}`,
      env: ALL_OWNERS_ENV,
      lists,
      prepare: async (target) => ({ mode: 'unchanged', payloads: createListCommands(target) }),
    }),
  ),
];

function createListCommands(target: Target): object[] {
  return ['projects', 'posts', 'templates', 'sources', 'status'].map((text) => createCommand(target, text));
}
