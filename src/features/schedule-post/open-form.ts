import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ModalView } from '@slack/types';
import { listProjects, type Project } from '../../api/projects.ts';
import { channelProject } from '../../posts/project.ts';
import type { Call } from '../../slack/feature.ts';
import { LIMITS } from '../../slack/limits.ts';
import { troubleWords } from '../../slack/service-trouble.ts';
import { isViewGone } from '../../slack/slack-trouble.ts';
import { boundProject } from '../../store/bindings.ts';
import { saveOpenForm } from '../../store/open-forms.ts';
import type { Parts } from '../../submissions/parts.ts';
import { isZone } from '../../when/zones.ts';
import { readWhen } from './form/check-form.ts';
import { FORM, FORM_VERSION } from './form/fields.ts';
import { blankForm, buildForm, loadingView } from './form/form.ts';
import type { FormFacts, Loaded } from './form/form-facts.ts';
import { whenLine } from './form/when-words.ts';

export const FORM_KIND = `${FORM}.${FORM_VERSION}`;
const SLOW = 'The scheduling service is slow to answer. I am still waiting.';

/**
 * Where the form appears: a new modal for the trigger, or in the place of one that is open. With `formId` it goes on
 * with an earlier form, and the two together send once.
 */
type Place = { viewId?: string; formId?: string };

/** A light view at once, while the trigger lives; the form itself when projects and time zone have arrived. */
export async function openForm(call: Call<Parts>, begin: FormFacts, place: Place = {}): Promise<void> {
  const loading = loadingView('Loading…');
  const opening =
    place.viewId === undefined
      ? call.client.views.open({ trigger_id: call.trigger ?? '', view: loading })
      : call.client.views.update({ view_id: place.viewId, view: loading });
  const { formId = randomUUID() } = place;
  // What fails meanwhile is told once there is a view to tell it in.
  const loads = Promise.all([load(call, begin), keep(call, formId, begin)]).then(([result]) => result);
  loads.catch(() => undefined);
  const [{ view }] = await Promise.all([opening, call.acknowledge()]);
  const show = shower(call, view?.id ?? '', view?.hash);
  try {
    await fill(call, formId, begin, loads, show);
  } catch (error) {
    await show(loadingView('The form could not be opened.', { formId }));
    throw error;
  }
}

type Load = { loaded: Loaded } | { trouble: string };
type Show = (view: ModalView) => Promise<boolean>;

async function fill(call: Call<Parts>, formId: string, begin: FormFacts, loads: Promise<Load>, show: Show) {
  const slow = delay(call.parts.pace.slowMs, undefined, { ref: false });
  const early = await Promise.race([loads, slow]);
  if (!early && !(await show(loadingView(SLOW, { formId })))) return;
  const result = early ?? (await loads);
  if ('trouble' in result) {
    await show(loadingView(result.trouble, { formId }));
    return;
  }
  await keep(call, formId, { ...begin, loaded: result.loaded });
  await show(filledForm(call, formId, result.loaded, begin));
}

function filledForm(call: Call<Parts>, formId: string, loaded: Loaded, begin: FormFacts): ModalView {
  const now = call.now();
  const typed = blankForm(loaded, begin.prefill);
  return buildForm({
    formId,
    loaded,
    typed,
    generation: 0,
    whenLine: whenLine(readWhen(typed, loaded, now), now, loaded.readerZone),
    practice: call.parts.practice,
    now,
  });
}

async function load(call: Call<Parts>, begin: FormFacts): Promise<Load> {
  const [outcome, bound, reader] = await Promise.all([
    listProjects(call.parts.api),
    boundProject(call.parts.db, { workspace: call.who.workspace, channel: begin.channel }),
    readerOf(call),
  ]);
  if (outcome.kind !== 'done') return { trouble: `${troubleWords(outcome)} The form needs it.` };
  const { items, shape } = outcome.data;
  if (shape === 'unreadable')
    return { trouble: 'The scheduling service answered, but I cannot read its projects.' };
  const found = channelProject(items, bound);
  if (found.kind === 'none')
    return { trouble: 'There is no project yet. Make one in the scheduling service first.' };
  const prefilled = items.find(({ id }) => id === begin.prefill?.project?.id);
  const projects = selectable(items, [found.kind === 'one' ? found.project : undefined, prefilled]);
  return {
    loaded: {
      projects,
      more: items.length > projects.length,
      ...(found.kind === 'one' && { chosen: found.project }),
      ...reader,
    },
  };
}

/** As many as a select holds; those that the form begins with are always among them. */
function selectable(items: readonly Project[], begun: readonly (Project | undefined)[]): Project[] {
  if (items.length <= LIMITS.options) return [...items];
  const first = begun.filter((project) => project !== undefined);
  return [...new Set([...first, ...items])].slice(0, LIMITS.options);
}

/** From the person's profile; a zone that Slack does not say is asked in the form. */
async function readerOf(call: Call<Parts>): Promise<Pick<Loaded, 'readerZone' | 'readerLocale'>> {
  const { client, who, log, reference } = call;
  try {
    const { user } = await client.users.info({ user: who.user, include_locale: true });
    return {
      ...(user?.tz !== undefined && isZone(user.tz) && { readerZone: user.tz }),
      ...(user?.locale !== undefined && { readerLocale: user.locale }),
    };
  } catch (error) {
    log.warn({ reference, reason: String(error) }, 'the time zone of a profile could not be read');
    return {};
  }
}

async function keep({ parts, who, now }: Call<Parts>, id: string, facts: FormFacts): Promise<void> {
  const row = { id, workspace: who.workspace, asker: who.user, kind: FORM_KIND, openedAt: now() };
  // What somebody wrote may be among them.
  await saveOpenForm(parts.db, {
    ...row,
    facts: parts.encryption.seal(JSON.stringify(facts), who.workspace),
  });
}

/** Updates the view that it last updated itself: false once somebody else has, or the person has closed it. */
function shower({ client }: Call<Parts>, viewId: string, firstHash: string | undefined): Show {
  let hash = firstHash;
  return async (view) => {
    try {
      const updated = await client.views.update({
        view_id: viewId,
        view,
        ...(hash !== undefined && { hash }),
      });
      hash = updated.view?.hash;
      return true;
    } catch (error) {
      if (isViewGone(error)) return false;
      throw error;
    }
  };
}
