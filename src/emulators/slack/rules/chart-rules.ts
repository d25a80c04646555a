import { isRecord, type Json, recordIn, recordsIn, stringsIn } from '../json.ts';
import { type Problem, repeated, wanted } from './problem.ts';
import { ANYTHING, type FieldRule, type Kinds, list, may, must, string, thing } from './rule.ts';

/** Bar, area and line charts. */
const plotted: Record<string, FieldRule> = {
  series: must(list(thing('data_series'), 1, 12), 'D'),
  axis_config: must(thing('axis_config'), 'D'),
};

/**
 * Charts of data_visualization blocks (docs.slack.dev/reference/block-kit/blocks/data-visualization-block; the counts are
 * those that slack-morphism 2.30 and openclaw met, which are newer than the page's).
 */
export const CHART_RULES: Kinds = {
  pie: { segments: must(list(thing('segment'), 1, 12), 'D') },
  bar: plotted,
  area: plotted,
  line: plotted,
  segment: { label: must(string(20, 1), 'D'), value: must(ANYTHING, 'D') },
  data_series: { name: must(string(20, 1), 'D'), data: must(list(thing('data_point'), 1, 20), 'D') },
  data_point: { label: must(string(20, 1), 'D'), value: must(ANYTHING, 'D') },
  axis_config: {
    categories: must(list(string(20, 1), 1, 20), 'D'),
    x_label: may(string(50), 'D'),
    y_label: may(string(50), 'D'),
  },
};

/** The values of a chart are numbers, those of a pie above zero. The words of this refusal are not documented. */
export function chartValueProblems(value: Json, pointer: string, isPie: boolean): Problem[] {
  const given = value.value;
  if (given === undefined) return [];
  if (typeof given !== 'number') return wanted(true, 'must provide a number', `${pointer}/value`);
  return wanted(isPie && given <= 0, 'must be greater than 0', `${pointer}/value`);
}

/** Each series has a name of its own, and one value for each category. The words of these refusals are not documented. */
export function seriesProblems(chart: Json, pointer: string): Problem[] {
  const series = recordsIn(chart, 'series');
  const categories = stringsIn(recordIn(chart, 'axis_config') ?? {}, 'categories');
  return [
    ...repeated(series, 'name', (index) => `${pointer}/series/${index}/name`),
    ...series.flatMap((one, index) => {
      const labels = recordsIn(one, 'data').map(({ label }) => label);
      const fits =
        labels.length === categories.length && categories.every((category) => labels.includes(category));
      const says = 'must have one data point for each of the categories';
      return wanted(Array.isArray(one.data) && !fits, says, `${pointer}/series/${index}/data`);
    }),
  ];
}

/** Two in one message (docs.rs/slack-morphism/2.30.0, SlackDataVisualizationBlock). The words are not documented. */
export function chartCountProblems(blocks: readonly Json[], pointer: string): Problem[] {
  const charts = blocks.flatMap((block, index) =>
    isRecord(block) && block.type === 'data_visualization' ? [index] : [],
  );
  return charts
    .slice(2)
    .map((index) => ({ says: 'only two charts are allowed', pointer: `${pointer}/${index}` }));
}
