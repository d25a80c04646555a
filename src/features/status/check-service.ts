import { getUpnextPost } from '../../api/posts.ts';
import type { Project } from '../../api/projects.ts';
import type { Records } from '../../api/records.ts';
import type { Call } from '../../handlers/call.ts';
import {
  addMissingProjects,
  explainNoProject,
  renderChannelNameNote,
  resolveChannelProject,
} from '../../posts/project.ts';
import { listBoundProjects } from '../../preferences/bindings.ts';
import { mapLimited } from '../../promises.ts';
import { clipLine, escapeText } from '../../slack/blocks.ts';
import { joinNames } from '../../slack/name.ts';
import { renderServiceFailure } from '../../slack/service-failure.ts';

/**
 * `unknown`: the check failed. `waiting`: something isn't finished. `off`: an optional permission was declined, or a digest
 * is paused. `issue`: names the problem in the title, after "1 issue:".
 */
type Result = { result: 'fine' | 'unknown' | 'waiting' | 'off' } | { result: 'wrong'; issue: string };

export type CheckResult = Result & {
  /** Says what to do if something is wrong; mrkdwn. */
  text: string;
  /** What the result is about, if the check is about several things. */
  subject?: string;
};

const MAX_NAMED_PROJECTS = 10;

const SERVICE_ISSUE = 'the scheduling service';
const PROJECT_ISSUE = 'no project';

/** Checks the service, and whether it knows the projects of the channel: some have a token of their own. */
export async function checkService(call: Call): Promise<CheckResult[]> {
  const { context, actor, channel } = call;
  const [outcome, boundIds] = await Promise.all([
    context.reads.fetchProjects(context.api),
    listBoundProjects(context.db, { workspace: actor.workspace, channel }),
  ]);
  const serviceKindText = context.isEmulated ? ' It’s the practice service, so nothing is published.' : '';
  if (outcome.kind !== 'done') {
    return [
      { result: 'wrong', issue: SERVICE_ISSUE, text: renderServiceFailure(outcome) },
      { result: 'unknown', subject: 'Project', text: 'I couldn’t check this channel’s project.' },
    ];
  }
  if (!outcome.data.isReadable) {
    const text = 'The scheduling service answers, but I can’t read its projects.';
    return [{ result: 'wrong', issue: SERVICE_ISSUE, text }];
  }
  const { line, projects } =
    findBoundProjects(call, outcome.data, boundIds) ?? findUnboundProject(call, outcome.data, boundIds);
  return [
    { result: 'fine', text: `Connected to the scheduling service.${serviceKindText}` },
    ...(outcome.data.isTruncated ? [TRUNCATED] : []),
    ...(await checkProjects(call, projects)),
    { subject: 'Project', ...line },
  ];
}

const TRUNCATED: CheckResult = { result: 'fine', text: 'There are more projects than I could read.' };

/** Reports the projects whose posts can't be read. */
async function checkProjects(
  { context }: Call,
  projects: readonly Project[],
): Promise<Extract<CheckResult, { result: 'wrong' }>[]> {
  const lines = await mapLimited(projects, async ({ id, name }) => {
    const outcome = await getUpnextPost(context.api, id);
    if (outcome.kind === 'done') return [];
    const text = `${escapeText(clipLine(name))}: ${renderServiceFailure(outcome)}`;
    return [{ result: 'wrong' as const, issue: SERVICE_ISSUE, text }];
  });
  return lines.flat();
}

/** What the status says about the channel's projects, and those that it names. */
interface ChannelProjects {
  line: CheckResult;
  projects: readonly Project[];
}

/** Finds the projects that the channel follows. Undefined if none exists any more that the person may see. */
function findBoundProjects(
  call: Call,
  list: Records<Project>,
  boundIds: readonly string[],
): ChannelProjects | undefined {
  const visibleIds = boundIds.filter((id) => call.may('viewer', id));
  // A project that isn't listed may be one of those that couldn't be read.
  const isTruncated = list.isTruncated || list.unreadableCount > 0;
  const { items } = addMissingProjects({ ...list, isTruncated }, boundIds, call);
  const boundProjects = visibleIds.flatMap((id) => items.find((project) => project.id === id) ?? []);
  if (boundProjects.length === 0) return undefined;
  const missingCount = visibleIds.length - boundProjects.length;
  const names = joinNames(
    boundProjects.map(({ name }) => clipLine(name)),
    MAX_NAMED_PROJECTS,
  );
  const missingText = missingCount > 0 ? ` ${missingCount} more no longer exist: \`/upnext use\`.` : '';
  const text = `This channel follows ${escapeText(names)}.${missingText}`;
  return {
    line: missingCount > 0 ? { result: 'wrong', issue: 'a deleted project', text } : { result: 'fine', text },
    projects: boundProjects.slice(0, MAX_NAMED_PROJECTS),
  };
}

/** Finds the project that a channel without visible projects is about, as forms and lists resolve it. */
function findUnboundProject(
  call: Call,
  list: Records<Project>,
  boundIds: readonly string[],
): ChannelProjects {
  const resolution = resolveChannelProject(list, boundIds, call.channelName);
  switch (resolution.kind) {
    case 'none':
      return {
        line: { result: 'wrong', issue: PROJECT_ISSUE, text: explainNoProject(list) },
        projects: [],
      };
    case 'one': {
      const name = escapeText(clipLine(resolution.project.name));
      const only = `${(list.unfilteredCount ?? 1) > 1 ? 'Your' : 'The'} only ${list.unreadableCount > 0 ? 'readable ' : ''}project`;
      const text = resolution.isFromChannelName ? renderChannelNameNote(name, call) : `${only} is ${name}.`;
      return { line: { result: 'fine', text }, projects: [resolution.project] };
    }
    case 'several': {
      const line: CheckResult = boundIds.some((id) => !call.may('viewer', id))
        ? { result: 'fine', text: 'This channel follows projects that you may not see.' }
        : {
            result: 'wrong',
            issue: PROJECT_ISSUE,
            text: 'This channel doesn’t follow a project yet. Choose one with `/upnext use`.',
          };
      return { line, projects: [] };
    }
  }
}
