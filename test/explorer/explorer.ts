import type { Kysely } from 'kysely';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { type Belongings, createBelongings } from './belongings.ts';
import { distinctSurfaces, isTypedElsewhere } from './catalogue.ts';
import type { Content } from './contents.ts';
import { EVERY_COMMAND, EVERY_LINE, followAll } from './follow.ts';
import { createProjectRequest } from './project-requests.ts';
import { scriptSecrets } from './scripted-records.ts';
import { buildRequest } from './surface-request.ts';
import { watchDatabase } from './watched-database.ts';
import { createWorld, getPersonId, getProjectId, getWorkspaceId, grantRole, type Result } from './world.ts';

type OnResult = (body: object, result: Result) => void;

/** Creates an explorer that visits every handler as an owner. Each content has a workspace of its own. */
export async function createExplorer(
  db: Kysely<BotSchema>,
  contents: Readonly<Record<string, Content>>,
  onLine?: Parameters<typeof createWorld>[2],
) {
  const watchedDatabase = await watchDatabase(db);
  const world = await createWorld(db, Object.keys(contents).length, onLine);

  /** Lets people write and the service answer as `content` says. */
  async function setUp(name: string): Promise<{ content: Content; belongings: Belongings }> {
    const content = contents[name];
    const workspaceNumber = Object.keys(contents).indexOf(name) + 1;
    const workspace = getWorkspaceId(workspaceNumber);
    const service = world.services.get(workspace);
    if (!content || !service) throw new Error(`unknown content "${name}"`);
    await grantRole(db, { workspace, subject: getPersonId(workspaceNumber), project: '', role: 'owner' });
    // The records that people have chosen earlier.
    scriptSecrets(service, workspaceNumber);
    const belongings = await createBelongings(world, workspaceNumber, 1, content.written);
    content.script(service, getProjectId(workspaceNumber, 1));
    world.forgetCached(workspace);
    await watchedDatabase.forgetChanges();
    return { content, belongings };
  }

  return {
    world,
    /**
     * Visits every handler with a valid request, if the content is about texts, and then does what people do: types
     * commands, presses what is shown and fills in forms.
     */
    async explore(name: string, onResult: OnResult): Promise<void> {
      const { content, belongings } = await setUp(name);
      const { workspaceNumber, channel } = belongings;
      const source = { workspaceNumber, user: getPersonId(workspaceNumber), channel };
      const deliver = async (body: object) => {
        const result = await world.deliver(body);
        onResult(body, result);
        return result;
      };
      // People type commands in every way below.
      for (const surface of distinctSurfaces.filter(
        (one) => content.isAboutTexts && !isTypedElsewhere(one),
      )) {
        const request = createProjectRequest(surface, belongings);
        if (request) await deliver(buildRequest(source, request));
        await watchedDatabase.undo(getWorkspaceId(workspaceNumber));
      }
      await followAll(content.isAboutTexts ? EVERY_LINE : EVERY_COMMAND, {
        ...{ source, deliver, type: content.type },
        // A second press finds other texts on the same screens. Without texts, it called no other function.
        maxRepeats: content.isAboutTexts ? 2 : 1,
      });
    },
    close: () => world.close(),
  };
}
