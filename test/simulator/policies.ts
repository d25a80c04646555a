import type { Means } from './month.ts';
import type { Actor } from './people.ts';
import type { Randomness } from './randomness.ts';
import type { StepOf } from './steps.ts';

/** How managers stop and resume projects, and change their policies. */
export function createPolicyChanges({
  random,
  ...means
}: Pick<
  Means,
  'type' | 'wait' | 'closeView' | 'see' | 'waitForForm' | 'finish' | 'listPressables' | 'pressElement'
> & { random: ReturnType<Randomness['get']> }) {
  const { type, wait, closeView, see, waitForForm, finish, listPressables, pressElement } = means;

  async function stopOrResume(actor: Actor, isStopped: boolean, project: string): Promise<void> {
    closeView(actor);
    const earlier = see(actor).view?.id;
    await type(actor, `/upnext ${isStopped ? 'stop' : 'resume'} ${project}`);
    const wanted = { time: 'tomorrow 9am', ending: 'submit' } as const;
    if (isStopped) {
      const viewId = await waitForForm(actor, earlier);
      if (viewId !== undefined) await finish(actor, viewId, wanted.ending);
      return;
    }
    await wait(3_000);
    const button = listPressables(actor, false).find(
      ({ listed, text }) => listed.label.startsWith('Resume') && text.includes(project),
    );
    if (button) await pressElement(actor, button, wanted);
  }
  async function changePolicyDuringStop(
    actor: Actor,
    step: StepOf<'policy'>,
    project: string,
  ): Promise<void> {
    await stopOrResume(actor, true, project);
    await wait(random.drawInteger(10 * 60_000));
    await changePolicy(actor, step, project);
    await wait(random.drawInteger(10 * 60_000));
    await stopOrResume(actor, false, project);
  }
  /** Changes nothing but the review in a project's policy. */
  async function changePolicy(actor: Actor, { review }: StepOf<'policy'>, project: string): Promise<void> {
    closeView(actor);
    await type(actor, `/upnext policy ${project}`);
    await wait(3_000);
    const button = listPressables(actor, false).find(
      ({ listed, text }) => listed.label === 'Change policy' && text.includes(project),
    );
    if (!button) return;
    await pressElement(actor, button, { time: 'tomorrow 9am', ending: 'submit', review });
    await wait(3_000);
    // Upnext may ask what becomes of the posts that it keeps.
    const { view } = see(actor);
    if (view?.isSubmittable && view.text.includes('What should happen'))
      await finish(actor, view.id, 'submit');
  }

  return { stopOrResume, changePolicy, changePolicyDuringStop };
}
