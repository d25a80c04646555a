import type { PlainTextOption } from '@slack/types';
import type { Role } from '../../access/access.ts';
import type { Project } from '../../api/projects.ts';
import type { ActionCall, Call, CommandCall, OptionsCall } from '../../app/call.ts';
import type { Attempt, Feature } from '../../app/feature.ts';
import { createForm } from '../../forms/create-form.ts';
import { answerInTime, limitOptions } from '../../forms/search.ts';
import { CHOOSE_PROJECT_ACTION, toProjectOptions } from '../../posts/project.ts';
import { boundProjects } from '../../preferences/bindings.ts';
import { fetchAudience } from '../../slack/audience.ts';
import { replyInTime } from '../../slack/list-answers.ts';
import type { Message } from '../../slack/message.ts';
import { NO_CHOICE, noChoice } from '../../slack/no-choice.ts';
import { hashReaders } from '../../slack/share-outside.ts';
import { bindHere, keepChoice, keptChoice } from './bind-here.ts';
import { findProjects, lookUpUnread } from './find-projects.ts';
import { NEXT, notListed, PREVIOUS, projectList } from './projects-messages.ts';
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

/** The projects that there are, and which of them a channel is about. */
export const projects: Feature = {
  name: 'projects',
  commands: [
    {
      name: 'projects',
      aliases: ['project'],
      summary: 'The projects, and which of them this channel is about',
      usage: '',
      examples: ['/upnext projects'],
      run: (call) => listThem(call, 0, false),
    },
    {
      name: 'use',
      aliases: ['bind', 'choose'],
      summary: 'Choose what this channel is about: one project or several',
      usage: '[project, project… or none]',
      examples: ['/upnext use', '/upnext use Harbour Coffee, Night Market Books'],
      opensForm: (words) => words === '',
      button: false,
      run: (call) => (call.words === '' ? form.openForm(call) : use(call)),
    },
  ],
  role: roleFor,
  open: form.open,
  views: form.views,
  actions: {
    ...form.actions,
    [CHOOSE_PROJECT_ACTION]: choose,
    [CONFIRM]: confirm,
    [PREVIOUS]: turnTo,
    [NEXT]: turnTo,
  },
  options: { ...form.options, [CHOOSE_PROJECT_ACTION]: searchProjects },
};

/** Looking is for everybody who may look; which projects a channel is about is for those who run it. */
function roleFor(attempt: Attempt): Role {
  if (attempt.surface === 'command') return attempt.command === 'use' ? 'manager' : 'viewer';
  if (attempt.surface === 'action' && [PREVIOUS, NEXT].includes(attempt.id)) return 'viewer';
  if (attempt.surface === 'action' && attempt.id === CONFIRM) return 'owner';
  return attempt.surface === 'options' ? 'viewer' : 'manager';
}

function listThem(call: Call, page: number, replace: boolean): Promise<void> {
  return replyInTime(call, listMessage(call, page), { slowMs: call.context.pace.slowMs, replace });
}

async function listMessage({ context, actor, channel, reference }: Call, page: number): Promise<Message> {
  const [outcome, chosen] = await Promise.all([
    context.reads.projectsNow(context.api),
    boundProjects(context.db, { workspace: actor.workspace, channel }),
  ]);
  return outcome.kind === 'done'
    ? projectList(outcome.data, chosen, page)
    : notListed(outcome, reference, page);
}

async function turnTo(call: ActionCall): Promise<void> {
  const page = Number(call.action.value);
  await listThem(call, Number.isSafeInteger(page) ? page : 0, true);
}

/** `/upnext use <projects>`, by names or ids. */
async function use(call: CommandCall): Promise<void> {
  const outcome = await call.context.reads.projectsNow(call.context.api);
  if (outcome.kind !== 'done') return call.reply(notListed(outcome, call.reference));
  const found = findProjects(call.words, outcome.data);
  switch (found.kind) {
    case 'none':
      return call.reply((await bindTo(call, [])).message);
    case 'several':
      return call.reply(severalFit(found.words, found.projects));
    case 'meant': {
      const looked = await lookUpUnread(call, found.meant, outcome.data);
      if (looked.kind === 'trouble') return call.reply(notListed(looked.trouble, call.reference));
      if (looked.kind === 'unknown') return call.reply(unknownProject(looked.words, outcome.data));
      return call.reply((await bindTo(call, looked.projects)).message);
    }
  }
}

/** The select that `/upnext` offers where nobody has chosen yet. */
async function choose(call: ActionCall): Promise<void> {
  const { chosen = '' } = call.action;
  if (chosen === NO_CHOICE) return;
  const outcome = await call.context.reads.projectsNow(call.context.api);
  if (outcome.kind !== 'done') return call.reply(notListed(outcome, call.reference));
  const listed = outcome.data.items.find(({ id }) => id === chosen);
  const looked = await lookUpUnread(call, [listed ?? chosen], outcome.data);
  if (looked.kind === 'trouble') return call.reply(notListed(looked.trouble, call.reference));
  if (looked.kind === 'unknown') return call.reply(unknownProject('', outcome.data));
  const { isBound, message } = await bindTo(call, looked.projects);
  if (!isBound) return call.reply(message, { replace: true });
  // Who was asked wanted to see what is next; the card, in the question's place, names the project.
  return call.open('up-next', {});
}

function searchProjects({ context, query }: OptionsCall): Promise<PlainTextOption[]> {
  const words = query.trim().toLowerCase();
  const found = context.reads.projects(context.api).then((outcome) => {
    if (outcome.kind !== 'done') return noChoice('The projects cannot be read now');
    const { items, isTruncated, read = items.length } = outcome.data;
    const found = items.filter(({ name }) => name.toLowerCase().includes(words));
    return limitOptions(toProjectOptions(found), isTruncated ? read : undefined);
  });
  return answerInTime(found);
}

/** What came of a choice, or the question that comes first. */
interface Bound {
  isBound: boolean;
  message: Message;
}

async function bindTo(call: Call, projects: readonly Project[]): Promise<Bound> {
  const { channel } = call;
  return channel === undefined
    ? { isBound: false, message: NOT_HERE }
    : bindOrAsk(call, { channel, projects });
}

/** [Choose all the same]: an owner has read who else is in the channel; others may have come since. */
async function confirm(call: ActionCall): Promise<void> {
  const kept = await keptChoice(call, call.action.value ?? '');
  if (!kept) return call.reply(OUT_OF_DATE, { replace: true });
  const { readers: confirmed, ...choice } = kept;
  const { message } = await bindOrAsk(call, { ...choice, confirmed });
  await call.reply(message, { replace: true });
}

/** Asks where outsiders read the channel and an owner has not confirmed just these. */
async function bindOrAsk(
  call: Call,
  choice: { channel: string; projects: readonly Project[]; confirmed?: string },
): Promise<Bound> {
  const { channel, projects } = choice;
  const audience = await fetchAudience(call, channel);
  const done = await bindHere(call, { ...choice, audience });
  if (done) return { isBound: true, message: boundMessage(projects, audience, done.others) };
  const id = await keepChoice(call, { channel, projects, readers: hashReaders(audience) });
  return { isBound: false, message: sharedQuestion(projects, audience, id) };
}
