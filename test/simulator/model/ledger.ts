import type { CastWorkspace } from '../cast.ts';
import type { Deed, Entry } from '../history.ts';
import type { Reached, Rule } from '../reached.ts';
import { TRAVEL_MS } from './check-truth.ts';
import { createKeptPostCheck } from './kept-posts.ts';
import { createPictureCheck } from './pictures.ts';
import { createRepeatCheck } from './repeats.ts';
import {
  addSeriesDeed,
  addSeriesPost,
  addSeriesText,
  createSeriesWish,
  isSeriesToken,
  type SeriesWish,
} from './series.ts';
import { createSlotCheck } from './slots.ts';

/** A post of the simulation in any text, with the number of its version: `§a12`, `§a12.1`. */
const TOKEN = /§[a-z]\d+/gu;
export const listTokens = (text: string): string[] => [...new Set(text.match(TOKEN) ?? [])];

/** A call that had begun when a project was stopped, or its policy changed, is sent within so long. */
const CALL_MS = 20_000;
/** A form has read the policy when it is sent, and its first attempt ends within so long. */
const FIRST_ATTEMPT_MS = 60_000;
/** The clocks of instances differ by minutes. */
const CLOCKS_MS = 6 * 60_000;
/** What Slack says of a person is known for so long at most. */
const ROLE_MS = 30 * 60_000;
const MAY_SCHEDULE: ReadonlySet<string | undefined> = new Set(['publisher', 'manager', 'owner']);
/** The deeds of somebody who leaves the workspace, and who is back. */
export const [LEAVES, COMES_BACK] = ['leaves', 'comes back'] as const;
/** What people read before they decide about a post that the service may have already. */
const ASKED =
  /may have it already|don’t know whether|can’t (?:tell|check) whether|couldn’t find your|lists? (?:more than one|a post like)|may still turn up/u;
/** The line with which an answer says that it is stored: "Saved", "*Saved.* …", "Saved as a draft", "Saved, not sent yet". */
const SAVED = /^(?::\w+: )?\*?Saved\b/mu;
/** The deed with which an owner removes the app. */
export const UNINSTALLS = 'uninstalls the app';
/** What the person has done who has just installed it again. */
export const INSTALLED = 'has installed the app again';
/** With these, nobody asks for another request. */
const HARMLESS = ['Cancel', 'Cancel post', 'Discard', 'Check again', 'Comment', 'History', 'Share', 'close'];
const WITHDRAWN = ['Cancel', 'Cancel post', 'Discard', 'Reject', 'close'];

/** What people want of one post, and what the service has of it. */
interface Wish {
  workspace: string;
  author: string;
  /** The requests for it that the service carried out, without drafts. `forms`: how many forms had been sent by then. */
  scheduled: { content: string; platforms: readonly string[]; forms: number }[];
  /** The text of each platform in the forms that people sent. */
  forms: Texts[];
  isAtService: boolean;
  /** When the last of these requests was sent, ms since the epoch. */
  sentAt: number;
  /** How often a person asked for a further request, after they had read that the service may have the post. */
  repeats: number;
  /** What they had read when they asked, and where. A second tap on the same message is no second request. */
  decisions: Set<string>;
  /** Everybody who had a part in it. */
  people: Set<string>;
  /** Whether somebody sent it in a form, or scheduled its draft. */
  isSent: boolean;
  isWithdrawn: boolean;
  /** Whether Upnext has deleted it with everything else of its workspace, or lost it with a backup. */
  isForgotten: boolean;
  /** The versions that somebody who may do so approved. */
  approvals: Set<string>;
  /** What is known of a post that repeats. */
  series: SeriesWish;
  /** What somebody sent last, with the versions of its texts. */
  last: { person: string; versions: readonly string[]; texts?: Texts; isSaved: boolean; savedAt?: number };
  /** The versions of which somebody last read that they are saved. */
  stored?: { versions: readonly string[]; at: number };
  /** Versions that were sent in a form that was opened before others were stored, and hadn't shown those. */
  outdated: Set<string>;
}

/** The text of each platform. */
type Texts = Readonly<Record<string, string>>;

/**
 * What must hold whatever happens: no post twice unless somebody asked for it, nothing from a stopped project, nothing
 * without its approval, and nothing of one workspace in another. `add` takes the history in order, and returns violations.
 */
export function createLedger(workspaces: readonly CastWorkspace[], { listsAll = true } = {}) {
  const wishes = new Map<string, Wish>();
  /** How often a rule had something to check. */
  const matched = new Map<Rule, number>();
  const match = (rule: Rule) => void matched.set(rule, (matched.get(rule) ?? 0) + 1);
  const slots = createSlotCheck(workspaces);
  const pictures = createPictureCheck();
  const repeats = createRepeatCheck({ listsAll });
  /** When people read that a project is stopped, by its name. */
  const stops = new Map<string, number>();
  /** The posts that each person's last form was about. */
  const submitted = new Map<string, readonly string[]>();
  /** The versions that each form was opened with, by the form's id and the post. */
  const opened = new Map<string, { versions: readonly string[]; at: number }>();
  /** When somebody resumed a project, by its name. What is on its way to a reader then still shows it as stopped. */
  const resumedAt = new Map<string, number>();
  /** Since when people know that a project's posts need the approval of a manager, by its name. */
  const reviews = new Map<string, number>();
  /** Who last sent a policy, by the workspace. */
  const lastPolicies = new Map<string, string>();
  const roles = new Map<string, string | undefined>();
  const absent = new Set<string>();
  /** Since when people may not schedule posts: they have no such role, or have left. */
  const powerlessSince = new Map<string, number>();
  for (const { account, people, policies } of workspaces) {
    for (const { id, name } of account.projects)
      if (policies.some(({ project, review }) => project === id && review === 'required'))
        reviews.set(name, 0);
    for (const { id, role } of people) {
      roles.set(id, role);
      if (!MAY_SCHEDULE.has(role)) powerlessSince.set(id, Number.NEGATIVE_INFINITY);
    }
  }

  /** The roles of each person, and when they got them: undefined while they are away. */
  const roleHistory = new Map<string, { at: number; role: string | undefined }[]>(
    [...roles].map(([id, role]) => [id, [{ at: Number.NEGATIVE_INFINITY, role }]]),
  );
  const members = new Map(workspaces.flatMap(({ people }) => people.map((person) => [person.id, person])));
  const listRoles = (person: string, from: number, to: number) => {
    const all = roleHistory.get(person) ?? [];
    return all.filter(
      ({ at }, index) => at <= to && (all[index + 1]?.at ?? Number.POSITIVE_INFINITY) >= from,
    );
  };
  const zones = new Map([...members].map(([id, { timeZone }]) => [id, timeZone]));
  /** Until when a form may show less than what was typed into it, because Slack or the app was in trouble. */
  let troubledUntil = Number.NEGATIVE_INFINITY;
  const keptPosts = createKeptPostCheck({
    match,
    isCalm: (at) => at > troubledUntil,
    zoneOf: (person) => zones.get(person),
    mightApprove: (person, from, to) =>
      listRoles(person, from, to).some(({ role }) => role === 'manager' || role === 'owner'),
    maySchedule: (person, from, to) =>
      listRoles(person, from, to).every(({ role }) => MAY_SCHEDULE.has(role)),
    nameOf: (person) => members.get(person)?.name ?? person,
    isOutdated: (token, text) => wishes.get(token)?.outdated.has(text) ?? false,
  });

  /**
   * Begins anew with what Upnext itself keeps: a restored backup doesn't know of later stops, policies and posts, and an
   * uninstallation deletes them.
   */
  function forget(isLost: (workspace: string) => boolean): void {
    for (const { account } of workspaces.filter(({ id }) => isLost(id)))
      for (const { name } of account.projects) {
        stops.delete(name);
        reviews.delete(name);
      }
    pictures.forget((token) => isLost(wishes.get(token)?.workspace ?? ''));
    slots.forget((token) => isLost(wishes.get(token)?.workspace ?? ''));
    keptPosts.forget((token) => isLost(wishes.get(token)?.workspace ?? ''));
    for (const wish of wishes.values()) {
      if (!isLost(wish.workspace)) continue;
      wish.isForgotten = true;
      wish.last.isSaved = false;
      wish.series.stoppedAt = undefined;
    }
  }
  const projectsOf = (workspace: string) =>
    workspaces.find(({ id }) => id === workspace)?.account.projects ?? [];
  const findProject = (id: string) =>
    workspaces.flatMap(({ account }) => account.projects).find((project) => project.id === id);
  function addDeed(deed: Deed & { at: number }): string[] {
    const { workspace, person, pressed, saw = '', place = '', wrote = [], texts, at } = deed;
    if (pressed === 'submit') submitted.set(person, wrote.flatMap(listTokens));
    for (const token of new Set(wrote.flatMap(listTokens))) {
      const wish = wishes.get(token) ?? {
        ...{ workspace, author: person, scheduled: [], forms: [], repeats: 0, approvals: new Set<string>() },
        ...{
          decisions: new Set<string>(),
          sentAt: Number.POSITIVE_INFINITY,
          last: { person, versions: [], isSaved: false },
          series: createSeriesWish(),
          people: new Set<string>(),
        },
        ...{ isAtService: false, isSent: false, isWithdrawn: false, isForgotten: false },
        outdated: new Set<string>(),
      };
      wish.people.add(person);
      wish.isSent ||= pressed !== undefined;
      wish.isWithdrawn = false;
      wish.isForgotten = false;
      // A text that no platform gets isn't sent.
      const sent = texts ? Object.values(texts) : wrote;
      const versions = new Set(sent.flatMap(listVersions).filter((one) => listTokens(one).includes(token)));
      const base = opened.get(`${deed.form} ${token}`);
      const { stored } = wish;
      const isOutdated =
        base &&
        stored &&
        stored.at > base.at &&
        stored.versions.some((version) => !base.versions.includes(version));
      for (const version of versions) {
        if (isOutdated) match('a form is older than what is stored');
        if (isOutdated) wish.outdated.add(version);
        else wish.outdated.delete(version);
      }
      wish.last = { person, versions: [...versions], isSaved: false, ...(texts && { texts }) };
      if (texts) wish.forms.push(texts);
      if (texts && !isSeriesToken(token)) pictures.addForm(token, deed.picture);
      if (deed.picture !== undefined) match('a post has a picture');
      if (texts && new Set(Object.values(texts)).size > 1) match('a post has several texts');
      wishes.set(token, wish);
    }
    slots.addDeed(deed, wrote.length > 0 ? wrote.flatMap(listTokens) : listTokens(saw));
    if (deed.text === UNINSTALLS) forget((id) => id === workspace);
    const [, role] = /^is now (\w+)$/u.exec(deed.text) ?? [];
    if (role !== undefined) roles.set(person, role);
    if (deed.text === LEAVES) absent.add(person);
    if (deed.text === COMES_BACK) absent.delete(person);
    if (role !== undefined || deed.text === LEAVES || deed.text === COMES_BACK)
      roleHistory.get(person)?.push({ at, role: absent.has(person) ? undefined : roles.get(person) });
    if (deed.text.includes('/upnext zone me')) zones.delete(person);
    const known = wrote.length > 0 ? wrote.flatMap(listTokens) : listTokens(saw);
    keptPosts.addDeed(deed, [...new Set(known)]);
    repeats.addDeed(deed, [...new Set(known)]);
    const isPowerless = absent.has(person) || !MAY_SCHEDULE.has(roles.get(person));
    if (!isPowerless) powerlessSince.delete(person);
    else if (!powerlessSince.has(person)) {
      match('somebody loses the role to schedule');
      powerlessSince.set(person, at);
    }
    if (pressed === undefined) return [];
    const isDecision = !HARMLESS.includes(pressed);
    if (pressed.startsWith('Resume'))
      for (const name of [...stops.keys()].filter((stopped) => saw.includes(stopped))) {
        stops.delete(name);
        resumedAt.set(name, at);
      }
    if (
      pressed !== 'close' &&
      /When posts go to the scheduling service|What should happen to (?:it|them)/u.test(saw)
    ) {
      lastPolicies.set(workspace, person);
      for (const { name } of projectsOf(workspace)) reviews.delete(name);
    }
    for (const token of [...new Set([...listTokens(saw), ...wrote.flatMap(listTokens)])]) {
      const wish = wishes.get(token);
      if (!wish) continue;
      if (isSeriesToken(token)) addSeriesDeed(wish.series, deed);
      wish.people.add(person);
      if (!listTokens(saw).includes(token)) continue;
      wish.isWithdrawn = WITHDRAWN.includes(pressed);
      const decision = `${place} ${saw}`;
      if (isDecision && ASKED.test(saw) && !wish.decisions.has(decision)) {
        match('somebody asks again for an uncertain post');
        wish.decisions.add(decision);
        wish.repeats += 1;
      }
      if (pressed === 'Schedule' || pressed === 'Save as draft') wish.isSent = true;
      // The form of a copy has the same text, which isn't saved again.
      if (pressed === 'Duplicate') wish.last.isSaved = false;
      const isManager = ['manager', 'owner'].includes(roles.get(person) ?? '');
      if (pressed.startsWith('Approve') && isManager)
        for (const version of listVersions(saw)) {
          match('a version is approved');
          wish.approvals.add(version);
        }
    }
    return [];
  }
  function addCreated(entry: Extract<Entry, { kind: 'created' }>): string[] {
    const { workspace, project, content, isApplied, isDraft, sentAt, publishAt } = entry;
    const [token = ''] = listTokens(content);
    const wish = wishes.get(token);
    const name = findProject(project)?.name ?? project;
    if (!wish) return [`the service got a post that nobody wrote: ${content}`];
    const found: string[] = [];
    if (wish.workspace !== workspace)
      found.push(`${token} of ${wish.workspace} reached the account of ${workspace}`);
    const stoppedAt = stops.get(name);
    if (stoppedAt !== undefined && sentAt > stoppedAt + CALL_MS)
      found.push(`${token} was sent while ${name} was stopped`);
    if (!isDraft && publishAt !== undefined && sentAt > publishAt + CLOCKS_MS)
      found.push(`${token} was sent after its time`);
    if (!isApplied) return found;
    wish.isAtService = true;
    found.push(...repeats.addCreated(entry, token));
    found.push(...pictures.addPost(entry, token, wish.last.isSaved && wish.repeats === 0));
    if (isDraft) return found;
    const isPowerless = (person: string) =>
      sentAt > (powerlessSince.get(person) ?? Number.POSITIVE_INFINITY) + ROLE_MS;
    if ([...wish.people].every(isPowerless))
      found.push(`${token} was sent, although nobody who had a part in it may schedule posts any more`);
    if (isSeriesToken(token))
      return [
        ...found,
        ...addSeriesPost(wish.series, entry, { token, repeats: wish.repeats, name, reviews }),
      ];
    const isReviewed = sentAt > (reviews.get(name) ?? Number.POSITIVE_INFINITY) + FIRST_ATTEMPT_MS;
    found.push(
      ...keptPosts.addCreated(entry, token, { isReviewed, author: wish.author, repeats: wish.repeats }),
    );
    const slot = slots.addPost(entry, token);
    if (slot.hasSlot) match('a post takes a slot');
    found.push(...addPart(wish, entry, token), ...slot.violations);
    wish.sentAt = sentAt;
    const [version = ''] = listVersions(content);
    const reviewedSince = reviews.get(name);
    if (reviewedSince !== undefined) match('a project needs reviews');
    if (
      reviewedSince !== undefined &&
      sentAt > reviewedSince + FIRST_ATTEMPT_MS &&
      !wish.approvals.has(version)
    )
      found.push(`${version} went out without an approval of this version`);
    if (wish.outdated.has(version))
      found.push(`${version} went out, which replaced a version that its author hadn’t seen`);
    if (wish.repeats === 0 && wish.last.isSaved && !wish.last.versions.includes(version))
      found.push(`${wish.last.versions.join(' and ')} was saved last, but ${version} went out`);
    return found;
  }
  /** Somebody reads that what they sent last is saved. */
  function addSaved(text: string, reader: string, at: number): void {
    // A late text is quoted as not saved beside the earlier one, which is.
    if (!SAVED.test(text) || /isn’t saved/u.test(text)) return;
    for (const token of listTokens(text)) {
      const wish = wishes.get(token);
      if (isSeriesToken(token)) continue;
      // A request of the same form that arrived later, from a device that was offline, has stored another version.
      if (wish?.last.person !== reader) continue;
      const { versions } = wish.last;
      const shown = versions.filter((version) => listVersions(text).includes(version));
      const hasOthers = listVersions(text).some(
        (version) => listTokens(version).includes(token) && !versions.includes(version),
      );
      // A message about one of several texts says nothing of the others.
      if (shown.length > 0 && shown.length < versions.length && !hasOthers) continue;
      const isSaved = versions.length > 0 && shown.length === versions.length;
      if (isSaved) match('somebody reads that a post is saved');
      if (isSaved && !wish.last.isSaved) {
        wish.last.savedAt = at;
        wish.stored = { versions, at };
      }
      wish.last.isSaved = isSaved;
    }
  }
  /** A form that opens has the version that is stored. Later it shows another if its reader is told of an edit. */
  function addForm({ id, text, at }: Extract<Entry, { kind: 'shown' }>): void {
    const shown = Map.groupBy(new Set(listVersions(text)), (version) => listTokens(version)[0] ?? '');
    for (const [token, versions] of shown) {
      const key = `${id} ${token}`;
      const stored = wishes.get(token)?.stored?.versions ?? [];
      const isStored = stored.length > 0 && stored.every((version) => versions.includes(version));
      if (isStored || !opened.has(key)) opened.set(key, { versions, at });
    }
  }
  function addShown(entry: Extract<Entry, { kind: 'shown' }>): string[] {
    const { text, workspace, at, reader, surface } = entry;
    // The form is still open with the text, also below a view that says so, or its reader was given the text to copy.
    if (
      surface === 'errors' ||
      /Your form is still here|\*Not saved\.\*|it’s saved only once\.|out of date\. Nothing was sent\./u.test(
        text,
      )
    )
      for (const token of submitted.get(reader) ?? []) {
        const wish = wishes.get(token);
        if (wish) wish.isSent = false;
      }
    if (surface === 'form' || surface === 'ephemeral') addSaved(text, reader, at);
    if (surface === 'form') addForm(entry);
    const [, offer = ''] = /You have an unsaved post from .*\n(.*)/u.exec(text) ?? [];
    const unsaved = listTokens(offer).flatMap((token) => {
      const { last } = wishes.get(token) ?? {};
      // Upnext has what didn't arrive, and keeps it for a day.
      const wish = wishes.get(token);
      if (wish) wish.isSent = false;
      match('somebody is offered an unsaved post');
      const isOffered = last?.versions.some((version) => listVersions(offer).includes(version));
      const isSaved = isOffered && last?.isSaved && last.person === reader;
      // The offer may have been read from the database before the post was saved.
      return isSaved && at > (last.savedAt ?? at) + TRAVEL_MS
        ? [`${last.versions.join(' and ')} is saved, but is offered as unsaved`]
        : [];
    });
    const [, saved = ''] = /^\*?Saved for (\w+ [AB])\./mu.exec(text) ?? [];
    if (/Every post needs a review\.[\s\S]*Approvers: Managers and above \(any/u.test(text)) {
      if (saved !== '' && lastPolicies.get(workspace) === reader) reviews.set(saved, at);
    } else reviews.delete(saved);
    for (const [, name = ''] of text.matchAll(/(\w+ [AB]) is stopped(?: already)?\./gu))
      if (!stops.has(name) && at > (resumedAt.get(name) ?? Number.NEGATIVE_INFINITY) + TRAVEL_MS) {
        match('somebody reads that a project is stopped');
        stops.set(name, at);
      }
    const strangers = workspaces.filter(({ id }) => id !== workspace);
    // The address of a picture is random, so it may contain any id.
    const readable = text.replace(/\/media\/\S+/gu, '');
    const leaks = strangers.flatMap(({ account, people, channels }) => {
      const letter = account.token.at(-1) ?? '';
      const names = [...people, ...channels, ...account.projects].flatMap(({ id, name }) => [id, name]);
      const leaked = [...names, `§${letter.toLowerCase()}`].filter((name) =>
        isMentioned(readable, name, letter),
      );
      return leaked.length === 0 ? [] : [`${workspace} reads of another workspace: ${leaked.join(', ')}`];
    });
    for (const token of listTokens(text).filter(isSeriesToken)) {
      const wish = wishes.get(token);
      if (!wish) continue;
      addSeriesText(wish.series, { at, text });
      if (wish.series.stoppedAt !== undefined) match('a series stands still');
    }
    const [only, ...others] = listTokens(text);
    const kept = others.length === 0 ? keptPosts.addShown(entry, only) : [];
    return [...unsaved, ...leaks, ...kept];
  }
  return {
    wishes,
    readMatched(): Reached {
      if (repeats.readCount() > 0) matched.set('a post is sent again', repeats.readCount());
      return Object.fromEntries([...matched].map(([rule, count]) => [`rule: ${rule}`, count]));
    },
    add(entry: Entry): string[] {
      repeats.add(entry);
      if (entry.kind === 'note') {
        const { at, trouble } = entry;
        if (trouble && !trouble.isOfService) troubledUntil = Math.max(troubledUntil, at + trouble.forMs);
      }
      if (entry.kind === 'deed') return addDeed(entry);
      if (entry.kind === 'created') return addCreated(entry);
      if (entry.kind === 'shown') return addShown(entry);
      if (entry.kind === 'published' && typeof entry.picture === 'number')
        match('the service fetches a picture');
      if (entry.kind === 'published')
        return listTokens(entry.content).flatMap((token) => pictures.publish(token, entry));
      return [];
    },
    forget,
  };
}

/** Each text goes to the platforms for which somebody wrote it, once, and in one request. */
function addPart(
  wish: Wish,
  { content, platforms }: { content: string; platforms: readonly string[] },
  token: string,
): string[] {
  const { scheduled, forms, repeats, last } = wish;
  const counts = platforms.map(
    (platform) => 1 + scheduled.filter((other) => other.platforms.includes(platform)).length,
  );
  const count = Math.max(0, ...counts);
  const known = last.isSaved && repeats === 0 && last.texts ? [last.texts] : forms;
  const strangers = platforms.filter(
    (platform) => known.length > 0 && !known.some((texts) => texts[platform] === content.trim()),
  );
  // Without another form in between, platforms with the same text share a request.
  const isSplit = scheduled.some((other) => other.content === content && other.forms === forms.length);
  scheduled.push({ content, platforms, forms: forms.length });
  return [
    ...(count > 1 + repeats ? [`${token} is at the service ${count} times`] : []),
    ...(strangers.length > 0 ? [`${strangers.join()} got “${content}”, which nobody wrote for it`] : []),
    ...(isSplit && count <= 1 ? [`the service has “${content}” in several posts`] : []),
  ];
}

/** Names that every workspace has, such as a channel's, tell nothing. */
function isMentioned(text: string, name: string, letter: string): boolean {
  return name.includes(letter) || name.startsWith('§') ? text.includes(name) : false;
}

const listVersions = (text: string): string[] => text.match(/§[a-z]\d+(?:\.\d+)?/gu) ?? [];
