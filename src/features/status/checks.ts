import type { Call } from '../../app/call.ts';
import { findSendingStop, listStoppedProjects } from '../../engine/sending-stop.ts';
import { readProfile } from '../../forms/form-context.ts';
import { renderMoment } from '../../posts/post-time.ts';
import { findZones } from '../../preferences/zones.ts';
import { clip, escapeText, sanitizeLine } from '../../slack/blocks.ts';
import type { Catalogue } from '../../slack/catalogue.ts';
import { fetchDisplayName } from '../../slack/fetch-people.ts';
import { APP_NAME } from '../../slack/name.ts';
import { listOptionalScopes, listRequiredScopes } from '../../slack/scopes.ts';
import { getSlackErrorCode } from '../../slack/slack-errors.ts';
import { listOutbox } from '../../submissions/sql/lists.ts';
import { zoneName } from '../../when/when.ts';
import type { CheckResult } from './status-message.ts';

const MEMBERSHIP_ISSUE = 'I’m not in this channel';
const INVITE = `Type \`/invite @${APP_NAME}\` here.`;

/** Checks that the bot is a member of the channel. Without membership, Upnext can't share posts in the channel. */
export async function checkChannel({ client, channel }: Call): Promise<CheckResult> {
  if (channel === undefined || channel.startsWith('D')) {
    return { result: 'fine', text: 'This is a direct message. Only you see my answers.' };
  }
  try {
    const { channel: info } = await client.conversations.info({ channel });
    if (info?.is_archived) {
      return {
        result: 'wrong',
        issue: 'an archived channel',
        text: 'This channel is archived, so nothing can be shared here.',
      };
    }
    if (info?.is_member) return { result: 'fine', text: 'I’m in this channel.' };
    const text = `I’m not in this channel, so nothing can be shared here. ${INVITE}`;
    return { result: 'wrong', issue: MEMBERSHIP_ISSUE, text };
  } catch (error) {
    const code = getSlackErrorCode(error);
    // Slack responds with these codes for a private channel that the bot wasn't invited to.
    if (code === 'channel_not_found' || code === 'not_in_channel') {
      const text = `I’m not in this private channel, so nothing can be shared here. ${INVITE}`;
      return { result: 'wrong', issue: MEMBERSHIP_ISSUE, text };
    }
    const text = `I couldn’t check whether I’m in this channel (${code ?? 'no answer'}).`;
    return { result: 'unknown', text };
  }
}

/** Checks that the app was granted every required scope, and lists the abilities that need a missing optional scope. */
export async function checkScopes({ client, catalogue }: Call): Promise<CheckResult[]> {
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
export async function checkSending({ context }: Call): Promise<CheckResult[]> {
  const stop = await findSendingStop(context.db);
  if (!stop) return [];
  const sinceText = stop.since.toISOString().slice(0, 16).replace('T', ' ');
  const reason = sanitizeLine(stop.reason);
  const reasonText = reason === '' ? '' : ` They say: ${escapeText(reason)}.`;
  const text = `An operator has stopped all sending since ${sinceText} (${zoneName('UTC')}).${reasonText} Your posts are saved and go out later.`;
  return [{ result: 'wrong', issue: 'sending is stopped', text }];
}

/** Maximum length of a project's name in a line. */
const MAX_NAME_LENGTH = 60;

/** Reports the stopped projects that the person may see. Names people without mentions, which tables don't show. */
export async function checkStoppedProjects(call: Call): Promise<CheckResult[]> {
  const { context, actor, now } = call;
  const stops = await listStoppedProjects(context.db, actor.workspace);
  if (stops.length === 0) return [];
  const [outcome, { actorZone }] = await Promise.all([
    context.reads.listProjects(context.api),
    readProfile(call),
  ]);
  const list = outcome.kind === 'done' ? outcome.data : context.reads.getLastProjects(context.api);
  return Promise.all(
    stops
      .filter(({ project }) => call.may('viewer', project))
      .map(async ({ project: id, since, stopped_by: stoppedBy }) => {
        const name = list?.items.find((project) => project.id === id)?.name ?? 'A project';
        const shownName = escapeText(clip(sanitizeLine(name), MAX_NAME_LENGTH));
        const person = (await fetchDisplayName(call, stoppedBy ?? '')) ?? 'Somebody';
        const stopText = `${escapeText(sanitizeLine(person))} stopped it ${renderMoment(since, actorZone, now())}`;
        const text = `${shownName}: ${stopText}. A Manager can resume it with \`/upnext resume\`.`;
        return { result: 'wrong', issue: `${shownName} is stopped`, text } as const;
      }),
  );
}

/** Reports the default time zone for dates that people type in this channel. */
export async function checkZone(call: Call): Promise<CheckResult> {
  const { context, actor, channel } = call;
  const zones = await findZones(context.db, { workspace: actor.workspace, user: actor.user, channel });
  const zone = zones.channel ?? zones.person;
  if (zone !== undefined) {
    const source = zones.channel === undefined ? 'your own choice' : 'this channel’s';
    return { result: 'fine', text: `Times are in ${zoneName(zone)}, ${source}.` };
  }
  const { actorZone } = await readProfile(call);
  if (actorZone !== undefined)
    return { result: 'fine', text: `Times are in ${zoneName(actorZone)}, from your Slack profile.` };
  return {
    result: 'wrong',
    issue: 'no time zone',
    text: 'I don’t know your time zone. Set it in your Slack profile, or type it with the time (“9am Berlin”).',
  };
}

/** Reports when the next digest of this channel is sent, and how many digests are paused. */
export async function checkDigests({ context, actor, channel, now }: Call): Promise<CheckResult[]> {
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
  const isOnePaused = pausedCount === 1;
  return [
    ...(nextDigest
      ? [
          {
            result: 'fine' as const,
            text: `The next digest comes ${escapeText(renderMoment(nextDigest.instant, nextDigest.zone, now()))}.`,
          },
        ]
      : []),
    ...(pausedCount > 0
      ? [
          {
            result: 'off' as const,
            text: `${isOnePaused ? 'One digest' : `${pausedCount} digests`} of this channel ${isOnePaused ? 'is' : 'are'} paused. See why with \`/upnext digest\`.`,
          },
        ]
      : []),
  ];
}

/** Reports how many of the person's own posts aren't finished. Resolves with no lines if none are. */
export async function checkOutbox({ context, actor }: Call): Promise<CheckResult[]> {
  const rows = await listOutbox(context.db, { workspace: actor.workspace, author: actor.user });
  if (rows.length === 0) return [];
  const countText = rows.length === 1 ? '1 post is' : `${rows.length} posts are`;
  return [{ result: 'waiting', text: `${countText} waiting. See \`/upnext outbox\`.` }];
}
