import { getRecord, getRecords, getStrings, isRecord, type Json } from '../json.ts';
import {
  ANY,
  array,
  type FieldRule,
  type FieldRules,
  object,
  optionalField,
  requiredField,
  string,
} from './field-rule.ts';
import { findDuplicates, type Problem, reportIf } from './problem.ts';

/** Bar, area and line charts. */
const SERIES_CHART: Record<string, FieldRule> = {
  series: requiredField(array(object('data_series'), 1, 12), 'D'),
  axis_config: requiredField(object('axis_config'), 'D'),
};

/**
 * Charts of data_visualization blocks (docs.slack.dev/reference/block-kit/blocks/data-visualization-block). The maximum
 * counts are those in slack-morphism 2.30 and openclaw, which are newer than the documentation.
 */
export const CHART_RULES: FieldRules = {
  pie: { segments: requiredField(array(object('segment'), 1, 12), 'D') },
  bar: SERIES_CHART,
  area: SERIES_CHART,
  line: SERIES_CHART,
  segment: { label: requiredField(string(20, 1), 'D'), value: requiredField(ANY, 'D') },
  data_series: {
    name: requiredField(string(20, 1), 'D'),
    data: requiredField(array(object('data_point'), 1, 20), 'D'),
  },
  data_point: { label: requiredField(string(20, 1), 'D'), value: requiredField(ANY, 'D') },
  axis_config: {
    categories: requiredField(array(string(20, 1), 1, 20), 'D'),
    x_label: optionalField(string(50), 'D'),
    y_label: optionalField(string(50), 'D'),
  },
};

/** Values are numbers, and those of a pie chart are positive. The texts of these errors aren't documented. */
export function checkChartValue({ value }: Json, pointer: string, isPie: boolean): Problem[] {
  if (value === undefined) return [];
  if (typeof value !== 'number') return reportIf(true, 'must provide a number', `${pointer}/value`);
  return reportIf(isPie && value <= 0, 'must be greater than 0', `${pointer}/value`);
}

/** Each series has a different name, and one value for each category. The texts of these errors aren't documented. */
export function checkSeries(chart: Json, pointer: string): Problem[] {
  const series = getRecords(chart, 'series');
  const categories = getStrings(getRecord(chart, 'axis_config') ?? {}, 'categories');
  return [
    ...findDuplicates(series, 'name', (index) => `${pointer}/series/${index}/name`),
    ...series.flatMap((entry, index) => {
      const labels = getRecords(entry, 'data').map(({ label }) => label);
      const isComplete =
        labels.length === categories.length && categories.every((category) => labels.includes(category));
      const message = 'must have one data point for each of the categories';
      return reportIf(Array.isArray(entry.data) && !isComplete, message, `${pointer}/series/${index}/data`);
    }),
  ];
}

/**
 * A message has at most two charts (docs.rs/slack-morphism/2.30.0, SlackDataVisualizationBlock). The text of this error
 * isn't documented.
 */
export function checkChartCount(blocks: readonly Json[], pointer: string): Problem[] {
  const charts = blocks.flatMap((block, index) =>
    isRecord(block) && block.type === 'data_visualization' ? [index] : [],
  );
  return charts
    .slice(2)
    .map((index) => ({ message: 'only two charts are allowed', pointer: `${pointer}/${index}` }));
}
