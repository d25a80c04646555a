import type { Call } from '../../app/call.ts';
import { momentText } from '../../posts/moment-words.ts';
import { escapeText } from '../../slack/escape.ts';
import type { Line } from './status-message.ts';

/** When the next digest comes in this channel, and which of them do not. */
export async function checkDigests({ context, who, channel, now }: Call): Promise<Line[]> {
  if (channel === undefined) return [];
  const { digests: all, unreadable } = await context.digests.list({ workspace: who.workspace, channel });
  if (all.length + unreadable === 0)
    return [{ mark: 'fine', text: 'No digest is set up for this channel: `/upnext digest` does that.' }];
  const [first] = all
    .flatMap(({ next, zone }) => (next ? [{ at: next.instant, zone }] : []))
    .sort((one, other) => one.at.getTime() - other.at.getTime());
  const paused = all.filter(({ state }) => state === 'paused').length;
  const isOne = paused === 1;
  return [
    ...(first
      ? [
          {
            mark: 'fine' as const,
            text: `The next digest comes ${escapeText(momentText(first.at, first.zone, now()))}.`,
          },
        ]
      : []),
    ...(paused > 0
      ? [
          {
            mark: 'unknown' as const,
            text: `${isOne ? 'One digest' : `${paused} digests`} of this channel ${isOne ? 'is' : 'are'} paused: \`/upnext digest\` says why.`,
          },
        ]
      : []),
  ];
}
