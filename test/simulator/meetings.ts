import fc from 'fast-check';
import {
  backup,
  CHANGES,
  CHECKED,
  command,
  condition,
  DIGESTS,
  duration,
  FAILURES,
  form,
  freeze,
  HOUR,
  imported,
  KEPT,
  kill,
  leave,
  line,
  MINUTE,
  NEAR_TIMES,
  PLAIN,
  PLANNERS,
  policy,
  press,
  reinstall,
  reviewAll,
  role,
  type Scene,
  SECOND,
  SLOTS,
  type Step,
  seriesOf,
  seriesPress,
  stop,
  type TimedStep,
  token,
  workspace,
} from './steps.ts';

/** Who meets at one post, and where and when it goes out. */
interface Meeting {
  author: Person;
  /** Somebody else who may schedule posts. */
  other: Person;
  manager: Person;
  scene: Scene;
}
type Person = Record<'workspace' | 'person', fc.Arbitrary<number>>;
type Part = fc.Arbitrary<TimedStep>;

const between = (min: number, max: number) => fc.integer({ min, max });
const SOON = between(0, 2 * SECOND);
const SHORTLY = between(5 * SECOND, 90 * SECOND);
/** Within minutes, reviewers have been asked. */
const ASKED = between(20 * SECOND, 4 * MINUTE);
const MINUTES = between(2 * MINUTE, 15 * MINUTE);
const HOURS = between(150 * MINUTE, 5 * HOUR);
const after = (waitMs: fc.Arbitrary<number>, step: fc.Arbitrary<Step>): Part => fc.record({ waitMs, step });

const [YES, NO] = [fc.constant(true), fc.constant(false)];
const SUBMITTED = {
  ending: fc.constantFrom('submit' as const, 'submit' as const, 'twice' as const),
  isDraft: NO,
};
/** The newest button, as it is now. */
const NEWEST = { nth: fc.constant(0), isOld: NO, ending: fc.constant('submit' as const) };

const write = ({ author, scene }: Meeting) =>
  fc.oneof(line(scene, { ...author, ...SUBMITTED }), form(scene, { ...author, ...SUBMITTED }));
const writeParts = ({ author, scene }: Meeting) =>
  form(scene, {
    ...{ ...author, ...SUBMITTED, platforms: fc.constant(['X', 'LINKEDIN', 'THREADS']) },
    differs: fc.constantFrom<string[][]>(['X'], ['X', 'THREADS']),
  });
const pressBy = (by: Person, { scene }: Pick<Meeting, 'scene'>, ...labels: string[]) =>
  press(scene, labels, { ...by, ...NEWEST });
const requireReviews = ({ manager, scene }: Meeting) =>
  policy(scene, {
    workspace: manager.workspace,
    review: fc.constant('required' as const),
    isStopped: NO,
  });
const unclear = (min: number, max: number) => condition('service', ['unclear'], between(min, max));
const busy = (min: number, max: number) => condition('service', ['busy'], between(min, max));
const dieSending = (freezes: fc.Arbitrary<boolean>) =>
  kill(['sending'], { calls: between(0, 1), freezes, downMs: duration });

/** Steps that concern the same post, in the order in which they matter. */
function meet(
  projects: readonly number[],
  times: Scene['times'],
  build: (meeting: Meeting) => readonly Part[],
): fc.Arbitrary<readonly TimedStep[]> {
  return fc
    .record({ at: workspace, person: fc.constantFrom(...PLANNERS), project: fc.constantFrom(...projects) })
    .chain(({ at, person, project }) => {
      const by = (index: number): Person => ({ workspace: fc.constant(at), person: fc.constant(index) });
      return fc.tuple(
        ...build({
          ...{ author: by(person), other: by(person === 2 ? 3 : 2), manager: by(1) },
          scene: { projects: [project], times },
        }),
      );
    });
}

/** The meetings of each mechanism. Random steps hardly ever arrange these. */
export const MEETINGS = {
  delivery: [
    // What a person decides after an unclear answer, which may be followed by another one.
    meet([PLAIN, PLAIN, KEPT], NEAR_TIMES, (post) => [
      after(SOON, unclear(20 * SECOND, 3 * MINUTE)),
      after(SOON, write(post)),
      after(MINUTES, pressBy(post.author, post, ...FAILURES)),
      after(MINUTES, unclear(20 * SECOND, 3 * MINUTE)),
      after(SOON, pressBy(post.author, post, 'Send again', 'Check again', 'Schedule again')),
      after(MINUTES, pressBy(post.author, post, ...FAILURES)),
    ]),
    // The service carries it out after Upnext has looked for it.
    meet([PLAIN], ['in 2 hours', 'today 23:30', 'tomorrow 9am'], (post) => [
      after(SOON, condition('service', ['late'], between(20 * SECOND, MINUTE))),
      after(SOON, write(post)),
      after(between(22 * MINUTE, 40 * MINUTE), pressBy(post.author, post, 'Send again')),
    ]),
    meet([PLAIN], NEAR_TIMES, (post) => [
      after(SOON, dieSending(NO)),
      after(SOON, write(post)),
      after(MINUTES, pressBy(post.author, post, ...FAILURES)),
    ]),
    meet([PLAIN], NEAR_TIMES, (post) => [after(SOON, dieSending(YES)), after(SOON, write(post))]),
    // Its time passes while it waits for the service.
    meet([PLAIN, KEPT], ['in 20 minutes', 'in 45 minutes'], (post) => [
      after(SOON, busy(50 * MINUTE, 2 * HOUR)),
      after(SOON, write(post)),
      after(HOURS, pressBy(post.author, post, ...FAILURES)),
    ]),
    // Its picture has to be there until it goes out.
    meet([PLAIN, KEPT], ['tomorrow 9am', 'in 26 hours'], ({ author, scene }) => [
      after(SOON, form(scene, { ...author, ...SUBMITTED, hasPicture: YES })),
    ]),
    // The service takes nothing for a day, so Upnext gives up before the post's time.
    meet([PLAIN], ['sunday 18:00', 'in 26 hours'], (post) => [
      after(SOON, busy(24 * HOUR, 40 * HOUR)),
      after(SOON, write(post)),
    ]),
  ],
  changes: [
    meet([KEPT], NEAR_TIMES, (post) => [
      after(SOON, write(post)),
      after(SHORTLY, pressBy(post.author, post, 'Edit', 'Edit', 'Move to…', 'Cancel post')),
      after(SHORTLY, pressBy(post.author, post, 'Undo')),
      after(SHORTLY, pressBy(post.author, post, 'Hand over now', 'Open')),
    ]),
    meet([KEPT], NEAR_TIMES, (post) => [
      after(SOON, write(post)),
      after(SHORTLY, pressBy(post.author, post, 'Move to…')),
      after(MINUTES, pressBy(post.author, post, 'Edit', 'Hand over now')),
    ]),
    // It goes back to the time before, or to an earlier one.
    meet([KEPT, CHECKED], ['tomorrow 9am', 'today 23:30'], (post) => [
      after(SOON, write(post)),
      after(
        SHORTLY,
        pressBy(post.author, { ...post, scene: { ...post.scene, times: ['in 2 hours'] } }, 'Move to…'),
      ),
      after(SHORTLY, pressBy(post.author, post, 'Undo move', 'Undo move', 'Edit', 'Open')),
    ]),
    meet([KEPT], ['tomorrow 9am', 'in 26 hours'], ({ author, scene }) => [
      after(SOON, form(scene, { ...author, ...SUBMITTED, hasPicture: YES })),
      after(SHORTLY, pressBy(author, { scene: { ...scene, times: ['today 23:30'] } }, 'Move to…')),
    ]),
    // Two people change it at the same time.
    meet([KEPT], NEAR_TIMES, (post) => [
      after(SOON, write(post)),
      after(SHORTLY, press(post.scene, ['Edit'], { ...post.author, nth: fc.constant(0), isOld: NO })),
      after(SOON, pressBy(post.other, post, 'Edit', 'Move to…', 'Cancel post')),
    ]),
    meet([KEPT], ['tomorrow 9am', 'today 23:30', 'in 2 hours'], (post) => [
      after(SOON, write(post)),
      after(SHORTLY, press(post.scene, ['Edit'], { ...post.other, ...NEWEST, ending: fc.constant('late') })),
      after(between(MINUTE, 8 * MINUTE), pressBy(post.author, post, 'Edit', 'Edit', 'Move to…')),
    ]),
    // It is changed while it is handed over.
    meet([KEPT], NEAR_TIMES, (post) => [
      after(SOON, write(post)),
      after(SHORTLY, fc.oneof<fc.Arbitrary<Step>[]>(busy(5 * MINUTE, HOUR), dieSending(YES), dieSending(NO))),
      after(SOON, pressBy(post.author, post, 'Hand over now')),
      after(SHORTLY, pressBy(post.author, post, 'Edit', 'Move to…', 'Cancel post')),
      after(MINUTES, pressBy(post.author, post, 'Undo', 'Hand over now')),
    ]),
  ],
  review: [
    // It is edited after its approval, or approved from a message that is older than the edit.
    meet([CHECKED], ['in 2 hours', 'today 23:30'], (post) => [
      after(SOON, write(post)),
      after(ASKED, pressBy(post.manager, post, 'Approve')),
      after(SHORTLY, pressBy(post.author, post, 'Edit', 'Move to…')),
      after(HOURS, pressBy(post.manager, post, 'Approve')),
    ]),
    meet([CHECKED], ['in 2 hours', 'today 23:30'], (post) => [
      after(SOON, write(post)),
      after(ASKED, pressBy(post.author, post, 'Edit', 'Edit', 'Move to…')),
      after(SHORTLY, press(post.scene, ['Approve'], { ...post.manager, ...NEWEST, isOld: YES })),
      after(HOURS, pressBy(post.author, post, 'Open')),
    ]),
    meet([CHECKED], ['in 2 hours', 'today 23:30', 'tomorrow 9am'], (post) => [
      after(SOON, write(post)),
      after(ASKED, pressBy(post.manager, post, 'Request changes', 'Reject')),
      after(SHORTLY, pressBy(post.author, post, 'Edit', 'Edit', 'Send for review', 'Undo')),
      after(SHORTLY, pressBy(post.author, post, 'Send for review', 'Open')),
      after(ASKED, pressBy(post.manager, post, 'Approve')),
    ]),
    // An approval, a change, and no other approval.
    meet([CHECKED], ['in 2 hours', 'today 23:30', 'tomorrow 9am'], (post) => [
      after(SOON, write(post)),
      after(ASKED, pressBy(post.manager, post, 'Approve')),
      after(SHORTLY, pressBy(post.author, post, 'Edit', 'Move to…')),
      after(SHORTLY, pressBy(post.author, post, 'Cancel post', 'Open')),
      after(SHORTLY, pressBy(post.author, post, 'Undo', 'Open')),
    ]),
    // Whoever has approved it may no longer do so.
    meet([CHECKED], ['today 23:30', 'tomorrow 9am'], (post) => [
      after(SOON, write(post)),
      after(ASKED, pressBy(post.manager, post, 'Approve')),
      after(MINUTES, role(post.manager, ['publisher', 'contributor'])),
    ]),
    // Its author approves it, or a manager after its time.
    meet([CHECKED], ['in 2 hours', 'today 23:30'], (post) => [
      after(SOON, write({ ...post, author: post.manager })),
      after(ASKED, pressBy(post.manager, post, 'Approve')),
      after(HOURS, pressBy(post.manager, post, 'Open')),
    ]),
    meet([CHECKED], ['in 20 minutes', 'in 2 hours'], (post) => [
      after(SOON, write(post)),
      after(HOURS, pressBy(post.manager, post, 'Approve')),
    ]),
    // A post that is approved is cancelled, and restored.
    meet([CHECKED], ['in 2 hours', 'today 23:30'], (post) => [
      after(SOON, write(post)),
      after(ASKED, fc.oneof<fc.Arbitrary<Step>[]>(reviewAll, pressBy(post.author, post, 'Edit'))),
      after(SHORTLY, pressBy(post.author, post, 'Cancel post')),
      after(SHORTLY, pressBy(post.author, post, 'Undo')),
      after(HOURS, pressBy(post.author, post, 'Open')),
    ]),
    // The project requires reviews by the time at which the service takes the post.
    meet([PLAIN, KEPT], ['tomorrow 9am', 'today 23:30'], (post) => [
      after(SOON, busy(20 * MINUTE, HOUR)),
      after(SOON, write(post)),
      after(SHORTLY, requireReviews(post)),
      after(between(HOUR, 2 * HOUR), pressBy(post.manager, post, 'Approve', 'Open')),
    ]),
    // Reviews are required by the time at which a post goes out that nobody had to review.
    meet([KEPT], ['in 2 hours', 'today 23:30', 'tomorrow 9am'], (post) => [
      after(SOON, write(post)),
      after(SHORTLY, requireReviews(post)),
    ]),
  ],
  parts: [
    meet([PLAIN, KEPT], NEAR_TIMES, (post) => [
      after(SOON, unclear(30 * SECOND, 3 * MINUTE)),
      after(SOON, writeParts(post)),
      after(MINUTES, pressBy(post.author, post, 'Try', 'Send again', 'Check again', 'Edit')),
      after(MINUTES, pressBy(post.author, post, 'Try', 'Send again', 'Discard', 'Edit')),
    ]),
    meet([KEPT], NEAR_TIMES, (post) => [
      after(SOON, writeParts(post)),
      after(
        SHORTLY,
        fc.oneof<fc.Arbitrary<Step>[]>(
          condition('service', ['odd'], between(MINUTE, 10 * MINUTE)),
          unclear(MINUTE, 10 * MINUTE),
          dieSending(NO),
        ),
      ),
      after(SOON, pressBy(post.author, post, 'Hand over now')),
      after(MINUTES, pressBy(post.author, post, 'Try', 'Edit', 'Send again')),
      after(MINUTES, pressBy(post.author, post, 'Try', 'Hand over now', 'Discard')),
    ]),
  ],
  slots: [
    meet([KEPT, CHECKED], SLOTS, (post) => [
      after(SOON, write(post)),
      after(SOON, write({ ...post, author: post.other })),
      after(SHORTLY, write(post)),
    ]),
    // The slot of a post that has left.
    meet([KEPT], SLOTS, (post) => [
      after(SOON, write(post)),
      after(SHORTLY, pressBy(post.author, post, 'Hand over now', 'Hand over now', 'Cancel post')),
      after(SHORTLY, write({ ...post, author: post.other })),
      after(SHORTLY, pressBy(post.author, post, 'Undo', 'Open')),
    ]),
    meet([KEPT, CHECKED], SLOTS, (post) => [
      after(SOON, imported(post.scene, { ...post.author, hasSlots: YES })),
      after(SHORTLY, write({ ...post, author: post.other })),
    ]),
  ],
  series: [
    meet([KEPT], NEAR_TIMES, ({ author }) => [
      after(SOON, seriesOf(author)),
      after(SHORTLY, seriesPress(['Edit'], author)),
      after(SHORTLY, seriesPress(['Undo edit', 'Undo edit', 'Edit'], author)),
    ]),
    meet([KEPT], NEAR_TIMES, ({ author }) => [
      after(SOON, seriesOf(author)),
      after(SHORTLY, seriesPress(['Pause', 'Cancel'], author)),
      after(between(MINUTE, 20 * HOUR), seriesPress(['Resume', 'Undo'], author)),
    ]),
    // One of its posts has been changed when the series is.
    meet([KEPT], ['tomorrow 9am', 'in 26 hours'], (post) => [
      after(SOON, seriesOf(post.author)),
      after(SHORTLY, pressBy(post.author, post, 'Move to…', 'Edit', 'Cancel post')),
      after(SHORTLY, seriesPress(['Edit', 'Edit this and later', 'Pause'], post.author)),
      after(SHORTLY, seriesPress(['Resume', 'Undo edit', 'Cancel'], post.author)),
    ]),
  ],
  imports: [
    meet([KEPT, CHECKED], NEAR_TIMES, ({ author, scene }) => [
      after(
        SOON,
        imported(scene, { ...author, presses: fc.constant(1), after: fc.constant('Undo import…') }),
      ),
    ]),
    meet([KEPT, PLAIN], NEAR_TIMES, ({ author, scene }) => [
      after(
        SOON,
        imported(scene, { ...author, presses: fc.constant(1), after: fc.constant('the same rows') }),
      ),
    ]),
    meet([KEPT], NEAR_TIMES, ({ author, scene }) => [
      after(SOON, imported(scene, { ...author, presses: fc.constant(2), rows: fc.constant(4) })),
      after(between(8 * SECOND, 14 * SECOND), kill(['any'], { calls: between(1, 12), freezes: NO })),
    ]),
  ],
  drafts: [
    // A post whose time has passed becomes a draft.
    meet([PLAIN], ['in 20 minutes', 'in 45 minutes'], (post) => [
      after(SOON, busy(50 * MINUTE, 2 * HOUR)),
      after(SOON, write(post)),
      after(HOURS, pressBy(post.author, post, 'Save as draft')),
      after(MINUTES, pressBy(post.author, post, 'Open')),
    ]),
    // A post that waits for the service becomes a draft.
    meet([PLAIN], ['tomorrow 9am', 'today 23:30'], (post) => [
      after(SOON, busy(10 * MINUTE, HOUR)),
      after(SOON, write(post)),
      after(SHORTLY, pressBy(post.author, post, 'Save as draft')),
      after(between(HOUR, 2 * HOUR), pressBy(post.author, post, 'Schedule', 'Open')),
    ]),
    meet([KEPT, CHECKED], NEAR_TIMES, ({ author, manager, scene }) => [
      after(SOON, line(scene, { ...author, ...SUBMITTED, isDraft: YES })),
      after(SHORTLY, press(scene, ['Edit', 'Schedule', 'Send for review'], { ...author, ...NEWEST })),
      after(SHORTLY, press(scene, ['Undo', 'Schedule', 'Send for review'], { ...author, ...NEWEST })),
      after(SHORTLY, press(scene, ['Approve', 'Edit'], { ...manager, ...NEWEST })),
    ]),
  ],
  stops: [
    // It is due while the project is stopped, and resumed before its time.
    meet([KEPT], ['in 2 hours'], (post) => [
      after(SOON, write(post)),
      after(SHORTLY, stop(post.scene, { workspace: post.manager.workspace, isStopped: YES })),
      after(
        between(92 * MINUTE, 104 * MINUTE),
        stop(post.scene, { workspace: post.manager.workspace, isStopped: NO }),
      ),
      after(MINUTES, pressBy(post.author, post, 'Open')),
    ]),
    meet([KEPT], ['in 45 minutes', 'in 2 hours'], (post) => [
      after(SOON, write(post)),
      after(SHORTLY, stop(post.scene, { workspace: post.manager.workspace, isStopped: YES })),
      after(HOURS, stop(post.scene, { workspace: post.manager.workspace, isStopped: NO })),
    ]),
    meet([PLAIN], ['in 20 minutes', 'today 23:30', 'tomorrow 9am'], (post) => [
      after(SOON, stop(post.scene, { workspace: post.manager.workspace, isStopped: YES })),
      after(between(20 * SECOND, MINUTE), write(post)),
      after(
        between(10 * MINUTE, 50 * MINUTE),
        stop(post.scene, { workspace: post.manager.workspace, isStopped: NO }),
      ),
      after(MINUTES, pressBy(post.author, post, 'Open')),
    ]),
  ],
  people: [
    // The author may no longer schedule posts when it is sent.
    meet([PLAIN, KEPT], ['tomorrow 9am', 'today 23:30'], (post) => [
      after(SOON, busy(50 * MINUTE, 2 * HOUR)),
      after(SOON, write(post)),
      after(between(25 * SECOND, 90 * SECOND), role(post.author, ['none', 'viewer', 'contributor'])),
      after(HOURS, pressBy(post.other, post, 'Take over', 'Open')),
    ]),
    meet([KEPT], ['in 2 hours', 'today 23:30'], (post) => [
      after(SOON, write(post)),
      after(
        between(25 * SECOND, 90 * SECOND),
        fc.oneof<fc.Arbitrary<Step>[]>(role(post.author, ['none', 'viewer']), leave(post.author)),
      ),
      after(MINUTES, pressBy(post.other, post, 'Take over', 'Open')),
      after(HOURS, pressBy(post.other, post, 'Take over', 'Open')),
    ]),
  ],
  digests: [
    // Nobody knows whether a digest was sent.
    meet([PLAIN, KEPT], NEAR_TIMES, ({ manager, scene }) => [
      after(SOON, command(scene, DIGESTS, manager)),
      after(
        SHORTLY,
        condition('slack', ['unclear', 'unclear', 'lossy', 'silent'], between(12 * HOUR, 26 * HOUR)),
      ),
      after(between(12 * HOUR, 26 * HOUR), command(scene, DIGESTS, manager)),
    ]),
    meet([PLAIN, KEPT], NEAR_TIMES, ({ manager, scene }) => [
      after(SOON, command(scene, DIGESTS, manager)),
      after(SHORTLY, dieSending(fc.constantFrom(true, false, false))),
      after(between(12 * HOUR, 26 * HOUR), command(scene, DIGESTS, manager)),
    ]),
  ],
  instances: [
    // An instance stands still while it hands the post over, 30 minutes before its time. Its author moves it meanwhile.
    meet([KEPT], ['in 45 minutes'], (post) => [
      after(SOON, write(post)),
      after(
        between(10 * MINUTE, 13 * MINUTE),
        kill(['claiming'], {
          calls: fc.constant(0),
          freezes: YES,
          downMs: between(10 * MINUTE, 18 * MINUTE),
        }),
      ),
      after(
        between(6 * MINUTE, 9 * MINUTE),
        pressBy(post.author, { scene: { ...post.scene, times: ['tomorrow 9am'] } }, 'Move to…'),
      ),
    ]),
    meet([KEPT], NEAR_TIMES, (post) => [
      after(SOON, write(post)),
      after(SHORTLY, dieSending(YES)),
      after(SOON, pressBy(post.author, post, 'Hand over now')),
      after(MINUTES, pressBy(post.author, post, 'Edit', 'Check again', 'Send again', 'Cancel post')),
      after(MINUTES, pressBy(post.author, post, ...FAILURES)),
    ]),
    meet([PLAIN, KEPT], NEAR_TIMES, (post) => [
      after(SOON, freeze),
      after(SOON, write(post)),
      after(SHORTLY, pressBy(post.author, post, ...CHANGES, ...FAILURES)),
    ]),
  ],
  recovery: [
    meet([PLAIN, KEPT], NEAR_TIMES, (post) => [
      after(
        SOON,
        fc.oneof<fc.Arbitrary<Step>[]>(busy(MINUTE, 20 * MINUTE), token({ ...post.manager, forMs: MINUTES })),
      ),
      after(SOON, write(post)),
      after(between(20 * SECOND, 40 * SECOND), backup(false)),
      after(MINUTES, pressBy(post.author, post, 'Hand over now', 'Edit', 'Retry now')),
      after(MINUTES, backup(true)),
      after(MINUTES, pressBy(post.author, post, ...FAILURES)),
    ]),
    meet([PLAIN, KEPT], ['in 2 hours', 'tomorrow 9am'], (post) => [
      after(SOON, busy(10 * MINUTE, HOUR)),
      after(SOON, write(post)),
      after(MINUTES, reinstall),
    ]),
  ],
};
