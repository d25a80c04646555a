import type { CreatedPost, Deed, Shown } from '../history.ts';
import type { Rule } from '../reached.ts';
import { type Card, readCard, readFormTime, readNamed, readTarget } from './cards.ts';

/** How long a message takes at most from the state that it shows to its reader. */
const TRAVEL_MS = 60_000;
/** What Slack says of a person is known for so long at most. */
const ROLE_MS = 35 * 60_000;
/** A shift such as "in 20 minutes" is understood again when the form is sent, which may be a quarter of an hour later. */
const SHIFT_MS = 17 * 60_000;

/** What a version of a post is, as people read it. */
interface Version {
  /** When somebody first read it. */
  at: number;
  text: string | undefined;
  time: number | null | undefined;
  /** Whose press made it, if that is known. */
  editor?: string;
}

/** A post that Upnext keeps, as people know it. */
interface KeptPost {
  token: string;
  versions: Map<number, Version>;
  latest: number;
  approvals: { person: string; version: number; at: number }[];
  /** Who has written it or taken it over. */
  authors: Set<string>;
  /** `isContested`: somebody else has pressed it, too, so that it isn't known who was first. */
  takenOver?: { person: string; at: number; isDone: boolean; isContested: boolean };
}

/** What somebody has asked for, until the app answers. */
interface Asked {
  person: string;
  at: number;
  token: string | undefined;
  /** The version that they saw. Undefined for a form without one. */
  base: { row: string; version: number } | undefined;
  what: 'edit' | 'move' | 'undo of a move';
  text: string | undefined;
  /** What the same form said when it was sent before. */
  earlier?: readonly (string | undefined)[];
  /** The earliest and the latest time that they may get. Undefined if the form showed none. */
  times: readonly [number, number] | undefined;
}

/**
 * Posts that Upnext keeps, by the rows and versions that buttons name: one version is the same for everybody, a form does
 * what it shows, an undo brings back what it names, and what goes out is the newest version, with its own approval.
 */
export function createKeptPostCheck(options: {
  match(rule: Rule): void;
  /** Whether forms show everything that is typed into them. */
  isCalm(at: number): boolean;
  zoneOf(person: string): string | undefined;
  /** Whether a person could approve posts at some time of a period. */
  mightApprove(person: string, from: number, to: number): boolean;
  /** Whether a person may schedule posts all of this time. */
  maySchedule(person: string, from: number, to: number): boolean;
  nameOf(person: string): string;
  /** Whether somebody sent this version in a form that hadn't shown a newer one. */
  isOutdated(token: string, text: string): boolean;
}) {
  const { match, isCalm, zoneOf, mightApprove, maySchedule, nameOf, isOutdated } = options;
  const posts = new Map<string, KeptPost>();
  /** What was asked for in each form, by the id of its view, and with other buttons, by the row. */
  const asked = new Map<string, Asked>();
  /** The last deed about each post, by anybody. */
  const lastDeeds = new Map<string, { at: number; person: string }[]>();

  function addDeed(deed: Deed & { at: number }, tokens: readonly string[]): void {
    const { at, person, saw = '', form, button, texts, when = '' } = deed;
    for (const token of tokens) {
      const deeds = (lastDeeds.get(token) ?? []).filter((each) => each.at > at - 30 * TRAVEL_MS);
      lastDeeds.set(token, [...deeds, { at, person }]);
    }
    const [token] = tokens;
    if (form !== undefined) {
      const target = readTarget(deed.metadata);
      const shown = /slot/u.test(when) || when === '' || !isCalm(at) ? undefined : readFormTime(saw, at);
      const times =
        shown === undefined ? undefined : ([shown, shown + (/^in /u.test(when) ? SHIFT_MS : 0)] as const);
      const post = target && posts.get(target.row);
      if (target?.does === 'approve' && post)
        post.approvals.push({ person, version: target.version + 1, at });
      if (target && when !== '')
        asked.set(form, {
          ...{ person, at, token, base: target, what: 'move', times },
          text: post?.versions.get(target.version)?.text,
        });
      else if (texts && tokens.length === 1)
        asked.set(form, {
          ...{ person, at, token, base: undefined, what: 'edit', times },
          earlier: [asked.get(form)].flatMap((before) => [...(before?.earlier ?? []), before?.text]),
          // If each platform has a text of its own, nobody gets the main one.
          text: Object.values(texts).some((text) => text.includes(`${deed.mainText} `))
            ? deed.mainText
            : undefined,
        });
    }
    if (deed.text.startsWith('submits Approve all'))
      for (const post of posts.values())
        if (tokens.includes(post.token)) post.approvals.push({ person, version: post.latest, at });
    const named = button && readNamed(button.value);
    const post = named && posts.get(named.row);
    if (!button || !named || !post) return;
    if (button.actionId === 'review.approve') post.approvals.push({ person, version: named.version, at });
    if (button.actionId === 'held-posts.take-over')
      post.takenOver = { person, at, isDone: false, isContested: post.takenOver !== undefined };
    if (button.actionId !== 'held-posts.undo-move') return;
    const before = Date.parse(named.rest.split(' ')[0] ?? '');
    asked.set(named.row, {
      ...{ person, at, token: post.token, base: named, what: 'undo of a move' },
      ...{ text: post.versions.get(named.version)?.text, times: [before, before] },
    });
  }

  function addShown(shown: Shown & { at: number }, token: string | undefined): string[] {
    const card = readCard(shown, zoneOf(shown.reader));
    if (!card || token === undefined) return [];
    const { at } = shown;
    const post = posts.get(card.row) ?? {
      ...{ token, versions: new Map(), latest: 0, approvals: [], authors: new Set<string>() },
    };
    posts.set(card.row, post);
    return [
      ...addVersion(post, card, at),
      ...checkAsked(post, card, shown),
      ...checkTakenOver(post, card, shown),
    ];
  }

  /** Everybody reads the same of one version. */
  function addVersion(post: KeptPost, { version, text, time }: Card, at: number): string[] {
    const known = post.versions.get(version);
    if (!known) {
      post.versions.set(version, { at, text, time });
      post.latest = Math.max(post.latest, version);
      return [];
    }
    known.text ??= text;
    if (known.time === undefined) known.time = time;
    match('somebody reads a version again');
    const isSameTime = time === undefined || known.time === undefined || time === known.time;
    const isSameText = text === undefined || text === known.text;
    return [
      ...(isSameText ? [] : [`one version of ${post.token} is both ${known.text} and ${text}`]),
      ...(isSameTime
        ? []
        : [`one version of ${post.token} has two times: ${format(known.time)} and ${format(time)}`]),
    ];
  }

  /** The card that answers a press is what the press said. */
  function checkAsked(
    post: KeptPost,
    card: Card,
    { id, at, reader, surface }: Shown & { at: number },
  ): string[] {
    return [id, card.row].flatMap((place) => {
      const wanted = asked.get(place);
      if (
        !wanted ||
        wanted.token !== post.token ||
        (place === id && (reader !== wanted.person || surface !== 'form'))
      )
        return [];
      if (wanted.base && (wanted.base.row !== card.row || card.version <= wanted.base.version)) return [];
      // An instance that stood still may answer what was sent before.
      if (card.text !== undefined && card.text !== wanted.text && wanted.earlier?.includes(card.text))
        return [];
      asked.delete(place);
      if (
        wanted.what === 'edit' &&
        card.text !== undefined &&
        card.text === wanted.text &&
        isOutdated(post.token, card.text)
      )
        return [`${card.text} was saved, which replaced a version that its author hadn’t seen`];
      const { person, what, text, times } = wanted;
      const isAlone = (lastDeeds.get(post.token) ?? []).every(
        (deed) => deed.person === person || deed.at < wanted.at - TRAVEL_MS || deed.at > at,
      );
      // Somebody else's change may have come first, which the press then has not replaced.
      if (!isAlone || (what !== 'edit' && card.version !== (wanted.base?.version ?? 0) + 1)) return [];
      const version = post.versions.get(card.version);
      if (version) version.editor = person;
      match(what === 'edit' ? 'a form is saved' : what === 'move' ? 'a post is moved' : 'a move is undone');
      const { time } = card;
      const isSameText = text === undefined || card.text === undefined || card.text === text;
      const isSameTime =
        times === undefined || time === undefined || (time !== null && time >= times[0] && time <= times[1]);
      return [
        ...(isSameText ? [] : [`the ${what} of ${text} was answered with ${card.text}`]),
        ...(isSameTime
          ? []
          : [`the ${what} of ${post.token} to ${format(times?.[0])} was answered with ${format(time)}`]),
      ];
    });
  }

  /** Whoever takes a post over is its author from then on, and it goes out with their permission. */
  function checkTakenOver(post: KeptPost, card: Card, { at, reader }: Shown & { at: number }): string[] {
    const taken = post.takenOver;
    if (!taken || taken.isContested) return [];
    const isOffered = card.actions.has('held-posts.take-over');
    if (!taken.isDone) {
      if (isOffered || at < taken.at) return [];
      taken.isDone = true;
      post.authors.add(taken.person);
      match('somebody takes a post over');
    }
    if (at < taken.at + TRAVEL_MS && reader !== taken.person) return [];
    const names = [`<@${taken.person}>`, nameOf(taken.person)];
    const others = (lastDeeds.get(post.token) ?? []).some(
      (deed) => deed.at > taken.at && deed.at <= at && deed.person !== taken.person,
    );
    return [
      ...(card.author === undefined || names.includes(card.author) || others
        ? []
        : [`${taken.person} took ${post.token} over, but ${card.author} is its author`]),
      ...(isOffered && !others && maySchedule(taken.person, taken.at - ROLE_MS, at)
        ? [`${taken.person} took ${post.token} over and may schedule it, but nobody may`]
        : []),
    ];
  }

  /** What the service gets is the newest version. `isReviewed`: whether people know that it needs an approval. */
  function addCreated(
    { content, publishAt, sentAt }: CreatedPost,
    token: string,
    { isReviewed, author, repeats }: { isReviewed: boolean; author: string; repeats: number },
  ): string[] {
    const rows = [...posts.values()].filter((post) => post.token === token);
    const [post, ...others] = rows;
    if (!post || others.length > 0 || publishAt === undefined) return [];
    const known = [...post.versions].filter(([, { at }]) => at < sentAt);
    const latest = Math.max(0, ...known.map(([version]) => version));
    const newest = post.versions.get(latest);
    if (!newest) return [];
    const is = ({ text, time }: Version) =>
      time === publishAt && text !== undefined && content.includes(`${text} `);
    const found: string[] = [];
    const older = known.find(([version, each]) => version < latest && is(each));
    if (known.length > 1) match('a post goes out that has changed');
    if (repeats === 0 && !is(newest) && older && newest.time !== undefined)
      found.push(
        `${older[1].text} for ${format(publishAt)} went out, an older version than ${newest.text} for ${format(newest.time)}`,
      );
    if (!isReviewed) return found;
    match('a kept post needs reviews');
    const authors = new Set([author, ...post.authors]);
    const counts = post.approvals.filter(({ at, version }) => at <= sentAt && version >= latest);
    const valid = counts.filter(
      ({ person, version }) =>
        !authors.has(person) &&
        post.versions.get(version)?.editor !== person &&
        mightApprove(person, sentAt - ROLE_MS, sentAt),
    );
    if (valid.length > 0) return found;
    const reason =
      post.approvals.length === 0
        ? 'nobody has approved it'
        : counts.length === 0
          ? 'only an earlier version was approved'
          : 'whoever approved it may not do so';
    return [...found, `${token} went out without enough approvals: ${reason}`];
  }

  return {
    addDeed,
    addShown,
    addCreated,
    /** What was restored or deleted has other versions. */
    forget(isLost: (token: string) => boolean): void {
      for (const [row, { token }] of posts) if (isLost(token)) posts.delete(row);
      for (const [place, { token }] of asked) if (token === undefined || isLost(token)) asked.delete(place);
    },
  };
}

function format(at: number | null | undefined): string {
  return at === null || at === undefined ? 'no time' : new Date(at).toISOString();
}
