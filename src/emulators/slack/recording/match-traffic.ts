import { isRecord } from '../json.ts';
import { findDifferences } from './differences.ts';
import type { LearnedIds } from './learned-ids.ts';
import type { RecordedTraffic } from './recording.ts';

/** Calls that SDKs make for the connection, in varying order. */
const CONNECTION_METHODS = new Set(['api.test', 'apps.connections.open', 'auth.test']);

export const isConnectionCall = ({ type, label }: RecordedTraffic) =>
  type === 'from-app' && CONNECTION_METHODS.has(label);

/** A recorded request or call, and its counterpart in the replay. */
export interface Match {
  recorded: RecordedTraffic;
  replayed: RecordedTraffic;
}

/** The label of a command contains its text, in which people have ids. */
const haveSameLabel = (ids: LearnedIds, recorded: RecordedTraffic, replayed: RecordedTraffic) =>
  recorded.type === replayed.type &&
  recorded.app === replayed.app &&
  recorded.kind === replayed.kind &&
  ids.translate(recorded.label) === replayed.label;

/**
 * Finds the counterpart of each recorded request or call: the one with the same label and the fewest differences, or else
 * the earliest. Learns ids from each match, since later payloads contain them.
 */
export function matchTraffic(
  recorded: readonly RecordedTraffic[],
  replayed: readonly RecordedTraffic[],
  ids: LearnedIds,
): { matches: Match[]; missing: RecordedTraffic[]; extra: RecordedTraffic[] } {
  const unmatched = [...replayed];
  const matches: Match[] = [];
  const missing: RecordedTraffic[] = [];
  for (const entry of recorded) {
    const candidates = unmatched.filter((other) => haveSameLabel(ids, entry, other));
    const counts = candidates.map((other) => countDifferences(entry, other, ids));
    const found = candidates[counts.indexOf(Math.min(...counts))];
    if (!found) {
      missing.push(entry);
      continue;
    }
    unmatched.splice(unmatched.indexOf(found), 1);
    matches.push({ recorded: entry, replayed: found });
    learnFrom({ recorded: entry, replayed: found }, ids);
  }
  return { matches, missing, extra: unmatched };
}

/** New ids are in requests to the app and in answers to its calls. */
function learnFrom({ recorded, replayed }: Match, ids: LearnedIds): void {
  if (recorded.type === 'to-app') ids.learn(recorded.payload, replayed.payload);
  else ids.learn(recorded.answer, replayed.answer);
}

function countDifferences(recorded: RecordedTraffic, replayed: RecordedTraffic, ids: LearnedIds): number {
  return findDifferences(ids.translate(recorded.payload), replayed.payload).length;
}

/** Lists changes in a call's arguments, or in the acknowledgement of a request, and in the outcome. */
export function findChanges({ recorded, replayed }: Match, ids: LearnedIds): string[] {
  const recordedPart = recorded.type === 'to-app' ? recorded.answer : recorded.payload;
  const replayedPart = replayed.type === 'to-app' ? replayed.answer : replayed.payload;
  const describeOutcome = ({ outcome, reason }: RecordedTraffic) =>
    reason ? `${outcome}: ${reason}` : outcome;
  const [before, after] = [describeOutcome(recorded), describeOutcome(replayed)];
  return [
    ...(before === after ? [] : [`${before} is now ${after}`]),
    ...findDifferences(ids.translate(omitEmpty(recordedPart)), omitEmpty(replayedPart)),
  ];
}

/** Treats an empty acknowledgement like none. */
function omitEmpty(value: unknown): unknown {
  const isEmpty = value === '' || (isRecord(value) && Object.keys(value).length === 0);
  return isEmpty ? undefined : value;
}
