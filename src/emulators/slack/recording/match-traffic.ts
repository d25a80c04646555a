import { isRecord } from '../json.ts';
import { findDifferences } from './differences.ts';
import type { LearnedIds } from './learned-ids.ts';
import type { RecordedTraffic } from './recording.ts';

/** Calls that keep the connection up, in no fixed order. */
const UPKEEP = new Set(['api.test', 'apps.connections.open', 'auth.test']);

export const isUpkeep = ({ type, label }: RecordedTraffic) => type === 'from-app' && UPKEEP.has(label);

/** A request or call of the recording, and the one that plays its role in the replay. */
export interface Match {
  recorded: RecordedTraffic;
  replayed: RecordedTraffic;
}

/** A command's text may name people by id; a call's label is its method. */
const isSameKind = (ids: LearnedIds, recorded: RecordedTraffic, replayed: RecordedTraffic) =>
  recorded.type === replayed.type &&
  recorded.app === replayed.app &&
  recorded.kind === replayed.kind &&
  ids.translate(recorded.label) === replayed.label;

/**
 * Finds the replayed request or call for each recorded one: of the same kind and label, with the fewest differences,
 * else the earliest. Ids are learned on the way, since later payloads contain them.
 */
export function matchTraffic(
  recorded: readonly RecordedTraffic[],
  replayed: readonly RecordedTraffic[],
  ids: LearnedIds,
): { matches: Match[]; missing: RecordedTraffic[]; extra: RecordedTraffic[] } {
  const free = [...replayed];
  const matches: Match[] = [];
  const missing: RecordedTraffic[] = [];
  for (const entry of recorded) {
    const candidates = free.filter((other) => isSameKind(ids, entry, other));
    const counts = candidates.map((other) => countDifferences(entry, other, ids));
    const found = candidates[counts.indexOf(Math.min(...counts))];
    if (!found) {
      missing.push(entry);
      continue;
    }
    free.splice(free.indexOf(found), 1);
    matches.push({ recorded: entry, replayed: found });
    learnFrom({ recorded: entry, replayed: found }, ids);
  }
  return { matches, missing, extra: free };
}

/** Ids come from the workspace: in what it sends, and in its answers. */
function learnFrom({ recorded, replayed }: Match, ids: LearnedIds): void {
  if (recorded.type === 'to-app') ids.learn(recorded.payload, replayed.payload);
  else ids.learn(recorded.answer, replayed.answer);
}

function countDifferences(recorded: RecordedTraffic, replayed: RecordedTraffic, ids: LearnedIds): number {
  return findDifferences(ids.translate(recorded.payload), replayed.payload).length;
}

/** How the app acts differently: in its arguments, or in its acknowledgement and whether that came. */
export function changesOf({ recorded, replayed }: Match, ids: LearnedIds): string[] {
  const mine = recorded.type === 'to-app' ? recorded.answer : recorded.payload;
  const theirs = replayed.type === 'to-app' ? replayed.answer : replayed.payload;
  const outcome = ({ outcome, reason }: RecordedTraffic) => (reason ? `${outcome}: ${reason}` : outcome);
  const [before, after] = [outcome(recorded), outcome(replayed)];
  return [
    ...(before === after ? [] : [`${before} is now ${after}`]),
    ...findDifferences(ids.translate(emptied(mine)), emptied(theirs)),
  ];
}

/** An acknowledgement with nothing in it equals none. */
function emptied(value: unknown): unknown {
  const isEmpty = value === '' || (isRecord(value) && Object.keys(value).length === 0);
  return isEmpty ? undefined : value;
}
