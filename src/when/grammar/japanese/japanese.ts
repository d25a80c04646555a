import { Chrono } from 'chrono-node/en';
import { dropTimesOffTheClock } from '../chrono-corrections.ts';
import { overlapRemoval, yearFirstDates } from '../chrono-parts.ts';
import type { Language } from '../language.ts';
import { mergePieces } from '../merge-pieces.ts';
import { japaneseDates } from './date-rules.ts';
import { japaneseDays } from './day-rules.ts';
import { japaneseDurations } from './durations.ts';
import { japaneseRefusal } from './refusals.ts';
import { japaneseTimes } from './time-rules.ts';
import { japaneseTypos } from './typos.ts';

/** Particles and words that say nothing of when. */
const FILLER =
  /^(?:[\s,;.:、。，・()（）]|の|に|は|で|を|へ|頃|ごろ|ころ|くらい|ぐらい|ちょうど|きっかり|ぴったり|ジャスト|だいたい|およそ|約|投稿|送信|配信|予約|して|ください|お願いします)*$/u;

const NOW =
  /^(?:今|いま|今すぐ|いますぐ|すぐ|すぐに|ただいま|ただちに|直ちに|即|至急|できるだけ早く|なるべく早く)[。!！に]*$/u;

export function japanese(): Language {
  const isFiller = (text: string): boolean => FILLER.test(text);
  const grammar = new Chrono({
    parsers: [...yearFirstDates, ...japaneseDays, ...japaneseDates, ...japaneseTimes, ...japaneseDurations],
    refiners: [...overlapRemoval, dropTimesOffTheClock, mergePieces(isFiller)],
  });
  return {
    readings: [grammar],
    prepare: (text) => text,
    isFiller,
    isNow: (text) => NOW.test(text.trim()),
    refusalOf: japaneseRefusal,
    correctTypos: japaneseTypos,
    examples: ['明日の午前9時', '金曜日 14:30', '12月1日 10時15分'],
  };
}
