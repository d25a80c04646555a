import type { PlainTextOption } from '@slack/types';
import type { Role } from '../../access/access.ts';
import type { Project } from '../../api/projects.ts';
import type { ActionCall, Call, CommandCall, OptionsCall } from '../../app/call.ts';
import type { Attempt, Feature } from '../../app/feature.ts';
import { createForm } from '../../forms/create-form.ts';
import { answerInTime, limitOptions } from '../../forms/search.ts';
import { CHOOSE_PROJECT_ACTION, toProjectOptions } from '../../posts/project.ts';
import { listBoundProjects } from '../../preferences/bindings.ts';
import { fetchAudience } from '../../slack/audience.ts';
import { replyInTime } from '../../slack/list-answers.ts';
import type { Message } from '../../slack/message.ts';
import { buildNoChoiceOptions, NO_CHOICE } from '../../slack/no-choice.ts';
import { hashReaders } from '../../slack/share-outside.ts';
import { bindHere, readStoredChoice, storeChoice } from './bind-here.ts';
import { findProjects, lookUpUnread } from './find-projects.ts';
import { NEXT, PREVIOUS, projectList, projectsFailedMessage } from './projects-messages.ts';
import { useForm } from './use-form.ts';
import {
  boundMessage,
  CONFIRM,
  NOT_HERE,
  OUT_OF_DATE,
  severalFit,
  sharedQuestion,
  unknownProject,
} from './use-messages.ts';

const form = createForm(useForm);

/** `/upnext projects` lists the projects. `/upnext use` binds the channel to some of them. */
export const projects: Feature = {
  name: 'projects',
  commands: [
    {
      name: 'projects',
      aliases: ['project'],
      summary: 'The projects, and which of them this channel is about',
      usage: '',
      examples: ['/upnext projects'],
      run: (call) => showProjects(call, 0, false),
    },
    {
      name: 'use',
      aliases: ['bind', 'choose'],
      summary: 'Choose what this channel is about: one project or several',
      usage: '[project, project… or none]',
      examples: ['/upnext use', '/upnext use Harbour Coffee, Night Market Books'],
      opensForm: (words) => words === '',
      button: false,
      run: (call) => (call.text === '' ? form.openForm(call) : use(call)),
    },
  ],
  role: roleFor,
  open: form.open,
  views: form.views,
  actions: {
    ...form.actions,
    [CHOOSE_PROJECT_ACTION]: choose,
    [CONFIRM]: confirm,
    [PREVIOUS]: showPage,
    [NEXT]: showPage,
  },
  options: { ...form.options, [CHOOSE_PROJECT_ACTION]: searchProjects },
};

/** Viewers may see the list. Managers bind a channel, but only an owner confirms that outsiders may read along. */
function roleFor(attempt: Attempt): Role {
  if (attempt.surface === 'command') return attempt.command === 'use' ? 'manager' : 'viewer';
  if (attempt.surface === 'action' && [PREVIOUS, NEXT].includes(attempt.id)) return 'viewer';
  if (attempt.surface === 'action' && attempt.id === CONFIRM) return 'owner';
  return attempt.surface === 'options' ? 'viewer' : 'manager';
}

function showProjects(call: Call, page: number, replace: boolean): Promise<void> {
  return replyInTime(call, loadProjectList(call, page), { slowMs: call.context.pace.slowMs, replace });
}

async function loadProjectList({ context, actor, channel, reference }: Call, page: number): Promise<Message> {
  const [outcome, bound] = await Promise.all([
    context.reads.fetchProjects(context.api),
    listBoundProjects(context.db, { workspace: actor.workspace, channel }),
  ]);
  return outcome.kind === 'done'
    ? projectList(outcome.data, bound, page)
    : projectsFailedMessage(outcome, reference, page);
}

async function showPage(call: ActionCall): Promise<void> {
  const page = Number(call.action.value);
  await showProjects(call, Number.isSafeInteger(page) ? page : 0, true);
}

/** `/upnext use <projects>`, by names or ids. */
async function use(call: CommandCall): Promise<void> {
  const outcome = await call.context.reads.fetchProjects(call.context.api);
  if (outcome.kind !== 'done') return call.reply(projectsFailedMessage(outcome, call.reference));
  const found = findProjects(call.text, outcome.data);
  switch (found.kind) {
    case 'none':
      return call.reply((await bindTo(call, [])).message);
    case 'ambiguous':
      return call.reply(severalFit(found.words, found.projects));
    case 'named': {
      const lookup = await lookUpUnread(call, found.named, outcome.data);
      if (lookup.kind === 'trouble') return call.reply(projectsFailedMessage(lookup.trouble, call.reference));
      if (lookup.kind === 'unknown') return call.reply(unknownProject(lookup.words, outcome.data));
      return call.reply((await bindTo(call, lookup.projects)).message);
    }
  }
}

/** The menu that `/upnext` offers in a channel without projects. */
async function choose(call: ActionCall): Promise<void> {
  const { selectedValue: chosen = '' } = call.action;
  if (chosen === NO_CHOICE) return;
  const outcome = await call.context.reads.fetchProjects(call.context.api);
  if (outcome.kind !== 'done') return call.reply(projectsFailedMessage(outcome, call.reference));
  const listed = outcome.data.items.find(({ id }) => id === chosen);
  const lookup = await lookUpUnread(call, [listed ?? chosen], outcome.data);
  if (lookup.kind === 'trouble') return call.reply(projectsFailedMessage(lookup.trouble, call.reference));
  if (lookup.kind === 'unknown') return call.reply(unknownProject('', outcome.data));
  const { isBound, message } = await bindTo(call, lookup.projects);
  if (!isBound) return call.reply(message, { replace: true });
  // The person wanted to see what is next, so the card replaces the question. The card names the project.
  return call.openFeature('up-next', {});
}

function searchProjects({ context, query }: OptionsCall): Promise<PlainTextOption[]> {
  const words = query.trim().toLowerCase();
  const options = context.reads.listProjects(context.api).then((outcome) => {
    if (outcome.kind !== 'done') return buildNoChoiceOptions('The projects cannot be read now');
    const { items, isTruncated, unfilteredCount: read = items.length } = outcome.data;
    const found = items.filter(({ name }) => name.toLowerCase().includes(words));
    return limitOptions(toProjectOptions(found), isTruncated ? read : undefined);
  });
  return answerInTime(options);
}

/** Whether the projects are bound now. The message says so, or asks for a confirmation. */
interface BindResult {
  isBound: boolean;
  message: Message;
}

async function bindTo(call: Call, projects: readonly Project[]): Promise<BindResult> {
  const { channel } = call;
  return channel === undefined
    ? { isBound: false, message: NOT_HERE }
    : bindOrAsk(call, { channel, projects });
}

/** [Choose all the same]: an owner confirms the named readers. Asks again if others joined the channel since. */
async function confirm(call: ActionCall): Promise<void> {
  const stored = await readStoredChoice(call, call.action.value ?? '');
  if (!stored) return call.reply(OUT_OF_DATE, { replace: true });
  const { readers: confirmed, ...choice } = stored;
  const { message } = await bindOrAsk(call, { ...choice, confirmed });
  await call.reply(message, { replace: true });
}

/** Binds the channel, or asks first if outsiders may read it and an owner hasn't confirmed exactly these readers. */
async function bindOrAsk(
  call: Call,
  choice: { channel: string; projects: readonly Project[]; confirmed?: string },
): Promise<BindResult> {
  const { channel, projects } = choice;
  const audience = await fetchAudience(call, channel);
  const done = await bindHere(call, { ...choice, audience });
  if (done) return { isBound: true, message: boundMessage(projects, audience, done.others) };
  const id = await storeChoice(call, { channel, projects, readers: hashReaders(audience) });
  return { isBound: false, message: sharedQuestion(projects, audience, id) };
}
