import type { Kysely } from 'kysely';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { type Filling, fillForm } from './filled-form.ts';
import { SHARED_CHANNEL } from './slack-stub.ts';
import { buildRequest } from './surface-request.ts';
import { getPersonId, type World } from './world.ts';

/** One project of a workspace, and the channel that is bound to it. */
export interface ProjectScope {
  world: World;
  db: Kysely<BotSchema>;
  workspaceNumber: number;
  project: string;
  secret: string;
  channel: string;
}

/** The command or button that opens each form, and the values that make it valid. */
const FORMS: readonly {
  name: string;
  command?: string;
  button?: string;
  isShared?: boolean;
  /** Whether the button's value is the project's id. */
  takesProject?: boolean;
  /** Whether the button's value is the id of a checked import. */
  takesImport?: boolean;
  createFilling(scope: Pick<ProjectScope, 'project' | 'secret' | 'channel'>): Filling;
}[] = [
  {
    ...{ name: 'schedule-post', command: 'schedule' },
    createFilling: ({ project }) => ({
      ...{ project, text: 'Open at nine', platforms: ['X'], zone: 'UTC', when: 'mon, wed and fri 9am' },
    }),
  },
  {
    ...{ name: 'list-posts-filter', command: 'posts filter' },
    createFilling: ({ project }) => ({ project }),
  },
  {
    ...{ name: 'import-settings', button: 'import.settings', takesImport: true },
    createFilling: ({ project }) => ({ project, zone: 'UTC', platforms: ['X'], order: '' }),
  },
  {
    ...{ name: 'prompt', command: 'prompt' },
    createFilling: ({ project }) => ({ project, title: 'Words', text: 'Write', description: '' }),
  },
  {
    ...{ name: 'source', command: 'source' },
    createFilling: ({ project }) => ({
      ...{ project, source: `sources-${project.slice(1)}`, description: 'Another', value: 'a feed' },
    }),
  },
  {
    ...{ name: 'use', command: 'use', isShared: true },
    createFilling: ({ project }) => ({ projects: [project] }),
  },
  {
    ...{ name: 'policy', button: 'policy.change', takesProject: true },
    createFilling: () => ({ holding: 'hold', review: 'optional', lead: '2 hours' }),
  },
  {
    ...{ name: 'zone', command: 'zone' },
    createFilling: ({ project }) => ({ scope: 'project', project, zone: 'Europe/Berlin' }),
  },
  {
    ...{ name: 'digest', command: 'digest new' },
    createFilling: ({ project, channel }) => ({ channel, projects: [project], zone: 'UTC' }),
  },
  {
    ...{ name: 'invite', command: 'invite' },
    createFilling: ({ project }) => ({
      ...{ project, first: 'Ana', last: 'Ferreira', email: 'ana@example.com' },
      ...{ role: 'ADMIN', status: 'ACTIVE' },
    }),
  },
  {
    ...{ name: 'user', command: 'user' },
    createFilling: ({ project }) => ({ project, user: 'user-1', role: 'ADMIN', status: 'ACTIVE' }),
  },
  {
    ...{ name: 'webhook', command: 'webhook' },
    createFilling: ({ project, secret }) => ({ project, name: secret }),
  },
  { ...{ name: 'notifications', command: 'notifications' }, createFilling: () => ({ chosen: ['problems'] }) },
  { ...{ name: 'stop', command: 'stop' }, createFilling: ({ project }) => ({ project, reason: '' }) },
  { ...{ name: 'file', command: 'file' }, createFilling: () => ({ phrase: 'DELETE FILE' }) },
  {
    ...{ name: 'connect', button: 'connect.open' },
    createFilling: ({ project }) => ({
      ...{ project, address: 'https://posts.example.com', token: 'token-of-ours' },
    }),
  },
  {
    ...{ name: 'give-role', button: 'roles.give' },
    createFilling: ({ project }) => ({ members: ['everybody'], role: 'viewer', projects: [project] }),
  },
];

/** Opens and fills each form as the person. Returns their views by name. */
export async function openForms({
  world,
  workspaceNumber,
  project,
  secret,
  channel,
  imports,
}: ProjectScope & { imports: ReadonlyMap<string, string> }): Promise<ReadonlyMap<string, object>> {
  const forms = new Map<string, object>();
  const deliver = async (body: object) => (await world.deliver(body)).sent;
  for (const { name, command, button, isShared, takesProject, takesImport, createFilling } of FORMS) {
    const source = {
      workspaceNumber,
      user: getPersonId(workspaceNumber),
      channel: isShared ? SHARED_CHANNEL : channel,
    };
    const value = takesProject ? project : takesImport ? imports.get('checked') : undefined;
    const request =
      command === undefined
        ? { surface: 'action', id: button ?? '', ...(value !== undefined && { value }) }
        : { surface: 'command', id: command };
    const openingAnswers = await deliver(buildRequest(source, request));
    const filling = createFilling({ project, secret, channel });
    forms.set(name, await fillForm(deliver, source, { name, openingAnswers, filling }));
  }
  const source = { workspaceNumber, user: getPersonId(workspaceNumber), channel };
  const openingAnswers = await deliver(
    buildRequest(source, { surface: 'view', id: 'policy', view: forms.get('policy') ?? {} }),
  );
  // The project has a post that waits, so the policy asks what becomes of it.
  const name = 'policy-held-posts';
  forms.set(name, await fillForm(deliver, source, { name, openingAnswers, filling: {} }));
  return forms;
}
