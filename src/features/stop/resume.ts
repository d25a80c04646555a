import type { Button, KnownBlock } from '@slack/types';
import { z } from 'zod';
import { buildDoneEntry } from '../../access/access.ts';
import { listKnownProjects } from '../../api/cached-reads.ts';
import { claimRequest } from '../../engine/once-claim.ts';
import { type NamedRecord, namedRecord } from '../../forms/field.ts';
import { readSealedValue, storeSealedValue } from '../../forms/sealed-store.ts';
import type { ActionCall, Call, CommandCall } from '../../handlers/call.ts';
import type { Feature } from '../../handlers/feature.ts';
import { renderWaitingCount, toExcerpt, type Waiting } from '../../posts/post-text.ts';
import { listStops, nameProjects, type StoppedProject } from '../../posts/project.ts';
import {
  actions,
  buildButtonRow,
  button,
  clipLine,
  context,
  escapeText,
  plain,
  section,
  withConfirmation,
} from '../../slack/blocks.ts';
import { runLineButton } from '../../slack/catalogue.ts';
import { decodeButtonState } from '../../slack/interaction-values.ts';
import { buildPageButtons, paginate } from '../../slack/list-pages.ts';
import { buildQuotingMessage, buildUnavailableMessage, type Message } from '../../slack/message.ts';
import { findProjectStop } from '../../submissions/project-stop.ts';
import { renderStop } from '../../submissions/text/stop-text.ts';
import { renderCount } from '../../words.ts';
import { discardPosts, listMissedPosts, listWaitingPosts, type MissedPost } from './missed-posts.ts';
import { notifyOfStop } from './notify-of-stop.ts';
import {
  addAllStopped,
  countWaiting,
  findNamedProject,
  findObstacle,
  OBSTACLES,
  type Obstacle,
  requireKnownRoles,
} from './stop-context.ts';

const RESUME_ACTIONS = {
  previous: 'resume.previous',
  next: 'resume.next',
  confirm: 'resume.confirm',
  discard: 'resume.discard',
  discardAll: 'resume.discard-all',
} as const;

/** Maximum number of posts in a message. A message holds 50 blocks, and a post needs up to three. */
const MAX_LISTED_POSTS = 10;
/** Maximum number of stopped projects in a message. */
const MAX_LISTED_PROJECTS = 20;

const OUTDATED = buildUnavailableMessage('Type `/upnext resume` again.');

/** The handlers of the buttons below `/upnext resume`. */
export const resumeActions: NonNullable<Feature['actions']> = {
  [RESUME_ACTIONS.previous]: { deed: 'open the list of stopped projects', role: 'manager', run: onPage },
  [RESUME_ACTIONS.next]: { deed: 'open the list of stopped projects', role: 'manager', run: onPage },
  [RESUME_ACTIONS.discard]: { deed: 'discard a post that missed its time', role: 'manager', run: onDiscard },
  [RESUME_ACTIONS.confirm]: {
    deed: 'resume a project',
    role: 'manager',
    run: (call) => onResume(call, { discardsMissed: false }),
  },
  [RESUME_ACTIONS.discardAll]: {
    deed: 'resume a project',
    role: 'manager',
    run: (call) => onResume(call, { discardsMissed: true }),
  },
};

const STORED_KIND = 'resume.1';
/** What a manager was asked about: the stop of a project, and the posts that have missed their time. */
const questionSchema = z.object({
  project: namedRecord,
  since: z.coerce.date(),
  missedKeys: z.array(z.string()),
});
type StoredQuestion = z.infer<typeof questionSchema>;

/** `/upnext resume` shows what a stop has kept from being sent, and asks before it resumes a project. */
export async function onResumeCommand(call: CommandCall): Promise<void> {
  const stoppedProjects = await listStops(call, 'manager');
  if (call.text === '') {
    const [only, ...others] = stoppedProjects;
    if (!only) {
      await requireKnownRoles(call);
      return call.reply(await addAllStopped(call, { text: 'No project that you manage is stopped.' }));
    }
    return others.length > 0 ? call.reply(renderStoppedProjects(stoppedProjects)) : ask(call, only, {});
  }
  // A button has the id of the project, which the service may not list.
  const stoppedById = stoppedProjects.find(({ project }) => project.id === call.text);
  if (stoppedById) return ask(call, stoppedById, {});
  const items = (await listKnownProjects(call.context))?.items ?? [];
  const namedProject = findNamedProject({ items, isTruncated: false }, call.text)?.project;
  const stopped = stoppedProjects.find(({ project }) => project.id === namedProject?.id);
  if (stopped) return ask(call, stopped, {});
  if (!namedProject) await requireKnownRoles(call);
  const notStopped = namedProject
    ? buildQuotingMessage(`${clipLine(namedProject.name)} isn’t stopped.`)
    : buildQuotingMessage(
        `I know no stopped project “${clipLine(call.text)}” that you manage.`,
        'Type `/upnext resume` to see which are stopped.',
      );
  return call.reply(await addAllStopped(call, notStopped));
}

/** Shows the question before a resumption. */
async function ask(
  call: Call,
  { project, stop }: StoppedProject,
  { replace = false, note, page = 0 }: { replace?: boolean; note?: string; page?: number },
): Promise<void> {
  const [missedPosts, waiting] = await Promise.all([
    listMissedPosts(call, project.id, stop),
    countWaiting(call, project.id),
  ]);
  const obstacle = await findObstacle(call, project.id, waiting.kinds);
  const missedKeys = missedPosts.map(({ key }) => key);
  const stored: StoredQuestion = { project, since: stop.since, missedKeys };
  const id = await storeSealedValue(call, STORED_KIND, stored);
  const question = {
    ...{ project, stop, missedPosts, page, obstacle, id, waiting },
    ...(note && { note }),
  };
  await call.reply(renderResumeQuestion(question), { replace });
}

/**
 * Reads the question again. Replies and resolves with undefined if the stop that it was about has ended. `claimed`:
 * what the press does, which a copy of it doesn't do again. A copy gets no reply, because that would replace the
 * result.
 */
async function readQuestion(
  call: ActionCall,
  id: string,
  { claimed }: { claimed?: 'resume' | 'discard' } = {},
): Promise<(StoredQuestion & StoppedProject & { missedPosts: readonly MissedPost[] }) | undefined> {
  const stored = await readSealedValue(call, STORED_KIND, questionSchema, id);
  if (!stored) return void (await call.reply(OUTDATED, { replace: true }));
  const { project, since } = stored;
  await call.permit('manager', project.id, 'resume project');
  if (claimed && !(await claimRequest(call, `stop ${claimed}`))) return undefined;
  const key = { workspace: call.actor.workspace, project: project.id };
  const stop = await findProjectStop(call.context.db, key);
  if (!stop) return void (await call.reply(renderAlreadyResumed(project), { replace: true }));
  if (stop.since.getTime() !== since.getTime())
    return void (await ask(call, { project, stop }, { replace: true, note: STOPPED_AGAIN }));
  return { ...stored, stop, missedPosts: await listMissedPosts(call, project.id, stop) };
}

const STOPPED_AGAIN = 'It was resumed and stopped again meanwhile. Nothing was changed.';

const pageState = z.object({ id: z.string(), page: z.number().int() });

/** Handles the buttons that show the other posts that have missed their time. */
async function onPage(call: ActionCall): Promise<void> {
  const { id = '', page = 0 } = decodeButtonState(pageState, call.action.value) ?? {};
  const question = await readQuestion(call, id);
  if (question) await ask(call, question, { replace: true, page });
}

async function onDiscard(call: ActionCall): Promise<void> {
  const [, id = '', page, key] = /^(\S+) (?:(\d{1,9}) )?(.*)$/s.exec(call.action.value ?? '') ?? [];
  const question = await readQuestion(call, id, { claimed: 'discard' });
  if (!question) return call.recordOutcome?.('unchanged');
  const discarded = await discardPosts(
    call,
    question.missedPosts.filter((missed) => missed.key === key),
  );
  if (discarded.length === 0) call.recordOutcome?.('unchanged', question.project.id);
  const note =
    discarded.length > 0 ? 'Discarded.' : 'That post has changed meanwhile. Nothing was discarded.';
  await ask(call, question, { replace: true, note, page: Number(page ?? 0) });
}

/** Handles the buttons that resume a project. With `discardsMissed`, discards the posts that the person saw first. */
async function onResume(call: ActionCall, { discardsMissed }: { discardsMissed: boolean }): Promise<void> {
  const { context, actor } = call;
  const question = await readQuestion(call, call.action.value ?? '', { claimed: 'resume' });
  if (!question) return call.recordOutcome?.('unchanged');
  const { project, since, missedKeys, missedPosts } = question;
  const key = { workspace: actor.workspace, project: project.id };
  const discarded = discardsMissed
    ? await discardPosts(
        call,
        missedPosts.filter((missed) => missedKeys.includes(missed.key)),
      )
    : [];
  const waiting = (await Promise.all(listWaitingPosts(call, project.id))).flat();
  if (!(await context.engine.resumeSending({ ...key, since }))) {
    const action = `stop action ${RESUME_ACTIONS.discard}` as const;
    if (discarded.length === 0) call.recordOutcome?.('unchanged', project.id);
    else context.record.enqueue(buildDoneEntry(call, { action, project: project.id }));
    return call.reply(renderAlreadyResumed(project, discarded.length), { replace: true });
  }
  context.record.enqueue(buildDoneEntry(call, { action: 'resume project', project: project.id }));
  const kept = missedPosts.filter((post) => !discarded.includes(post));
  const kinds = waiting.map(({ kind }) => kind);
  const obstacle = await findObstacle(call, project.id, kinds);
  const notification = notifyOfStop(call, {
    ...{ kind: 'resumed', project, waiting, channel: call.channel, obstacle },
  });
  await call.reply(
    renderResumed({
      project,
      waiting: { count: waiting.length, kinds },
      discardedCount: discarded.length,
      changedTitles: discardsMissed ? kept.map(({ title }) => title) : [],
      keptCount: discardsMissed ? 0 : kept.length,
      obstacle,
    }),
    { replace: true },
  );
  await notification;
}

/** What the message before a resumption shows. */
interface ResumeQuestion extends StoppedProject {
  missedPosts: readonly MissedPost[];
  /** The page of missed posts to show, from 0. */
  page: number;
  waiting: Waiting;
  obstacle: Obstacle | undefined;
  /** The id under which the message's content is stored, for its buttons. */
  id: string;
  /** The result of a press (plain text). */
  note?: string | undefined;
}

function renderResumeQuestion(question: ResumeQuestion): Message {
  const { project, stop, missedPosts, page, waiting, id, note } = question;
  const name = escapeText(clipLine(project.name));
  const countText =
    waiting.count === 0
      ? 'Nothing else is waiting.'
      : `${renderWaitingCount(waiting, ['goes', 'go'])} out as planned when you resume.`;
  return {
    text: `Resume ${name}? ${renderStop(stop)}.`,
    blocks: [
      ...(note === undefined ? [] : [section(escapeText(note))]),
      section(`*Resume ${name}?*\n${renderStop(stop)}.`),
      section(missedPosts.length === 0 && waiting.count === 0 ? 'Nothing is waiting.' : countText),
      ...(question.obstacle ? [section(OBSTACLES[question.obstacle])] : []),
      ...renderMissedPosts(missedPosts, page, id),
      renderResumeButtons(missedPosts.length, id),
    ],
  };
}

function renderMissedPosts(
  missedPosts: readonly MissedPost[],
  requestedPage: number,
  id: string,
): KnownBlock[] {
  if (missedPosts.length === 0) return [];
  const page = paginate(missedPosts, requestedPage, MAX_LISTED_POSTS);
  const isOne = missedPosts.length === 1;
  return [
    section(
      `*${renderCount(missedPosts.length, 'post')} missed ${isOne ? 'its' : 'their'} time${page.titleSuffix}*\nI won’t send ${isOne ? 'it' : 'them'} late. What should happen to ${isOne ? 'it' : 'them'}?`,
    ),
    ...page.items.flatMap((post) => renderMissedPost(post, `${id} ${page.number}`)),
    ...buildButtonRow(buildPageButtons('resume', page, (number) => ({ id, page: number }))),
  ];
}

/** `place`: the id of the question, and the page. */
function renderMissedPost({ key, title, text, author, newTime }: MissedPost, place: string): KnownBlock[] {
  const discardButton = addDiscardDialog(button('Discard', RESUME_ACTIONS.discard, `${place} ${key}`), 1);
  return [
    context(plain(title), ...(text === '' ? [] : [plain(`“${toExcerpt(text)}”`)]), `by <@${author}>`),
    actions(...(newTime ? [newTime] : []), discardButton),
  ];
}

function renderResumeButtons(missedCount: number, id: string): KnownBlock {
  if (missedCount === 0) return actions(button('Resume', RESUME_ACTIONS.confirm, id, 'primary'));
  const isOne = missedCount === 1;
  return actions(
    button(
      `Resume, keep ${isOne ? 'it for its author' : 'all for their authors'}`,
      RESUME_ACTIONS.confirm,
      id,
      'primary',
    ),
    addDiscardDialog(
      button(`Resume, discard ${isOne ? 'it' : 'all'}`, RESUME_ACTIONS.discardAll, id, 'danger'),
      missedCount,
    ),
  );
}

function addDiscardDialog(base: Button, count: number): Button {
  return withConfirmation(base, {
    title: count === 1 ? 'Discard this post?' : `Discard ${count} posts?`,
    text: count === 1 ? 'It won’t be sent.' : 'They won’t be sent.',
    confirm: count === 1 ? 'Discard' : 'Discard all',
    deny: 'Keep',
    style: 'danger',
  });
}

function renderStoppedProjects(stoppedProjects: readonly StoppedProject[]): Message {
  const hiddenCount = stoppedProjects.length - MAX_LISTED_PROJECTS;
  const names = nameProjects(stoppedProjects.map(({ project }) => project));
  return {
    text: 'Which project? Type `/upnext resume` and its name.',
    blocks: [
      section('*Which project?*'),
      ...stoppedProjects.slice(0, MAX_LISTED_PROJECTS).map(({ project, stop }, index) => ({
        ...section(`*${escapeText(names[index] ?? '')}*\n${renderStop(stop)}`),
        accessory: runLineButton('Resume…', `/upnext resume ${project.id}`),
      })),
      ...(hiddenCount > 0
        ? [context(`…and ${hiddenCount} more. Type \`/upnext resume\` and the name.`)]
        : []),
    ],
  };
}

function renderResumed(result: {
  project: NamedRecord;
  waiting: Waiting;
  discardedCount: number;
  /** The titles of the posts that somebody changed meanwhile, so that they weren't discarded (plain text). */
  changedTitles: readonly string[];
  /** The number of posts that wait for their authors. */
  keptCount: number;
  obstacle: Obstacle | undefined;
}): Message {
  const { project, waiting, discardedCount, changedTitles, keptCount, obstacle } = result;
  const lines = [
    ...(waiting.count > 0 ? [`${renderWaitingCount(waiting, ['goes', 'go'])} out as planned.`] : []),
    ...(discardedCount > 0 ? [`${renderCount(discardedCount, 'post')} discarded.`] : []),
    ...(keptCount > 0
      ? [`${renderCount(keptCount, 'post waits for its author', 'posts wait for their authors')}.`]
      : []),
    ...(obstacle ? [OBSTACLES[obstacle]] : []),
  ];
  const line = `${escapeText(clipLine(project.name))} is resumed.`;
  return {
    text: [line, ...lines].join(' '),
    blocks: [
      section(`:white_check_mark: *${line}*`),
      ...lines.map(section),
      ...(changedTitles.length === 0
        ? []
        : [
            section('Somebody changed these meanwhile, so I didn’t discard them:'),
            ...changedTitles.slice(0, MAX_LISTED_POSTS).map((title) => context(plain(title))),
          ]),
    ],
  };
}

/** Says that a project is no longer stopped, so a press has resumed nothing. It may have discarded posts before. */
function renderAlreadyResumed(project: NamedRecord, discardedCount = 0): Message {
  const change =
    discardedCount === 0 ? 'Nothing was changed.' : `${renderCount(discardedCount, 'post')} discarded.`;
  return buildQuotingMessage(`${clipLine(project.name)} is no longer stopped. ${change}`);
}
