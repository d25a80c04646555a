import { findSendingStop } from '../../engine/sending-stop.ts';
import { type Conversation, readConversation } from '../../forms/conversation.ts';
import { explainUnknownZone, readProfile, renderDefaultZone } from '../../forms/form-context.ts';
import { answerWhenReady } from '../../handlers/answer-when-ready.ts';
import type { Call } from '../../handlers/call.ts';
import type { Feature } from '../../handlers/feature.ts';
import { countPending, listWaiting, renderOutboxCount } from '../../handlers/list-waiting.ts';
import { renderPostTime } from '../../posts/post-time.ts';
import { addMissingProjects, listStops, resolveChannelProject } from '../../posts/project.ts';
import { listBoundProjects } from '../../preferences/bindings.ts';
import { findZones } from '../../preferences/zones.ts';
import { isDirectMessage } from '../../slack/audience.ts';
import {
  actions,
  button,
  clipLine,
  escapeFormatting,
  escapeText,
  sanitizeLine,
  section,
} from '../../slack/blocks.ts';
import type { Catalogue } from '../../slack/catalogue.ts';
import { fetchDisplayName } from '../../slack/fetch-people.ts';
import type { Message } from '../../slack/message.ts';
import { APP_NAME } from '../../slack/name.ts';
import { listOptionalScopes, listRequiredScopes } from '../../slack/scopes.ts';
import { getSlackErrorCode } from '../../slack/slack-errors.ts';
import { buildTable } from '../../slack/table.ts';
import { zoneName } from '../../when/zones.ts';
import { renderCount } from '../../words.ts';
import { type CheckResult, checkService } from './check-service.ts';

const CHECK_ACTION = 'status.check';

/** `/upnext status` checks all that posts and digests in this channel depend on. */
export const status: Feature = {
  name: 'status',
  commands: [
    {
      name: 'status',
      aliases: ['state', 'health', 'check'],
      summary: 'Check that everything works here',
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

const NOT_CHECKED = { result: 'unknown', text: 'I couldn’t check whether I’m in this channel.' } as const;
const CHANNEL_RESULTS: Readonly<Record<Conversation['state'], CheckResult>> = {
  fine: { result: 'fine', text: 'I’m in this channel.' },
  archived: {
    result: 'wrong',
    issue: 'an archived channel',
    text: 'This channel is archived, so nothing can be shared here.',
  },
  'not-in': {
    result: 'wrong',
    issue: 'I’m not in this channel',
    text: `I’m not in this channel, so nothing can be shared here. Type \`/invite @${APP_NAME}\` here.`,
  },
  unknown: NOT_CHECKED,
  'not-checked': NOT_CHECKED,
};

/** Checks that the bot is a member of the channel. Without membership, Upnext can't share posts in the channel. */
async function checkChannel(call: Call): Promise<CheckResult> {
  const { channel } = call;
  return channel === undefined || isDirectMessage(channel)
    ? { result: 'fine', text: 'This is a direct message. Only you see my answers.' }
    : CHANNEL_RESULTS[(await readConversation(call, channel)).state];
}

/** Checks that the app was granted every required scope, and lists the abilities that need a missing optional scope. */
async function checkScopes({ client, catalogue }: Call): Promise<CheckResult[]> {
  try {
    const { response_metadata: metadata } = await client.auth.test();
    const grantedScopes = metadata?.scopes;
    if (!grantedScopes) return [{ result: 'unknown', text: 'I couldn’t check my Slack permissions.' }];
    const missingScopes = Object.keys(listRequiredScopes(catalogue)).filter(
      (scope) => !grantedScopes.includes(scope),
    );
    const scopeNames = missingScopes.map((scope) => `\`${scope}\``).join(', ');
    return [
      missingScopes.length === 0
        ? { result: 'fine', text: 'All required Slack permissions are granted.' }
        : {
            result: 'wrong',
            issue: 'missing Slack permissions',
            text: `I’m missing Slack permissions: ${scopeNames}. Update the app with today’s \`manifest.yml\` and install it again.`,
          },
      ...renderDeclinedScopes(catalogue, grantedScopes),
    ];
  } catch (error) {
    const code = getSlackErrorCode(error) ?? 'no answer';
    return [{ result: 'unknown', text: `I couldn’t check my Slack permissions (${code}).` }];
  }
}

/** Renders the abilities that are unavailable because an optional scope is missing. */
function renderDeclinedScopes(catalogue: Catalogue, grantedScopes: readonly string[]): CheckResult[] {
  const declinedScopes = Object.entries(listOptionalScopes(catalogue)).filter(
    ([scope]) => !grantedScopes.includes(scope),
  );
  const lines = declinedScopes.map(
    ([scope, { missingAbility }]): CheckResult => ({
      result: 'off',
      text: `I can’t ${missingAbility} without \`${scope}\`.`,
    }),
  );
  const hint: CheckResult = {
    result: 'off',
    text: 'These Slack permissions are optional. To allow them, install me again.',
  };
  return lines.length === 0 ? [] : [...lines, hint];
}

/** Reports whether an operator has stopped all sending. Resolves with no lines if not. */
async function checkSending({ context }: Call): Promise<CheckResult[]> {
  const stop = await findSendingStop(context.db);
  if (!stop) return [];
  const sinceText = stop.since.toISOString().slice(0, 16).replace('T', ' ');
  const reason = sanitizeLine(stop.reason);
  const reasonText = reason === '' ? '' : ` They say: ${escapeFormatting(reason)}.`;
  const text = `An operator has stopped all sending since ${sinceText} (${zoneName('UTC')}).${reasonText} Your posts are saved, and go out if that ends before their time.`;
  return [{ result: 'wrong', issue: 'sending is stopped', text }];
}

/** Reports the stopped projects that the person may see. Names people without mentions, which tables don't show. */
async function checkStoppedProjects(call: Call): Promise<CheckResult[]> {
  const stopped = await listStops(call, 'viewer');
  if (stopped.length === 0) return [];
  const { actorZone: zone, actorLocale: locale } = await readProfile(call);
  return Promise.all(
    stopped.map(async ({ project, stop: { since, stopped_by: stoppedBy } }) => {
      const shownName = escapeText(clipLine(project.name));
      const person = (await fetchDisplayName(call, stoppedBy ?? '')) ?? 'Somebody';
      const stopText = `${escapeText(sanitizeLine(person))} stopped it ${renderPostTime({ instant: since, zone }, { locale }, call.now()).plain}`;
      const text = `${shownName}: ${stopText}. A Manager can resume it with \`/upnext resume\`.`;
      return { result: 'wrong', issue: `${shownName} is stopped`, text } as const;
    }),
  );
}

/** Reports the default time zone for dates that people type in this channel. */
async function checkZone(call: Call): Promise<CheckResult> {
  const { context, actor, channel, channelName } = call;
  const { workspace, user } = actor;
  const [zones, profile, outcome, boundIds] = await Promise.all([
    findZones(context.db, { workspace, user, channel }),
    readProfile(call),
    context.reads.listProjects(context.api),
    listBoundProjects(context.db, { workspace, channel }),
  ]);
  const resolution =
    outcome.kind === 'done'
      ? resolveChannelProject(addMissingProjects(outcome.data, boundIds, call), boundIds, channelName)
      : undefined;
  const project = resolution?.kind === 'one' ? resolution.project : undefined;
  const defaultText = renderDefaultZone({ ...zones, profile: profile.actorZone }, project);
  if (defaultText !== undefined) return { result: 'fine', text: escapeText(defaultText) };
  const text = `${explainUnknownZone(profile)} Choose it with \`/upnext zone me\`, or type it with the time (“9am Berlin”).`;
  return profile.isZoneUnread
    ? { result: 'unknown', subject: 'Time zone', text }
    : { result: 'wrong', issue: 'no time zone', text };
}

/** Reports when the next digest of this channel is sent, and how many digests are paused. */
async function checkDigests(call: Call): Promise<CheckResult[]> {
  const { context, actor, channel, now } = call;
  if (channel === undefined) return [];
  const { digests, unreadableCount } = await context.digests.list({
    workspace: actor.workspace,
    channel,
  });
  if (digests.length + unreadableCount === 0)
    return [{ result: 'fine', text: 'This channel has no digest. Set one up with `/upnext digest`.' }];
  const [nextDigest] = digests
    .flatMap(({ nextSlot, zone }) => (nextSlot ? [{ instant: nextSlot.instant, zone }] : []))
    .sort((one, other) => one.instant.getTime() - other.instant.getTime());
  const pausedCount = digests.filter(({ state }) => state === 'paused').length;
  const pausedText =
    pausedCount === 1 ? 'One digest of this channel is' : `${pausedCount} digests of this channel are`;
  const results: CheckResult[] = [];
  if (nextDigest) {
    const { actorLocale: locale } = await readProfile(call);
    const time = renderPostTime(nextDigest, { locale }, now()).mrkdwn;
    results.push({ result: 'fine', text: `The next digest comes ${time}.` });
  }
  if (pausedCount > 0)
    results.push({ result: 'off', text: `${pausedText} paused. See why with \`/upnext digest\`.` });
  return results;
}

/** Reports what is in the person's outbox. Resolves with no lines if that is empty. */
async function checkOutbox(call: Call): Promise<CheckResult[]> {
  const waiting = await listWaiting(call);
  if (countPending(waiting) + waiting.drafts.length === 0) return [];
  return [{ result: 'waiting', text: `${renderOutboxCount(waiting)}. See \`/upnext outbox\`.` }];
}

type StatusLine = CheckResult & { subject: string };

const EMOJI: Readonly<Record<CheckResult['result'], string>> = {
  fine: ':white_check_mark:',
  wrong: ':x:',
  unknown: ':warning:',
  waiting: ':hourglass_flowing_sand:',
  off: ':white_circle:',
};

/** Renders the status as a table. The text has the same lines for notifications and screen readers. */
export function renderStatus(lines: readonly StatusLine[]): Message {
  const title = renderTitle(lines);
  return {
    text: [title, ...lines.map(({ subject, text }) => `${subject}: ${text}`)].join('\n'),
    blocks: [
      section(`*${title}*`),
      buildTable([
        ['Check', 'Result'],
        ...lines.map(({ subject, result, text }) => [subject, `${EMOJI[result]} ${text}`] as const),
      ]),
      actions(button('Check again', CHECK_ACTION)),
    ],
  };
}

function renderTitle(lines: readonly StatusLine[]): string {
  const issues = lines.flatMap((line) => (line.result === 'wrong' ? [line.issue] : []));
  if (issues.length > 0) return `${renderCount(issues.length, 'issue')}: ${issues.join(', ')}.`;
  return lines.some(({ result }) => result === 'unknown')
    ? 'No issues found, but I couldn’t check everything.'
    : 'Everything’s working.';
}
