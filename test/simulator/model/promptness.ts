import type { Deed, Entry } from '../history.ts';
import type { Claim } from './claims.ts';

/** Posts go out so long after a resumption at most, if nothing is broken. */
const PROMPT_MS = 10 * 60_000;
const LEADS_MS: Readonly<Record<string, number>> = { Shop: 30 * 60_000, Checked: 60 * 60_000 };
/** With these, nobody keeps a post from going out. */
const HARMLESS = /^(?:Open|History|Comment|Share|close)$/u;
/** What is told of an earlier state may arrive so much later. */
const TRAVEL_MS = 2 * 60_000;
const PROJECT = /\b(?:Plain|Shop|Checked) [AB]\b/gu;
const RESUMED = /(\w+ [AB]) is resumed\./gu;
/** Deeds that may keep posts from going out that they don't name, and of which Upnext may hear much later. */
const CONCERNS_ALL = /\b(?:all|stop\w*|policy|connect|install|uninstalls?|is now|leaves|comes back)\b/iu;

/** The deed with which simulations end. */
export const RESUMES_ALL = 'resumes all projects';

/** A post that somebody expects to go out. */
interface Expected {
  /** Since when. */
  at: number;
  /** When the resumption came that it waits for. */
  resumedAt?: number;
}

/**
 * What goes out without anybody goes out in time if nothing is broken: after the resumption that it waited for, and before
 * the time that people read.
 */
export function createPromptnessCheck() {
  const stopped = new Map<string, Expected & { project: string; time: number | undefined }>();
  const planned = new Map<string, Expected & { time: number }>();
  /** Until when work may be late, because something was broken. */
  let troubledUntil = Number.NEGATIVE_INFINITY;
  /** When somebody last did something with each post, and with what may concern all posts. */
  const deedAt = new Map<string, number>();
  let changedAt = Number.NEGATIVE_INFINITY;
  const counts = { resumed: 0, planned: 0 };

  /** Finds what waits for a resumption. After one, a post may come to wait for another. */
  function findWaiting(token: string) {
    const waiting = stopped.get(token);
    return waiting?.resumedAt === undefined ? waiting : undefined;
  }
  function forget(token: string): void {
    stopped.delete(token);
    planned.delete(token);
  }
  function checkResumed(at: number): string[] {
    const late = [...stopped].filter(
      ([, { project, time, resumedAt = Number.POSITIVE_INFINITY }]) =>
        at > Math.max(resumedAt, findHandOver(project, time)) + PROMPT_MS,
    );
    for (const [token] of late) stopped.delete(token);
    return late.map(
      ([token, { project, resumedAt = 0 }]) =>
        `${token} still waits 10 minutes after ${project} was resumed, ${format(resumedAt)}`,
    );
  }
  function checkPlanned(at: number): string[] {
    const late = [...planned].filter(([, { time }]) => at > time);
    for (const [token] of late) planned.delete(token);
    return late.map(
      ([token, expected]) =>
        `${token} isn’t at the service at its time, as people read ${format(expected.at)}, and nothing was broken`,
    );
  }

  return {
    /** Takes what somebody reads of a post. `time`: the only one that it states. */
    addStatement(
      token: string,
      kinds: readonly Claim['kind'][],
      { at, text, time, sentence }: { at: number; text: string; time: number | undefined; sentence: string },
    ): string[] {
      if (kinds.every((kind) => kind === 'kept' || kind === 'has-time')) return [];
      const [project, ...others] = new Set(text.match(PROJECT));
      // The sentence after it says that it is sent if the stop ends in time.
      if (kinds.some((kind) => !['kept', 'stopped', 'to-be-sent', 'has-time'].includes(kind)))
        stopped.delete(token);
      else if (kinds.includes('stopped') && project !== undefined && others.length === 0)
        stopped.set(token, findWaiting(token) ?? { at, project, time });
      const isRecent = at < Math.max(changedAt, deedAt.get(token) ?? Number.NEGATIVE_INFINITY) + TRAVEL_MS;
      const expected = planned.get(token);
      if (!kinds.includes('to-be-sent')) planned.delete(token);
      else if (time !== undefined && at > troubledUntil && at < time && !isRecent)
        planned.set(token, { at, time });
      return expected &&
        kinds.includes('will-not-be-sent') &&
        kinds.includes('not-at-service') &&
        at > troubledUntil
        ? [
            `${token} was to go out, as people read ${format(expected.at)}, and then it is “${sentence}”, and nobody did anything`,
          ]
        : [];
    },
    /** Whatever somebody does with a post may keep it from going out. */
    addDeed({ at, pressed, text }: Deed & { at: number }, tokens: readonly string[]): void {
      // What ends a simulation keeps nothing from going out.
      if (text === RESUMES_ALL) return;
      if (CONCERNS_ALL.test(text) || (tokens.length === 0 && pressed === 'submit')) {
        planned.clear();
        changedAt = CONCERNS_ALL.test(text) ? Number.POSITIVE_INFINITY : Math.max(at, changedAt);
      }
      if (pressed === undefined || HARMLESS.test(pressed)) return;
      for (const token of tokens) {
        forget(token);
        deedAt.set(token, at);
      }
    },
    addCreated(token: string): void {
      if (planned.has(token)) counts.planned += 1;
      forget(token);
    },
    add(entry: Entry): string[] {
      const { at } = entry;
      if (entry.kind === 'note' && entry.trouble) {
        troubledUntil = Math.max(troubledUntil, at + entry.trouble.forMs);
        planned.clear();
      }
      if (entry.kind === 'shown')
        for (const [, name] of entry.text.matchAll(RESUMED))
          for (const each of stopped.values())
            if (each.project === name && at > troubledUntil && each.resumedAt === undefined) {
              each.resumedAt = at;
              counts.resumed += 1;
            }
      const late = [...checkResumed(at), ...checkPlanned(at)];
      return at < troubledUntil ? [] : late;
    },
    counts,
    isCalm: (at: number): boolean => at > troubledUntil,
  };
}

/** When Upnext hands a post over: at once, or so long before its time as the policy of its project says. */
function findHandOver(project: string, time: number | undefined): number {
  const [name = ''] = project.split(' ');
  if (name === 'Plain') return Number.NEGATIVE_INFINITY;
  return time === undefined ? Number.POSITIVE_INFINITY : time - (LEADS_MS[name] ?? 0);
}

function format(at: number): string {
  return new Date(at).toISOString();
}
