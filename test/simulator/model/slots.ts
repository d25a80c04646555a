import { BLACKOUT_DAYS, type CastWorkspace, SLOT_ZONE } from '../cast.ts';
import type { CreatedPost, Deed } from '../history.ts';
import { isSeriesToken } from './series.ts';
import { readClock } from './stated-times.ts';

const SLOT = /^next slot/u;
/** Presses that move a post without a typed time, or bring it back where another one may be by now. */
const MOVES = /undo|restore|later|earlier|day|week|hour/iu;

/**
 * Posts whose time nobody wrote: they go out at a posting time of their project, not on a blackout day, and no two of them
 * at the same one. A post that once had another time counts no more, because that one may have been saved.
 */
export function createSlotCheck(workspaces: readonly CastWorkspace[]) {
  const wanted = new Map<string, 'slot' | 'time'>();
  const taken = new Map<string, string>();
  const policies = workspaces.flatMap(({ policies: ofWorkspace }) => ofWorkspace);

  return {
    addDeed({ when, pressed = '' }: Deed, tokens: readonly string[]): void {
      for (const token of tokens) {
        if (MOVES.test(pressed)) wanted.set(token, 'time');
        if (when === undefined) continue;
        if (!SLOT.test(when)) wanted.set(token, 'time');
        else if (!wanted.has(token)) wanted.set(token, 'slot');
      }
    },
    /** `hasSlot`: whether the post has a time that nobody wrote. */
    addPost(
      { project, publishAt, platforms }: CreatedPost,
      token: string,
    ): { hasSlot: boolean; violations: string[] } {
      if (isSeriesToken(token) || wanted.get(token) !== 'slot' || publishAt === undefined)
        return { hasSlot: false, violations: [] };
      const slots = policies.find((policy) => policy.project === project)?.slots;
      const { day, clock } = readClock(publishAt, SLOT_ZONE);
      const others = platforms.flatMap((platform) => {
        const slot = `${project} ${platform} ${publishAt}`;
        const other = taken.get(slot) ?? token;
        taken.set(slot, token);
        return other === token ? [] : [other];
      });
      const violations = [
        ...(slots?.includes(clock) ? [] : [`${token} went out at ${clock}, which isn’t a posting time`]),
        ...(BLACKOUT_DAYS.includes(day) ? [`${token} went out on a blackout day, ${day}`] : []),
        ...(others.length > 0 ? [`${token} has the slot of ${others[0]}`] : []),
      ];
      return { hasSlot: true, violations };
    },
    /** What was restored or deleted no longer knows which slots are taken. */
    forget(isLost: (token: string) => boolean): void {
      for (const token of wanted.keys()) if (isLost(token)) wanted.set(token, 'time');
    },
  };
}
