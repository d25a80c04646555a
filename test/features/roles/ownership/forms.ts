import type { Kysely } from 'kysely';
import type { BotSchema } from '../../../../src/store/schema.ts';
import { SHARED_CHANNEL, type startThreeWorkspaces } from '../three-workspaces.ts';
import { type Filling, fillForm } from './filled-form.ts';
import { getPersonId } from './person.ts';
import { buildRequest } from './surface-request.ts';

/** One project of a workspace, and the channel that is bound to it. */
export interface ProjectScope {
  world: Awaited<ReturnType<typeof startThreeWorkspaces>>;
  db: Kysely<BotSchema>;
  number: number;
  project: string;
  secret: string;
  channel: string;
}

/** The command or button that opens each form, and the values that make it valid. */
const FORMS: readonly {
  name: string;
  command?: string;
  press?: string;
  isShared?: boolean;
  filling(scope: Pick<ProjectScope, 'project' | 'secret' | 'channel'>): Filling;
}[] = [
  {
    ...{ name: 'schedule-post', command: 'schedule' },
    filling: ({ project }) => ({
      ...{ project, text: 'Open at nine', platforms: ['X'], zone: 'UTC', when: 'mon, wed and fri 9am' },
    }),
  },
  { ...{ name: 'list-posts-filter', command: 'posts filter' }, filling: ({ project }) => ({ project }) },
  {
    ...{ name: 'prompt', command: 'prompt' },
    filling: ({ project }) => ({ project, title: 'Words', text: 'Write', description: '' }),
  },
  {
    ...{ name: 'source', command: 'source' },
    filling: ({ project }) => ({
      ...{ project, source: `sources-${project.slice(1)}`, description: 'Another', value: 'a feed' },
    }),
  },
  { ...{ name: 'use', command: 'use', isShared: true }, filling: ({ project }) => ({ projects: [project] }) },
  {
    ...{ name: 'zone', command: 'zone' },
    filling: ({ project }) => ({ scope: 'project', project, zone: 'Europe/Berlin' }),
  },
  {
    ...{ name: 'digest', command: 'digest new' },
    filling: ({ project, channel }) => ({ channel, projects: [project], zone: 'UTC' }),
  },
  {
    ...{ name: 'invite', command: 'invite' },
    filling: ({ project }) => ({
      ...{ project, first: 'Ana', last: 'Ferreira', email: 'ana@example.com' },
      ...{ role: 'ADMIN', status: 'ACTIVE' },
    }),
  },
  {
    ...{ name: 'user', command: 'user' },
    filling: ({ project }) => ({ project, user: 'user-1', role: 'ADMIN', status: 'ACTIVE' }),
  },
  {
    ...{ name: 'webhook', command: 'webhook' },
    filling: ({ project, secret }) => ({ project, name: secret }),
  },
  { ...{ name: 'file', command: 'file' }, filling: () => ({ phrase: 'DELETE FILE' }) },
  {
    ...{ name: 'connect', press: 'connect.open' },
    filling: ({ project }) => ({
      ...{ scope: 'project', project, address: 'https://posts.example.com', token: 'token-of-ours' },
    }),
  },
  {
    ...{ name: 'give-role', press: 'roles.give' },
    filling: ({ project }) => ({ members: ['everybody'], role: 'viewer', projects: [project] }),
  },
];

/** Opens and fills each form as the person. Returns their views by name. */
export async function openForms({
  world,
  number,
  project,
  secret,
  channel,
}: ProjectScope): Promise<ReadonlyMap<string, object>> {
  const forms = new Map<string, object>();
  for (const { name, command, press, isShared, filling } of FORMS) {
    const source = { number, user: getPersonId(number), channel: isShared ? SHARED_CHANNEL : channel };
    const request =
      command === undefined ? { surface: 'action', id: press ?? '' } : { surface: 'command', id: command };
    const opened = await world.ask(buildRequest(source, request));
    const values = filling({ project, secret, channel });
    forms.set(name, await fillForm(world.ask, source, { name, opened, filling: values }));
  }
  return forms;
}
