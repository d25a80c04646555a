import type { Target } from './target.ts';

/** The requests of one attacker at full speed, and the answers of their service. */
export interface Attack {
  name: string;
  env?: Record<string, string>;
  /** The kind of answer to every list, for `servers/hostile-service.ts`. */
  lists: 'short' | 'huge numbers' | 'empty lists' | 'many records' | 'long lists';
  /** The requests of `servers/attacker.ts`: signed payloads that differ each time, or unsigned requests. */
  sends(
    target: Target,
  ): Promise<{ way: 'words' | 'projects' | 'as they are' | 'pipelined'; payloads: object[] }>;
}

const OWNERS = { MEMBERS_DEFAULT_ROLE: 'owner' };

function command(target: Target, text: string, name = '/upnext'): object {
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
    async sends(target) {
      const ana = target.workspace.as('Ana').in('#general');
      await ana.type('/schedule-post');
      const form = await ana.modal('Schedule a post');
      await form.fill('When', 'tomorrow 9am');
      return {
        way: 'words',
        payloads: [...target.sent('block_actions'), command(target, 'WORDS', '/schedule-post')],
      };
    },
  },
  {
    name: '2 a list of large numbers',
    env: OWNERS,
    lists: 'huge numbers',
    sends: async (target) => ({ way: 'as they are', payloads: lists(target) }),
  },
  {
    name: '2 a record of empty lists',
    env: OWNERS,
    lists: 'empty lists',
    sends: async (target) => ({ way: 'as they are', payloads: lists(target) }),
  },
  {
    name: '2 300,000 projects',
    env: OWNERS,
    lists: 'many records',
    sends: async (target) => ({ way: 'as they are', payloads: lists(target) }),
  },
  {
    name: '3 a long list for each project',
    env: OWNERS,
    lists: 'long lists',
    async sends(target) {
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
    sends: async () => ({ way: 'pipelined', payloads: [] }),
  },
  {
    name: '5 refused commands',
    env: { MEMBERS_DEFAULT_ROLE: 'viewer' },
    lists: 'short',
    sends: async (target) => ({
      way: 'as they are',
      payloads: [
        command(target, 'tomorrow 9am on X: Soup', '/schedule-post'),
        command(target, 'ask for access'),
        command(target, 'roles'),
      ],
    }),
  },
];

function lists(target: Target): object[] {
  return ['projects', 'posts', 'templates', 'sources', 'status'].map((text) => command(target, text));
}
