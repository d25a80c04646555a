import { WORKSPACES } from '../cast.ts';
import type { CreatedPost, Deed, Entry, Shown } from '../history.ts';
import type { Reached, Rule } from '../reached.ts';
import { CARD_TIME, type Claim, findTokens, readStatements, type Statement } from './claims.ts';
import { describe, format } from './describe.ts';
import { listPlatforms, PLATFORMS } from './platforms.ts';
import { createPromptnessCheck } from './promptness.ts';
import { isSeriesToken } from './series.ts';
import { toSkeleton } from './skeleton.ts';
import { isSameTime, readTimes, toInstant } from './stated-times.ts';

/** What is true of one post, and what was said of it. */
interface Facts {
  /** The posts that the service has stored. */
  applied: (CreatedPost & { at: number })[];
  /** When the service published its posts, in order. */
  published: { at: number; content: string }[];
  deeds: (Deed & { at: number })[];
  /** The platforms of each form that somebody sent, and whether one had several texts. */
  chosen: string[][];
  hasParts: boolean;
  /** When somebody scheduled it again, after they read that the service may have it from before a backup was restored. */
  repeatedAt?: number;
  /** Claims about the future that hold until somebody acts. */
  promises: Pledge[];
  /** New messages since the last change of the post: their channel and text. */
  told: Set<string>;
  /** The last sentence that promised to send it without anybody. Undefined since somebody read otherwise, or acted. */
  waiting?: string | undefined;
  /** The last sentence that denied a post that the service had by then. Undefined since somebody read otherwise. */
  denial?: string | undefined;
}

interface Pledge {
  kind: Claim['kind'];
  at: number;
  sentence: string;
  /** The stated times. */
  times: ReturnType<typeof readTimes>;
  /** The platforms, the texts and the times that it is about. */
  scope: string;
  isAbout(post: CreatedPost): boolean;
}

/** How long a message takes at most from the state that it shows to its reader. */
export const TRAVEL_MS = 60_000;
/** A post is called waiting for so long after its time at most: clocks differ by minutes. */
const MAX_LATE_MS = 6 * TRAVEL_MS;
/** How long a request takes at most that the service carries out at once. */
const PROMPT_MS = 15_000;
/** Deeds without a token that concern every post, such as a resumption. */
const CONCERNS_ALL = /\b(all|resume|stop|policy|connect|install|uninstall|undo import)\b/iu;
/** It cancels posts that it doesn't name. */
const UNDO_OF_IMPORT = /\bundo import\b/iu;
/** A press that lets a post go out. It may be on its way to the app when an older state is shown. */
const RELEASE = /schedul|approve|again|retry|hand over|undo|restore|new time|move|take over|save|edit|fix/iu;
/** A token with its version. */
const VERSION = /§[a-z]+\d+(?:\.\d+)?/gu;
/** What people read of a post that the service may have got after the backup was made. */
const MAY_BE_THERE = 'restored from a backup, so the service may have it already';
/** The note in a history after everything was replaced by a backup. */
export const RESTORED = 'the backup is restored';
const HOLD = /cancel|discard|reject|for review|draft|request changes/iu;

/** Checks that every message was true when it was sent. */
export function createTruthCheck() {
  const factsByToken = new Map<string, Facts>();
  /** The zones of people who have never asked for another one. */
  const zones = new Map(
    WORKSPACES.flatMap(({ people }) => people.map(({ id, timeZone }) => [id, timeZone] as const)),
  );

  const promptness = createPromptnessCheck();

  function getFacts(token: string): Facts {
    const facts = factsByToken.get(token) ?? {
      ...{ applied: [], published: [], deeds: [], promises: [], chosen: [], hasParts: false },
      told: new Set<string>(),
    };
    factsByToken.set(token, facts);
    return facts;
  }

  function addDeed(deed: Deed & { at: number }): string[] {
    const { text, pressed, saw = '' } = deed;
    if (text.includes('/upnext zone me')) zones.delete(deed.person);
    const tokens = findTokens(text);
    promptness.addDeed(deed, tokens);
    const concerned = tokens.length === 0 && CONCERNS_ALL.test(text) ? [...factsByToken.keys()] : tokens;
    const repeats = pressed !== undefined && RELEASE.test(pressed) && saw.includes(MAY_BE_THERE);
    for (const facts of concerned.map(getFacts)) {
      facts.deeds.push(deed);
      if (repeats && tokens.length > 0) facts.repeatedAt = deed.at;
      if (deed.texts && tokens.length > 0) {
        facts.chosen.push(Object.keys(deed.texts));
        facts.hasParts ||= new Set(Object.values(deed.texts)).size > 1;
      }
      if (tokens.length > 0 || UNDO_OF_IMPORT.test(text)) facts.waiting = undefined;
      // What concerns all posts changes the time of none.
      facts.promises = facts.promises.filter(({ kind }) => kind === 'has-time' && tokens.length === 0);
      facts.told.clear();
    }
    return [];
  }

  function addCreated(post: CreatedPost & { at: number }): string[] {
    return findTokens(post.content).flatMap((token) => {
      const facts = getFacts(token);
      const broken = facts.promises.filter(
        (promise) => promise.isAbout(post) && breaks(promise, post, facts),
      );
      promptness.addCreated(token);
      if (post.isApplied) facts.applied.push(post);
      facts.waiting = undefined;
      facts.told.clear();
      return broken.map(({ kind, sentence, at }) =>
        report(token, kind, sentence, `${format(at)}, but ${describe(post)} came without anybody’s deed`),
      );
    });
  }

  function breaks(promise: Pledge, post: CreatedPost & { at: number }, facts: Facts): boolean {
    const { kind, at } = promise;
    // What was sent before the promise may still arrive.
    if (kind === 'not-sent-again') return post.sentAt > at;
    if (!post.isApplied) return false;
    if (kind === 'not-sent-twice') return facts.applied.some((other) => isEqual(other, post));
    if (kind === 'has-time')
      return !post.isDraft && !promise.times.some((time) => isSameTime(time, post.publishAt));
    return kind === 'will-not-be-sent' && !post.isDraft;
  }

  function addShown(entry: Entry & { kind: 'shown' }): string[] {
    const { channel, text, isNew, surface, occurrence = '' } = entry;
    const violations = readStatements(entry).flatMap((statement) => checkStatement(statement, entry));
    const [token, ...others] = findTokens(text);
    // The same rows may be checked again while the first check goes on.
    const isCheck = text.includes('Nothing is imported yet.');
    if (token === undefined || others.length > 0 || !isNew || surface !== 'message' || isCheck)
      return violations;
    const { told } = getFacts(token);
    // Two posts may have versions of the same text.
    const lines = text.split('\n').map(isSeriesToken(token) ? (line) => line : toSkeleton);
    const key = `${channel} ${occurrence} ${text.match(VERSION)?.join(' ')} ${lines.join('\n')}`;
    const repeated = told.has(key)
      ? [`${token}: told twice in ${channel}, and nothing happened between: ${text}`]
      : [];
    told.add(key);
    return [...violations, ...repeated];
  }

  function checkStatement(
    { token, claims, sentence, context, platforms }: Statement,
    { at, text, reader, surface }: Shown & { at: number },
  ): string[] {
    const times = readTimes(context);
    const facts = isSeriesToken(token) ? selectDate(getFacts(token), times) : getFacts(token);
    if (!facts) return [];
    const isRelevant = ({ isDraft }: CreatedPost) => !isDraft || /\bdraft\b/iu.test(context);
    const isShown = (post: CreatedPost) =>
      isRelevant(post) &&
      text.includes(post.content) &&
      times.some((time) => isSameTime(time, post.publishAt));
    // A text that quotes an earlier version says nothing of a later one.
    const versions: readonly string[] =
      text.match(VERSION)?.filter((version) => version.startsWith(token)) ?? [];
    const isQuoted = ({ content }: CreatedPost) =>
      versions.some((version) => content.match(VERSION)?.includes(version));
    if (claims.some(({ kind }) => kind === 'to-be-sent')) facts.waiting = sentence;
    else if (claims.some(({ kind }) => kind !== 'kept')) facts.waiting = undefined;
    const kinds = claims.map(({ kind }) => kind);
    const shownTimes = readPostTime(context, zones.get(reader));
    const [shownTime] = shownTimes;
    const time = shownTime && shownTimes.length === 1 ? toInstant(shownTime, at) : undefined;
    const broken = isSeriesToken(token)
      ? []
      : promptness.addStatement(token, kinds, { at, text, time, sentence });
    if (broken.length > 0) return broken;
    const isTooLate =
      kinds.includes('to-be-sent') && time !== undefined && at > time + MAX_LATE_MS && promptness.isCalm(at);
    if (isTooLate)
      return [report(token, 'to-be-sent', sentence, `${format(at)}, but its time was ${format(time)}`)];
    const scoped = platforms ? selectPlatforms(facts, platforms) : facts;
    if (kinds.some((kind) => kind !== 'kept')) {
      const isStuck = kinds.includes('not-at-service') && kinds.includes('will-not-be-sent');
      const isDenied = scoped.applied.some((post) => isRelevant(post) && isQuoted(post));
      // After a second press, an older text may still be on its way.
      const isCertain = !isSeriesToken(token) && countReleases(facts, at) <= 1;
      facts.denial = isStuck && isDenied && isCertain ? sentence : undefined;
    }
    return claims.flatMap((claim) => {
      // Which of its posts were published isn't known.
      if (isSeriesToken(token) && claim.kind === 'not-published') return [];
      const reason =
        refute(claim, scoped, { at, isRelevant, isShown, isQuoted }) ??
        (claim.kind === 'at-service' && !platforms && findMissing(facts, context));
      if (reason) return [report(token, claim.kind, sentence, `${format(at)}, but ${reason}`)];
      // Messages about one of several texts quote only that one.
      const isAbout = (post: CreatedPost) =>
        (!platforms || isFor(post, platforms)) && (!facts.hasParts || isQuoted(post));
      const promise = { at, sentence, times, scope: `${platforms?.join()} ${versions.join()}`, isAbout };
      if (PROMISES.has(claim.kind) && countReleases(facts, at) === 0)
        addPromise(facts, { ...promise, kind: claim.kind });
      // The answer to what its reader has just done shows that, and another text may be older.
      const recent = facts.deeds.filter((deed) => deed.at >= at - TRAVEL_MS);
      const isAnswer = surface !== 'message' && recent.every(({ person }) => person === reader);
      const isSettled = recent.length === 0 || isAnswer;
      const stated =
        claim.kind === 'has-time' ? readTimes(claim.when ?? '') : readPostTime(context, zones.get(reader));
      if ((claim.kind === 'has-time' || claim.kind === 'to-be-sent') && isSettled && stated.length > 0)
        addPromise(facts, {
          ...{ ...promise, kind: 'has-time', times: stated },
          scope: `${promise.scope} ${JSON.stringify(stated)}`,
        });
      return [];
    });
  }

  /** How many presses that let a post go out may still be on their way. */
  function countReleases({ deeds }: Facts, at: number): number {
    return deeds.filter(
      (deed) => deed.at >= at - TRAVEL_MS && RELEASE.test(deed.text) && !HOLD.test(deed.text),
    ).length;
  }

  /** The facts that were against a claim during all of the message's way; undefined if there are none. */
  function refute(
    claim: Claim,
    { applied, published, chosen, repeatedAt = Number.NEGATIVE_INFINITY }: Facts,
    {
      at,
      isRelevant,
      isShown,
      isQuoted,
    }: { at: number } & Record<'isRelevant' | 'isShown' | 'isQuoted', (post: CreatedPost) => boolean>,
  ): string | undefined {
    switch (claim.kind) {
      case 'at-service': {
        const [time] = readTimes(claim.when ?? '');
        if (applied.length === 0) return 'the service has no such post';
        if (!time || applied.some(({ publishAt }) => isSameTime(time, publishAt))) return undefined;
        return `the service has another time: ${applied.map(describe).join(' and ')}`;
      }
      case 'on-platforms': {
        const reached = new Set(applied.flatMap((post) => post.platforms));
        const missing = claim.sent.filter((platform) => !reached.has(platform));
        if (missing.length > 0) return `${missing.join()} has no such post`;
        if (claim.count !== claim.sent.length) return `these are ${claim.sent.length} platforms`;
        const isTotal = (platforms: readonly string[]) =>
          [platforms.length, new Set([...platforms, ...reached]).size].includes(claim.total);
        return chosen.some(isTotal) ? undefined : `nobody chose ${claim.total} platforms`;
      }
      case 'not-at-service': {
        const post = applied.find(
          (candidate) =>
            candidate.at > repeatedAt &&
            candidate.at < at - TRAVEL_MS &&
            isRelevant(candidate) &&
            isQuoted(candidate),
        );
        return post && `the service has it: ${describe(post)}`;
      }
      case 'not-found': {
        // Upnext looks for it after the request. One that was carried out minutes later may come after the last look.
        const post = applied.find(
          (candidate) =>
            candidate.at - candidate.sentAt < PROMPT_MS &&
            candidate.at < at - TRAVEL_MS &&
            isShown(candidate),
        );
        return post && `the service lists it: ${describe(post)}`;
      }
      case 'published':
        return published.length === 0 ? 'it wasn’t published' : undefined;
      case 'not-published': {
        // Of equal posts, one may be published and the other not.
        const [last] = published.slice(Math.max(0, applied.filter(({ isDraft }) => !isDraft).length - 1));
        return last && last.at < at - TRAVEL_MS ? `it was published, ${format(last.at)}` : undefined;
      }
      default:
        return undefined;
    }
  }

  return {
    /** What people last read of posts that the service has: that it doesn't. It may be too new to refute when they read it. */
    listDenials: (): readonly string[] =>
      [...factsByToken].flatMap(([token, { denial }]) =>
        denial === undefined
          ? []
          : [`${token} is at the service, and the last that anybody read of it is “${denial}”`],
      ),
    /** What people last read of each post that Upnext would send without anybody, by its token. */
    listWaiting: (): ReadonlyMap<string, string> =>
      new Map(
        [...factsByToken].flatMap(([token, { waiting }]) =>
          waiting === undefined ? [] : [[token, waiting]],
        ),
      ),
    readMatched: (): Reached => {
      const { resumed, planned } = promptness.counts;
      const rules: readonly (readonly [Rule, number])[] = [
        ['a post waits for a resumption', resumed],
        ['a post is expected at its time', planned],
      ];
      return Object.fromEntries(
        rules.flatMap(([rule, count]) => (count === 0 ? [] : [[`rule: ${rule}`, count]])),
      );
    },
    /** Takes the history in order, and returns violations. */
    add(entry: Entry): string[] {
      return [...promptness.add(entry), ...addEntry(entry)];
    },
  };
  function addEntry(entry: Entry): string[] {
    switch (entry.kind) {
      case 'deed':
        return addDeed(entry);
      case 'created':
        return addCreated(entry);
      case 'shown':
        return addShown(entry);
      case 'published':
        for (const facts of findTokens(entry.content).map(getFacts)) {
          facts.published.push({ at: entry.at, content: entry.content });
          facts.told.clear();
        }
        return [];
      case 'note':
        // What people were told after the backup is told again, and a later move is forgotten.
        if (entry.text !== RESTORED) return [];
        for (const facts of factsByToken.values()) {
          facts.told.clear();
          facts.promises = facts.promises.filter(({ kind }) => kind !== 'has-time');
        }
        return [];
    }
  }
}

const PROMISES: ReadonlySet<Claim['kind']> = new Set([
  'will-not-be-sent',
  'not-sent-again',
  'not-sent-twice',
]);

/** The posts of a series have the same text, so a statement is about those of the only time that it states. */
function selectDate(facts: Facts, [time, ...others]: ReturnType<typeof readTimes>): Facts | undefined {
  if (!time || others.length > 0) return undefined;
  const applied = facts.applied.filter(({ publishAt }) => isSameTime(time, publishAt));
  return { ...facts, applied, promises: [], waiting: undefined };
}

const isFor = (post: CreatedPost, platforms: readonly string[]): boolean =>
  post.platforms.some((platform) => platforms.includes(platform));

/** Reads the time of a post on its card, which leaves out the reader's own zone. A stop has a time of its own. */
function readPostTime(context: string, zone: string | undefined): ReturnType<typeof readTimes> {
  const line = context.split('\n').find((each) => each.startsWith(CARD_TIME));
  if (line === undefined) return readTimes(context.replace(/^Stopped by .*$/gmu, ''));
  const place = zone?.split('/').at(-1)?.replaceAll('_', ' ');
  const times = readTimes(line);
  return times.length > 0 || place === undefined ? times : readTimes(`${line} (${place})`);
}

/** The facts about some of the platforms. */
function selectPlatforms(facts: Facts, platforms: readonly string[]): Facts {
  const applied = facts.applied.filter((post) => isFor(post, platforms));
  const published = facts.published.filter(({ content }) => applied.some((post) => post.content === content));
  return { ...facts, applied, published };
}

/** Says which of the platforms that a text states has no text of the post, although the text speaks of all. */
function findMissing({ applied }: Facts, context: string): string | undefined {
  const [stated, ...others] = context.split('\n').filter((line) => ONLY_PLATFORMS.test(line));
  if (stated === undefined || others.length > 0) return undefined;
  const missing = listPlatforms(stated).filter(
    (platform) => !applied.some((post) => isFor(post, [platform])),
  );
  return missing.length > 0 ? `${missing.join()} has no such post` : undefined;
}
const ONLY_PLATFORMS = new RegExp(`^${PLATFORMS}$`, 'u');

/** The first of equal promises stays, because it was true from then on. */
function addPromise(facts: Facts, promise: Pledge): void {
  const isKnown = facts.promises.some(
    ({ kind, sentence, scope }) =>
      kind === promise.kind && sentence === promise.sentence && scope === promise.scope,
  );
  if (!isKnown) facts.promises.push(promise);
}

function isEqual(one: CreatedPost, other: CreatedPost): boolean {
  return one.publishAt === other.publishAt && one.isDraft === other.isDraft && one.content === other.content;
}

function report(token: string, kind: Claim['kind'], sentence: string, facts: string): string {
  return `${token}: “${sentence}” (${kind}) was shown ${facts}`;
}
