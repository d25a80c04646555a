import { spelled } from '../../grammar/european/spelling.ts';
import { perLanguage, type ReadingLexicon } from '../words/reading-lexicon.ts';
import { pairsIn } from './pairs.ts';
import { dayPointsIn, type PointExpression, pointsIn, stretchesNamed } from './points.ts';
import {
  type ClosedStretch,
  chooseStretch,
  endOn,
  MINUTE_MS,
  type RangeContext,
  type Side,
  type Stretch,
  timeOn,
} from './stretch.ts';

/** A stretch, and how the words name it: as a whole, by one end, or by two. */
export interface ReadStretch {
  stretch: Stretch;
  shape: 'whole' | 'open' | 'pair';
  notes: readonly string[];
}

const SIDES = ['since', 'until', 'before', 'after', 'from'] as const;

const sidesOf = perLanguage((lexicon) => {
  const { edges } = lexicon.words;
  const onwards = `(?:,?${lexicon.gap}(?:${spelled(edges.onwards)}))`;
  return SIDES.map((side) => {
    const isFrom = side === 'from' || side === 'since';
    return [
      side,
      new RegExp(
        `^(?:${spelled(edges[side])})${lexicon.gap}(?<point>.+?)${isFrom ? `${onwards}?` : ''}$`,
        'i',
      ),
    ] as const;
  });
});

const endOf = perLanguage(({ words }) => new RegExp(`(?:${words.fillersAfter ?? '(?!)'})+$`));

const onwardsOf = perLanguage(
  ({ words, gap }) => new RegExp(`^(?<point>.+?),?${gap}(?:${spelled(words.edges.onwardsAlone)})$`, 'i'),
);

/** All stretches that the words can mean in one language, the likeliest first. */
export function readRange(
  written: string,
  lexicon: ReadingLexicon,
  context: RangeContext,
): readonly ReadStretch[] {
  const words = written.replace(endOf(lexicon), '');
  const stretches = stretchesNamed(words, lexicon, context);
  if (stretches !== undefined) return sided(stretches, 'alone', context);
  for (const [side, pattern] of sidesOf(lexicon)) {
    const point = pattern.exec(words)?.groups?.point;
    const read = point === undefined ? [] : sided(pointsIn(point, lexicon, context), side, context);
    if (read.length > 0) return read;
  }
  const whole = sided(dayPointsIn(words, context), 'alone', context);
  if (whole.length > 0) return whole;
  const pairs = pairsIn(words, lexicon, context);
  if (pairs.length > 0) return pairs.map((stretch) => ({ stretch, shape: 'pair', notes: [] }));
  const point = onwardsOf(lexicon).exec(words)?.groups?.point;
  return point === undefined ? [] : sided(pointsIn(point, lexicon, context), 'from', context);
}

function sided(
  points: readonly PointExpression[],
  side: Side,
  context: RangeContext,
): readonly ReadStretch[] {
  return points.flatMap((point) => {
    const notes = point.day?.note === undefined ? [] : [point.day.note];
    return edgesOf(point, side, context).map((closed) => ({
      stretch: cut(closed, side),
      shape: side === 'alone' ? ('whole' as const) : ('open' as const),
      notes,
    }));
  });
}

/** The stretch itself, or its day at these minutes. A moment without "from" or "until" is no range. */
function edgesOf(
  { day, minutes }: PointExpression,
  side: Side,
  context: RangeContext,
): readonly ClosedStretch[] {
  if (minutes === undefined) {
    const chosen = day === undefined ? undefined : chooseStretch(day, side, context);
    return chosen === undefined ? [] : [chosen];
  }
  if (side === 'alone') return [];
  const from = day === undefined ? undefined : chooseStretch(day, side, context)?.from.wall;
  const midnight = from ?? context.now.startOf('day').toMillis();
  return minutes.map((minute) => ({ from: timeOn(midnight, minute), to: endOn(midnight, minute) }));
}

function cut({ from, to }: ClosedStretch, side: Side): Stretch {
  switch (side) {
    case 'alone':
      return { from, to };
    case 'since':
    case 'from':
      return { from };
    case 'until':
      return { to };
    case 'before':
      return { to: just(from, -1) };
    case 'after':
      return { from: to.wall - from.wall < MINUTE_MS ? from : just(to, 1) };
  }
}

function just(edge: ClosedStretch['from'], ms: number): ClosedStretch['from'] {
  const wall = edge.wall + ms;
  return edge.instant === undefined ? { wall } : { wall, instant: edge.instant + ms };
}
