import type { Target } from './target.ts';

/** The requests of an attacker, and the responses of the attacker's service. */
export interface Attack {
  name: string;
  env?: Record<string, string>;
  /** The kind of list that `servers/hostile-service.ts` returns. */
  lists: 'short' | 'huge numbers' | 'empty lists' | 'many records' | 'long lists';
  /** Prepares the payloads for `servers/attacker.ts`. `way` says how the attacker varies and sends them. */
  prepare(
    target: Target,
  ): Promise<{ way: 'words' | 'projects' | 'as they are' | 'pipelined'; payloads: object[] }>;
}

const OWNERS = { MEMBERS_DEFAULT_ROLE: 'owner' };

function createCommand(target: Target, text: string, name = '/upnext'): object {
  return {
    command: name,
    text,
    token: 'unused',
    team_id: target.workspace.team.id,
    user_id: ATTACKER,
    user_name: 'ana',
    channel_id: 'C01GENERAL',
    trigger_id: '1.2.3',
    response_url: `${target.workspace.url}/response/none`,
  };
}

const ATTACKER = 'U01ANAFERR';

export const ATTACKS: readonly Attack[] = [
  {
    name: '1 words in forms and commands',
    env: OWNERS,
    lists: 'short',
    async prepare(target) {
      const ana = target.workspace.as('Ana').in('#general');
      await ana.type('/schedule-post');
      const form = await ana.modal('Schedule a post');
      await form.fill('When', 'tomorrow 9am');
      return {
        way: 'words',
        payloads: [...target.sent('block_actions'), createCommand(target, 'WORDS', '/schedule-post')],
      };
    },
  },
  {
    name: '2 a list of large numbers',
    env: OWNERS,
    lists: 'huge numbers',
    prepare: async (target) => ({ way: 'as they are', payloads: createListCommands(target) }),
  },
  {
    name: '2 a record of empty lists',
    env: OWNERS,
    lists: 'empty lists',
    prepare: async (target) => ({ way: 'as they are', payloads: createListCommands(target) }),
  },
  {
    name: '2 300,000 projects',
    env: OWNERS,
    lists: 'many records',
    prepare: async (target) => ({ way: 'as they are', payloads: createListCommands(target) }),
  },
  {
    name: '3 a long list for each project',
    env: OWNERS,
    lists: 'long lists',
    async prepare(target) {
      const ana = target.workspace.as('Ana').in('#general');
      await ana.type('/schedule-post');
      const form = await ana.modal('Schedule a post');
      await form.search('Template', 'a');
      return { way: 'projects', payloads: target.sent('block_suggestion') };
    },
  },
  {
    name: '4 pipelined unsigned requests',
    lists: 'short',
    prepare: async () => ({ way: 'pipelined', payloads: [] }),
  },
  {
    name: '5 refused commands',
    env: { MEMBERS_DEFAULT_ROLE: 'viewer' },
    lists: 'short',
    prepare: async (target) => ({
      way: 'as they are',
      payloads: [
        createCommand(target, 'tomorrow 9am on X: Soup', '/schedule-post'),
        createCommand(target, 'ask for access'),
        createCommand(target, 'roles'),
      ],
    }),
  },
];

function createListCommands(target: Target): object[] {
  return ['projects', 'posts', 'templates', 'sources', 'status'].map((text) => createCommand(target, text));
}
