import { listProjects, type Project } from '../../api/projects.ts';
import type { Records } from '../../api/records.ts';
import type { Call } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { addMissingProjects, type ProjectList } from '../../posts/project.ts';
import { listBoundProjects } from '../../preferences/bindings.ts';
import { answerWhenReady } from '../../slack/answer-when-ready.ts';
import { clip, escapeText, sanitizeLine } from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';
import { renderServiceFailure } from '../../slack/service-failure.ts';
import {
  checkChannel,
  checkDigests,
  checkOutbox,
  checkScopes,
  checkSending,
  checkStoppedProjects,
  checkZone,
} from './checks.ts';
import { CHECK_ACTION, type CheckResult, renderStatus } from './status-message.ts';

/** Maximum length of a project's name in a line. */
const MAX_NAME_LENGTH = 60;
const MAX_NAMED_PROJECTS = 10;

const SERVICE_ISSUE = 'the scheduling service';
const PROJECT_ISSUE = 'no project';

/** Checks that the scheduling service accepts the token, and reports the projects that the channel is about. */
async function checkService(call: Call): Promise<CheckResult[]> {
  const { context, actor, channel } = call;
  const [outcome, boundIds] = await Promise.all([
    listProjects(context.api),
    listBoundProjects(context.db, { workspace: actor.workspace, channel }),
  ]);
  const serviceKindText = context.isEmulated
    ? 'It’s the practice service, so nothing is published.'
    : 'It’s the real one, so scheduled posts are published.';
  if (outcome.kind !== 'done') {
    return [
      { result: 'wrong', issue: SERVICE_ISSUE, text: renderServiceFailure(outcome) },
      { result: 'unknown', subject: 'Project', text: 'I couldn’t check this channel’s project.' },
    ];
  }
  const { items, isReadable, isTruncated } = addMissingProjects(outcome.data, boundIds, call);
  if (!isReadable) {
    const text = 'The scheduling service answers, but I can’t read its projects.';
    return [{ result: 'wrong', issue: SERVICE_ISSUE, text }];
  }
  return [
    { result: 'fine', text: `Connected to the scheduling service. ${serviceKindText}` },
    ...(isTruncated ? [renderTruncation(outcome.data)] : []),
    { subject: 'Project', ...renderBoundProjects({ items, isTruncated }, boundIds) },
  ];
}

function renderTruncation({ items, unreadableCount }: Records<Project>): CheckResult {
  const count = items.length + unreadableCount;
  return {
    result: 'fine',
    text: `It has more than ${count} projects, and I can only read the first ${count}.`,
  };
}

/** Renders the projects that the channel is about. Without any, asks to choose one unless there is only one project. */
function renderBoundProjects({ items, isTruncated }: ProjectList, boundIds: readonly string[]): CheckResult {
  const boundProjects = boundIds.flatMap((id) => items.find((project) => project.id === id) ?? []);
  const missingCount = boundIds.length - boundProjects.length;
  if (boundProjects.length > 0) {
    const hiddenCount = boundProjects.length - MAX_NAMED_PROJECTS;
    const names = boundProjects
      .slice(0, MAX_NAMED_PROJECTS)
      .map((project) => clip(sanitizeLine(project.name), MAX_NAME_LENGTH));
    const hiddenText = hiddenCount > 0 ? ` and ${hiddenCount} more` : '';
    const missingText = missingCount > 0 ? ` ${missingCount} more no longer exist: \`/upnext use\`.` : '';
    const text = `This channel follows ${escapeText(names.join(', '))}${hiddenText}.${missingText}`;
    return missingCount > 0
      ? { result: 'wrong', issue: 'a deleted project', text }
      : { result: 'fine', text };
  }
  const [onlyProject] = items;
  if (!onlyProject && !isTruncated)
    return {
      result: 'wrong',
      issue: PROJECT_ISSUE,
      text: 'There’s no project yet. Create one in the scheduling service first.',
    };
  if (onlyProject && items.length === 1 && !isTruncated) {
    return {
      result: 'fine',
      text: `The only project is ${escapeText(clip(sanitizeLine(onlyProject.name), MAX_NAME_LENGTH))}.`,
    };
  }
  return {
    result: 'wrong',
    issue: PROJECT_ISSUE,
    text: 'This channel doesn’t follow a project yet. Choose one with `/upnext use`.',
  };
}

/** `/upnext status` checks all that posts and digests in this channel depend on. */
export const status: Feature = {
  name: 'status',
  commands: [
    {
      name: 'status',
      aliases: ['state', 'health', 'check'],
      summary: 'Check that everything works here',
      usage: '',
      examples: { '/upnext status': 'Check this channel and all connections.' },
      isReadOnly: true,
      deed: 'check Upnext’s status',
      run: (call) => showStatus(call, { replace: false }),
    },
  ],
  role: 'viewer',
  actions: {
    [CHECK_ACTION]: { deed: 'check Upnext’s status', run: (call) => showStatus(call, { replace: true }) },
  },
};

function showStatus(call: Call, { replace }: { replace: boolean }): Promise<void> {
  return answerWhenReady(call, checkAll(call), { replace });
}

/** The checks by what they check. */
const CHECKS: Readonly<Record<string, (call: Call) => Promise<CheckResult | CheckResult[]>>> = {
  Channel: checkChannel,
  Permissions: checkScopes,
  Service: checkService,
  'Time zone': checkZone,
  Sending: checkSending,
  Projects: checkStoppedProjects,
  Digests: checkDigests,
  Outbox: checkOutbox,
};

async function checkAll(call: Call): Promise<Message> {
  const lines = await Promise.all(
    Object.entries(CHECKS).map(async ([subject, check]) =>
      [await check(call)].flat().map((result) => ({ subject, ...result })),
    ),
  );
  return renderStatus(lines.flat());
}
