import type { Mechanism } from '../plan.ts';

/** A fault of the kind that a developer makes, as an edit of one file of the app. */
export interface Fault {
  name: string;
  /** The path in `src`. */
  file: string;
  /** What the file has once, and what takes its place. */
  from: string;
  to: string;
  /** The mechanisms in which it is seen, unless those of its folder are. */
  mechanisms?: readonly Mechanism[];
}

/** The simulator must find these. Each is in a mechanism that people rely on. */
export const FAULTS: readonly Fault[] = [
  {
    name: 'an unclear answer counts as not sent',
    file: 'submissions/apply-send-outcome.ts',
    from: "outcome.kind === 'unknown' || (row.maybe_sent && isFinalRefusal(outcome))",
    to: 'row.maybe_sent && isFinalRefusal(outcome)',
  },
  {
    name: 'an unclear answer is retried without a look',
    file: 'submissions/apply-send-outcome.ts',
    from: `    return context.verbs.settle(row, 'unknown', {
      maybe_sent: true,
      refusal,
      next_at: addMs(context.clock.readShared(), context.pace.reconcileDelaysMs[0] ?? 0),`,
    to: `    return context.verbs.settle(row, 'retryable', {
      maybe_sent: false,
      refusal,
      next_at: addMs(context.clock.readShared(), context.pace.reconcileDelaysMs[0] ?? 0),`,
  },
  {
    name: 'a look that finds nothing counts as found',
    file: 'submissions/reconcile.ts',
    from: "if (outcome.data === baseline + 1) return context.verbs.settle(reconcilingRow, 'confirmed');",
    to: "if (outcome.data >= baseline) return context.verbs.settle(reconcilingRow, 'confirmed');",
  },
  {
    name: 'a post that wasn’t found is sent again without a person',
    file: 'submissions/reconcile.ts',
    from: "return context.verbs.settle(reconcilingRow, 'unsure', { reason: 'not-found', checks });",
    to: "return context.verbs.settle(reconcilingRow, 'unsure', { reason: 'not-found', checks }).then((row) => row && context.verbs.settle(row, 'saved', { maybe_sent: false, retrying_since: context.clock.readShared() }));",
  },
  {
    name: 'a repeated send doesn’t compare with the count before it',
    file: 'submissions/reconcile.ts',
    from: 'if (!row.maybe_sent) return undefined;',
    to: 'return undefined;',
  },
  {
    name: 'an instance that died during a send is taken for one that hadn’t sent',
    file: 'submissions/submissions.ts',
    from: 'sending: (context, row, kind) => handleUnknownOutcome(context, row, kind),',
    to: "sending: (context, row) => context.verbs.settle(row, 'retryable', { next_at: context.clock.readShared() }),",
  },
  {
    name: 'an instance that was frozen goes on to send',
    file: 'submissions/attempt.ts',
    from: `const outcome: Outcome<string | undefined> = lease.permit.mayBegin()
    ? await kind.send(withSendPermit(api, lease.permit.mayBegin), content)`,
    to: `const outcome: Outcome<string | undefined> = lease
    ? await kind.send(api, content)`,
  },
  {
    // An attempt looks twice, so the fault is in what both looks call.
    name: 'a post is sent after its time',
    file: 'submissions/attempt.ts',
    from: "if (!publishAt || row.state === 'unknown' || publishAt > context.clock.now()) return undefined;",
    to: "if (!publishAt || row.state === 'unknown' || publishAt > addMs(context.clock.now(), -7_200_000)) return undefined;",
  },
  {
    name: 'a person who lost the role still posts',
    mechanisms: ['people'],
    file: 'submissions/attempt.ts',
    from: "  if (permission === 'no') {",
    to: "  if (permission === 'never') {",
  },
  {
    name: 'a waiting post isn’t taken for the review that its project requires now',
    mechanisms: ['review'],
    file: 'submissions/attempt.ts',
    from: "const review = mayNeedReview ? await context.takeForReview(row) : 'not-needed';",
    to: "const review: string = 'not-needed';",
  },
  {
    name: 'a post that was given up keeps being retried',
    file: 'submissions/attempt.ts',
    from: 'context.clock.readShared().getTime() - retryingSince.getTime() > context.pace.giveUpMs',
    to: 'retryingSince.getTime() < 0',
  },
  {
    name: '[Save as draft] keeps the waiting post',
    mechanisms: ['drafts'],
    file: 'held-posts/hand-over/withdraw.ts',
    from: `    if (!(await discardSubmission(trx, submission, now, 'returned'))) throw new ChangedMeanwhile();
    const how`,
    to: '    const how',
  },
  {
    name: 'a fence isn’t compared',
    file: 'engine/sql/transitions.ts',
    from: 'and t.fence = v.fence and',
    to: 'and',
  },
  {
    name: 'a person’s change doesn’t end the claim of an instance',
    file: 'engine/verbs.ts',
    from: "...((claim === 'start' || claim === 'end-other') && { fence: row.fence + 1 }),",
    to: "...(claim === 'start' && { fence: row.fence + 1 }),",
  },
  {
    // What reads a stop and what begins to send each look, so that neither alone can fail.
    name: 'a stop is stored for another project',
    file: 'engine/sending-stop.ts',
    from: '.values({ workspace: stopped.workspace, project: stopped.project, reason,',
    to: '.values({ workspace: stopped.workspace, project: stopped.workspace, reason,',
  },
  {
    name: 'a resumption wakes nobody',
    file: 'engine/sending-stop.ts',
    from: `      if (stopped)
`,
    to: `      if (stopped && workspace === '')
`,
  },
  {
    // The hand-over looks twice, so the fault is in what both looks call.
    name: 'a hand-over doesn’t ask whether the approvals are enough',
    file: 'held-posts/review/load-review.ts',
    from: "  return requiresReview(policy) || (inReview && !(wasApproved && policy.review === 'off'));",
    to: '  return !wasApproved && (requiresReview(policy) || inReview);',
  },
  {
    name: 'a post that nobody had to review goes out without the review that is required by now',
    mechanisms: ['review', 'stops'],
    file: 'held-posts/review/load-review.ts',
    from: "  return requiresReview(policy) || (inReview && !(wasApproved && policy.review === 'off'));",
    to: "  return inReview && !(wasApproved && policy.review === 'off');",
  },
  {
    name: 'an approval counts of somebody who may no longer approve',
    mechanisms: ['review', 'people'],
    file: 'held-posts/review/evaluate-review.ts',
    from: 'approvals.filter((user) => checkApprover(facts, step, user) === permission),',
    to: "approvals.filter(() => permission === 'yes'),",
  },
  {
    name: 'a hand-over forgets that an earlier request may have arrived',
    mechanisms: ['recovery', 'instances', 'changes'],
    file: 'held-posts/hand-over/hand-over.ts',
    from: '{ ...newSubmission, maybe_sent: row.maybe_sent, equalSince: undefined }',
    to: '{ ...newSubmission, maybe_sent: false, equalSince: undefined }',
  },
  {
    name: 'the last text of a post is forgotten',
    file: 'held-posts/hand-over/hand-over.ts',
    from: `    parts.map((part) => ({
`,
    to: `    parts.slice(0, Math.max(1, parts.length - 1)).map((part) => ({
`,
  },
  {
    name: 'a post in parts ends when its first part has',
    file: 'held-posts/hand-over/outcome.ts',
    from: '  if (open.some(({ state }) => !STATES_WAITING_FOR_PERSON.includes(state))) {',
    to: '  if (open.length === parts.length && open.some(({ state }) => !STATES_WAITING_FOR_PERSON.includes(state))) {',
  },
  {
    name: 'a part that came back counts as sent',
    mechanisms: ['parts', 'changes'],
    file: 'held-posts/hand-over/withdraw.ts',
    from: 'return { sent_to: [...platforms].filter((platform) => !unsent.includes(platform)).join() };',
    to: 'return { sent_to: [...platforms, ...unsent].join() };',
  },
  {
    name: 'a late result of a part is dropped',
    file: 'held-posts/hand-over/outcome.ts',
    from: `  if (isOnItsOwn(row, submission)) return takeLateOutcome(context, row, submission);
`,
    to: `  if (isOnItsOwn(row, submission)) return true;
`,
  },
  {
    name: 'a refusal of the service is taken for success',
    file: 'held-posts/hand-over/outcome.ts',
    from: `    .filter(isReturnable)
    .toSorted`,
    to: `    .filter((part) => isReturnable(part) && part.state !== 'refused')
    .toSorted`,
  },
  {
    // A decision compares the version and the content, so the fault is in what both come from.
    name: 'an approval counts for a version that wasn’t seen',
    file: 'features/held-posts/press.ts',
    from: 'press = { ...seen, workspace, actor, prepareEntry: createEntryPreparer(call) }',
    to: 'press = { ...seen, version: row.version, hash: row.content_hash.slice(0, seen.hash.length), workspace, actor, prepareEntry: createEntryPreparer(call) }',
  },
  {
    name: 'an approval outlives an edit',
    file: 'held-posts/event-kinds.ts',
    from: `      event.version === version &&
      event.content_hash === hash,`,
    to: '      event.version <= version,',
  },
  {
    name: 'an author approves their own post',
    file: 'held-posts/review/evaluate-review.ts',
    from: "  return excluded.set(post.author, 'own');",
    to: `  excluded.delete(post.author);
  return excluded;`,
  },
  {
    name: 'an edit overwrites one that its author hadn’t seen',
    file: 'held-posts/change.ts',
    from: 'const isOutdated = found.version !== (press.version ?? found.version);',
    to: 'const isOutdated = false;',
  },
  {
    name: 'an undo shows the old text',
    file: 'held-posts/change.ts',
    from: `        ...columns,
        ...(isSentAgain(row, columns) && { hand_over_at: context.clock.now() }),`,
    to: `        ...columns,
        ...(how === 'moved' && { content: row.content }),
        ...(isSentAgain(row, columns) && { hand_over_at: context.clock.now() }),`,
  },
  {
    name: 'a moved post keeps its time',
    file: 'held-posts/change.ts',
    from: `        in_review: inReview,
        approver,
`,
    to: `        in_review: inReview,
        approver,
        ...(how === 'moved' && { hand_over_at: row.hand_over_at, publish_at: row.publish_at, content: row.content }),
`,
  },
  {
    name: '[Undo move] names the time that the move has given',
    file: 'features/held-posts/move.ts',
    from: '{row.publish_at?.toISOString()}',
    to: '{result.row.publish_at?.toISOString()}',
  },
  {
    name: 'a move forgets the picture',
    file: 'features/schedule-post/sent/post-submission.ts',
    from: "    values: { ...content.values, when: '', zone },",
    to: "    values: { ...content.values, when: '', zone, media: '' },",
  },
  {
    name: 'a platform gets the text of others',
    file: 'features/schedule-post/sent/post-submission.ts',
    from: 'values: { ...ownValues, platforms, text }, partOf },',
    to: 'values: { ...ownValues, platforms, text: values.text }, partOf },',
  },
  {
    name: 'a post that is moved to an earlier time is handed over at the old one',
    file: 'held-posts/change.ts',
    from: 'next_at: computeNextAt(context, change.to, { ...before, ...change.columns }),',
    to: 'next_at: computeNextAt(context, change.to, before),',
  },
  {
    name: 'a restored post needs no review any more',
    mechanisms: ['review', 'drafts'],
    file: 'held-posts/decisions.ts',
    from: '  const in_review = row.in_review || requiresReview(await findPolicy(context.db, row));',
    to: '  const in_review = row.in_review && requiresReview(await findPolicy(context.db, row)) && row.version > 1;',
  },
  {
    name: 'whoever takes a post over doesn’t become its author',
    mechanisms: ['people'],
    file: 'held-posts/decisions.ts',
    from: 'columns: { ...columns, author: press.actor, approver: null },',
    to: 'columns: { ...columns, approver: null },',
  },
  {
    name: 'a post for another version of its form is stored twice',
    mechanisms: ['drafts', 'changes', 'slots'],
    file: 'held-posts/hold.ts',
    from: `      const row = knownRows.find(({ item }) => item === post.item);
      if (row) {`,
    to: `      const row = knownRows.find(({ item }) => item === post.item);
      if (row && row.version > 1) newPosts[index] = { ...post, item: post.item + 50 };
      if (row && row.version === 1) {`,
  },
  {
    name: 'a slot is taken twice',
    file: 'held-posts/slots/slots.ts',
    from: '!place.platforms.some((platform) => taken.has(toSlotKey(platform, instant))),',
    to: 'place.platforms.length > 0,',
  },
  {
    name: 'a post at the service leaves its slot to others',
    file: 'held-posts/slots/slots.ts',
    from: "const TAKING_STATES = [...PLANNED_STATES, 'delivered'] as const;",
    to: "const TAKING_STATES = ['draft', 'held'] as const;",
  },
  {
    name: 'a slot is on a blackout day',
    file: 'preferences/posting-times.ts',
    from: '  return blackouts.length === 0 ? recurrence : { ...recurrence, leftOut: blackouts };',
    to: '  return blackouts.length === 0 ? recurrence : { ...recurrence, leftOut: blackouts.slice(1) };',
  },
  {
    name: 'a series has two posts for a date that somebody has changed',
    file: 'held-posts/series/make-occurrences.ts',
    from: `    if (index >= 0) decidedDays.splice(index, 1);
    return index < 0;`,
    to: '    return true;',
  },
  {
    name: 'an edit of a series leaves the posts that exist',
    file: 'held-posts/series/make-occurrences.ts',
    from: 'const mayCorrect = (each: HeldPostRow) => row.is_changed && isEditable(each) && !isEdited(each);',
    to: 'const mayCorrect = (_each: HeldPostRow) => false;',
  },
  {
    name: 'a resumed series doesn’t restore its posts',
    file: 'held-posts/series/make-occurrences.ts',
    from: `  if (row.is_changed) await alignOccurrences(context, row, content, policy);
`,
    to: '',
  },
  {
    name: 'a cancelled series keeps its posts',
    file: 'held-posts/series/change-series.ts',
    from: `  const editable = rows.filter(isEditable);
`,
    to: `  const editable = rows.filter(isEditable).slice(0, 1);
`,
  },
  {
    name: 'an undo of a series’ edit keeps the edit',
    file: 'held-posts/series/change-series.ts',
    from: '...replaceContent(context, row, { content: row.previous, previous: null, changed_from: from }),',
    to: '...replaceContent(context, row, { content: row.content, previous: null, changed_from: from }),',
  },
  {
    name: 'an import leaves out batches',
    file: 'imports/imports.ts',
    from: `    position: row.position + 1,
    imported: row.imported + counts.imported,`,
    to: `    position: row.position + 2,
    imported: row.imported + counts.imported,`,
  },
  {
    name: 'an import says that it imported nothing',
    file: 'imports/imports.ts',
    from: '    imported: row.imported + counts.imported,',
    to: '    imported: row.imported,',
  },
  {
    name: 'an undone import leaves its posts',
    file: 'imports/imports.ts',
    from: `    if (EDITABLE_STATES.some((state) => state === post.state))
`,
    to: `    if (post.state === 'draft')
`,
  },
  {
    name: 'the same rows are imported twice',
    file: 'held-posts/hold.ts',
    from: `  if (!imported) return findEqualHeldPost(trx, post, since);
`,
    to: `  if (imported) return undefined;
  return findEqualHeldPost(trx, post, since);
`,
  },
  {
    name: 'a file is deleted before its post goes out',
    file: 'media/media.ts',
    from: 'const until = Math.min(computeKeptUntil(publishAt, now()).getTime(), now().getTime() + maxMs);',
    to: 'const until = Math.min(now().getTime() + 3_600_000, now().getTime() + maxMs);',
  },
  {
    name: 'a digest is sent again after an unclear answer',
    file: 'digests/send-occurrence.ts',
    from: "  await context.verbs.settle(row, 'reconciling', { checks: 0, retrying_since: sharedNow, next_at });",
    to: "  await context.verbs.settle(row, 'due', { checks: 0, retrying_since: sharedNow, next_at });",
  },
  {
    name: 'a digest after the change of the clocks is left out',
    file: 'digests/create-occurrences.ts',
    from: 'const slots = [firstSlot, ...passed.slice(0, MAX_SLOTS_PER_BATCH)];',
    to: 'const slots = [firstSlot];',
  },
  {
    name: 'a notice is dropped when Slack is away',
    file: 'engine/notifier.ts',
    from: "else if (result === 'later') await tryLater();",
    to: "else if (result === 'later') await end();",
  },
  {
    name: 'a notice is sent again after an unclear answer',
    file: 'engine/notifier.ts',
    from: 'const earlierSince = starts.length === 0 ? undefined : new Date(Math.min(...starts));',
    to: 'const earlierSince = undefined;',
  },
  {
    name: 'a restored backup sends again what had been sent',
    file: 'app/capabilities.ts',
    from: `  for (const { restore } of CAPABILITIES) counts.push(...(await restore(db, now)));
`,
    to: '',
  },
  {
    name: 'an uninstallation leaves what waits',
    file: 'app/capabilities.ts',
    from: `    await transitionAfterUninstall(transaction, capability, uninstall);
    await capability.endAfterUninstall(transaction, uninstall);
`,
    to: `    if (capability.name === 'digests') await transitionAfterUninstall(transaction, capability, uninstall);
`,
  },
];
