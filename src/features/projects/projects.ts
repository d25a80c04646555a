import type { ActionsBlock, PlainTextOption } from '@slack/types';
import type { Outcome } from '../../api/outcome.ts';
import { getUpnextPost } from '../../api/posts.ts';
import { nameById } from '../../api/project-ids.ts';
import type { Project } from '../../api/projects.ts';
import { createForm } from '../../forms/create-form.ts';
import { answerInTime, findRecordOptions } from '../../forms/inputs/searched.ts';
import type { ActionCall, AppContext, Call, CommandCall, OptionsCall } from '../../handlers/call.ts';
import type { Feature } from '../../handlers/feature.ts';
import { findGuests, keepOutGuests } from '../../handlers/guests.ts';
import { renderReaders } from '../../handlers/share-outside.ts';
import { createPagedList } from '../../lists/list.ts';
import { CHOOSE_PROJECT_ACTION, findProjectsByName, type ProjectList } from '../../posts/project.ts';
import { listBoundProjects } from '../../preferences/bindings.ts';
import { listPolicies } from '../../preferences/project-policy.ts';
import { mapLimited } from '../../promises.ts';
import { fetchAudience } from '../../slack/audience.ts';
import { actions, NO_CHOICE } from '../../slack/blocks.ts';
import { runLineButton } from '../../slack/catalogue.ts';
import { fitsButton } from '../../slack/interaction-values.ts';
import { addBlocks, buildQuotingMessage, type Message } from '../../slack/message.ts';
import { normalizeName } from '../../slack/name.ts';
import type { ServiceFailure } from '../../slack/service-failure.ts';
import { isTriggerSpent } from '../../slack/slack-errors.ts';
import { bindChannel, bindingForm } from './binding-form.ts';
import {
  NO_CHANNEL,
  PREFIX,
  renderAmbiguousProject,
  renderBindingMessage,
  renderLoadFailure,
  renderOwnWord,
  renderProjectList,
  renderUnknownProject,
} from './projects-messages.ts';

const form = createForm(bindingForm);

const list = createPagedList({
  prefix: PREFIX,
  deed: 'open the list of projects',
  role: 'viewer',
  createMessage: createListMessage,
});

/** `/upnext projects` lists the projects. `/upnext use` binds the channel to some of them. */
export const projects: Feature = {
  name: 'projects',
  commands: [
    {
      name: 'projects',
      aliases: ['project'],
      summary: 'All projects, and which this channel follows',
      examples: { '/upnext projects': 'List all projects.' },
      isReadOnly: true,
      ...list.command,
    },
    {
      name: 'use',
      aliases: ['bind', 'choose'],
      summary: 'Choose this channel’s projects',
      usage: '[project, project… or none]',
      examples: {
        '/upnext use': 'Choose from the list.',
        '/upnext use Harbour Coffee, Night Market Books': 'Follow two projects.',
      },
      opensForm: (text) => text === '',
      button: false,
      deed: 'use `/upnext use`',
      run: (call) => (call.text === '' ? form.openForm(call) : onUseCommand(call)),
    },
  ],
  role: 'manager',
  ...form,
  actions: {
    ...form.actions,
    [CHOOSE_PROJECT_ACTION]: { deed: 'choose a channel’s project', run: onProjectChosen },
    ...list.actions,
  },
  options: {
    // The menu lists all projects that the person may see, also those of which they aren't a manager.
    ...Object.fromEntries(
      Object.entries(form.options).map(([id, handler]) => [id, { ...handler, role: 'viewer' }]),
    ),
    [CHOOSE_PROJECT_ACTION]: { deed: 'choose a channel’s project', role: 'viewer', run: searchProjects },
  },
};

async function createListMessage(call: Call, { page }: { page: number }): Promise<Message> {
  const { context, actor, channel, reference } = call;
  const [outcome, boundIds, policies] = await Promise.all([
    context.reads.fetchProjects(context.api),
    listBoundProjects(context.db, { workspace: actor.workspace, channel }),
    listPolicies(context.db, actor.workspace),
  ]);
  return outcome.kind === 'done'
    ? renderProjectList(outcome.data, { boundIds, policies, requestedPage: page })
    : renderLoadFailure(outcome, reference, { action: `${PREFIX}.next`, state: { page } });
}

/** Handles `/upnext use` with an argument. Binds the channel to the projects with these names or ids. */
async function onUseCommand(call: CommandCall): Promise<void> {
  const line = `/upnext use ${call.text}`;
  const outcome = await call.context.reads.fetchProjects(call.context.api);
  const replyFailure = (failure: ServiceFailure) =>
    call.reply(addBlocks(renderLoadFailure(failure, call.reference), renderRunButton('Try again', line)));
  const bind = async (chosen: readonly Project[]) => {
    const message = await bindCurrentChannel(call, chosen, line);
    if (message) await call.reply(message);
  };
  if (outcome.kind !== 'done') return replyFailure(outcome);
  const match = findProjects(call.text, outcome.data);
  switch (match.kind) {
    case 'none':
      return bind([]);
    case 'own-word':
      return call.reply(addBlocks(renderOwnWord(call.text), actions(runLineButton('Choose', '/upnext use'))));
    case 'ambiguous':
      return call.reply(renderAmbiguousProject(match.text, match.projects));
    case 'named': {
      const lookup = await resolveUnlistedProjects(call, match.projects, outcome.data);
      if (lookup.kind === 'failed') return replyFailure(lookup.failure);
      if (lookup.kind === 'unknown') return call.reply(renderUnknownProject(lookup.text, outcome.data));
      return bind(lookup.projects);
    }
  }
}

/** Handles the menu that `/upnext` shows in a channel without projects. Binds the channel to the chosen project. */
async function onProjectChosen(call: ActionCall): Promise<void> {
  const { selectedValue: chosenId = '' } = call.action;
  if (chosenId === NO_CHOICE) return;
  const outcome = await call.context.reads.fetchProjects(call.context.api);
  if (outcome.kind !== 'done') return call.reply(renderLoadFailure(outcome, call.reference));
  const listedProject = outcome.data.items.find(({ id }) => id === chosenId);
  const lookup = await resolveUnlistedProjects(call, [listedProject ?? chosenId], outcome.data);
  if (lookup.kind === 'failed') return call.reply(renderLoadFailure(lookup.failure, call.reference));
  if (lookup.kind === 'unknown') return call.reply(renderUnknownProject('', outcome.data));
  // The menu was the reply to `/upnext`, so the card with the next post replaces it. The card names the project.
  if (await bindCurrentChannel(call, lookup.projects)) await call.openFeature('up-next', {});
}

function searchProjects({ context, query }: OptionsCall): Promise<PlainTextOption[]> {
  const listed = context.reads.listProjects(context.api);
  return answerInTime(
    listed.then((outcome) => findRecordOptions(outcome, { query, emptyText: 'No project found' })),
  );
}

/**
 * Binds the channel of the call, and returns the message that says so. Undefined if something else was shown: an owner
 * confirms in the form that people outside may read the channel. `line` asks for the same again.
 */
async function bindCurrentChannel(
  call: Call,
  projects: readonly Project[],
  line = '/upnext use',
): Promise<Message | undefined> {
  const { channel, trigger } = call;
  if (channel === undefined) return void (await call.reply(NO_CHANNEL));
  const [audience, guests, areKeptOut] = await Promise.all([
    fetchAudience(call, channel),
    findGuests(call, channel),
    keepOutGuests(
      call,
      projects.map(({ id }) => id),
    ),
  ]);
  const result = await bindChannel(call, { channel, audience, projects });
  if (result) return renderBindingMessage(channel, projects, { audience, guests, areKeptOut, ...result });
  try {
    if (trigger !== undefined) return void (await form.openForm(call, { prefill: { projects } }));
  } catch (error) {
    // What was read before has taken too long.
    if (!isTriggerSpent(error)) throw error;
  }
  const question = `${renderReaders(audience)} Nothing has changed yet.`;
  const message = addBlocks(buildQuotingMessage(question), renderRunButton('Choose', line));
  return void (await call.reply(message));
}

/** Renders a button that runs a line or, if the line is too long for one, opens the form. */
function renderRunButton(label: string, line: string): ActionsBlock {
  return actions(fitsButton(line) ? runLineButton(label, line) : runLineButton('Choose', '/upnext use'));
}

/** Maximum projects in one command. Without this limit, a long text could name thousands. */
const MAX_PROJECTS = 100;

/**
 * The parsed text after `/upnext use`.
 *
 * - 'named': a part of the text that matches no listed project stays a string.
 * - 'none': the text asks to bind no project.
 * - 'own-word': the text asks for that, but is also the name of a project.
 * - 'ambiguous': `text` is the part that matches several projects.
 */
type FoundProjects =
  | { kind: 'named'; projects: readonly (Project | string)[] }
  | { kind: 'none' }
  | { kind: 'own-word' }
  | { kind: 'ambiguous'; text: string; projects: readonly Project[] };

/** Finds one project, or several in a text such as "A, B and C". The whole text may also be one name with a comma. */
function findProjects(text: string, projects: ProjectList): FoundProjects {
  const { projects: wholeMatches, isWholeName } = findProjectsByName(projects, text);
  if (/^(?:none|nothing|no project|-)$/.test(normalizeName(text)))
    return isWholeName ? { kind: 'own-word' } : { kind: 'none' };
  const [onlyMatch] = wholeMatches;
  if (onlyMatch && wholeMatches.length === 1) return { kind: 'named', projects: [onlyMatch] };
  // Parts that name the same project count once.
  const partEntries = text.split(/[,;\n]|\sand\s/i).map((part) => [normalizeName(part), part] as const);
  const parts = [...new Map(partEntries.filter(([name]) => name !== '')).values()];
  if (parts.length < 2 || parts.length > MAX_PROJECTS)
    return wholeMatches.length > 1
      ? { kind: 'ambiguous', text, projects: wholeMatches }
      : { kind: 'named', projects: [text] };
  const projectsById = new Map<string, Project | string>();
  for (const part of parts) {
    const { projects: matches } = findProjectsByName(projects, part);
    const [project] = matches;
    if (matches.length > 1) return { kind: 'ambiguous', text: part, projects: matches };
    projectsById.set(project?.id ?? part.trim(), project ?? part);
  }
  return { kind: 'named', projects: [...projectsById.values()] };
}

/** All named projects, the first text that isn't a project, or the reason why the lookup failed. */
type LookupResult =
  | { kind: 'found'; projects: readonly Project[] }
  | { kind: 'unknown'; text: string }
  | { kind: 'failed'; failure: Exclude<Outcome<unknown>, { kind: 'done' }> };

/**
 * Replaces strings among the candidates with projects. In a truncated list, a string may be the id of an unread
 * project, so it is looked up in the service.
 */
async function resolveUnlistedProjects(
  { context }: Pick<Call, 'context'>,
  candidates: readonly (Project | string)[],
  { isTruncated }: Pick<ProjectList, 'isTruncated'>,
): Promise<LookupResult> {
  const unknownText = candidates.find(
    (candidate) => typeof candidate === 'string' && (!isTruncated || candidate.trim() === ''),
  );
  if (typeof unknownText === 'string') return { kind: 'unknown', text: unknownText };
  const results = await mapLimited(candidates, (candidate) =>
    typeof candidate === 'string' ? lookUpById(context, candidate) : Promise.resolve(candidate),
  );
  const projectsById = new Map<string, Project>();
  for (const result of results) {
    if ('kind' in result) return result;
    projectsById.set(result.id, result);
  }
  return { kind: 'found', projects: [...projectsById.values()] };
}

/** Looks up an id. Only a rejection by the service means that the project doesn't exist. */
async function lookUpById(
  { api }: AppContext,
  text: string,
): Promise<Project | Exclude<LookupResult, { kind: 'found' }>> {
  const serviceId = text.trim();
  const id = api.projectIds ? api.projectIds.find(serviceId) : serviceId;
  if (id === undefined) return { kind: 'unknown', text };
  const outcome = await getUpnextPost(api, id);
  if (outcome.kind === 'done') return nameById(id);
  const isUnknown = outcome.kind === 'invalid' || (outcome.kind === 'refused' && outcome.status === 404);
  return isUnknown ? { kind: 'unknown', text } : { kind: 'failed', failure: outcome };
}
