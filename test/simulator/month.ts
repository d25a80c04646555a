import type { Deed } from './history.ts';
import { listTokens } from './model/ledger.ts';
import type { Actor, Ending, Filling, Pressable } from './people.ts';
import type { SlackRequest } from './slack/slack.ts';
import type { StepOf } from './steps.ts';
import type { World } from './world.ts';

const DAY = 86_400_000;
/** How long people wait for the answer to a command. */
const ANSWER_MS = 3_000;
/** The time between presses of somebody in a hurry, who stops an import that is running. */
const SHORT_MS = 150;

/** The time of rows that take the next free slots. */
const SLOT = 'next slot';

/** What a person can do, for those who do several things in a row. */
export interface Means {
  createText(actor: Actor): string;
  createSeriesText(actor: Actor): string;
  type(actor: Actor, line: string, wrote?: string[]): Promise<void>;
  wait(ms: number): Promise<void>;
  note(actor: Actor, text: string, details?: Omit<Deed, 'workspace' | 'person' | 'text'>): void;
  send(request: SlackRequest): Promise<void>;
  closeView(actor: Actor): void;
  fill(actor: Actor, viewId: string, options: Filling): Promise<void>;
  finish(actor: Actor, viewId: string, ending: Ending): Promise<void>;
  waitForForm(actor: Actor, earlier: string | undefined): Promise<string | undefined>;
  see(actor: Actor): ReturnType<World['slack']['listVisible']>;
  listPressables(actor: Actor, isOld: boolean): Pressable[];
  pressElement(
    actor: Actor,
    chosen: Pressable,
    wanted: Omit<Filling, 'isNew'> & { ending: Ending },
  ): Promise<void>;
  slack(): World['slack'];
  now(): number;
}

/** How people plan a month at once: with series, and with imports. */
export function createMonthPlanning(means: Means) {
  const { type, wait, note, send, see, waitForForm, finish, listPressables, pressElement } = means;

  async function startSeries(actor: Actor, step: StepOf<'series'>, project: string): Promise<void> {
    const earlier = see(actor).view?.id;
    if (step.isLine) {
      const text = means.createSeriesText(actor);
      void type(actor, `/schedule-post ${step.time} on x for ${project}: ${text}`, [text]);
    } else void type(actor, '/schedule-post');
    const viewId = await waitForForm(actor, earlier);
    if (viewId === undefined) return;
    if (!step.isLine)
      await means.fill(actor, viewId, { time: step.time, isNew: true, isSeries: true, project });
    await finish(actor, viewId, step.ending);
    for (const label of step.afterwards) {
      await wait(step.waitMs);
      await pressSeries(actor, { ...step, kind: 'series-press', label, nth: 0, ending: 'submit' }, project);
    }
  }

  /** Presses a button, if the person sees it. */
  async function pressFirst(
    actor: Actor,
    step: StepOf<'series-press'>,
    matches: (pressable: Pressable) => boolean,
    nth = 0,
  ): Promise<boolean> {
    const found = listPressables(actor, false).filter(matches);
    const chosen = found[nth % Math.max(1, found.length)];
    if (!chosen) return false;
    await pressElement(actor, chosen, { time: step.time, isSeries: true, ending: step.ending });
    await wait(ANSWER_MS);
    return true;
  }

  /** Opens a series from the list, or from one of its posts, and presses a button of its card. */
  async function pressSeries(actor: Actor, step: StepOf<'series-press'>, project: string): Promise<void> {
    means.closeView(actor);
    const isLater = step.label.endsWith('later');
    await type(actor, isLater ? `/upnext posts ${project}` : '/upnext series');
    await wait(ANSWER_MS);
    const isOpened = isLater
      ? (await pressFirst(actor, step, ({ listed }) => listed.label === 'Open', step.nth)) &&
        (await pressFirst(actor, step, ({ listed }) => listed.label === 'Series…'))
      : await pressFirst(actor, step, ({ listed }) => listed.actionId === 'series.open', step.nth);
    if (!isOpened) return;
    const isWanted = ({ listed }: Pressable) =>
      listed.actionId.startsWith('series.') && listed.label === step.label;
    await pressFirst(actor, step, isWanted);
  }

  /** Pastes rows, whose check is a direct message, and imports them. */
  async function importRows(actor: Actor, step: StepOf<'import'>, project: string): Promise<void> {
    const texts = Array.from({ length: step.rows }, () => means.createText(actor));
    const rows = [
      'Time,Platforms,Project,Text',
      ...texts.map((text, index) => {
        const day = new Date(means.now() + (1 + (index % 3)) * DAY).toISOString().slice(0, 10);
        return `${step.hasSlots ? SLOT : `${day} 1${index}:30`},X,${project},${text}`;
      }),
    ].join('\n');
    await checkRows(actor, rows, step.hasSlots ? SLOT : 'a date');
    if (step.presses > 0) await pressImport(actor, /^Import \d/u, { times: step.presses });
    if (step.after === 'nothing') return;
    if (step.after === 'the same rows') {
      await checkRows(actor, rows, step.hasSlots ? SLOT : 'a date');
      return pressImport(actor, /^Import \d/u);
    }
    if (step.after !== 'Stop') await wait(ANSWER_MS);
    await pressImport(actor, new RegExp(`^${step.after}$`, 'u'));
    if (step.after !== 'Stop') return;
    await wait(ANSWER_MS);
    await pressImport(actor, /^Resume$/u);
  }

  async function checkRows(actor: Actor, rows: string, when: string): Promise<void> {
    means.closeView(actor);
    await type(actor, '/upnext import');
    await wait(ANSWER_MS);
    const open = listPressables(actor, false).find(({ listed }) => listed.actionId === 'import.open');
    if (!open) return;
    const earlier = see(actor).view?.id;
    const request = means.slack().press(actor.workspace, actor.person, open.target, {
      ...{ blockId: open.listed.blockId, actionId: open.listed.actionId },
    });
    if (request) void send(request);
    const viewId = await waitForForm(actor, earlier);
    if (viewId === undefined) return;
    const filling = means.slack().fill(viewId, 'rows', 'value', rows);
    if (filling) await send(filling);
    const submission = means.slack().submit(actor.workspace, actor.person, viewId);
    if (!submission) return;
    // Nothing is saved before a press.
    note(actor, `pastes rows ${listTokens(rows).join(' ')}`, { wrote: listTokens(rows), when });
    await send(submission);
    await wait(2 * ANSWER_MS);
    means.closeView(actor);
  }

  /** Presses a button of the newest import, and doesn't wait for the answer. `times`: how often, before it changes. */
  async function pressImport(actor: Actor, label: RegExp, { times = 1 } = {}): Promise<void> {
    const chosen = listPressables(actor, false).find(
      ({ listed }) => listed.actionId.startsWith('import.') && label.test(listed.label),
    );
    if (!chosen) return;
    const { listed, target, text } = chosen;
    for (let press = 0; press < times; press += 1) {
      const request = means.slack().press(actor.workspace, actor.person, target, {
        ...{ blockId: listed.blockId, actionId: listed.actionId },
      });
      if (!request) return;
      note(actor, `presses [${listed.label}]`, { pressed: listed.label, saw: text });
      void send(request);
    }
    await wait(SHORT_MS);
  }

  return { startSeries, pressSeries, importRows };
}
