import type { ActionCall, Call, CommandCall } from '../../handlers/call.ts';
import type { Feature } from '../../handlers/feature.ts';
import { readProjects } from '../../held-posts/known-projects.ts';
import { findProjectsByName, resolveProject } from '../../posts/project.ts';
import { listBoundProjects } from '../../preferences/bindings.ts';
import { mapLimited } from '../../promises.ts';
import { fetchDisplayName } from '../../slack/fetch-people.ts';
import {
  END_ACTION,
  END_OF_PERSON_ACTION,
  FEED_ACTION,
  NO_PAGES,
  OPEN_ACTION,
  renderEnd,
  renderFeed,
  renderLink,
  renderLinks,
  renderNoSuchProject,
} from './plan-messages.ts';

/** Maximum people in the list of links. A message holds 50 blocks. */
const MAX_PEOPLE = 40;

const asksForLinks = (text: string) => /^links?$/i.test(text.trim());

/** `/upnext plan` gives a person a link of their own to the plan as a page, and to its calendar feed. */
export const plan: Feature = {
  name: 'plan',
  commands: [
    {
      name: 'plan',
      aliases: ['page', 'browser', 'website', 'ics', 'ical', 'feed', 'subscribe'],
      summary: 'Your plan as a page in the browser, and as a calendar feed',
      usage: '[project or “links”]',
      examples: {
        '/upnext plan': 'Open the month, with each post as it will look.',
        '/upnext plan links': 'As an Owner, see who has links, and end them.',
      },
      // A link changes nothing that anybody sees.
      isReadOnly: true,
      deed: 'create a link to the plan',
      role: ({ text }) => (asksForLinks(text) ? 'owner' : 'viewer'),
      run: (call) => (asksForLinks(call.text) ? showLinks(call) : sendLink(call)),
    },
  ],
  role: 'viewer',
  actions: {
    // Slack opens the page itself, and reports the press.
    [OPEN_ACTION]: { deed: 'open the plan as a page', run: (call) => call.acknowledge() },
    [FEED_ACTION]: { deed: 'create a calendar feed of the plan', run: sendFeed },
    [END_ACTION]: {
      deed: 'end all their links to the plan',
      role: 'member',
      run: async (call) => call.reply(renderEnd(await endLinks(call, call.actor.user), undefined)),
    },
    [END_OF_PERSON_ACTION]: {
      deed: 'end all links of a person to the plan',
      role: 'owner',
      run: endOfPerson,
    },
  },
};

async function sendLink(call: CommandCall): Promise<void> {
  const found = await findProject(call);
  if (found === 'unknown') {
    call.recordOutcome?.('unchanged');
    return call.reply(renderNoSuchProject(call.text));
  }
  const address = await call.context.web.createLink(call.actor, 'pages');
  if (address === undefined) return sendNothing(call);
  await call.reply(
    renderLink(found === undefined ? address : `${address}?project=${encodeURIComponent(found)}`),
  );
}

async function sendNothing(call: Call): Promise<void> {
  call.recordOutcome?.('unchanged');
  await call.reply(NO_PAGES);
}

/**
 * Finds the id of the project with which the page begins: the named one, or that of the channel. All others are on the page too.
 * `unknown`: the text certainly names none, or several.
 */
async function findProject(call: CommandCall): Promise<string | 'unknown' | undefined> {
  const { context, actor, channel, channelName } = call;
  const [outcome, boundIds] = await Promise.all([
    context.reads.listProjects(context.api),
    listBoundProjects(context.db, { workspace: actor.workspace, channel }),
  ]);
  const { projects } = await readProjects(call, outcome);
  if (call.text.trim() !== '' && projects && !projects.isTruncated) {
    const [named, ...others] = findProjectsByName(projects, call.text).projects;
    return named && others.length === 0 ? named.id : 'unknown';
  }
  const resolution = projects && resolveProject(projects, boundIds, call.text, channelName);
  return resolution?.kind === 'one' ? resolution.project.id : undefined;
}

async function sendFeed(call: ActionCall): Promise<void> {
  const address = await call.context.web.createLink(call.actor, 'feed');
  if (address === undefined) return sendNothing(call);
  await call.reply(renderFeed(`${address}upnext.ics`));
}

async function endLinks(call: Call, user: string): Promise<number> {
  const count = await call.context.web.endLinks({ workspace: call.actor.workspace, user });
  if (count === 0) call.recordOutcome?.('unchanged');
  return count;
}

async function showLinks(call: Call): Promise<void> {
  call.recordOutcome?.('unchanged');
  const { people, count } = await call.context.web.listLinks(call.actor.workspace, MAX_PEOPLE);
  const names = new Map<string, string>();
  await mapLimited(people, async ({ person }) => {
    const name = await fetchDisplayName(call, person);
    if (name !== undefined) names.set(person, name);
  });
  await call.reply(renderLinks(people, { names, hiddenCount: count - people.length }));
}

async function endOfPerson(call: ActionCall): Promise<void> {
  const user = call.action.value ?? '';
  await call.reply(renderEnd(await endLinks(call, user), user), { replace: true });
}
