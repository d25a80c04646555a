import { DEFAULT_ROLE, WORKSPACES } from './cast.ts';
import { createChoices } from './choices.ts';
import type { Deed } from './history.ts';
import { COMES_BACK, INSTALLED, LEAVES, listTokens, UNINSTALLS } from './model/ledger.ts';
import { isSeriesToken } from './model/series.ts';
import { readMainText, readPicture, readTexts, readWhen } from './model/written.ts';
import { createMonthPlanning } from './month.ts';
import { createPolicyChanges } from './policies.ts';
import {
  type Json,
  type ListedElement,
  listElements,
  renderText,
  type SlackRequest,
  type Target,
} from './slack/slack.ts';
import type { Step, StepOf } from './steps.ts';
import type { World } from './world.ts';

/** What a person can press: an element with where it is, and what they see there. */
export interface Pressable {
  target: Target;
  listed: ListedElement;
  blocks: readonly Json[];
  text: string;
}

export interface Actor {
  workspace: string;
  person: string;
}

/** The longest time for which a person waits for a form to open, and how often they look. */
const [FORM_MS, LOOK_MS] = [8_000, 250];
/** The index of a person who may schedule, and does what people would do whom the plan doesn't have. */
const PUBLISHER = 2;
/** How long a person waits for a list or a card. */
const LIST_MS = 3_000;
/** Nobody installs the app again faster. */
const INSTALL_MS = 3_000;
/** How many of the newest messages a person looks at. */
const MAX_MESSAGES = 30;

type PersonalStep = Exclude<Step, { kind: 'condition' | 'kill' | 'freeze' | 'clock' | 'token' | 'backup' }>;
export type Ending = StepOf<'form'>['ending'];
/** What people fill in. `isNew`: they write a new post, also if the form begins with another. */
export interface Filling {
  time: StepOf<'form'>['time'] | StepOf<'series'>['time'];
  /** Whether the post repeats. */
  isSeries?: boolean;
  isNew: boolean;
  project?: string;
  isDraft?: boolean;
  /** Where a new post goes, and the platforms that get a text of their own. */
  platforms?: readonly string[];
  differs?: readonly string[];
  hasPicture?: boolean;
  /** What becomes of the review in a policy. Nothing else is changed then. */
  review?: StepOf<'policy'>['review'];
}
const isOfSeries = (text: string) => listTokens(text).some(isSeriesToken);
const SERIES_FORM = /^(?:Schedule a post|New series|Edit series)$/u;
/** The buttons with which people begin a new post. */
const NEW_POST = ['Duplicate', 'New post', 'Fill'];

/** The people of the simulation. What they do takes time, so it goes on while other things happen. */
export function createPeople(world: World) {
  const { network, randomness, record, deliver } = world;
  const random = randomness.get('people');
  const { wait } = network;

  const see = ({ workspace, person }: Actor) => world.slack.listVisible(workspace, person);
  const note = (actor: Actor, text: string, details: Omit<Deed, 'workspace' | 'person' | 'text'> = {}) =>
    record({ kind: 'deed', ...actor, text, ...details });

  /** Sends a request. Resolves when Slack has the answer, or has given up waiting. */
  const send = (request: SlackRequest): Promise<void> =>
    new Promise((resolve) => {
      const { onResponse } = request;
      deliver({
        ...request,
        onResponse(response) {
          onResponse(response);
          resolve();
        },
      });
    });

  const { createText, createSeriesText, createEdit, choose } = createChoices({
    ...{ random, send, slack: () => world.slack },
  });

  async function type(actor: Actor, line: string, wrote: string[] = []): Promise<void> {
    // A modal covers the field in which people type.
    for (let { view } = see(actor); view; view = see(actor).view) closeForm(actor, view);
    const [command = '', ...words] = line.split(' ');
    const [channel] = channelsOf(actor);
    const request = world.slack.typeCommand(
      actor.workspace,
      actor.person,
      channel ?? '',
      command,
      words.join(' '),
    );
    if (!request) return;
    note(actor, `types ${line}`, { wrote });
    await send(request);
  }
  function closeForm(
    actor: Actor,
    { id, title, text: saw }: { id: string; title: string; text: string },
  ): void {
    note(actor, `closes ${title} ${listTokens(saw).join(' ')}`, { pressed: 'close', saw });
    for (const request of world.slack.close(actor.workspace, actor.person, id)) void send(request);
  }
  const channelsOf = ({ workspace }: Actor) =>
    (WORKSPACES.find(({ id }) => id === workspace)?.channels ?? []).map(({ id }) => id);

  /** Waits until a form is open that wasn't before. */
  async function waitForForm(actor: Actor, earlier: string | undefined): Promise<string | undefined> {
    for (let waited = 0; waited < FORM_MS; waited += LOOK_MS) {
      const { view } = see(actor);
      if (view && view.id !== earlier && view.isSubmittable) return view.id;
      await wait(LOOK_MS);
    }
    return undefined;
  }

  /** Fills in what a form asks for, as somebody does who reads the labels. */
  async function fill(actor: Actor, viewId: string, options: Filling) {
    const done = new Set<string>();
    for (;;) {
      const { view } = see(actor);
      if (view?.id !== viewId) return;
      const listed = listElements(view.blocks).find(
        ({ isInput, actionId }) => isInput && !done.has(actionId),
      );
      if (!listed) return;
      done.add(listed.actionId);
      const choice = await choose(
        actor,
        {
          ...{ viewId, listed, values: view.values },
          current: view.values[listed.blockId]?.[listed.actionId],
        },
        options,
      );
      if (choice === undefined) continue;
      const request = world.slack.fill(viewId, listed.blockId, listed.actionId, choice);
      if (!request) continue;
      void send(request);
      await wait(200 + random.drawInteger(1_500));
    }
  }
  async function finish(actor: Actor, viewId: string, ending: Ending): Promise<void> {
    if (ending === 'leave') return;
    const waitMs = { submit: 4_000, twice: 4_000, close: 4_000, late: 900_000 }[ending];
    if (ending === 'late') await letColleagueEdit(actor);
    await wait(random.drawInteger(waitMs));
    const { view } = see(actor);
    if (view?.id !== viewId) return;
    const saw = view.text;
    const isConfirmation =
      SERIES_FORM.test(view.title) && !listElements(view.blocks).some((one) => one.isInput);
    if (ending === 'close') return closeForm(actor, view);
    const request = world.slack.submit(actor.workspace, actor.person, viewId);
    if (!request) return;
    const written = (isConfirmation ? see(actor).covered : [view]).flatMap(({ values }) =>
      listWritten(values),
    );
    const texts = readTexts(view.values);
    const [when, picture] = [readWhen(view.values), readPicture(view.values, saw)];
    // A series is saved by its confirmation.
    const isUnconfirmed = !isConfirmation && SERIES_FORM.test(view.title) && written.some(isOfSeries);
    const wrote = isUnconfirmed ? [] : written;
    note(actor, `submits ${view.title} ${listTokens(saw).join(' ')}`, {
      ...{ pressed: 'submit', saw, wrote, form: viewId, metadata: view.metadata },
      ...(texts && { texts, ...readMainText(view.values) }),
      ...(when !== undefined && { when }),
      ...(picture !== undefined && { picture }),
    });
    if (ending === 'twice') {
      note(actor, `submits ${view.title} on another device, too`);
      // The other device may have been offline.
      const delayMs = random.drawInteger(random.pick([1_500, 1_500, 20 * 60_000]));
      void wait(delayMs).then(() =>
        send({ ...request, onResponse: (response) => readElsewhere(actor, response?.body ?? '') }),
      );
    }
    await send(request);
    if (ending === 'twice') await wait(random.drawInteger(20_000));
    if (ending === 'twice' && random.drawBoolean(0.5)) await edit(actor, wrote);
    // Slack's own message asks to try again.
    const after = see(actor).view;
    // An error that a line below its field says is only there.
    const shown = [...Object.values(after?.errors ?? {}), after?.text ?? ''];
    const isFetching = shown.some((text) => text.includes('still fetching'));
    if (after?.id === viewId && (isFetching || after.errors[''] !== undefined))
      await submitAgain(actor, viewId);
    if (isUnconfirmed && after && after.id !== viewId && after.isSubmittable)
      await finish(actor, after.id, ending);
  }
  /** Another device shows what the app answers to it. */
  function readElsewhere(actor: Actor, body: string): void {
    const answer: { view?: { blocks: Json[] } } = body.startsWith('{') ? JSON.parse(body) : {};
    if (!answer.view) return;
    record({
      ...{ kind: 'shown', workspace: actor.workspace, channel: '', reader: actor.person, surface: 'form' },
      ...{ id: 'another device', isNew: false, text: renderText(answer.view.blocks, '') },
    });
  }
  /** Edits a post, perhaps while a form of it is still open, or a copy of the form on its way. */
  async function edit(actor: Actor, wrote: readonly string[]): Promise<void> {
    const [token] = listTokens(wrote.join(' '));
    const button = listPressables(actor, false).find(
      ({ listed, text }) => listed.label === 'Edit' && token !== undefined && text.includes(token),
    );
    if (button) await pressElement(actor, button, { time: 'tomorrow 9am', ending: 'submit' });
  }
  /** While a form is open for long, a colleague edits the same post of the project that keeps posts without reviews. */
  async function letColleagueEdit(actor: Actor): Promise<void> {
    const { view } = see(actor);
    const { account, people = [] } = WORKSPACES.find(({ id }) => id === actor.workspace) ?? {};
    const colleague = { ...actor, person: people[PUBLISHER]?.id ?? '' };
    if (view?.title !== 'Edit post' || actor.person === colleague.person) return;
    await type(colleague, `/upnext edit ${account?.projects[1]?.name ?? ''}`);
    await wait(3_000);
    await edit(colleague, listWritten(view.values));
  }
  /** Submits a form whose answer was lost once more: at once or after a while, as it is or with another text. */
  async function submitAgain(actor: Actor, viewId: string): Promise<void> {
    await wait(random.drawInteger(random.pick([1_000, 20_000, 15 * 60_000])));
    const { view } = see(actor);
    const text = listElements(view?.blocks ?? []).find(({ actionId }) => actionId.endsWith('.text'));
    // The form may also show another post: one that it offers to continue.
    const [token] = listTokens(listWritten(view?.values ?? {}).join(' '));
    if (text && token !== undefined && random.drawBoolean(0.3)) {
      const request = world.slack.fill(viewId, text.blockId, text.actionId, createEdit(token));
      if (request) await send(request);
    }
    const again = world.slack.submit(actor.workspace, actor.person, viewId);
    if (!again || !view) return;
    const { values = {} } = see(actor).view ?? {};
    const [wrote, texts] = [listWritten(values), readTexts(values)];
    const picture = readPicture(values, view.text);
    const tokens = listTokens(wrote.join(' ')).join(' ');
    note(actor, `submits ${view.title} again ${tokens}`, {
      ...{ wrote, form: viewId, ...(texts && { texts, ...readMainText(values) }) },
      ...(picture !== undefined && { picture }),
    });
    await send(again);
  }
  const listWritten = (values: Record<string, Record<string, Json>>): string[] =>
    Object.values(values)
      .flatMap((block) => Object.values(block))
      .flatMap(({ value }) => (typeof value === 'string' && value.includes('§') ? [value] : []));

  /** Everything of the app that a person could press. The newest comes first. */
  function listPressables(actor: Actor, isOld: boolean): Pressable[] {
    const { messages, view, home } = see(actor);
    const places: Omit<Pressable, 'listed'>[] = messages
      .filter(({ isByApp }) => isByApp)
      .slice(-MAX_MESSAGES)
      .toReversed()
      .flatMap(({ channel, ts, versions }) => {
        const shown = versions.map(({ blocks, text }, version) => ({
          target: { kind: 'message' as const, channel, ts, version },
          blocks,
          text: renderText(blocks, text),
        }));
        return isOld ? shown.slice(0, -1) : shown.slice(-1);
      });
    if (home && !isOld) places.push({ target: { kind: 'home' }, blocks: home.blocks, text: home.text });
    // A modal covers everything else.
    if (view && !isOld)
      places.splice(0, places.length, {
        target: { kind: 'view', viewId: view.id },
        blocks: view.blocks,
        text: view.text,
      });
    return places.flatMap((place) =>
      listElements(place.blocks)
        .filter(({ isInput, element }) => !isInput && element.url === undefined)
        // Each entry of a menu is a button of its own.
        .flatMap((listed) =>
          listed.type === 'overflow'
            ? listed.options.map((one) => ({ ...listed, label: one.label, options: [one] }))
            : [listed],
        )
        .map((listed) => ({ ...place, listed })),
    );
  }
  /** The part of what a person sees that a button is about: the post above it. */
  function findSeen({ blocks, listed, text }: Pressable): string {
    if (listTokens(text).length <= 1) return text;
    const index = blocks.findIndex(({ block_id: id }) => id === listed.blockId);
    const start = blocks.findLastIndex((block, at) => at <= index && renderText([block], '').includes('§'));
    return start < 0 ? text : renderText(blocks.slice(start, index + 1), '');
  }

  /** Presses a button of this name: one that the person sees, or one on the card of a post in the list. */
  async function press(actor: Actor, step: StepOf<'press'>, project: string): Promise<void> {
    const { label, nth, isOld } = step;
    const isWanted = ({ listed }: Pressable) =>
      label === 'any' || listed.label === label || (label === 'Try' && /^Try .+ again$/u.test(listed.label));
    // The newest is the likeliest.
    const pick = (found: readonly Pressable[]) => found[(nth >> 1) % Math.max(1, found.length)];
    let chosen = pick(listPressables(actor, isOld).filter(isWanted));
    if (!chosen && !isOld) {
      await type(actor, `/upnext posts ${project}`);
      await wait(LIST_MS);
      const open = pick(listPressables(actor, false).filter(({ listed }) => listed.label === 'Open'));
      if (open) await pressElement(actor, open, { time: step.time, ending: 'leave' });
      await wait(LIST_MS);
      chosen = pick(listPressables(actor, false).filter(isWanted));
    }
    if (chosen) await pressElement(actor, chosen, { time: step.time, ending: step.ending });
  }
  async function pressElement(
    actor: Actor,
    chosen: Pressable,
    { ending, ...wanted }: Omit<Filling, 'isNew'> & { ending: Ending },
  ) {
    const { listed, target } = chosen;
    const choice = listed.options.length > 0 ? random.pick(listed.options).value : undefined;
    const earlier = see(actor).view?.id;
    const request = world.slack.press(actor.workspace, actor.person, target, {
      ...{ blockId: listed.blockId, actionId: listed.actionId },
      ...(choice !== undefined && { choice }),
    });
    if (!request) return;
    const saw = findSeen(chosen);
    const label = choice === undefined ? listed.label : `${listed.label}: ${choice}`;
    note(actor, `presses [${label}] ${listTokens(saw).join(' ')}`, {
      ...{ pressed: listed.label, saw },
      button: { actionId: listed.actionId, value: String(listed.element.value ?? choice ?? '') },
      place: target.kind === 'message' ? target.ts : target.kind === 'view' ? target.viewId : target.kind,
    });
    void send(request);
    const viewId = await waitForForm(actor, earlier);
    if (viewId === undefined) return;
    await fill(actor, viewId, { isNew: NEW_POST.includes(listed.label), ...wanted });
    await finish(actor, viewId, ending);
  }

  /** Decides about every post whose request the person sees: once about each, and mostly with an approval. */
  async function reviewAll(actor: Actor): Promise<void> {
    closeView(actor);
    const decided = new Set<string>();
    for (;;) {
      const isOpen = ({ listed, text }: Pressable) =>
        listed.label === 'Approve' && !listTokens(text).every((token) => decided.has(token));
      const request = listPressables(actor, false).find(isOpen);
      if (!request) return;
      for (const token of listTokens(request.text)) decided.add(token);
      const isApproval = random.drawBoolean(0.8);
      const other = listPressables(actor, false).find(
        ({ listed, text }) => listed.label === 'Request changes' && text === request.text,
      );
      const chosen = isApproval ? request : (other ?? request);
      await pressElement(actor, chosen, { time: 'tomorrow 9am', ending: 'submit' });
      closeView(actor);
    }
  }

  /** Types a line, which opens the form filled in, and submits it as it is. */
  async function typeLine(actor: Actor, step: StepOf<'line'>, project: string): Promise<void> {
    const text = createText(actor);
    const line = `/schedule-post ${step.time} on x for ${project}${step.isDraft ? ' draft' : ''}: ${text}`;
    const earlier = see(actor).view?.id;
    void type(actor, line, [text]);
    const viewId = await waitForForm(actor, earlier);
    if (viewId !== undefined) await finish(actor, viewId, step.ending);
  }
  async function openForm(actor: Actor, step: StepOf<'form'>, project: string): Promise<void> {
    const earlier = see(actor).view?.id;
    void type(actor, '/schedule-post');
    const viewId = await waitForForm(actor, earlier);
    if (viewId === undefined) return;
    await fill(actor, viewId, {
      ...{ time: step.time, isNew: true, project, isDraft: step.isDraft },
      ...{ platforms: step.platforms, differs: step.differs, hasPicture: step.hasPicture },
    });
    await finish(actor, viewId, step.ending);
  }

  /** Closes what an earlier command has opened, because it covers the messages. */
  function closeView({ workspace, person }: Actor): void {
    const { view } = see({ workspace, person });
    if (view) for (const request of world.slack.close(workspace, person, view.id)) void send(request);
  }
  async function reinstall({ workspace: index, afterMs }: StepOf<'reinstall'>): Promise<void> {
    const { id = '', people } = WORKSPACES[index] ?? {};
    const owner = people?.[0]?.id ?? '';
    note({ workspace: id, person: owner }, UNINSTALLS);
    for (const request of world.slack.uninstall(id)) deliver(request);
    await wait(INSTALL_MS + afterMs);
    note({ workspace: id, person: owner }, 'installs the app again');
    if (!(await world.install(id, owner))) return;
    note({ workspace: id, person: owner }, INSTALLED);
    await world.connect(id);
  }

  const findActor = ({ workspace: index, person }: { workspace: number; person: number }): Actor => {
    const { id = '', people = [] } = WORKSPACES[index] ?? {};
    return { workspace: id, person: people[person]?.id ?? '' };
  };
  const findManager = (index: number): Actor => {
    const { id = '', people = [] } = WORKSPACES[index] ?? {};
    return { workspace: id, person: people.find(({ role }) => role === 'manager')?.id ?? '' };
  };
  const nameProject = ({ workspace: index, project }: { workspace: number; project: number }) =>
    WORKSPACES[index]?.account.projects[project]?.name ?? '';
  /** Only projects that keep posts have slots. */
  const chooseTime = <Chosen extends { time: Filling['time'] }>(step: Chosen, project: string): Chosen =>
    project.startsWith('Plain') && step.time.startsWith('next slot') ? { ...step, time: 'in 2 hours' } : step;
  async function perform(step: PersonalStep): Promise<void> {
    switch (step.kind) {
      case 'line':
        return typeLine(findActor(step), chooseTime(step, nameProject(step)), nameProject(step));
      case 'form':
        return openForm(findActor(step), chooseTime(step, nameProject(step)), nameProject(step));
      case 'press':
        return press(findActor(step), step, nameProject(step));
      case 'command':
        return type(findActor(step), step.text.replace('PROJECT', nameProject(step)));
      case 'home': {
        const actor = findActor(step);
        for (const request of world.slack.openHome(actor.workspace, actor.person)) await send(request);
        return;
      }
      case 'leave': {
        const actor = findActor(step);
        const isBack = inactive.delete(actor.person);
        if (!isBack) inactive.add(actor.person);
        note(actor, isBack ? COMES_BACK : LEAVES);
        return world.slack.setActive(actor.workspace, actor.person, isBack);
      }
      case 'role': {
        const actor = findActor(step);
        note(actor, `is now ${step.role === 'none' ? DEFAULT_ROLE : step.role}`);
        return world.setRole(actor.workspace, actor.person, step.role);
      }
      case 'policy':
        return step.isStopped
          ? manager.changePolicyDuringStop(findManager(step.workspace), step, nameProject(step))
          : manager.changePolicy(findManager(step.workspace), step, nameProject(step));
      case 'review-all':
        return reviewAll(findManager(step.workspace));
      case 'stop':
        return manager.stopOrResume(findManager(step.workspace), step.isStopped, nameProject(step));
      case 'reinstall':
        return reinstall(step);
      case 'series':
        return month.startSeries(findActor(step), step, nameProject(step));
      case 'series-press':
        return month.pressSeries(findActor(step), step, nameProject(step));
      case 'import':
        return month.importRows(findActor(step), step, nameProject(step));
    }
  }
  const manager = createPolicyChanges({
    ...{ type, wait, closeView, see, waitForForm, finish, listPressables, pressElement, random },
  });
  const month = createMonthPlanning({
    ...{ createText, createSeriesText, type, wait, note, send, closeView, fill, finish, waitForForm },
    ...{ see, listPressables, pressElement, slack: () => world.slack, now: () => world.time.now() },
  });
  const inactive = new Set<string>();
  /** What each person is doing. */
  const busy = new Map<string, Promise<unknown>>();

  return {
    /** Begins what a step says, once its person has done what they began before. It goes on for as long as it takes. */
    act(step: PersonalStep): void {
      const key = 'person' in step ? findActor(step).person : step.kind;
      const done = (busy.get(key) ?? Promise.resolve()).then(() => perform(step));
      busy.set(
        key,
        done.catch((error: unknown) => world.fail(`the simulation itself failed: ${String(error)}`)),
      );
    },
    /** Whether somebody can still read the text of a post: in a message, a form, the outbox or the list of posts. */
    async canFind(workspace: string, person: string, token: string): Promise<boolean> {
      const actor = { workspace, person };
      const isVisible = () => {
        const { messages, view, covered, home } = see(actor);
        const texts = messages.flatMap(({ versions }) =>
          versions.slice(-1).map(({ blocks, text }) => renderText(blocks, text)),
        );
        return [...texts, ...[view, home, ...covered].flatMap((shown) => shown?.text ?? [])].some((text) =>
          listTokens(text).includes(token),
        );
      };
      if (isVisible() || inactive.has(person)) return true;
      const projects = WORKSPACES.find(({ id }) => id === workspace)?.account.projects ?? [];
      for (const line of [
        '/upnext outbox',
        '/upnext series',
        ...projects.map(({ name }) => `/upnext posts ${name}`),
      ]) {
        void type(actor, line);
        await world.time.runUntil(world.time.now() + 8_000);
        if (isVisible()) return true;
      }
      return false;
    },
  };
}

export type People = ReturnType<typeof createPeople>;
